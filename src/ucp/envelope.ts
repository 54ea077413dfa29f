import type { Problem } from "../core/errors.ts";
import { namedText } from "../core/next-step.ts";
import { type Document, json } from "../web/documents.ts";

/** The one UCP release that is served. */
const RELEASE = "2026-04-08";

const PUBLISHED = `https://ucp.dev/${RELEASE}`;
const SHOPPING = "dev.ucp.shopping";

/** Pages of the specification, by the capabilities that they describe. */
const PAGES = {
  "catalog.search": "catalog/search",
  "catalog.lookup": "catalog/lookup",
  cart: "cart",
  checkout: "checkout",
  discount: "discount",
} as const;

type Capability = keyof typeof PAGES;

const nameOf = (capability: Capability): string => `${SHOPPING}.${capability}`;

/** The profile that clients look for: services, capabilities and payment handlers (contract §20). */
export const ucpProfile = (baseUrl: string): Document =>
  json("/.well-known/ucp", () => ({ ucp: profile(baseUrl) }), { maxAge: 300 });

function profile(baseUrl: string) {
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
  const capabilities = Object.entries(PAGES).map(([own, page]) => {
    const schema = `schemas/shopping/${page.replace("/", "_")}.json`;
    const extended = own === "discount" && { extends: [nameOf("cart"), nameOf("checkout")] };
    return [`${SHOPPING}.${own}`, [{ ...published(page, schema), ...extended }]];
  });
  return {
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
}

type Severity = "recoverable" | "requires_buyer_input" | "unrecoverable";

export type Message =
  | { type: "error"; code: string; content: string; severity: Severity; path?: string }
  | { type: "warning"; code: string; content: string; path?: string }
  | { type: "info"; code: string; content: string };

export const info = (code: string, content: string): Message => ({ type: "info", code, content });

/** Our codes as UCP names them; whatever is not here is `invalid`. */
const CODES: Record<string, string> = {
  OUT_OF_STOCK: "out_of_stock",
  UNKNOWN_PRODUCT: "item_unavailable",
  GEISHA_LOCKED: "item_unavailable",
  LIMIT_EXCEEDED: "quantity_exceeded",
  NOT_FOUND: "not_found",
  DISCOUNT_CODE_INVALID: "discount_code_invalid",
  ONE_CODE_ONLY: "discount_code_combination_disallowed",
  ALREADY_PAID: "already_completed",
  ALREADY_CANCELED: "already_canceled",
};

const told = ({ pointer, code, detail }: Pick<Problem, "pointer" | "code" | "detail">) => ({
  code: CODES[code] ?? "invalid",
  content: namedText(detail, "tools"),
  ...(pointer !== "" && { path: jsonPath(pointer) }),
});

/** `/line_items/0/quantity`, also within a tool's argument, → `$.line_items[0].quantity` */
export const jsonPath = (pointer: string): string => {
  const own = pointer.replace(/^\/(cart|checkout|catalog)(?=\/|$)/, "");
  return `$${own.replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".")}`;
};

export const errorOf = (problem: Problem, severity: Severity): Message => ({
  type: "error",
  severity,
  ...told(problem),
});

export const warningOf = (problem: Problem): Message => ({ type: "warning", ...told(problem) });

/** A resource with what every UCP response carries. */
export function succeeded<R extends object>(capability: Capability, resource: R) {
  const isSession = capability === "cart" || capability === "checkout";
  const used = isSession ? [capability, "discount" as const] : [capability];
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
