import type { Problem } from "../core/errors.ts";
import { namedText } from "../core/next-step.ts";
import { type Document, json } from "../web/documents.ts";

/** The one UCP release that is served. */
const RELEASE = "2026-04-08";

const PUBLISHED = `https://ucp.dev/${RELEASE}`;
const SHOPPING = "dev.ucp.shopping";

const CAPABILITIES = ["catalog.search", "catalog.lookup", "cart", "checkout", "discount"] as const;

type Capability = (typeof CAPABILITIES)[number];

const nameOf = (capability: Capability): string => `${SHOPPING}.${capability}`;

/** The profile that clients look for: services, capabilities and payment handlers (contract §20). */
export function ucpProfile(baseUrl: string): Document {
  const published = (page: string, schema: string) => ({
    version: RELEASE,
    spec: `${PUBLISHED}/specification/${page}`,
    schema: `${PUBLISHED}/${schema}`,
  });
  const service = (transport: string, path: string, schema: string) => ({
    ...published("overview", `services/shopping/${schema}`),
    transport,
    endpoint: `${baseUrl}${path}`,
  });
  const capabilities = CAPABILITIES.map((own) => {
    const schema = `schemas/shopping/${own.replace(".", "_")}.json`;
    const extended = own === "discount" && { extends: [nameOf("cart"), nameOf("checkout")] };
    return [nameOf(own), [{ ...published(own.replace(".", "/"), schema), ...extended }]];
  });
  const ucp = {
    version: RELEASE,
    services: {
      [SHOPPING]: [
        service("rest", "/ucp", "rest.openapi.json"),
        service("mcp", "/ucp/mcp", "mcp.openrpc.json"),
      ],
    },
    capabilities: Object.fromEntries(capabilities),
    // Nobody pays through the API: the buyer pays on the shop's page.
    payment_handlers: {},
  };
  return json("/.well-known/ucp", () => ({ ucp }), { maxAge: 300 });
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
  content: namedText(detail, "tools"),
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

/** A resource in UCP's envelope. */
export function succeeded<R extends object>(used: readonly Capability[], resource: R) {
  const capabilities = used.map((one) => [nameOf(one), [{ version: RELEASE }]]);
  const ucp = { version: RELEASE, status: "success", payment_handlers: {} };
  return { ucp: { ...ucp, capabilities: Object.fromEntries(capabilities) }, ...resource };
}

/** No resource: every problem at once, and the shop's front page to go on from. */
export const failed = (baseUrl: string, problems: readonly Problem[]) => ({
  ucp: { version: RELEASE, status: "error", payment_handlers: {} },
  messages: problems.map((problem) => errorOf(problem, "unrecoverable")),
  continue_url: `${baseUrl}/`,
});
