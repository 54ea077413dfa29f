/** Bags that the waitlist holds, from the offer to the payment: what agent and buyer are told (contract §7). */

import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { text } from "../shop/pages/reading.ts";
import { BROWSER } from "../shop/quick-checkout/checkout.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { newEmail } from "../support/purchase.ts";
import { confirmed } from "../support/queue.ts";
import { startService, type TestService } from "../support/service.ts";
import { quoteRequest, register, send } from "../support/shopper.ts";

let shop: TestService;
beforeAll(async () => {
  shop = await startService();
});
afterAll(() => shop.stop());

const ENDS = "2026-03-04T10:00:00.000Z";

/** A buyer with 10 held bags, while no other bag is free. */
async function offered() {
  const { stock } = shop.service.merchant.admin("cli");
  await stock.set({ product_id: WAITLISTED, on_hand: 0 });
  const key = await register(shop.baseUrl);
  const email = newEmail();
  const place = (quantity: number) => ({
    key,
    body: { product_id: WAITLISTED, quantity, buyer: { email } },
  });
  const { id } = (await send(shop.baseUrl, "/v1/waitlist", place(10))).body;
  await confirmed(shop, id);
  await stock.set({ product_id: WAITLISTED, on_hand: 20 });
  await stock.set({ product_id: WAITLISTED, on_hand: 10 });
  const joinAgain = () => send(shop.baseUrl, "/v1/waitlist", place(12));
  const leave = () => send(shop.baseUrl, `/v1/waitlist/${id}`, { method: "DELETE", key });
  onTestFinished(async () => void (await leave()));
  return { key, email, joinAgain };
}

it("a buyer who wants more than the held bags is sent to those, and keeps the place", async () => {
  const { joinAgain } = await offered();
  const { body } = await joinAgain();
  expect(body).toMatchObject({ status: "OFFERED", quantity: 10, offer_expires_at: ENDS });
  expect(body.next[0].action).toBe("POST /v1/quote-requests");
  expect(body.next.at(-1).action).toMatch(/^DELETE \/v1\/waitlist\//);
});

it("the answer and the link's message name that time, while the quote needs those bags", async () => {
  const { key, email } = await offered();
  const body = quoteRequest({ email, product_id: WAITLISTED, quantity: 10 });
  const ask = (idempotencyKey: string) =>
    send(shop.baseUrl, "/v1/quote-requests", { key, body, idempotencyKey });
  const { body: quote } = await ask("held");
  expect(quote.messages).toContainEqual({
    code: "OFFER_ENDS",
    text: expect.stringContaining(ENDS),
  });
  expect(quote.offer_expires_at).toBe(ENDS);
  const { body: read } = await send(shop.baseUrl, `/v1/quotes/${quote.id}`, { key });
  expect(read).toMatchObject({ messages: quote.messages, offer_expires_at: ENDS });
  const link = { key, body: { quote_hash: quote.quote_hash } };
  const { body: checkout } = await send(shop.baseUrl, `/v1/quotes/${quote.id}/checkout`, link);
  expect(checkout.message_for_buyer).toContain(ENDS);
  expect(checkout.expires_at).toBe(ENDS);
  const page = async () =>
    text((await send(shop.baseUrl, checkout.review_url, { headers: BROWSER })).text);
  expect(await page()).toContain("Pay by Mar 4, 2026, 10:00 AM UTC");

  await shop.service.merchant.admin("cli").stock.set({ product_id: WAITLISTED, on_hand: 30 });
  for (const key of ["held", "free"]) {
    const { body: free } = await ask(key);
    expect(free.messages).not.toContainEqual({
      code: "OFFER_ENDS",
      text: expect.stringContaining(ENDS),
    });
    expect(free).not.toHaveProperty("offer_expires_at");
  }
  expect(await page()).toContain("Pay by Mar 9, 2026, 10:00 AM UTC");
});

it("a quote for more than the held bags is for information and names no time", async () => {
  const { key, email } = await offered();
  const body = quoteRequest({ email, product_id: WAITLISTED, quantity: 12 });
  const { body: quote } = await send(shop.baseUrl, "/v1/quote-requests", { key, body });
  expect(quote.status).toBe("WAITLIST_OFFERED");
  expect(quote).not.toHaveProperty("offer_expires_at");
});
