import { z } from "zod";
import type { Problem } from "../core/errors.ts";
import { type Document, json } from "../web/documents.ts";

/** Served UCP releases and their endpoints: the address tells a client's release, for no profile is fetched. */
export const RELEASES = [
  { version: "2026-04-08", endpoint: "/ucp", profile: "/.well-known/ucp" },
  {
    version: "2026-08-25",
    endpoint: "/ucp/2026-08-25",
    profile: "/.well-known/ucp/2026-08-25",
  },
] as const;

export type Release = (typeof RELEASES)[number];

const SHOPPING = "dev.ucp.shopping";

const CAPABILITIES = [
  "catalog.search",
  "catalog.lookup",
  "cart",
  "checkout",
  "discount",
  "order",
] as const;

type Capability = (typeof CAPABILITIES)[number];

const nameOf = (capability: Capability): string => `${SHOPPING}.${capability}`;

/**
 * The profiles that clients look for: services, capabilities and payment handlers (contract §20). The first
 * release's names the others. It is the older one, because some clients know no other.
 */
export const ucpProfiles = (baseUrl: string): Document[] =>
  RELEASES.map((release, i) => {
    const others = RELEASES.filter((one) => i === 0 && one !== release);
    const supported_versions = Object.fromEntries(
      others.map(({ version, profile }) => [version, `${baseUrl}${profile}`]),
    );
    const ucp = {
      version: release.version,
      ...(others.length > 0 && { supported_versions }),
      ...registries(release, baseUrl),
    };
    return json(release.profile, () => ({ ucp }), { maxAge: 300 });
  });

function registries({ version, endpoint }: Release, baseUrl: string) {
  const site = `https://ucp.dev/${version}`;
  const published = (page: string, schema: string) => ({
    version,
    spec: `${site}/specification/${page}`,
    schema: `${site}/${schema}`,
  });
  const service = (transport: string, path: string, schema: string) => ({
    ...published("overview", `services/shopping/${schema}`),
    transport,
    endpoint: `${baseUrl}${endpoint}${path}`,
  });
  const capabilities = CAPABILITIES.map((own) => {
    const schema = `schemas/shopping/${own.replace(".", "_")}.json`;
    const extended = own === "discount" && { extends: [nameOf("cart"), nameOf("checkout")] };
    return [nameOf(own), [{ ...published(own.replace(".", "/"), schema), ...extended }]];
  });
  return {
    services: {
      [SHOPPING]: [
        service("rest", "", "rest.openapi.json"),
        service("mcp", "/mcp", "mcp.openrpc.json"),
      ],
    },
    capabilities: Object.fromEntries(capabilities),
    // Nobody pays through the API: the buyer pays on the shop's page.
    payment_handlers: {},
  };
}

type Severity = "recoverable" | "requires_buyer_input" | "unrecoverable";

export type Message = ReturnType<typeof info | typeof warningOf | typeof errorOf>;

export const info = (code: string, content: string) => ({ type: "info", code, content });

/** UCP's names of our codes; any other code is `invalid`. */
const CODES: Record<string, string> = {
  OUT_OF_STOCK: "out_of_stock",
  UNKNOWN_PRODUCT: "item_unavailable",
  GEISHA_LOCKED: "item_unavailable",
  LIMIT_EXCEEDED: "quantity_exceeded",
  QUANTITY_UNIT: "quantity_unit_mismatch",
  NOT_FOUND: "not_found",
  DISCOUNT_CODE_INVALID: "discount_code_invalid",
  ONE_CODE_ONLY: "discount_code_combination_disallowed",
  BUYER_PAYS: "buyer_pays_on_our_page",
  ALREADY_PAID: "already_completed",
  ALREADY_CANCELED: "already_canceled",
};

export const warningOf = ({ pointer, code, detail }: Problem) => ({
  type: "warning",
  code: CODES[code] ?? "invalid",
  content: detail,
  ...(pointer !== "" && { path: jsonPath(pointer) }),
});

export const errorOf = (problem: Problem, severity: Severity) => ({
  ...warningOf(problem),
  type: "error",
  severity,
});

/** `/line_items/0/quantity`, also within a tool's argument, → `$.line_items[0].quantity` */
export const jsonPath = (pointer: string): string => {
  const own = pointer.replace(/^\/(cart|checkout|catalog)(?=\/)/, "");
  return `$${own.replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".")}`;
};

/** An answer of every release. `uses`: the capabilities of its resource; none for an error. */
export const Content = z.looseObject({ uses: z.array(z.enum(CAPABILITIES)) });

export type Content = z.infer<typeof Content>;

/** Puts an answer into the envelope of a release. */
export function stamped({ uses, ...resource }: Content, { version }: Release) {
  const capabilities = uses.map((one) => [nameOf(one), [{ version }]]);
  const ucp = {
    version,
    status: uses.length > 0 ? "success" : "error",
    payment_handlers: {},
    ...(uses.length > 0 && { capabilities: Object.fromEntries(capabilities) }),
  };
  return { ucp, ...resource };
}

/** No resource: every problem at once, and the shop's front page to go on from. */
export const failed = (baseUrl: string, problems: readonly Problem[]): Content => ({
  uses: [],
  messages: problems.map((problem) =>
    errorOf(problem, problem.code === "QUANTITY_UNIT" ? "recoverable" : "unrecoverable"),
  ),
  continue_url: `${baseUrl}/`,
});
