import { createHash, randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { display } from "../core/money.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { ADDRESS, type AnyJson, DECLINED_CARD, GOOD_CARD, type Scene } from "./story.ts";

/** One purchase: the agent quotes over HTTP, the buyer pays on pages, the merchant ships. */
export async function purchase(scene: Scene, merchant: Merchant): Promise<void> {
  const { story, web } = scene;
  const { key, quote, reviewUrl } = await requestAndCheckOut(scene);
  await pay(scene, reviewUrl, quote);

  story.chapter("The agent", "looks again");
  const order = await web.api(`/v1/quotes/${quote.id}/order`, { key });
  const { payment, pricing, estimated_delivery: delivery } = order;
  const total = quote.terms.pricing.total_minor;
  story.check(payment.amount_minor === total, "the buyer paid exactly the quote", order);
  story.tell(
    `reads the order: ${order.status}, ${payment.status.toLowerCase()} ${pricing.total_display}`,
    `delivery expected ${delivery.earliest} to ${delivery.latest}`,
  );
  let seen = 0;
  const readEvents = async () => {
    const { events, next_after } = await web.api(`/v1/orders/${order.id}/events?after=${seen}`, {
      key,
    });
    const isGapless = events.every((event: AnyJson, i: number) => event.sequence === seen + i + 1);
    story.check(events.length > 0 && isGapless, "events follow each other without a gap", events);
    story.tell(
      `reads events after ${seen}`,
      ...events.map((event: AnyJson) => `${event.sequence}  ${event.type} → ${event.order_status}`),
    );
    seen = next_after;
  };
  await readEvents();

  story.chapter("The merchant", "works through the order");
  const { orders, shipments } = merchant.admin("cli");
  await orders.roast({ order_id: order.id });
  story.tell("roasts");
  for (const [i, { id, recipient_ref }] of order.shipments.entries()) {
    const number = `9400 0000 0000 000${i}`;
    await shipments.ship({ shipment_id: id, tracking: { carrier: "USPS", number } });
    const { status } = await orders.show({ order_id: order.id });
    story.tell(`ships to ${recipient_ref}: USPS ${number} → ${status}`);
  }
  for (const { id } of order.shipments) {
    await shipments.move({ shipment_id: id, to: "DELIVERED" });
  }
  const { status } = await orders.show({ order_id: order.id });
  story.check(status === "COMPLETED", "an order is complete when everything arrived", status);
  story.tell(`sees both shipments delivered: ${status}`);

  story.chapter("The agent", "asks for news");
  await readEvents();
}

/** Everything an agent does before payment: register, ask, quote, check the hash, check out. */
async function requestAndCheckOut({ story, web }: Scene) {
  story.chapter("The agent", "talks JSON over HTTP");
  const { api_key: key, api_key_prefix } = await web.api("/v1/agents/register", {
    body: { name: "Demo agent", contact_email: "agent@example.com" },
  });
  story.tell(`registers: key ${api_key_prefix}…, shown this once`);

  const { products } = await web.api("/v1/catalog");
  story.tell(
    "reads the catalog",
    ...products.map((product: AnyJson) => {
      const { name_to_use_with_humans: name, price_display, roast_level, locked } = product;
      return `${price_display.padStart(7)}  ${name} (${roast_level}${locked ? ", locked" : ""})`;
    }),
  );
  const question = "How is the Colombia Huila roasted?";
  const { answer } = await web.api(`/v1/ask?q=${encodeURIComponent(question)}`);
  story.check(answer.length > 0, "the shop answers questions");
  story.tell(`asks “${question}”`, ...wrap(answer));

  const request = { key, body: quoteRequest(products), idempotencyKey: randomUUID() };
  const quote = await web.api("/v1/quote-requests", request);
  const { subtotal_minor, courtesy, shipping_minor, total_minor } = quote.terms.pricing;
  const sum = subtotal_minor - courtesy.amount_minor + shipping_minor;
  story.check(sum === total_minor, "the total is the sum of its parts", quote.terms.pricing);
  story.tell(
    `requests a quote: 3 bags, 2 addresses, FIRSTBAG → ${quote.terms.pricing.total_display}`,
    `coffee ${display(subtotal_minor)} − discount ${display(courtesy.amount_minor)} + shipping ${display(shipping_minor)}`,
  );
  const again = await web.api("/v1/quote-requests", request);
  story.check(again.id === quote.id, "a retry creates no second quote", again.id);
  story.tell("retries with the same Idempotency-Key: the same quote again");

  // The hash is SHA-256 over the RFC 8785 JSON of the terms, so any client can check it.
  const hash = createHash("sha256").update(canonicalize(quote.terms)!).digest("hex");
  story.check(`sha256:${hash}` === quote.quote_hash, "the hash matches the terms", quote);
  story.tell("checks quote_hash", `${quote.quote_hash.slice(0, 31)}…`);

  const path = `/v1/quotes/${quote.id}`;
  const body = { quote_hash: quote.quote_hash };
  const checkout = await web.api(`${path}/checkout`, { key, body });
  story.check(checkout.total_minor === total_minor, "checkout has the quote's total", checkout);
  story.tell("gives the buyer the review link", checkout.review_url);
  const early = await web.api(`${path}/order`, { key, expect: 404 });
  story.check(early.code === "ORDER_NOT_READY", "there is no order before payment", early);
  story.tell(`looks for the order: ${early.code}. Nothing is ordered until a person pays`);
  return { key, quote, reviewUrl: checkout.review_url as string };
}

function quoteRequest(products: AnyJson): object {
  const stocked = products.filter(({ availability }: AnyJson) => availability === "STOCKED");
  const [first, second = first] = stocked.map(({ product_id }: AnyJson) => product_id);
  return {
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
}

/** A person with a browser and no JavaScript. */
async function pay({ story, web }: Scene, reviewUrl: string, quote: AnyJson): Promise<void> {
  const total: string = quote.terms.pricing.total_display;
  story.chapter("The buyer", "opens the link in a browser");
  const review = await web.page(reviewUrl);
  story.check(review.includes(total), "the page shows the exact total");
  story.check(review.includes("Happy birthday, Sam!"), "the page shows the gift note");
  story.tell(`sees every line, both addresses, the gift note and ${total}`);

  const payment = await web.submit(reviewUrl);
  story.check((await web.page(payment)).includes(total), "the payment page shows the same total");
  story.tell("presses Pay and sees the payment page with the same total");
  await web.page(await web.submit(`${payment}/pay`, { card: DECLINED_CARD }));
  story.tell("tries a card that is declined: nothing is charged");

  const retry = await web.submit(reviewUrl);
  const paid = await web.submit(`${retry}/pay`, { card: GOOD_CARD });
  story.check(paid.startsWith(reviewUrl), "the payment leads back to the shop", paid);
  const thanks = await web.page(paid);
  story.check(thanks.includes("Your coffee is ordered"), "the shop confirms the order");
  story.tell("pays with another card and is back on the shop's page");
}

const wrap = (text: string): string[] =>
  text.match(/.{1,86}(?= |$)/g)?.map((line) => line.trim()) ?? [];
