/** A purchase behind a balancer, with every request at another instance. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fleet, startFleet } from "../support/fleet.ts";
import { CLIENTS, call, overHttp } from "../support/mcp-clients.ts";
import { form, newEmail, orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { DECLINED, payAsBuyer, payAt, quoteRequest, register, send } from "../support/shopper.ts";

let fleet: Fleet;
let shop: string;
beforeAll(async () => {
  fleet = await startFleet(3);
  shop = fleet.balancer.url;
});
afterAll(() => fleet.stop());

/** The same link at this instance. */
const at = (i: number, link: string) => fleet.at(i) + new URL(link, shop).pathname;

test("every step at another instance: one quote, one link, one session, one order", async () => {
  const key = await register(fleet.at(0));
  const body = quoteRequest({ email: newEmail(), discount_code: "FIRSTBAG" });
  const quote = (await send(fleet.at(1), "/v1/quote-requests", { key, body })).body;
  expect((await send(fleet.at(2), `/v1/quotes/${quote.id}`, { key })).body).toEqual(quote);
  const links = [];
  for (const i of [2, 0, 1]) {
    const checkout = await send(fleet.at(i), `/v1/quotes/${quote.id}/checkout`, {
      key,
      body: { quote_hash: quote.quote_hash },
    });
    links.push(checkout.body.review_url);
  }
  const review: string = links[0];
  expect(links).toEqual([review, review, review]);
  expect(review.startsWith(`${shop}/review/`)).toBe(true);
  const seen = await Promise.all([0, 1, 2].map((i) => send("", at(i, review))));
  expect(new Set(seen.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const pressed = await send("", at(0, review), form({}));
  const hosted = pressed.headers.get("location") ?? "";
  expect(hosted.startsWith(`${shop}/`)).toBe(true);
  expect((await send("", at(1, hosted))).text).toContain(quote.terms.pricing.total_display);
  const declined = await payAt(at(1, hosted), DECLINED);
  expect(declined.status).toBeLessThan(500);
  const paid = await payAt(at(2, hosted));
  expect([paid.status, new URL(paid.headers.get("location") ?? "").pathname]).toEqual([
    303,
    new URL(review).pathname,
  ]);
  const order = await orderOf(fleet.at(0), key, quote.id);
  for (const i of [1, 2]) {
    expect((await send(fleet.at(i), `/v1/orders/${order.id}`, { key })).body).toEqual(order);
  }
  expect(order.payment).toMatchObject({
    status: "PAID",
    amount_minor: quote.terms.pricing.total_minor,
  });
});

test("the balancer's address is an ordinary shop", async () => {
  const { key, order } = await purchase(shop);
  const { body } = await send(shop, "/v1/orders", { key });
  expect(body.orders).toEqual([order]);
});

test("a webhook at any instance makes the order", async () => {
  for (const i of [0, 1, 2]) {
    const { key, quote, reviewUrl } = await readyQuote(fleet.at(i));
    const { webhooks } = await onlyAt(i, async () => {
      await payAsBuyer(shop, at(i + 1, reviewUrl));
      await orderOf(fleet.at(i + 2), key, quote.id);
    });
    expect(webhooks).toBeGreaterThan(0);
  }
});

/** Runs `act` while the balancer, and so webhooks, use only this instance. */
async function onlyAt(i: number, act: () => Promise<void>) {
  const { targets } = fleet.balancer;
  const all = targets.splice(0, targets.length, fleet.at(i));
  const before = await fleet.rows("webhooks");
  await act();
  targets.splice(0, targets.length, ...all);
  return { webhooks: (await fleet.rows("webhooks")) - before };
}

describe("a retry at another instance", () => {
  test("is a replay, also over the other interface at a third one", async () => {
    const key = await register(fleet.at(0));
    const before = await fleet.rows("quotes");
    const body = quoteRequest();
    const idempotencyKey = randomUUID();
    const first = await send(fleet.at(0), "/v1/quote-requests", { key, body, idempotencyKey });
    const again = await send(fleet.at(1), "/v1/quote-requests", { key, body, idempotencyKey });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const client = await overHttp(fleet.at(2), "auto", { key });
    const { structuredContent } = await call(client, "request_quote", {
      ...body,
      idempotency_key: idempotencyKey,
    });
    const { next: _, ...answer } = first.body;
    expect(structuredContent).toMatchObject(answer);
    expect(structuredContent.next[0].action).toBe("create_checkout");
    expect(await fleet.rows("quotes")).toBe(before + 1);
  });

  test("sent forty times at once to all of them makes one quote", async () => {
    const key = await register(fleet.at(0));
    const before = await fleet.rows("quotes");
    const body = quoteRequest({ email: newEmail() });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        send(fleet.at(i), "/v1/quote-requests", { key, body, idempotencyKey: "at-once" }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await fleet.rows("quotes")).toBe(before + 1);
  });
});

test.each(CLIENTS)("the %s client works with each request at another instance", async (kind) => {
  const key = await register(shop);
  const client = await overHttp(shop, kind, { key });
  for (let i = 0; i < 3; i++) {
    const result = await call(client, "list_orders");
    expect(result.structuredContent).toMatchObject({ orders: [], next_before: null });
  }
});

test("an agent buys over MCP with each call at another instance", async () => {
  const clients = await Promise.all([0, 1, 2].map((i) => overHttp(fleet.at(i), "auto")));
  let turn = 0;
  const next = async (name: string, args: Record<string, unknown>) => {
    const client = clients[turn++ % clients.length]!;
    const result = await call(client, name, args);
    expect(result.isError, result.content[0].text).toBeFalsy();
    return result.structuredContent;
  };
  const idempotency_key = randomUUID();
  const { api_key } = await next("register_agent", {
    name: "Roaming agent",
    contact_email: "agent@example.com",
    idempotency_key,
  });
  const body = quoteRequest({ email: newEmail() });
  const quote = await next("request_quote", { ...body, idempotency_key, api_key });
  const { review_url } = await next("create_checkout", {
    quote_id: quote.id,
    quote_hash: quote.quote_hash,
    idempotency_key,
    api_key,
  });
  await payAsBuyer(shop, review_url);
  const order = await orderOf(fleet.at(turn), api_key, quote.id);
  const log = await next("list_order_events", { order_id: order.id, api_key });
  expect(log.events.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2]);
});

test("a quick-checkout link of one instance opens at another and is submitted at a third", async () => {
  const link = await send(fleet.at(0), "/v1/quick-checkout?items=kenya-nyeri:2&format=json");
  const cart: string = link.body.checkout_url;
  expect((await send("", at(1, cart))).text).toContain("$44.00");
  const email = newEmail();
  const fields = { email, name: "Test Buyer", line1: "1 Main Street", city: "Austin" };
  const filled = await send(
    "",
    at(2, cart),
    form({ ...fields, region: "TX", postal_code: "78701" }),
  );
  expect(filled.status).toBe(303);
  await payAsBuyer(shop, at(0, filled.headers.get("location") ?? ""));
  const { queries } = fleet.instances[1]!.store;
  await expect.poll(() => queries.customer(email)).toMatchObject({ paid_orders: 1 });
});
