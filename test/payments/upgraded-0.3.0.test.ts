/** Payments that 0.3.0 left under way end in this version as its own would. */
import { readFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { readBooks, unfinished } from "../support/books.ts";
import { releasedDatabase } from "../support/released.ts";
import { testClock } from "../support/service.ts";
import { VISA } from "../support/shopper.ts";
import { engine } from "../support/stores.ts";
import { MINUTE, openWorld } from "./world.ts";

const ROWS = await readFile(new URL("../db/shop-0.3.0.sql", import.meta.url), "utf8");
/** Time of its last row. */
const LEFT = Date.parse("2026-03-02T10:01:00.000Z");

/** The upgraded shop, with its quotes and sessions by their buyers' names. */
async function upgraded() {
  const database = await releasedDatabase(engine(), "0.3.0");
  await database.execute(ROWS);
  const store = await database.open();
  onTestFinished(() => store.close());
  const world = await openWorld(store, { clock: testClock(LEFT), sessions: store });
  /** Refunds that reach the provider. */
  const sent: unknown[] = [];
  const { provider } = world;
  const refund: typeof provider.refund = (ref, request) => {
    sent.push(request);
    return provider.refund(ref, request);
  };
  const { reconciler } = world.process({ provider: { ...provider, refund } });

  async function named() {
    const { attempts, orders, quoteOf } = await readBooks(store);
    return attempts.map((attempt) => ({
      name: quoteOf.get(attempt.quote_id)!.buyer_email.split("@")[0]!,
      attempt,
      orders: orders.filter(({ quote_id }) => quote_id === attempt.quote_id).length,
    }));
  }
  return {
    ...world,
    sent,
    books: () => readBooks(store),
    async sessionOf(name: string) {
      return (await named()).find((one) => one.name === name)!.attempt.session_id!;
    },
    /** Lets these minutes pass, in steps. */
    async rest(...minutes: number[]) {
      for (const each of minutes) {
        world.clock.advance(each * MINUTE);
        await world.sandbox.tick();
        await reconciler.first();
      }
    },
    /** Outcome of each payment, and the number of orders. */
    async ends() {
      const rows = (await named()).map(({ name, attempt: { status, outcome }, orders }) => [
        name,
        [status, outcome, orders],
      ]);
      return Object.fromEntries(rows);
    },
    problems: async () => [...(await world.problems()), ...unfinished(await readBooks(store))],
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
  expect(await shop.provider.getCheckout(await shop.sessionOf("open"))).toMatchObject({
    status: "expired",
  });
  expect(await shop.problems()).toEqual([]);
});

it("a refund that could still be undone is sent once, at the end of its ten minutes", async () => {
  const shop = await upgraded();
  await shop.rest(0, 9);
  expect(shop.sent).toEqual([]);
  await shop.rest(2, 10, 60);
  expect(shop.sent).toMatchObject([{ amountMinor: 500 }]);
  const { refunds, orders } = await shop.books();
  expect(refunds).toMatchObject([{ status: "DONE", amount_minor: 500, tries: 0 }]);
  expect(orders.find(({ number }) => number === 1001)).toMatchObject({ refunded_minor: 500 });
});

it("a refund of 0.3.0 whose answer was lost is not sent again", async () => {
  const shop = await upgraded();
  const [{ id, payment_ref } = expect.unreachable()] = (await shop.books()).refunds;
  // Stripe forgets a key after a day.
  const request = { idempotencyKey: "forgotten", refundId: id, amountMinor: 500 };
  await shop.provider.refund(payment_ref, request);
  await shop.rest(11, 60);
  expect(shop.sent).toEqual([]);
  expect((await shop.books()).refunds).toMatchObject([{ id, status: "DONE" }]);
  expect(await shop.problems()).toEqual([]);
});
