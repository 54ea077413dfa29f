/** A buyer or an agent wants something else after the first quote: one order is paid (contract §5). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateOf } from "../shop/pages/reading.ts";
import { BROWSER, cartPage, submit } from "../shop/quick-checkout/checkout.ts";
import { STOCKED } from "../support/catalog.ts";
import { form, newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { DAY, startService, type TestService } from "../support/service.ts";
import {
  type Answer,
  eventually,
  payAt,
  quoteRequest,
  register,
  send,
} from "../support/shopper.ts";

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

/** A cart from a link, its form filled in; answers the review page's address. */
async function cart(quantity: number, email: string): Promise<string> {
  const page = await cartPage(shop.baseUrl, `items=${STOCKED}:${quantity}&discount_code=FIRSTBAG`);
  const sent = await submit(shop.baseUrl, page, { email });
  expect(sent.status).toBe(303);
  return locationOf(sent);
}

const isOrdered = (reviewUrl: string) =>
  eventually(async () => stateOf((await get(reviewUrl)).text) === "ORDERED");

const payments = (quoteId: string) => shop.store.queries.attemptsOfQuote(quoteId);

describe("somebody else pays with my email and its discount", () => {
  it("pays first: my card is not charged, and the page offers the full price", async () => {
    const email = newEmail();
    const theirs = await cart(1, email);
    const their = await hosted(theirs);
    const mine = await readyQuote(shop.baseUrl, { email, quantity: 2, discount_code: "FIRSTBAG" });
    const my = await hosted(mine.reviewUrl);
    await payAt(their);
    await isOrdered(theirs);
    await payAt(my);
    await eventually(async () => (await payments(mine.quote.id))[0]?.status === "ENDED");
    const told = await get(mine.reviewUrl);
    expect(told.text).toContain("Nothing was charged.");
    expect(told.text).toContain("may show the payment as pending");
    expect(told.text).toContain("without the discount, for <b>$44.00</b>");

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
    const look = { action: `GET /v1/quotes/${taken}` };
    const { body: led } = await agent(`/v1/quotes/${mine.quote.id}`);
    expect(led.next[0]).toMatchObject(look);
    expect(led.messages.map(({ code }: { code: string }) => code)).toContain("REPLACED");
    expect((await agent(`/v1/quotes/${mine.quote.id}/order`)).body).toMatchObject({
      code: "ORDER_NOT_READY",
      detail: expect.stringContaining(taken),
    });
    await payAt(await hosted(fullUrl));
    await isOrdered(fullUrl);
    const { body } = await agent(`/v1/quotes/${taken}/order`);
    expect(body).toMatchObject({ buyer_email: email, pricing: { total_minor: 4400 } });
    expect((await agent("/v1/orders")).body.orders).toHaveLength(1);

    // And my first link still leads to what I ordered, days later: not to a third quote.
    shop.clock.advance(3 * DAY);
    const later = await send(shop.baseUrl, `${mine.reviewUrl}/full-price`, form({}));
    expect(locationOf(later)).toBe(fullUrl);
  });
});

it("a page without a first-order discount has no full price: it stays as it is", async () => {
  const press = async (reviewUrl: string) =>
    new URL(locationOf(await send(shop.baseUrl, `${reviewUrl}/full-price`, form({})))).pathname;
  const pathOf = (reviewUrl: string) => new URL(reviewUrl).pathname;
  const open = await readyQuote(shop.baseUrl);
  expect(await press(open.reviewUrl)).toBe(pathOf(open.reviewUrl));
  await payAt(await hosted(open.reviewUrl));
  await isOrdered(open.reviewUrl);
  expect(await press(open.reviewUrl)).toBe(pathOf(open.reviewUrl));
  const expired = await readyQuote(shop.baseUrl, { discount_code: "FIRSTBAG" });
  shop.clock.advance(30 * DAY);
  expect(await press(expired.reviewUrl)).toBe(pathOf(expired.reviewUrl));
  expect((await shop.store.queries.quote(expired.quote.id))?.state.replaced_by).toBeNull();
});

describe("an agent revises its quote", () => {
  /** The quote that replaces this one, with its link. */
  async function revised(key: string, replaces: string, quantity: number) {
    const body = { ...quoteRequest({ email: newEmail(), quantity }), replaces };
    const { body: quote } = await send(shop.baseUrl, "/v1/quote-requests", { key, body });
    const path = `/v1/quotes/${quote.id}/checkout`;
    const made = await send(shop.baseUrl, path, { key, body: { quote_hash: quote.quote_hash } });
    return { id: quote.id as string, url: made.body.review_url as string };
  }

  it("the older one leads to the newer one, and that to its link", async () => {
    const { key, quote } = await readyQuote(shop.baseUrl);
    const body = { ...quoteRequest({ email: newEmail(), quantity: 3 }), replaces: quote.id };
    const { body: newer } = await send(shop.baseUrl, "/v1/quote-requests", { key, body });
    const refused = await send(shop.baseUrl, `/v1/quotes/${quote.id}/checkout`, {
      ...{ key, body: { quote_hash: quote.quote_hash } },
    });
    expect(refused.body).toMatchObject({
      code: "QUOTE_NOT_PAYABLE",
      next: [{ action: `GET /v1/quotes/${newer.id}`, why: expect.stringContaining(newer.id) }],
    });
    const { body: read } = await send(shop.baseUrl, `/v1/quotes/${newer.id}`, { key });
    expect(read.next[0].action).toBe(`POST /v1/quotes/${newer.id}/checkout`);
  });

  it("the payment page of the older one ends, and every link leads to the one order", async () => {
    const { key, quote, reviewUrl } = await readyQuote(shop.baseUrl, { quantity: 12 });
    const open = await hosted(reviewUrl);
    const second = await revised(key, quote.id, 11);
    await eventually(async () => (await get(open)).text.includes("payment page has expired"));
    const old = await eventually(async () => {
      const { body } = await send(shop.baseUrl, `/v1/quotes/${quote.id}`, { key });
      return body.status === "INVALIDATED" && body;
    });
    expect(old.messages.map(({ code }: { code: string }) => code)).toContain("REPLACED");
    const last = await revised(key, second.id, 10);
    for (const link of [reviewUrl, second.url]) {
      expect(locationOf(await get(link))).toBe(`${last.url}?from=older`);
    }
    await payAt(await hosted(last.url));
    const order = await orderOf(shop.baseUrl, key, last.id);
    expect(order.pricing.total_minor).toBe(22_000);
    for (const id of [quote.id, second.id]) {
      expect(await orderOf(shop.baseUrl, key, id)).toEqual(order);
    }
  });

  it("which cannot be replaced once an older quote of the purchase is paid", async () => {
    const { key, quote, reviewUrl } = await readyQuote(shop.baseUrl);
    const open = await hosted(reviewUrl);
    shop.control.faults.call = (call) => (call === "expireCheckout" ? { kind: "away" } : null);
    const second = await revised(key, quote.id, 2);
    await payAt(open);
    shop.control.faults.call = undefined;
    await orderOf(shop.baseUrl, key, quote.id);
    const body = { ...quoteRequest({ email: newEmail() }), replaces: second.id };
    const third = await send(shop.baseUrl, "/v1/quote-requests", { key, body });
    expect(third.body).toMatchObject({
      code: "QUOTE_ALREADY_PAID",
      next: [{ action: `GET /v1/quotes/${quote.id}/order` }],
    });
  });

  it("which must be its own, not replaced and not paid", async () => {
    const { key, quote, reviewUrl } = await readyQuote(shop.baseUrl);
    const revise = async (key: string, replaces = quote.id) => {
      const body = { ...quoteRequest({ email: newEmail() }), replaces };
      return (await send(shop.baseUrl, "/v1/quote-requests", { key, body })).body.code;
    };
    expect(await revise(await register(shop.baseUrl))).toBe("NOT_FOUND");
    const newer = await revised(key, quote.id, 1);
    expect(await revise(key)).toBe("VALIDATION_FAILED");
    await payAt(await hosted(newer.url));
    await orderOf(shop.baseUrl, key, quote.id);
    expect(await revise(key, newer.id)).toBe("QUOTE_ALREADY_PAID");
    expect(locationOf(await get(reviewUrl))).toContain(new URL(newer.url).pathname);
  });
});

describe("a link whose discount is gone, because the same email has ordered", () => {
  it("stays the one link to pay, at the full price, whichever address of it is asked about", async () => {
    const email = newEmail();
    const mine = await cart(2, email);
    const other = await cart(1, email);
    await payAt(await hosted(other));
    await isOrdered(other);
    const about = new URL(mine, shop.baseUrl).href;
    const asked = `/v1/link-orders?checkout_url=${encodeURIComponent(about)}`;
    const { body } = await send(shop.baseUrl, asked);
    expect(body).toMatchObject({ status: "OPEN", total_display: "$44.00" });
    expect(body.message).toContain("another order of this email came first");
    expect(body.message).toContain("On the same page the buyer pays $44.00");
    expect(JSON.stringify(body)).not.toMatch(/new quote|Make a new|new checkout/i);
  });
});
