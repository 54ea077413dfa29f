/**
 * contract §5, §14: one order can have no more bags of a bean than one buyer may hold unpaid. A request for
 * more is answered before the buyer presses pay.
 */
import { afterAll, describe, expect, test } from "vitest";
import { newEmail, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { quoteRequest, register, send } from "../support/shopper.ts";
import { text } from "./pages/reading.ts";
import { cartPage } from "./quick-checkout/checkout.ts";

const BEAN = "rwanda-huye";
const TOO_MANY = "at most 20 bags of Rwanda Huye";

const shop = await startService({ RATE_LIMITS: "on" });
afterAll(() => shop.stop());
const key = await register(shop.baseUrl);

const stock = (bags: number) =>
  shop.service.merchant.admin("cli").stock.set({ product_id: BEAN, on_hand: bags });
const body = (quantity: number) => quoteRequest({ product_id: BEAN, quantity, email: newEmail() });
const quoted = (quantity: number) =>
  send(shop.baseUrl, "/v1/quote-requests", { key, body: body(quantity) });
const read = async (path: string) => (await send(shop.baseUrl, path, { key })).body;
const codes = (quote: { messages: { code: string }[] }) => quote.messages.map(({ code }) => code);
const actions = ({ next }: { next: { action: string }[] }) => next.map(({ action }) => action);

describe("one order can have 20 of 40 bags", () => {
  test("as the catalog says", async () => {
    const { products } = await read("/v1/catalog");
    const { stock: words } = products.find(
      (one: { product_id: string }) => one.product_id === BEAN,
    );
    expect(words).toMatch(/\b40 bags\b.*\bat most 20 in one order\b/);
  });

  test("a quote for 20 can be paid and has no notice", async () => {
    const { quote, reviewUrl } = await readyQuote(shop.baseUrl, { product_id: BEAN, quantity: 20 });
    expect(codes(quote)).not.toContain("TOO_MANY_AT_ONCE");
    const pressed = await send(shop.baseUrl, reviewUrl, { method: "POST" });
    expect(pressed.status).toBe(303);
    const page = await send(shop.baseUrl, pressed.headers.get("location") ?? "");
    await send(shop.baseUrl, /href="([^"]+\/cancel[^"]*)"/.exec(page.text)?.[1] ?? "");
  });

  test("a quote for 21 and its retry say how many can be paid for and what to do", async () => {
    const ask = { key, body: body(21), idempotencyKey: "twenty-one" };
    const { status, body: quote } = await send(shop.baseUrl, "/v1/quote-requests", ask);
    expect([status, quote.status]).toEqual([201, "OPEN"]);
    expect(quote.messages).toEqual([
      { code: "TOO_MANY_AT_ONCE", text: expect.stringContaining(TOO_MANY) },
    ]);
    expect(actions(quote)).toEqual(["POST /v1/quote-requests", "POST /v1/bulk-leads"]);
    expect(quote.next[0].why).toContain(TOO_MANY);
    await stock(60);
    const again = await send(shop.baseUrl, "/v1/quote-requests", ask);
    const now = await read(`/v1/quotes/${quote.id}`);
    await stock(40);
    expect(again.body).toEqual(quote);
    expect(codes(now)).not.toContain("TOO_MANY_AT_ONCE");
    expect(actions(now)).toEqual([`POST /v1/quotes/${quote.id}/checkout`]);
  });

  test("after that order is paid, the next can have half of the remaining bags", async () => {
    await stock(20);
    const { body: rest } = await quoted(15);
    await stock(40);
    expect(rest.next[0].why).toContain("at most 10 bags of Rwanda Huye");
  });

  test("its checkout is refused with the same words, and opens when there are more bags", async () => {
    const { body: quote } = await quoted(21);
    const ask = { key, body: { quote_hash: quote.quote_hash }, idempotencyKey: "its-checkout" };
    const checkout = () => send(shop.baseUrl, `/v1/quotes/${quote.id}/checkout`, ask);
    const { status, body: refused } = await checkout();
    expect([status, refused.code]).toEqual([422, "LIMIT_EXCEEDED"]);
    expect(refused.detail).toContain(TOO_MANY);
    expect(actions(refused)).toEqual(["POST /v1/quote-requests", "POST /v1/bulk-leads"]);
    await stock(60);
    const given = await checkout();
    await stock(40);
    expect((await checkout()).body).toEqual(given.body);
    expect(given.status).toBe(200);
  });

  test("its buyer reads so before paying, and an agent that waits for the order hears why none comes", async () => {
    const wanted = { product_id: BEAN, quantity: 21 };
    await stock(60);
    const { quote, reviewUrl } = await readyQuote(shop.baseUrl, wanted, key);
    await stock(40);
    const page = (await send(shop.baseUrl, reviewUrl, { headers: { accept: "text/html" } })).text;
    expect(page).toContain("Take 20 bags or fewer");
    expect(page).not.toContain("<button");
    expect((await send(shop.baseUrl, reviewUrl, { method: "POST" })).status).toBe(422);
    const waiting = await read(`/v1/quotes/${quote.id}/order`);
    expect(waiting).toMatchObject({ code: "ORDER_NOT_READY", retryable: true });
    expect(waiting.detail).toContain(TOO_MANY);
    expect(actions(waiting)).toEqual(["POST /v1/quote-requests", "POST /v1/bulk-leads"]);
  });

  test("a quote for more bags than are left says how many to take now", async () => {
    const { body: quote } = await quoted(41);
    expect(quote.status).toBe("WAITLIST_OFFERED");
    expect(quote.messages[0].text).toMatch(/\b40\b.*\b41\b.*at most 20 in one order/);
    expect(quote.next[0].why).toContain(TOO_MANY);
    expect((await read(`/v1/quotes/${quote.id}`)).next).toEqual(quote.next);
  });

  test("so does a quote that also has too many bags of another bean", async () => {
    const { admin } = shop.service.merchant;
    const more = { product_id: "kenya-nyeri", quantity: 45 };
    const two = quoteRequest({ product_id: BEAN, quantity: 21, email: newEmail() });
    two.shipments[0]!.items.push(more);
    await admin("cli").stock.set({ product_id: more.product_id, on_hand: 39 });
    const ask = (path: string, body?: object) => send(shop.baseUrl, path, { key, body });
    const quote = (await ask("/v1/quote-requests", two)).body;
    const link = (await ask(`/v1/quick-checkout?items=${BEAN}:21,kenya-nyeri:45`)).body;
    const form = await ask(`/cart?qty_${BEAN}=21&qty_kenya-nyeri=45&go=checkout`);
    await admin("cli").stock.set({ product_id: more.product_id, on_hand: 5000 });
    const details = ({ errors }: { errors: { detail: string }[] }) =>
      errors.map(({ detail }) => detail);
    expect([quote.code, link.code, form.status]).toEqual(["OUT_OF_STOCK", "OUT_OF_STOCK", 422]);
    const short = expect.stringMatching(/\b39 left, at most 19 in one order/);
    expect(details(quote)).toEqual([short, expect.stringContaining(TOO_MANY)]);
    expect(details(link)).toEqual([short, expect.stringContaining(TOO_MANY)]);
    for (const told of details(link)) expect(text(form.text)).toContain(told);
  });

  test("joining the waitlist for bags in stock is refused with advice to buy in parts", async () => {
    const join = { product_id: BEAN, quantity: 30, buyer: { email: newEmail() } };
    const refused = (await send(shop.baseUrl, "/v1/waitlist", { key, body: join })).body;
    expect(refused.code).toBe("IN_STOCK");
    expect(refused.next[0].why).toContain("at most 20 bags");
    const form = { bean: BEAN, bags: "30", email: newEmail() };
    const page = await send(shop.baseUrl, "/waitlist", {
      raw: `${new URLSearchParams(form)}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(text(page.text)).toContain("at most 20 in one order");
  });

  test("a link for 21 is refused because it couldn't be paid", async () => {
    const link = (bags: number) => send(shop.baseUrl, `/v1/quick-checkout?bag=${BEAN}&qty=${bags}`);
    expect((await link(20)).status).toBe(303);
    const { status, body: refused } = await link(21);
    expect([status, refused.code]).toEqual([422, "LIMIT_EXCEEDED"]);
    expect(refused.detail).toContain(TOO_MANY);
    expect(actions(refused)).toEqual(["GET /v1/quick-checkout", "POST /v1/bulk-leads"]);
  });

  test("the page of a link opened while there were more bags says so above its form", async () => {
    await stock(60);
    const page = await cartPage(shop.baseUrl, `items=${BEAN}:21`);
    const shown = async () => text((await send(shop.baseUrl, page)).text);
    expect(await shown()).not.toContain("at most");
    await stock(15);
    expect(await shown()).toContain("15 left, at most 7 in one order");
    await stock(40);
    expect(await shown()).toContain(TOO_MANY);
  });
});
