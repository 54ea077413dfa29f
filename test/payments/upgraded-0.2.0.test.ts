/** Payment pages that 0.2.0 opened: their bags and discount are held, and their payment is captured at once. */
import { expect, it } from "vitest";
import { insert, update } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import { readBooks } from "../support/books.ts";
import { VISA } from "../support/shopper.ts";
import { attempts, held, sessionOf, shop } from "./steps.ts";
import { MINUTE } from "./world.ts";

const BEAN = "kenya-nyeri";

/** A page for two bags with FIRSTBAG, as 0.2.0 left it. */
async function openedBefore(holdMinutes = 20) {
  const world = await shop();
  const review = await world.quote({ quantity: 2, discount_code: "FIRSTBAG" });
  const paying = await world.process().payments.pay(review);
  if (paying.kind !== "redirect") throw new Error(paying.kind);
  const sessionId = sessionOf(paying.url);
  const { payment_method_options: _, ...params } = (await world.sandbox.sessions.read(sessionId))!
    .params;
  await world.control.alter(sessionId, { params });
  const [attempt] = await world.store.queries.attemptsOfQuote(review.quote.id);
  const holds = JSON.stringify([{ product_id: BEAN, quantity: 2, own: 2, entries: [] }]);
  const { customer } = review.quote;
  const hold_until = world.clock.now() + holdMinutes * MINUTE;
  await world.store.run(write, [
    update("attempts", { id: attempt!.id }, { holds, hold_until, payer: "agt_1", wish: "wish" }),
    update("quote_states", { quote_id: review.quote.id }, { paying_until: hold_until }),
    update("stock", { product_id: BEAN }, { held: 2 }),
    insert("customers", {
      email: customer,
      paid_orders: 0,
      courtesy: "RESERVED",
      courtesy_attempt: attempt!.id,
    }),
  ]);
  return { world, review, sessionId };
}

it("is paid and becomes one order with its bags and discount", async () => {
  const { world, review, sessionId } = await openedBefore();
  await world.sandbox.buyer.pay(sessionId, VISA);
  await world.process().settlements.settleSession(sessionId);
  expect(await attempts(world, review)).toEqual([["PAID", null]]);
  expect(await held(world)).toBe(0);
  const { customers, refunds } = await readBooks(world.store);
  expect(customers).toMatchObject([{ courtesy: "REDEEMED", paid_orders: 1 }]);
  expect(refunds).toEqual([]);
  expect(await world.problems()).toEqual([]);
});

// 0.1.0 held bags for 70 minutes.
it.each([20, 70])("stays open at the first start, with a hold of %i minutes", async (minutes) => {
  const { world, review, sessionId } = await openedBefore(minutes);
  await world.process().reconciler.first();
  expect(await attempts(world, review)).toEqual([["OPEN", null]]);
  expect(await world.sessions()).toMatchObject([{ status: "open" }]);
  await world.sandbox.buyer.pay(sessionId, VISA);
  await world.process().settlements.settleSession(sessionId);
  expect(await attempts(world, review)).toEqual([["PAID", null]]);
});

it("is not paid: bags and discount are free at the end of its page", async () => {
  const { world, review } = await openedBefore();
  world.clock.advance(41 * MINUTE);
  await world.process().reconciler.run();
  expect(await attempts(world, review)).toEqual([["ENDED", "EXPIRED"]]);
  expect(await held(world)).toBe(0);
  expect((await readBooks(world.store)).customers).toMatchObject([{ courtesy: null }]);
  expect(await world.sessions()).toMatchObject([{ status: "expired" }]);
  expect(await world.problems()).toEqual([]);
});

it("is not paid during an outage: bags are free once the page has ended by itself", async () => {
  const { world } = await openedBefore();
  world.control.faults.api = () => ({ kind: "error", status: 503 });
  world.clock.advance(39 * MINUTE);
  await world.process().reconciler.run();
  expect(await held(world)).toBe(2);
  world.clock.advance(2 * MINUTE);
  await world.process().reconciler.run();
  expect(await held(world)).toBe(0);
});
