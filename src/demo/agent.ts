import { createHash, randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { display } from "../core/money.ts";
import type { AnyJson, Scene, Story } from "./scene.ts";

export interface AgentPurchase {
  key: string;
  quote: AnyJson;
  reviewUrl: string;
}

export const ADDRESS = {
  name: "Test Buyer",
  line1: "1 Main Street",
  city: "Austin",
  region: "TX",
  postal_code: "78701",
  country: "US",
};

/** The agent's half before payment: register, look, ask, quote, check the hash, get the link. */
export async function shop({ story, web }: Scene): Promise<AgentPurchase> {
  story.chapter("The agent", "talks JSON over HTTP");
  const registered = await web.api("POST", "/v1/agents/register", {
    body: { name: "Demo agent", contact_email: "agent@example.com" },
    expect: 201,
  });
  const key: string = registered.api_key;
  story.tell(`registers: key ${registered.api_key_prefix}…, shown this once`);
  const beans = await chooseBeans({ story, web });
  const quote = await requestQuote({ story, web }, key, beans);
  checkHash(story, quote);
  const path = `/v1/quotes/${quote.id}`;
  const body = { quote_hash: quote.quote_hash };
  const checkout = await web.api("POST", `${path}/checkout`, { key, body });
  story.check(
    checkout.total_minor === quote.terms.pricing.total_minor,
    "checkout has the quote's total",
  );
  story.tell("asks for the buyer's link, and hands it over", checkout.review_url);
  const early = await web.api("GET", `${path}/order`, { key, expect: 404 });
  story.check(early.code === "ORDER_NOT_READY", "no order before payment", early);
  story.tell(`looks for the order: ${early.code}. Nothing is ordered until a person pays`);
  return { key, quote, reviewUrl: checkout.review_url };
}

async function chooseBeans({ story, web }: Scene): Promise<string[]> {
  const { products } = await web.api("GET", "/v1/catalog");
  story.check(products.length > 0, "there are beans", products.length);
  story.tell(
    "reads the catalog",
    ...products.map((product: AnyJson) => {
      const { name_to_use_with_humans: name, price_display, roast_level, locked } = product;
      return `${price_display.padStart(7)}  ${name} (${roast_level}${locked ? ", locked" : ""})`;
    }),
  );
  const question = "Which coffee is good with milk?";
  const asked = await web.api("GET", `/v1/ask?q=${encodeURIComponent(question)}`);
  story.check(asked.facts.length > 0, "the answer rests on facts of the catalog", asked);
  story.tell(`asks “${question}”`, ...wrapped(asked.answer));
  return products
    .filter((product: AnyJson) => product.availability === "STOCKED")
    .map((product: AnyJson) => product.product_id);
}

async function requestQuote({ story, web }: Scene, key: string, beans: string[]): Promise<AnyJson> {
  const [first, second = first] = beans;
  const body = {
    buyer: { email: "alex@example.com" },
    shipments: [
      {
        recipient_ref: "home",
        address: ADDRESS,
        items: [{ product_id: first, quantity: 2 }],
      },
      {
        recipient_ref: "a friend",
        address: { ...ADDRESS, name: "Sam Example", line1: "22 Oak Avenue", city: "Dallas" },
        items: [{ product_id: second, quantity: 1 }],
        gift_notes: ["Happy birthday, Sam!"],
      },
    ],
    discount_code: "FIRSTBAG",
  };
  const request = { key, body, intent: randomUUID() };
  const quote = await web.api("POST", "/v1/quote-requests", { ...request, expect: 201 });
  const { pricing } = quote.terms;
  const sum = pricing.subtotal_minor - pricing.courtesy.amount_minor + pricing.shipping_minor;
  story.check(sum === pricing.total_minor, "the total is the sum of its parts", pricing);
  story.tell(
    `requests a quote: 3 bags, 2 addresses, FIRSTBAG → ${quote.total_display}`,
    `coffee ${display(pricing.subtotal_minor)} − courtesy ${display(pricing.courtesy.amount_minor)} + shipping ${display(pricing.shipping_minor)}`,
  );
  const again = await web.api("POST", "/v1/quote-requests", request);
  story.check(again.id === quote.id, "a retry makes no second quote", again.id);
  story.tell("retries with the same Idempotency-Key: the same quote again");
  return quote;
}

/** What every client can do: the hash is SHA-256 over the RFC 8785 JSON of the terms. */
function checkHash(story: Story, { terms, quote_hash }: AnyJson): void {
  const mine = createHash("sha256").update(canonicalize(terms)!).digest("hex");
  story.check(`sha256:${mine}` === quote_hash, "the hash belongs to the terms", quote_hash);
  story.tell("checks quote_hash for itself", `${quote_hash.slice(0, 31)}…`);
}

/** The agent's half after payment: the order, and its events from the start. */
export async function follow({ story, web }: Scene, { key, quote }: AgentPurchase) {
  story.chapter("The agent", "looks again");
  const order = await web.api("GET", `/v1/quotes/${quote.id}/order`, { key });
  story.check(
    order.payment.amount_minor === quote.terms.pricing.total_minor,
    "paid exactly the quote",
    order,
  );
  story.tell(
    `reads the order: ${order.status}, ${order.payment.status.toLowerCase()} ${order.pricing.total_display}`,
    `delivery expected ${order.estimated_delivery.earliest} to ${order.estimated_delivery.latest}`,
  );
  return order;
}

/** Tells what happened after a sequence number; answers the next one to ask with. */
export async function readEvents(
  { story, web }: Scene,
  { key }: AgentPurchase,
  orderId: string,
  after: number,
): Promise<number> {
  const path = `/v1/orders/${orderId}/events?after=${after}`;
  const { events, next_after } = await web.api("GET", path, { key });
  const gapless = events.every((event: AnyJson, i: number) => event.sequence === after + i + 1);
  story.check(events.length > 0 && gapless, "events follow each other without a gap", events);
  story.tell(
    `reads events after ${after}`,
    ...events.map((event: AnyJson) => `${event.sequence}  ${event.type} → ${event.order_status}`),
  );
  return next_after;
}

/** Lines of a terminal's width, broken at spaces. */
const wrapped = (text: string): string[] =>
  text.match(/.{1,86}(?= |$)/g)?.map((l) => l.trim()) ?? [];
