/** Kills the process before and after every command and every call outside, once per run. */

import { describe, expect, it } from "vitest";
import type { Merchant } from "../../src/merchant/merchant.ts";
import type { ReviewedQuote } from "../../src/payments/checkout-request.ts";
import { allRows } from "../support/all-rows.ts";
import { VISA } from "../support/shopper.ts";
import { engine, openUsual } from "../support/stores.ts";
import { losing, sessionOf, standingOf, unlessKilled, webhook } from "./steps.ts";
import { MINUTE, mortal, openWorld, type World } from "./world.ts";

/**
 * Runs the story once for every step at which its process can die, or for some steps of a long one. Returns
 * the number of steps.
 */
async function killedAtEveryStep(
  world: World,
  story: (first: Merchant, died: () => boolean) => Promise<void>,
  stride = 1,
): Promise<number> {
  for (let at = 0; at < 60; at += stride) {
    const { parts, died } = mortal(world, at);
    await story(world.process(parts), died);
    if (died()) continue;
    expect(await world.problems()).toEqual([]);
    return at;
  }
  throw new Error("the story does not end");
}

/** The buyer's click. If the process dies, the buyer clicks again in a new process. */
async function pressPay(world: World, review: ReviewedQuote, first: Merchant): Promise<string> {
  const paying =
    (await unlessKilled(() => first.payments.pay(review))) ??
    (await world.process().payments.pay(await world.again(review)));
  if (paying.kind !== "redirect") throw new Error(`pay led to ${paying.kind}`);
  return sessionOf(paying.url);
}

/** Receives and settles a webhook. If the process dies, the provider sends it again. */
async function tell(world: World, sessionId: string, process: Merchant): Promise<void> {
  const [body, signature] = webhook(world, sessionId);
  const received = await unlessKilled(() => process.webhooks.receive(body, signature));
  if (!received) await world.process().webhooks.receive(body, signature);
  else await unlessKilled(() => process.webhooks.process(received.event));
}

const orderOf = (world: World, { quote }: ReviewedQuote) =>
  world.store.queries.orderOfQuote(quote.id);

const sessionIn = async (world: World, sessionId: string) =>
  (await world.sessions()).find((session) => session.sessionId === sessionId);

const onHand = async ({ store }: World): Promise<number> =>
  (await store.queries.stock()).find((row) => row.product_id === "kenya-nyeri")!.on_hand;

const letters = async ({ store }: World) =>
  (await allRows(store, "outbox")).filter(({ kind }) => kind === "NOT_ORDERED");

describe("killed at every step", () => {
  it("a payment becomes one order with its courtesy and bags", async () => {
    const world = await openWorld((await openUsual()).store);
    const steps = await killedAtEveryStep(world, async (first, died) => {
      const review = await world.quote({ quantity: 2, discount_code: "FIRSTBAG" });
      const sessionId = await pressPay(world, review, first);
      await world.sandbox.buyer.pay(sessionId, VISA);
      await tell(world, sessionId, died() ? world.process() : first);
      await world.rest();
      expect(await orderOf(world, review)).toMatchObject({ status: "CONFIRMED" });
      const sessions = await world.sessions();
      expect(sessions.filter((s) => s.quoteHash === review.quote.quote_hash)).toHaveLength(1);
    });
    // Start, page, webhook, its session, take, capture, order: each before and after.
    expect(steps).toBeGreaterThan(12);
    expect(await world.incidents()).toEqual([]);
  });

  it("a payment whose bags are gone is released: no order, no charge, no refund", async () => {
    const world = await openWorld((await openUsual()).store);
    const { stock } = world.process().admin("cli");
    const set = (on_hand: number) => stock.set({ product_id: "kenya-nyeri", on_hand });
    const before = await onHand(world);
    const steps = await killedAtEveryStep(world, async (first, died) => {
      const review = await world.quote({ quantity: 2, discount_code: "FIRSTBAG" });
      const sessionId = await pressPay(world, review, first);
      await world.sandbox.buyer.pay(sessionId, VISA);
      await set(1);
      await tell(world, sessionId, died() ? world.process() : first);
      await world.rest();
      const sold = { status: "INVALIDATED", reason: "OUT_OF_STOCK" };
      expect(await standingOf(world, review)).toMatchObject(sold);
      await set(before);
      expect(await orderOf(world, review)).toBeUndefined();
      // The bags are back, so it can be paid again.
      const state = { status: "CHECKOUT_READY", paying_until: null };
      expect((await world.again(review)).state).toMatchObject(state);
      expect(await sessionIn(world, sessionId)).toMatchObject({ payment: "canceled", refunds: [] });
    });
    expect(steps).toBeGreaterThan(12);
    expect(await world.incidents()).toEqual([]);
    expect(await letters(world)).toHaveLength(steps + 1);
  });

  it("a capture that the bank refuses is released, and the quote can be paid again", async () => {
    const world = await openWorld((await openUsual()).store);
    const steps = await killedAtEveryStep(world, async (first, died) => {
      const review = await world.quote({ quantity: 2, discount_code: "FIRSTBAG" });
      const sessionId = await pressPay(world, review, first);
      world.control.refuseCapture(sessionId);
      await world.sandbox.buyer.pay(sessionId, VISA);
      await tell(world, sessionId, died() ? world.process() : first);
      await world.rest();
      expect(await sessionIn(world, sessionId)).toMatchObject({ payment: "canceled" });
      expect((await world.again(review)).state).toMatchObject({ status: "CHECKOUT_READY" });
      await world.sandbox.buyer.pay(await pressPay(world, review, world.process()), VISA);
      await world.rest();
      expect(await orderOf(world, review)).toMatchObject({ status: "CONFIRMED" });
    });
    expect(steps).toBeGreaterThan(12);
    expect(await world.incidents()).toEqual([]);
  });

  it("a buyer who never returns leaves no hold and no reserved courtesy", async () => {
    const world = await openWorld((await openUsual()).store);
    const steps = await killedAtEveryStep(world, async (first) => {
      const review = await world.quote({ quantity: 3, discount_code: "FIRSTBAG" });
      await unlessKilled(() => first.payments.pay(review));
      await world.rest("ends");
      expect(await orderOf(world, review)).toBeUndefined();
      expect((await world.again(review)).state).toMatchObject({ paying_until: null });
    });
    expect(steps).toBeGreaterThan(4);
    expect((await world.store.queries.stock()).map((row) => row.held)).toEqual([0, 0, 0, 0]);
  });
});

describe("killed at every step after paying on two pages: one order, one release", () => {
  it.each([
    ["the one that was given up first", 0, 1],
    ["the one that the buyer was sent to first", 1, 2],
  ])("told of %s", async (_, early, step) => {
    const stride = engine() === "postgres" ? 5 : step;
    const world = await openWorld((await openUsual()).store);
    await killedAtEveryStep(
      world,
      async (first) => {
        const review = await world.quote();
        const pages = await twoPages(world, review);
        for (const page of pages) await world.sandbox.buyer.pay(page, VISA);
        const told = early === 0 ? pages : pages.toReversed();
        for (const page of told) await tell(world, page, first);
        await world.rest();
        await world.process().reconciler.sweep();
        const order = await orderOf(world, review);
        const events = await world.store.queries.events(order!.id, 0, 10);
        expect(events.map(({ type }) => type)).toEqual(["order.confirmed", "payment.verified"]);
        const sent = (await world.sessions()).filter((s) => pages.includes(s.sessionId));
        expect(sent.map(({ payment }) => payment).toSorted()).toEqual(["canceled", "paid"]);
        expect(sent.flatMap(({ refunds }) => refunds)).toEqual([]);
      },
      stride,
    );
    expect(await world.incidents()).toEqual([]);
  });
});

/** Loses the answer with the first page; minutes later a second page is made. */
async function twoPages(world: World, review: ReviewedQuote): Promise<string[]> {
  const deaf = world.process({ provider: losing(world, "createCheckout") });
  expect(await deaf.payments.pay(review)).toEqual({ kind: "unavailable" });
  world.clock.advance(3 * MINUTE);
  const second = await world.process().payments.pay(review);
  if (second.kind !== "redirect") throw new Error(`pay led to ${second.kind}`);
  const ours = (await world.sessions()).filter((s) => s.quoteHash === review.quote.quote_hash);
  expect(ours).toHaveLength(2);
  const known = sessionOf(second.url);
  return [...ours.map((s) => s.sessionId).filter((id) => id !== known), known];
}
