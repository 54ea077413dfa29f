import type { NextStep } from "./errors.ts";

/** Where each tool is found over HTTP, for `next` (contract §0). A test holds it to the operations. */
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
} as const;

export type ToolName = keyof typeof ENDPOINTS;

/** One next step: the tool, the endpoint beside it, and why. `id` fills the endpoint's name in braces. */
export const step = (tool: ToolName, why: string, id?: string): NextStep => ({
  action: `${tool} (${id === undefined ? ENDPOINTS[tool] : ENDPOINTS[tool].replace(/\{\w+\}/, id)})`,
  why,
});
