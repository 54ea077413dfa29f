import { writeFileSync } from "node:fs";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { SHIPPED_CATALOG_FILE } from "../support/catalog.ts";
import { startService, testClock } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, send } from "../support/shopper.ts";

/**
 * `node test/docs/capture.ts` records the examples of the OpenAPI document from a real run, after a
 * response has changed. Examples written by hand would soon be wrong.
 */
const clock = testClock();
const { baseUrl, service, stop } = await startService(
  { CATALOG_FILE: SHIPPED_CATALOG_FILE, RATE_LIMITS: "on" },
  clock,
);
const { products } = loadCatalog(SHIPPED_CATALOG_FILE);
const beanOf = (availability: string) =>
  products.find((product) => product.availability === availability)?.product_id;
const examples: Record<string, { request?: unknown; response?: unknown }> = {};
let key: string | undefined;

async function call(operation: string, path: string, body?: object) {
  clock.advance(1000);
  const answer = await send(baseUrl, path, { key, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${operation}: ${answer.text}`);
  examples[operation] = { ...(body && { request: body }), response: answer.body };
  return answer.body;
}

const registered = await call("register_agent", "/v1/agents/register", {
  name: "Kitchen agent",
  contact_email: "agent@example.com",
});
key = registered.api_key as string;
await call("get_catalog", "/v1/catalog");
await call("get_policy", "/v1/policy");
await call("ask", `/v1/ask?q=${encodeURIComponent("How is the Colombia Huila roasted?")}`);
const bags = (quantity: number) => ({
  recipient_ref: "home",
  address: { ...ADDRESS, name: "Test Buyer" },
  items: [{ product_id: beanOf("STOCKED"), quantity }],
});
const quote = await call("request_quote", "/v1/quote-requests", {
  buyer: { email: "alex@example.com" },
  shipments: [{ ...bags(2), gift_notes: ["For slow mornings."] }],
  discount_code: "FIRSTBAG",
});
// docs/agents.md states its size, so it has only the required fields.
await call("one_bag_quote", "/v1/quote-requests", {
  buyer: { email: "alex@example.com" },
  shipments: [bags(1)],
});
const checkout = await call("create_checkout", `/v1/quotes/${quote.id}/checkout`, {
  quote_hash: quote.quote_hash,
});
await call("get_quote", `/v1/quotes/${quote.id}`);
await payAsBuyer(baseUrl, checkout.review_url);
const orderPath = `/v1/quotes/${quote.id}/order`;
await eventually(async () => (await send(baseUrl, orderPath, { key })).status === 200);
const order = await call("get_quote_order", orderPath);
const { orders, shipments, cancellations, stock } = service.merchant.admin("cli");
await orders.roast({ order_id: order.id });
const wish = await call("request_cancellation", `/v1/orders/${order.id}/cancel-requests`, {
  reason_code: "CHANGED_MIND",
});
await cancellations.decline({ request_id: wish.id, reason: "It is in the roaster already." });
await shipments.ship({
  shipment_id: order.shipments[0].id,
  tracking: { carrier: "USPS", number: "9400000000000000000009" },
});
await call("get_order", `/v1/orders/${order.id}`);
await call("list_orders", "/v1/orders?limit=1");
await call("list_order_events", `/v1/orders/${order.id}/events?after=0`);
const scarce = beanOf("WAITLIST")!;
await stock.set({ product_id: scarce, on_hand: 1 });
const entry = await call("join_waitlist", "/v1/waitlist", {
  product_id: scarce,
  quantity: 2,
  buyer: { email: "alex@example.com" },
});
await call("get_waitlist_entry", `/v1/waitlist/${entry.id}`);
await call("send_feedback", "/v1/feedback", {
  message: "The review page was clear on a phone.",
  order_id: order.id,
});
await call("send_bulk_lead", "/v1/bulk-leads", {
  email: "office@example.com",
  purpose: "Coffee for an office",
  quantity: "about 300 bags a month",
});
await stop();

const text = JSON.stringify(examples, null, 2)
  .replaceAll(baseUrl, "{base_url}")
  // Not a real key, so that it does not look like a leaked one.
  .replaceAll(key, "cma_<shown only this once>")
  .replaceAll(key.slice(0, 12), "cma_4pRx9QbT");
writeFileSync(new URL("../../docs/api/examples.json", import.meta.url), `${text}\n`);
