/** Two quotes of one wish, and one of them is paid: agent and buyer hear of it before the second (contract §5). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../shop/quick-checkout/checkout.ts";
import { form, newEmail, orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { DAY, startService, type TestService, testClock } from "../support/service.ts";
import { eventually, payAsBuyer, payAt, quoteRequest, send } from "../support/shopper.ts";

const clock = testClock();
let shop: TestService;
beforeAll(async () => {
  shop = await startService({}, clock);
});
afterAll(() => shop.stop());

type Ready = Awaited<ReturnType<typeof readyQuote>>;

const read = async ({ key, quote }: Ready, part = "") =>
  (await send(shop.baseUrl, `/v1/quotes/${quote.id}${part}`, { key })).body;
const page = async (url: string) => (await send(shop.baseUrl, url, { headers: BROWSER })).text;
const told = ({ messages }: { messages: { code: string; text: string }[] }) =>
  messages.find(({ code }) => code === "BOUGHT_ALREADY")?.text;
const moved = { line1: "2 Side Road" };

describe("the address changes after the quote, and the new quote is paid", () => {
  it("the old one says so to its agent and on its page, and stays payable", async () => {
    const email = newEmail();
    const old = await readyQuote(shop.baseUrl, { email });
    expect(told(await read(old))).toBeUndefined();
    clock.advance(60_000);
    const { order } = await purchase(shop.baseUrl, { email, ...moved }, old.key);
    const now = await read(old);
    expect(now.status).toBe("CHECKOUT_READY");
    expect(told(now)).toContain(
      `The buyer has paid for most of these bags already: order #${order.number}`,
    );
    expect(now.next[0].action).toBe(`GET /v1/orders/${order.id}`);
    const notReady = await read(old, "/order");
    expect(notReady.detail).toContain(`order #${order.number}`);
    expect(notReady.next[0].action).toBe(`GET /v1/orders/${order.id}`);
    const text = await page(old.reviewUrl);
    expect(text).toContain("You paid for almost the same");
    expect(text).toContain(`order #${order.number}`);
    expect(text).toContain("<form");
    clock.advance(31 * DAY);
    expect(
      told((await readyQuote(shop.baseUrl, { email, ...moved }, old.key)).quote),
    ).toBeUndefined();
  });

  it("canceled orders and those of other keys and buyers are not mentioned", async () => {
    const email = newEmail();
    const old = await readyQuote(shop.baseUrl, { email });
    clock.advance(60_000);
    await purchase(shop.baseUrl, { email });
    await purchase(shop.baseUrl, { email: newEmail() }, old.key);
    const { order } = await purchase(shop.baseUrl, { email, ...moved }, old.key);
    expect(told(await read(old))).toContain(`#${order.number}`);
    await shop.service.merchant
      .admin("cli")
      .orders.cancel({ order_id: order.id, reason: "Ordered twice." });
    expect(told(await read(old))).toBeUndefined();
  });
});

describe("two links for the same order, both open in the buyer's browser", () => {
  /** Two quotes of one key for one buyer; the second one with a change. */
  async function twoLinks(change: Parameters<typeof readyQuote>[1] = {}, email = newEmail()) {
    const one = await readyQuote(shop.baseUrl, { email });
    const other = await readyQuote(shop.baseUrl, { email, ...change }, one.key);
    return { email, one, other };
  }
  /** Sends the page's form as a browser does. */
  const pressOn = (url: string, text: string) => {
    const [, beside = ""] = text.match(/name="beside" value="(\w+)"/) ?? [];
    return send(shop.baseUrl, url, form({ beside }));
  };
  const locationOf = async (answer: ReturnType<typeof send>) =>
    (await answer).headers.get("location") ?? "";
  it("after one is paid, the other warns first and is paid once confirmed", async () => {
    // However it is typed, an email is one: trimmed and in lower case.
    const email = newEmail();
    const { one, other } = await twoLinks({ email: ` ${email.toUpperCase()} ` }, email);
    const before = await page(other.reviewUrl);
    expect(before).not.toContain("a second order");
    await payAsBuyer(shop.baseUrl, one.reviewUrl);
    const order = await orderOf(shop.baseUrl, one.key, one.quote.id);
    const asked = await locationOf(pressOn(other.reviewUrl, before));
    expect(asked).toBe(new URL(other.reviewUrl).pathname);
    expect(await shop.store.queries.attemptsOfQuote(other.quote.id)).toEqual([]);
    const now = await page(asked);
    expect(now).toContain(`That’s order #${order.number}`);
    expect(now).toContain("Pay $32.00 for a second order");
    clock.advance(1);
    await payAt(await locationOf(pressOn(other.reviewUrl, now)));
    expect(await orderOf(shop.baseUrl, one.key, other.quote.id)).toBeDefined();
  });

  it("if both pages are paid, the second payment is released, and its page asks", async () => {
    const { one, other } = await twoLinks();
    const older = await locationOf(pressOn(one.reviewUrl, await page(one.reviewUrl)));
    const newer = await locationOf(pressOn(other.reviewUrl, await page(other.reviewUrl)));
    clock.advance(1000);
    await payAt(newer);
    const order = await orderOf(shop.baseUrl, one.key, other.quote.id);
    await payAt(older);
    const attempts = () => shop.store.queries.attemptsOfQuote(one.quote.id);
    await eventually(async () => (await attempts())[0]?.status === "ENDED");
    expect(await attempts()).toMatchObject([{ outcome: "BOUGHT_ALREADY" }]);
    const asked = await page(one.reviewUrl);
    expect(asked).toContain("Your card wasn’t charged.");
    expect(asked).toContain(`That’s order #${order.number}`);
    expect(asked).toContain("Pay $32.00 for a second order");
    expect((await read(one)).messages.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(["NOT_CHARGED", "BOUGHT_ALREADY"]),
    );
    clock.advance(1);
    await payAt(await locationOf(pressOn(one.reviewUrl, asked)));
    await orderOf(shop.baseUrl, one.key, one.quote.id);
  });
});

describe("an agent forgets its request and makes it again", () => {
  it("the quote, the link's message and a retry mention the first order", async () => {
    const email = newEmail();
    const { key, order } = await purchase(shop.baseUrl, { email });
    const ask = { key, body: quoteRequest({ email }), idempotencyKey: "again" };
    const again = (await send(shop.baseUrl, "/v1/quote-requests", ask)).body;
    expect(told(again)).toContain(`for the same bags already: order #${order.number}`);
    expect(again.next[0].action).toBe(`GET /v1/orders/${order.id}`);
    const body = { quote_hash: again.quote_hash };
    const link = async (idempotencyKey: string) =>
      (await send(shop.baseUrl, `/v1/quotes/${again.id}/checkout`, { key, body, idempotencyKey }))
        .body;
    const first = await link("first");
    expect(first.message_for_buyer).toContain(`in order #${order.number}: pay only if`);
    await shop.service.merchant
      .admin("cli")
      .orders.cancel({ order_id: order.id, reason: "Ordered twice." });
    // A retry tells what is so now.
    const retried = (await send(shop.baseUrl, "/v1/quote-requests", ask)).body;
    expect(retried.id).toBe(again.id);
    expect(told(retried) ?? "").not.toContain("same bags already");
    for (const key of ["first", "second"]) {
      expect((await link(key)).message_for_buyer).not.toContain("order #");
    }
  });

  it("while the first payment settles, quote, page and link mention it, and none asks to pay it", async () => {
    const email = newEmail();
    const first = await readyQuote(shop.baseUrl, { email });
    const hosted = (await send(shop.baseUrl, first.reviewUrl, form({}))).headers.get("location");
    await payAt(hosted!, "bank_debit");
    await eventually(async () => (await read(first)).status === "PROCESSING");
    const again = await readyQuote(shop.baseUrl, { email }, first.key);
    expect(told(again.quote)).toContain(first.quote.id);
    expect(await page(again.reviewUrl)).toContain("You paid for the same items");
    const body = { quote_hash: first.quote.quote_hash };
    const checkout = await send(shop.baseUrl, `/v1/quotes/${first.quote.id}/checkout`, {
      key: first.key,
      body,
    });
    expect(checkout).toMatchObject({ status: 409, body: { code: "QUOTE_ALREADY_PAID" } });
  });
});
