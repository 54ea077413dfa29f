/** Go back and take two bags instead: the whole journey in the pages and over /v1 (contract §5). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateOf } from "../shop/pages/reading.ts";
import { BROWSER, cartPage, submit } from "../shop/quick-checkout/checkout.ts";
import { STOCKED } from "../support/catalog.ts";
import { form, newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Answer, eventually, payAt, send } from "../support/shopper.ts";

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

const held = async () =>
  (await shop.store.queries.stock()).find((row) => row.product_id === STOCKED)?.held;

describe("go back and take two bags instead, with FIRSTBAG", () => {
  it("over /v1: the newer quote of the same key is paid, and the older page charges nobody", async () => {
    const wanted = { email: newEmail(), discount_code: "FIRSTBAG" };
    const one = await readyQuote(shop.baseUrl, wanted);
    const two = await readyQuote(shop.baseUrl, { ...wanted, quantity: 2 }, one.key);
    expect(two.quote.terms.pricing.total_display).toBe("$35.20");
    const first = await hosted(one.reviewUrl);
    const second = await hosted(two.reviewUrl);
    await payAt(second);
    const order = await orderOf(shop.baseUrl, two.key, two.quote.id);
    expect(order.payment.amount_minor).toBe(3520);
    await payAt(first);
    await eventually(async () => (await payments(one.quote.id))[0]?.status === "ENDED");
    expect(await payments(one.quote.id)).toMatchObject([{ outcome: "COURTESY_USED" }]);
    const dead = await send(shop.baseUrl, `/v1/quotes/${one.quote.id}/order`, { key: one.key });
    expect(dead).toMatchObject({
      status: 404,
      body: { code: "ORDER_NOT_READY", retryable: false },
    });
    const { body } = await send(shop.baseUrl, `/v1/quotes/${one.quote.id}`, { key: one.key });
    expect(body).toMatchObject({ status: "INVALIDATED", messages: [{ code: "COURTESY_USED" }] });
    expect(body.messages[0].text).toContain("not charged");
    expect((await get(one.reviewUrl)).text).toContain("Nothing was charged.");
  });

  it("in the pages: back from the payment page, then another cart by the same person", async () => {
    const email = newEmail();
    const before = await held();
    const one = await cart(1, email);
    const first = await hosted(one);
    const back = /href="([^"]+)"[^>]*>\s*Cancel and go back/.exec((await get(first)).text)?.[1];
    expect(await held()).toBe(before);
    expect((await get(back ?? "")).text).toContain("Pay $27.60");
    const two = await cart(2, email);
    await payAt(await hosted(two));
    await isOrdered(two);
  });

  it("in the pages: pressed again, the same payment page opens", async () => {
    const one = await cart(1, newEmail());
    const first = await hosted(one);
    expect(await hosted(one)).toBe(first);
    await payAt(first);
    await isOrdered(one);
  });
});

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
    const look = { action: `GET /v1/quotes/${taken}/order` };
    const { body: led } = await agent(`/v1/quotes/${mine.quote.id}`);
    expect(led.next[0]).toMatchObject(look);
    expect(led.messages.map(({ code }: { code: string }) => code)).toContain("REPLACED");
    expect((await agent(`/v1/quotes/${mine.quote.id}/order`)).body).toMatchObject({
      code: "ORDER_NOT_READY",
      detail: expect.stringContaining(taken),
    });
    await payAt(await hosted(fullUrl));
    await isOrdered(fullUrl);
    const { body } = await agent(look.action.slice("GET ".length));
    expect(body).toMatchObject({ buyer_email: email, pricing: { total_minor: 4400 } });
    expect((await agent("/v1/orders")).body.orders).toHaveLength(1);

    // And my first link still leads to what I ordered, days later: not to a third quote.
    shop.clock.advance(3 * 24 * 3_600_000);
    const later = await send(shop.baseUrl, `${mine.reviewUrl}/full-price`, form({}));
    expect(locationOf(later)).toBe(fullUrl);
  });

  it("does not pay: the discount is mine at once", async () => {
    const email = newEmail();
    await hosted(await cart(1, email));
    const mine = await readyQuote(shop.baseUrl, { email, quantity: 2, discount_code: "FIRSTBAG" });
    await payAt(await hosted(mine.reviewUrl));
    const order = await orderOf(shop.baseUrl, mine.key, mine.quote.id);
    expect(order.payment.amount_minor).toBe(3520);
  });
});

describe("one page, one order", () => {
  it("a corrected email on the same page: the second payment is released", async () => {
    const page = await cartPage(shop.baseUrl, `items=${STOCKED}:1`);
    const sent = async (email: string) => locationOf(await submit(shop.baseUrl, page, { email }));
    const wrong = await sent(newEmail());
    const open = await hosted(wrong);
    const right = await sent(newEmail());
    const pages = [open, await hosted(right)];
    await payAt(pages[1]!);
    await isOrdered(right);
    await payAt(pages[0]!);
    const id = new URL(wrong, shop.baseUrl).pathname.split(/[/.]/)[2]!;
    await eventually(async () => (await payments(id))[0]?.status === "ENDED");
    expect(await payments(id)).toMatchObject([{ status: "ENDED" }]);
    expect(locationOf(await send(shop.baseUrl, wrong))).toBe(`${right}?from=older`);
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
