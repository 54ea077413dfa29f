import { expect, test } from "vitest";
import { cart, cutPower, MINUTE, paidSession, typesAfter, type World, world } from "./harness.ts";

/** Causes one webhook. */
async function expire(w: World): Promise<void> {
  const { sessionId } = await w.provider.createCheckout(cart());
  await w.provider.expireCheckout(sessionId);
  await w.sandbox.idle();
}

test("a webhook is retried with growing pauses until the shop accepts it", async () => {
  const w = await world();
  w.shop.status = 500;
  await expire(w);
  await w.sandbox.tick();
  expect(w.shop.requests).toBe(1);
  w.clock.now += MINUTE / 2;
  await w.sandbox.tick();
  expect(w.shop.requests).toBe(2);
  w.clock.now += MINUTE / 2;
  await w.sandbox.tick();
  expect(w.shop.requests).toBe(2);
  w.shop.status = 200;
  w.clock.now += 2 * MINUTE;
  await w.sandbox.tick();
  w.clock.now += 60 * MINUTE;
  await w.sandbox.tick();
  expect(w.shop.requests).toBe(3);
  expect(w.events).toHaveLength(1);
});

test("a webhook that is never accepted is given up in the end", async () => {
  const w = await world();
  w.shop.status = 404;
  await expire(w);
  for (let day = 0; day < 10; day++) {
    w.clock.now += 24 * 60 * MINUTE;
    await w.sandbox.tick();
  }
  expect(w.shop.requests).toBe(7);
  expect(await w.state.list("session_live", { limit: 1000 })).toHaveLength(0);
});

test("a webhook of an earlier run is sent after the next start", async () => {
  const w = await world();
  w.shop.status = 503;
  await expire(w);
  await w.sandbox.close();
  w.shop.status = 200;
  w.clock.now += MINUTE;
  await (await w.again()).tick();
  expect(w.events).toHaveLength(1);
});

test("a crash after sending a webhook sends the same event again", async () => {
  const w = await world();
  const powerBack = cutPower(w, "session_unpaid");
  await expire(w);
  powerBack();
  w.clock.now += MINUTE;
  await (await w.again()).tick();
  expect(w.events).toHaveLength(2);
  expect(w.events[1]).toEqual(w.events[0]);
});

test("two processes that tick at once send a webhook once", async () => {
  const w = await world();
  const other = await w.again();
  w.control.faults.webhook = () => "delay";
  await expire(w);
  w.control.faults.webhook = undefined;
  expect(w.shop.requests).toBe(0);
  w.clock.now += MINUTE;
  await Promise.all([w.sandbox.tick(), other.tick(), w.sandbox.tick(), other.tick()]);
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
  await w.sandbox.idle();
  expect(w.events).toHaveLength(2);
  fate.now = "deliver";
  w.clock.now += MINUTE;
  await w.sandbox.tick();
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
