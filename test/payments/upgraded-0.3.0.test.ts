/** Payments that 0.3.0 left under way end in this version as its own would. */
import { readFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import type { CheckoutState } from "../../src/payments/provider.ts";
import { problemsOf, readBooks, unfinished } from "../support/books.ts";
import { releasedDatabase } from "../support/released.ts";
import { testClock } from "../support/service.ts";
import { openShop } from "../support/shop.ts";
import { VISA } from "../support/shopper.ts";
import { engine } from "../support/stores.ts";

const ROWS = await readFile(new URL("../db/shop-0.3.0.sql", import.meta.url), "utf8");
/** Time of its last row. */
const LEFT = Date.parse("2026-03-02T10:01:00.000Z");
const MINUTE = 60_000;

/** The upgraded shop, each quote and session by its buyer's name. */
async function upgraded() {
  const database = await releasedDatabase(engine(), "0.3.0");
  await database.execute(ROWS);
  const store = await database.open();
  onTestFinished(() => store.close());
  const clock = testClock(LEFT);
  const shop = await openShop(store, clock);
  const { merchant, provider } = shop;

  const books = async () => {
    const read = await readBooks(store);
    const nameOf = (quoteId: string) => read.quoteOf.get(quoteId)!.buyer_email.split("@")[0]!;
    return { ...read, nameOf };
  };
  const sessions = async () => {
    const all: CheckoutState[] = [];
    for await (const session of provider.listCheckouts(0)) all.push(session);
    return all;
  };
  return {
    ...shop,
    books,
    sessions,
    async sessionOf(name: string) {
      const { attempts, nameOf } = await books();
      return attempts.find(({ quote_id }) => nameOf(quote_id) === name)!.session_id!;
    },
    /** Lets these minutes pass, in steps. */
    async rest(...minutes: number[]) {
      for (const each of minutes) {
        clock.advance(each * MINUTE);
        await merchant.reconciler.first();
      }
    },
    async problems() {
      const broughtIn = { "kenya-nyeri": 5000, "rwanda-huye": 15, "peru-cajamarca-decaf": 5000 };
      const expected = {
        broughtIn: { ...broughtIn, "yemen-haraz": 60 },
        sessions: await sessions(),
      };
      const read = await readBooks(store);
      return [...problemsOf(read, expected), ...unfinished(read)];
    },
    /** Outcome of each payment, and the number of orders. */
    async ends() {
      const { attempts, orders, nameOf } = await books();
      return Object.fromEntries(
        attempts.map(({ quote_id, status, outcome }) => [
          nameOf(quote_id),
          [status, outcome, orders.filter((order) => order.quote_id === quote_id).length],
        ]),
      );
    },
  };
}

it("every payment of 0.3.0 ends once: ordered, or released", async () => {
  const shop = await upgraded();
  expect(await shop.ends()).toEqual({
    refunded: ["PAID", null, 1],
    open: ["OPEN", null, 0],
    authorized: ["CAPTURING", null, 0],
    captured: ["CAPTURING", null, 0],
    released: ["RELEASING", "OUT_OF_STOCK", 0],
  });
  await shop.sandbox.buyer.pay(await shop.sessionOf("open"), VISA);
  await shop.rest(0, 3);
  expect(await shop.ends()).toEqual({
    refunded: ["PAID", null, 1],
    open: ["PAID", null, 1],
    authorized: ["PAID", null, 1],
    captured: ["PAID", null, 1],
    released: ["ENDED", "OUT_OF_STOCK", 0],
  });
  await shop.rest(10, 60);
  expect(await shop.problems()).toEqual([]);
});

it("an open page of 0.3.0 that nobody pays is closed at its end", async () => {
  const shop = await upgraded();
  await shop.rest(0, 60, 11);
  expect((await shop.ends()).open).toEqual(["ENDED", "EXPIRED", 0]);
  expect(await shop.sandbox.sessions.read(await shop.sessionOf("open"))).toMatchObject({
    status: "expired",
  });
  expect(await shop.problems()).toEqual([]);
});

it("a refund that could still be undone is sent once, at the end of its ten minutes", async () => {
  const shop = await upgraded();
  await shop.rest(0, 9);
  expect(shop.provider.refunds).toEqual([]);
  await shop.rest(2, 10, 60);
  expect(shop.provider.refunds).toMatchObject([{ amountMinor: 500 }]);
  const { refunds, orders } = await shop.books();
  expect(refunds).toMatchObject([{ status: "DONE", amount_minor: 500, tries: 0 }]);
  expect(orders.find(({ number }) => number === 1001)).toMatchObject({ refunded_minor: 500 });
});

it("a refund of 0.3.0 whose answer was lost is not sent again", async () => {
  const shop = await upgraded();
  const [{ id, payment_ref } = expect.unreachable()] = (await shop.books()).refunds;
  // Stripe forgets a key after a day.
  const sent = { idempotencyKey: "forgotten", refundId: id, amountMinor: 500 };
  await shop.provider.refund(payment_ref, sent);
  await shop.rest(11, 10);
  expect(shop.provider.refunds).toHaveLength(1);
  expect((await shop.books()).refunds).toMatchObject([{ id, status: "DONE" }]);
});
