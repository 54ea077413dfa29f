/**
 * One first-order courtesy per person, however the address is spelled and whichever agent comes first.
 */

import { describe, expect, it, onTestFinished } from "vitest";
import { countRows } from "../support/all-rows.ts";
import { readBooks, unfinished } from "../support/books.ts";
import { readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { eventually, payAsBuyer, register, send } from "../support/shopper.ts";

/** Forty spellings of one mailbox. */
const SPELLINGS = Array.from({ length: 40 }, (_, i) => {
  const dotted = i % 3 === 0 ? "f.irst.bag" : i % 3 === 1 ? "firstbag" : "first.b.ag";
  const name = i % 2 === 0 ? dotted : dotted.toUpperCase();
  const tag = i % 5 === 0 ? "" : `+${i}`;
  return `${name}${tag}@${i % 7 === 0 ? "GMAIL.com" : "gmail.com"}`;
});

describe("forty buyers with spellings of one address", () => {
  it("pay at once: one gets the courtesy, and nobody else is charged", async () => {
    const { baseUrl, store, stop } = await startService();
    onTestFinished(stop);
    const keys = await Promise.all(Array.from({ length: 5 }, () => register(baseUrl)));
    const quotes = await Promise.all(
      SPELLINGS.map((email, i) =>
        readyQuote(baseUrl, { email, discount_code: "FIRSTBAG" }, keys[i % 5]),
      ),
    );
    await Promise.all(
      quotes.map(({ reviewUrl }) => payAsBuyer(baseUrl, reviewUrl).catch(() => {})),
    );
    await eventually(async () => (await countRows(store, "orders")) === 1);
    // Everybody else's payment is released before it is captured.
    await eventually(async () =>
      unfinished(await readBooks(store)).every((line) => /OPEN/.test(line)),
    );
    expect((await readBooks(store)).refunds).toEqual([]);
    const views = () =>
      Promise.all(
        quotes.map(async ({ quote }, i) => {
          const { body } = await send(baseUrl, `/v1/quotes/${quote.id}`, { key: keys[i % 5] });
          return body as { status: string; messages: { code: string }[] };
        }),
      );
    const paid = ({ status }: { status: string }) => status === "PAID";
    expect((await views()).filter(paid)).toHaveLength(1);
    // From now on a press of pay reports the used courtesy.
    for (const { reviewUrl } of quotes) await send(baseUrl, reviewUrl, { method: "POST" });
    const others = (await views()).filter((view) => !paid(view));
    expect(others).toHaveLength(39);
    for (const { status, messages } of others) {
      const [first, ...rest] = messages.map(({ code }) => code);
      expect([status, first]).toEqual(["INVALIDATED", "COURTESY_USED"]);
      // The same key and spelling as the paid one.
      expect(rest.filter((code) => code !== "BOUGHT_ALREADY")).toEqual([]);
    }
    expect((await readBooks(store)).customers).toMatchObject([
      { courtesy: "REDEEMED", paid_orders: 1 },
    ]);
    const [bean] = (await store.queries.stock()).filter((r) => r.product_id === "kenya-nyeri");
    expect(bean).toMatchObject({ on_hand: 4999, held: 0 });
  });
});
