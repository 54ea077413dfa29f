import { expect, test } from "vitest";
import { cart, MINUTE, paidSession, typesAfter, type World, world } from "./harness.ts";

/** Causes one webhook. */
async function expire(w: World): Promise<void> {
  const { sessionId } = await w.provider.createCheckout(cart());
  await w.provider.expireCheckout(sessionId);
  await w.sandbox.idle();
}

test("a webhook that the shop refuses is not sent again", async () => {
  const w = await world();
  w.shop.status = 500;
  await expire(w);
  w.clock.now += MINUTE;
  await w.sandbox.tick();
  await w.sandbox.idle();
  expect(w.shop.requests).toBe(1);
});

test("faults can lose, double or delay a webhook", async () => {
  const w = await world();
  const fate = { now: "drop" as "drop" | "double" | "delay" | "deliver" };
  w.control.faults.webhook = () => fate.now;
  const { sessionId } = await paidSession(w, {}, "bank_debit");
  expect(await typesAfter(w)).toEqual([]);
  fate.now = "double";
  await w.control.settleBankDebit(sessionId, true);
  await w.sandbox.idle();
  expect(w.events).toHaveLength(2);
  expect(new Set(w.events.map((event) => event.id)).size).toBe(1);
  fate.now = "delay";
  await w.control.dispute(sessionId);
  fate.now = "deliver";
  await w.control.closeDispute(sessionId, "won");
  await w.sandbox.idle();
  expect(w.events.at(-1)?.type).toBe("charge.dispute.created");
});

test("a shop that does not answer webhooks does not delay the checkout", async () => {
  const w = await world();
  w.control.faults.webhook = () => "deliver";
  const { sessionId } = await w.provider.createCheckout(cart());
  expect((await w.sandbox.buyer.pay(sessionId, "bank_debit"))?.outcome).toBe("processing");
  expect(w.shop.requests).toBe(0);
  await w.sandbox.idle();
  expect(w.shop.requests).toBe(1);
});
