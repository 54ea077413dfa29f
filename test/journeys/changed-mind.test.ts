/** Go back and take two bags instead: the whole journey in the pages and over /v1 (contract §5). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateOf } from "../shop/pages/reading.ts";
import { BROWSER, cartPage, submit } from "../shop/quick-checkout/checkout.ts";
import { STOCKED } from "../support/catalog.ts";
import { form, newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Answer, eventually, send } from "../support/shopper.ts";

let shop: TestService;
beforeAll(async () => {
  shop = await startService();
});
afterAll(() => shop.stop());

const get = (url: string) => send(shop.baseUrl, url, { headers: BROWSER });
const press = (url: string) => send(shop.baseUrl, url, { ...form({}), headers: BROWSER });
const locationOf = (answer: Answer): string => answer.headers.get("location") ?? "";

/** Presses pay; answers the hosted page's address. */
async function hosted(reviewUrl: string): Promise<string> {
  const pressed = await press(reviewUrl);
  expect(pressed.status).toBe(303);
  expect(locationOf(pressed)).toContain("/sandbox/checkout/");
  return locationOf(pressed);
}

const pay = (url: string) => send(shop.baseUrl, `${url}/pay`, form({ card: "4242424242424242" }));

/** A cart from a link, its form filled in; answers the review page's address. */
async function cart(quantity: number, email: string): Promise<string> {
  const page = await cartPage(shop.baseUrl, `items=${STOCKED}:${quantity}&discount_code=FIRSTBAG`);
  const sent = await submit(shop.baseUrl, page, { email });
  expect(sent.status).toBe(303);
  return locationOf(sent);
}

const isOrdered = (reviewUrl: string) =>
  eventually(async () => stateOf((await get(reviewUrl)).text) === "ORDERED");

const held = async () =>
  (await shop.store.queries.stock()).find((row) => row.product_id === STOCKED)?.held;

describe("go back and take two bags instead, with FIRSTBAG", () => {
  it("over /v1: the newer quote of the same key has the courtesy, the older page is over", async () => {
    const wanted = { email: newEmail(), discount_code: "FIRSTBAG" };
    const one = await readyQuote(shop.baseUrl, wanted);
    const two = await readyQuote(shop.baseUrl, { ...wanted, quantity: 2 }, one.key);
    expect(two.quote.terms.pricing.total_display).toBe("$35.20");
    const first = await hosted(one.reviewUrl);
    const second = await hosted(two.reviewUrl);
    expect((await get(first)).text).toContain("has expired");
    expect((await get(one.reviewUrl)).text).toContain("<button");
    await pay(second);
    const order = await orderOf(shop.baseUrl, two.key, two.quote.id);
    expect(order.payment.amount_minor).toBe(3520);
    await press(one.reviewUrl);
    const dead = await send(shop.baseUrl, `/v1/quotes/${one.quote.id}/order`, { key: one.key });
    expect(dead).toMatchObject({
      status: 404,
      body: { code: "ORDER_NOT_READY", retryable: false },
    });
    const { body } = await send(shop.baseUrl, `/v1/quotes/${one.quote.id}`, { key: one.key });
    expect(body).toMatchObject({ status: "INVALIDATED", messages: [{ code: "COURTESY_USED" }] });
  });

  it("in the pages: cancel at the payment page, then another cart by the same person", async () => {
    const email = newEmail();
    const before = await held();
    const one = await cart(1, email);
    const first = await hosted(one);
    const cancel = /href="([^"]+)"[^>]*>\s*Cancel and go back/.exec((await get(first)).text)?.[1];
    const back = await get((cancel ?? "").replaceAll("&amp;", "&"));
    expect([back.status, locationOf(back)]).toEqual([303, new URL(one).pathname]);
    expect(await held()).toBe(before);
    const again = await get(locationOf(back));
    expect(again.text).toContain("Pay $27.60");
    expect(again.text).not.toContain("Your payment page is open");
    const two = await cart(2, email);
    await pay(await hosted(two));
    await isOrdered(two);
  });

  it("in the pages: pressed back in the browser, the open payment can be canceled on ours", async () => {
    const email = newEmail();
    const one = await cart(1, email);
    await hosted(one);
    const two = await cart(2, email);
    const taken = await press(two);
    expect(taken.status).toBe(409);
    expect(taken.text).toContain("cancel on that page and pay here");
    const { text } = await get(one);
    expect(text).toContain("Your payment page is open");
    const payment = /name="payment" value="([^"]+)"/.exec(text)?.[1] ?? "";
    await send(shop.baseUrl, `${one}/cancel`, form({ payment }));
    await pay(await hosted(two));
    await isOrdered(two);
  });

  it("a prefetched link, or a question about it, cancels nothing", async () => {
    const one = await cart(1, newEmail());
    const first = await hosted(one);
    const { text } = await get(one);
    const payment = /name="payment" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const link = `${one}/cancel?payment=${payment}`;
    await send(shop.baseUrl, link, { method: "HEAD" });
    await send(shop.baseUrl, link, { headers: { "sec-purpose": "prefetch" } });
    const foreign = { headers: { ...form({}).headers, origin: "https://evil.example" } };
    const forged = await send(shop.baseUrl, `${one}/cancel`, { ...form({ payment }), ...foreign });
    expect(forged.status).toBe(403);
    expect((await get(first)).text).toContain("4242424242424242");
    await pay(first);
    await isOrdered(one);
  });
});

describe("somebody else pays with my email and its discount", () => {
  it("the page says until when, offers the full price at once, and waiting loses nothing", async () => {
    const email = newEmail();
    const theirs = await cart(1, email);
    const their = await hosted(theirs);
    const mine = await readyQuote(shop.baseUrl, { email, quantity: 2, discount_code: "FIRSTBAG" });
    const before = await send(shop.baseUrl, `/v1/quotes/${mine.quote.id}`, { key: mine.key });

    const told = await press(mine.reviewUrl);
    expect(told.status).toBe(409);
    expect(told.headers.get("retry-after")).toBe("1200");
    const until = new Date(shop.clock.now() + 20 * 60_000);
    expect(told.text).toContain(`Mar 2, 2026, ${until.toISOString().slice(11, 16)}`);
    expect(told.text).toContain("without the discount, for <b>$44.00</b>");
    const headers = { accept: "application/json" };
    const program = await send(shop.baseUrl, mine.reviewUrl, { method: "POST", headers });
    expect(program).toMatchObject({
      status: 409,
      body: { code: "COURTESY_HELD", retryable: true },
    });
    expect(program.body.detail).toContain(until.toISOString());
    const after = await send(shop.baseUrl, `/v1/quotes/${mine.quote.id}`, { key: mine.key });
    expect(after.body).toEqual(before.body);

    // Without it: another quote of the same key, with the higher total to approve.
    const full = await send(shop.baseUrl, `${mine.reviewUrl}/full-price`, form({}));
    expect(full.status).toBe(303);
    const fullUrl = locationOf(full);
    expect(fullUrl).not.toBe(mine.reviewUrl);
    const again = await send(shop.baseUrl, `${mine.reviewUrl}/full-price`, form({}));
    expect(locationOf(again)).toBe(fullUrl);
    const shown = await get(fullUrl);
    expect(shown.text).toContain("Pay $44.00");
    expect(shown.text).not.toContain("First-order discount");

    // The agent knows of the first quote alone, and is led on from it: it must not order the same twice.
    const agent = (path: string) => send(shop.baseUrl, path, { key: mine.key });
    const taken = new URL(fullUrl, shop.baseUrl).pathname.split(/[/.]/)[2]!;
    const look = { action: `GET /v1/quotes/${taken}/order` };
    expect((await agent(`/v1/quotes/${mine.quote.id}`)).body).toMatchObject({
      messages: [{ code: "FULL_PRICE_ASKED", text: expect.stringContaining(taken) }],
      next: [look, {}, {}],
    });
    expect((await agent(`/v1/quotes/${mine.quote.id}/order`)).body).toMatchObject({
      code: "ORDER_NOT_READY",
      detail: expect.stringContaining(taken),
      next: [look, {}, {}],
    });
    expect((await agent(`/v1/quotes/${taken}`)).body).toMatchObject({
      status: "CHECKOUT_READY",
      checkout: { review_url: expect.stringContaining(taken) },
    });
    await pay(await hosted(fullUrl));
    await isOrdered(fullUrl);
    const { body } = await agent(look.action.slice("GET ".length));
    expect(body).toMatchObject({ buyer_email: email, pricing: { total_minor: 4400 } });
    expect((await agent("/v1/orders")).body.orders).toHaveLength(1);

    // Their payment continues: what is held for them is honored.
    await pay(their);
    await isOrdered(theirs);

    // And my first link still leads to what I ordered, days later: not to a third quote.
    shop.clock.advance(3 * 24 * 3_600_000);
    const later = await send(shop.baseUrl, `${mine.reviewUrl}/full-price`, form({}));
    expect(locationOf(later)).toBe(fullUrl);
  });

  it("after their time is over, the discount is mine", async () => {
    const email = newEmail();
    await hosted(await cart(1, email));
    const mine = await readyQuote(shop.baseUrl, { email, quantity: 2, discount_code: "FIRSTBAG" });
    expect((await press(mine.reviewUrl)).status).toBe(409);
    shop.clock.advance(20 * 60_000);
    await pay(await hosted(mine.reviewUrl));
    const order = await orderOf(shop.baseUrl, mine.key, mine.quote.id);
    expect(order.payment.amount_minor).toBe(3520);
  });
});
