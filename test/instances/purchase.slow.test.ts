/** A purchase behind a balancer, with every request at another instance. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UNSETTLED } from "../../src/core/records.ts";
import { DECAF } from "../support/catalog.ts";
import { type Fleet, startFleet } from "../support/fleet.ts";
import { call, overHttp } from "../support/mcp-clients.ts";
import { form, newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import {
  DECLINED,
  eventually,
  payAsBuyer,
  payAt,
  quoteRequest,
  register,
  send,
} from "../support/shopper.ts";

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

test("the last bags are sold to exactly as many buyers, and nobody else is charged", async () => {
  const { service, store } = fleet.instances[0]!;
  await service.merchant.admin("cli").stock.set({ product_id: DECAF, on_hand: 5 });
  const quotes = await Promise.all(
    Array.from({ length: 9 }, (_, i) => readyQuote(fleet.at(i), { product_id: DECAF })),
  );
  const hosted = await Promise.all(
    quotes.map(({ reviewUrl }, i) => send("", at(i + 1, reviewUrl), form({}))),
  );
  await Promise.all(hosted.map(({ headers }, i) => payAt(at(i, headers.get("location")!))));
  const attempts = () => store.queries.attemptsOfQuotes(quotes.map(({ quote }) => quote.id));
  await eventually(async () => (await attempts()).every(({ status }) => !UNSETTLED.has(status)));
  expect((await attempts()).map(({ status, outcome }) => outcome ?? status).sort()).toEqual([
    ...Array(4).fill("OUT_OF_STOCK"),
    ...Array(5).fill("PAID"),
  ]);
  expect([await fleet.rows("refunds"), await fleet.rows("incidents")]).toEqual([0, 0]);
});
