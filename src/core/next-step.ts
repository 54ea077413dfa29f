import type { z } from "zod";
import type { NextSteps } from "./answer.ts";
import { MerchantError, type NextStep } from "./errors.ts";

/** HTTP endpoint of each tool, for `next` (contract §0). A test compares it with the operations. */
export const ENDPOINTS = {
  register_agent: "POST /v1/agents/register",
  get_catalog: "GET /v1/catalog",
  get_policy: "GET /v1/policy",
  ask: "GET /v1/ask",
  request_quote: "POST /v1/quote-requests",
  get_quote: "GET /v1/quotes/{quote_id}",
  create_checkout: "POST /v1/quotes/{quote_id}/checkout",
  get_quote_order: "GET /v1/quotes/{quote_id}/order",
  list_orders: "GET /v1/orders",
  get_order: "GET /v1/orders/{order_id}",
  list_order_events: "GET /v1/orders/{order_id}/events",
  request_cancellation: "POST /v1/orders/{order_id}/cancel-requests",
  withdraw_cancellation: "DELETE /v1/orders/{order_id}/cancel-requests",
  join_waitlist: "POST /v1/waitlist",
  get_waitlist_entry: "GET /v1/waitlist/{waitlist_id}",
  leave_waitlist: "DELETE /v1/waitlist/{waitlist_id}",
  send_feedback: "POST /v1/feedback",
  send_bulk_lead: "POST /v1/bulk-leads",
  build_quick_checkout_link: "GET /v1/quick-checkout",
  get_link_order: "GET /v1/link-orders",
} as const;

export type ToolName = keyof typeof ENDPOINTS;

/** A next step: the tool with its endpoint, and why. `id` replaces the endpoint's parameter in braces. */
export const step = (tool: ToolName, why: string, id?: string): NextStep => ({
  action: tool,
  http: id === undefined ? ENDPOINTS[tool] : ENDPOINTS[tool].replace(/\{\w+\}/, () => id),
  why,
});

/** Follows a checkout page; the endpoint is complete, for clients that can only open addresses. */
export const followPage = (
  checkoutUrl: string,
  why: string,
  { wait = true }: { wait?: boolean } = {},
): NextStep => {
  const query = new URLSearchParams({ checkout_url: checkoutUrl, ...(wait && { wait: "25" }) });
  const http = `${ENDPOINTS.get_link_order}?${query}`;
  return { action: "get_link_order", http, why };
};

/** For an order that this caller does not have: its key or its link is lost. */
export const lostOrder = (baseUrl: string): NextStep[] => [
  step(
    "get_link_order",
    "An order of another key, or of none: read it by any old address of the purchase, such as its review link.",
  ),
  findOrderStep(baseUrl),
];

export const findOrderStep = (baseUrl: string): NextStep => ({
  action: "tell the buyer",
  why: `${baseUrl}/find-order leads to an order that is paid.`,
});

/** Tools of /mcp/shop, which takes no key. A test compares them with its operations. */
export const SHOP_TOOLS: readonly ToolName[] = [
  "get_catalog",
  "get_policy",
  "ask",
  "build_quick_checkout_link",
  "get_link_order",
];

const REGISTER = step("register_agent", "Register to get a key; it is free.");

const needsKey = ({ action, http }: NextStep): boolean =>
  http !== undefined && action !== "register_agent" && !isInShop(action);

/** Steps for a caller without a key: it registers before a step that needs one. */
function withKeyFirst(steps: readonly NextStep[]): NextStep[] {
  if (!steps.some(needsKey)) return [...steps];
  return [REGISTER, ...steps.filter(({ action }) => action !== "register_agent")];
}

/** The same for a refusal. Returns the error. */
export function leadToKey(error: unknown): unknown {
  if (error instanceof MerchantError) {
    error.next.splice(0, error.next.length, ...withKeyFirst(error.next));
  }
  return error;
}

/** How an interface names operations: tools over MCP, endpoints over HTTP. "shop" is /mcp/shop, which has few tools. */
export type Naming = "tools" | "endpoints" | "shop";

export const named = (tool: ToolName, naming: Naming): string =>
  naming === "endpoints" ? ENDPOINTS[tool] : tool;

/** Credentials that belong to one call: headers over HTTP, arguments over MCP. */
const HEADERS = {
  idempotency_key: "Idempotency-Key",
  finder_key: "Finder-Key",
  api_key: "Authorization: Bearer <API_KEY>",
} as const;

export type CredentialName = keyof typeof HEADERS;

/** Name of a credential where the caller sends it. */
export const credentialAs = (name: CredentialName, naming: Naming): string =>
  naming === "endpoints" ? HEADERS[name] : name;

/** Place of a credential: "the header Finder-Key" or "the argument finder_key". */
export const placeOf = (name: CredentialName, naming: Naming): string =>
  `the ${naming === "endpoints" ? "header" : "argument"} ${credentialAs(name, naming)}`;

const isInShop = (tool: string): boolean => SHOP_TOOLS.some((name) => name === tool);

/** The steps that an interface has, by its own names. */
export const namedSteps = (steps: readonly NextStep[], naming: Naming): ShownStep[] =>
  steps
    .filter(({ action, http }) => naming !== "shop" || http === undefined || isInShop(action))
    .map(({ action, http, why, sends }) => ({
      action: (naming === "endpoints" && http) || action,
      why: sends ? `${why} Send it as ${placeOf(sends, naming)}.` : why,
    }));

/** A step as an interface shows it. */
type ShownStep = z.infer<typeof NextSteps>[number];

interface WithSteps {
  next?: ShownStep[];
  /** Entries of a list have their own steps. */
  orders?: WithSteps[];
  /** URLs for HTTP clients only. */
  links?: unknown;
}

/** Names an answer's next steps, and those of its entries, in the caller's vocabulary. */
export function namedAnswer<B>(body: B, naming: Naming): B {
  const { links, ...own } = body as WithSteps;
  const { next, orders } = own;
  if (next === undefined && orders === undefined) return body;
  return {
    ...own,
    ...(links !== undefined && naming === "endpoints" && { links }),
    ...(next && { next: namedSteps(next, naming) }),
    ...(orders && { orders: orders.map((order) => namedAnswer(order, naming)) }),
  } as B;
}
