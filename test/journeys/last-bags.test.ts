/** Many people on payment pages for the same bags: nobody is charged without an order (contract §5). */
import { afterAll, describe, expect, it } from "vitest";
import { UNSETTLED } from "../../src/core/records.ts";
import { readBooks } from "../support/books.ts";
import { form, newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { eventually, payAt, send } from "../support/shopper.ts";

const shop = await startService({ RATE_LIMITS: "off" });
afterAll(() => shop.stop());

const BEAN = "rwanda-huye";
const { stock } = shop.service.merchant.admin("cli");

const press = async (reviewUrl: string): Promise<string> =>
  (await send(shop.baseUrl, reviewUrl, form({}))).headers.get("location") ?? "";

const quoteOf = (quantity: number) =>
  readyQuote(shop.baseUrl, { email: newEmail(), product_id: BEAN, quantity });

/** The books once none of these quotes' payments is under way. */
async function settledBooks(quotes: Set<string>) {
  await eventually(async () => {
    const { attempts } = await readBooks(shop.store);
    return attempts.every(
      ({ quote_id, status }) => !quotes.has(quote_id) || !UNSETTLED.has(status),
    );
  });
  return readBooks(shop.store);
}

describe("the last bags of a bean", () => {
  it("stay free while 12 strangers have pressed pay for all of them and left", async () => {
    await stock.set({ product_id: BEAN, on_hand: 40 });
    for (let i = 0; i < 12; i++) {
      const stranger = await quoteOf(40);
      expect(await press(stranger.reviewUrl)).toContain("/checkout/");
    }
    const { key, quote, reviewUrl } = await quoteOf(25);
    expect(quote.terms.pricing.courtesy).toMatchObject({ kind: "SPEND", amount_minor: 10_000 });
    await payAt(await press(reviewUrl));
    expect(await orderOf(shop.baseUrl, key, quote.id)).toMatchObject({ status: "CONFIRMED" });
    expect(await stock.set({ product_id: BEAN, on_hand: 5 })).toMatchObject({ free: 5 });
  });

  it("go to one of two buyers who pay at once; the other is not charged", async () => {
    await stock.set({ product_id: BEAN, on_hand: 5 });
    const both = [await quoteOf(5), await quoteOf(5)];
    const pages = await Promise.all(both.map(({ reviewUrl }) => press(reviewUrl)));
    await Promise.all(pages.map((page) => payAt(page)));
    const ids = new Set(both.map(({ quote }) => quote.id as string));
    const { attempts, refunds, orders } = await settledBooks(ids);
    const ours = attempts.filter(({ quote_id }) => ids.has(quote_id));
    expect(ours.map(({ status, outcome }) => [status, outcome]).toSorted()).toEqual([
      ["ENDED", "OUT_OF_STOCK"],
      ["PAID", null],
    ]);
    expect(orders.filter(({ quote_id }) => ids.has(quote_id))).toHaveLength(1);
    expect(refunds).toEqual([]);
    expect(await shop.store.queries.allIncidents()).toEqual([]);
    const lost = both.find(({ quote }) => !orders.some((one) => one.quote_id === quote.id))!;
    const { body } = await send(shop.baseUrl, `/v1/quotes/${lost.quote.id}`, { key: lost.key });
    expect(body).toMatchObject({ status: "INVALIDATED", messages: [{ code: "OUT_OF_STOCK" }] });
    expect(body.messages[0].text).toContain("The buyer was not charged");
  });
});
