/** The merchant's refunds at the provider, checked until each is final (contract §5). */
import { describe, expect, it } from "vitest";
import { ProviderUnavailable } from "../../src/payments/provider.ts";
import { readBooks } from "../support/books.ts";
import { arrivedMinor } from "../support/sandbox-control.ts";
import { paidPage, shop, webhook } from "./steps.ts";
import { Crash, MINUTE, type World } from "./world.ts";

const HOUR = 60 * MINUTE;

/** A paid order with helpers. */
async function ordered(options: Parameters<typeof shop>[0] = {}) {
  const world = await shop(options);
  const review = await world.quote();
  const page = await paidPage(world, review);
  await world.process().reconciler.first();
  const id = (await world.store.queries.orderOfQuote(review.quote.id))!.id;
  const admin = () => world.process().admin("cli");
  return {
    world,
    page,
    refund: async (amount: number | null) =>
      admin().orders.show({
        order_id: await admin().orders.refund({ order_id: id, amount_minor: amount, again: true }),
      }),
    now: () => admin().orders.show({ order_id: id }),
    states: async () =>
      (await readBooks(world.store)).refunds.map((r) => [r.amount_minor, r.status, r.problem]),
    back: async () => arrivedMinor(await world.provider.getCheckout(page)),
    events: async () =>
      (await world.store.queries.events(id, 2, 50)).map(({ type, data }) => {
        const { amount_minor, refunded_minor } = JSON.parse(data);
        return [type, amount_minor, refunded_minor];
      }),
    sound: async () => expect(await world.problems()).toEqual([]),
  };
}

const later = async (world: World, ms: number) => {
  world.clock.advance(ms);
  await world.sandbox.tick();
  await world.process().reconciler.run();
};

describe("a refund", () => {
  it("that is slow is PENDING until the bank has it, and an event only then", async () => {
    const { world, page, refund, now, events, sound } = await ordered();
    world.control.slowRefunds(page);
    const asked = await refund(1000);
    expect(asked.payment).toMatchObject({ status: "PAID", refunded_minor: 0 });
    expect(asked.payment.refunds).toMatchObject([{ amount_minor: 1000, status: "PENDING" }]);
    expect(asked.refundable_minor).toBe(2200);
    expect(await events()).toEqual([]);
    await world.control.endRefund(page, "succeeded");
    await later(world, 6 * HOUR);
    expect((await now()).payment).toMatchObject({
      refunded_minor: 1000,
      refunds: [{ status: "DONE" }],
    });
    expect(await events()).toEqual([["payment.refunded", 1000, 1000]]);
    await sound();
  });

  it("that is slow becomes DONE with the webhook", async () => {
    const { world, page, refund, now } = await ordered();
    world.control.slowRefunds(page);
    await refund(1000);
    await world.control.endRefund(page, "succeeded");
    const { paymentRef } = await world.provider.getCheckout(page);
    const { webhooks } = world.process();
    const data = { object: { id: "re_1", object: "refund", payment_intent: paymentRef } };
    const sent = webhook(world, page, { type: "refund.updated", data });
    await webhooks.process((await webhooks.receive(...sent))!.event);
    expect((await now()).payment.refunded_minor).toBe(1000);
  });

  it("that fails weeks later is an incident, and can be repeated", async () => {
    const { world, page, refund, now, events, sound } = await ordered();
    await refund(null);
    expect((await now()).payment).toMatchObject({ status: "REFUNDED", refunded_minor: 3200 });
    world.clock.advance(20 * 24 * HOUR);
    await world.control.endRefund(page, "failed");
    await later(world, 24 * HOUR);
    const failed = await now();
    expect(failed.payment).toMatchObject({ status: "PAID", refunded_minor: 0 });
    expect(failed.payment.refunds).toMatchObject([{ status: "FAILED" }]);
    expect(await world.incidents()).toEqual(["REFUND_FAILED"]);
    await refund(null);
    expect((await now()).payment).toMatchObject({ status: "REFUNDED", refunded_minor: 3200 });
    expect(await events()).toEqual([
      ["payment.refunded", 3200, 3200],
      ["payment.refund_failed", 3200, 0],
      ["payment.refunded", 3200, 3200],
    ]);
    await sound();
  });

  it("that the balance does not cover waits with one incident and is made later", async () => {
    const { world, refund, states, back, sound } = await ordered();
    world.control.faults.balanceMinor = 500;
    await refund(1000);
    expect(await states()).toEqual([[1000, "PENDING", "BALANCE"]]);
    for (let day = 0; day < 5; day++) await later(world, 24 * HOUR);
    expect(await states()).toEqual([[1000, "PENDING", "BALANCE"]]);
    expect(await world.incidents()).toEqual(["REFUND_WAITS"]);
    world.control.faults.balanceMinor = undefined;
    await later(world, 24 * HOUR);
    expect(await states()).toEqual([[1000, "DONE", null]]);
    expect(await back()).toBe(1000);
    await sound();
  });

  it("that the provider holds until the balance covers it is PENDING with one incident", async () => {
    const { world, page, refund, now, states, events, sound } = await ordered();
    const { faults } = world.control;
    faults.balanceMinor = 500;
    await refund(1000);
    // First refused, then accepted by the provider, where it waits. It is the same refund.
    faults.takesWithoutBalance = true;
    await later(world, HOUR);
    expect(await states()).toEqual([[1000, "PENDING", "insufficient_funds"]]);
    expect((await now()).payment).toMatchObject({ status: "PAID", refunded_minor: 0 });
    expect(await world.incidents()).toEqual(["REFUND_WAITS"]);
    await expect(refund(2500)).rejects.toThrow("$10.00 is on its way");
    await world.control.endRefund(page, "succeeded");
    await later(world, 6 * HOUR);
    expect(await states()).toEqual([[1000, "DONE", null]]);
    expect(await events()).toEqual([["payment.refunded", 1000, 1000]]);
    expect(await world.incidents()).toEqual(["REFUND_WAITS"]);
    await sound();
  });

  it("that the provider held and then gave up is an incident, and can be repeated", async () => {
    const { world, page, refund, states, back, sound } = await ordered();
    world.control.faults.balanceMinor = 0;
    world.control.faults.takesWithoutBalance = true;
    await refund(null);
    await world.control.endRefund(page, "failed");
    await later(world, 6 * HOUR);
    expect(await states()).toEqual([[3200, "FAILED", "expired_or_canceled_card"]]);
    expect((await world.incidents()).toSorted()).toEqual(["REFUND_FAILED", "REFUND_WAITS"]);
    world.control.faults.balanceMinor = undefined;
    await refund(null);
    expect(await back()).toBe(3200);
    await sound();
  });

  it("that waits for the balance is one incident despite an outage in between", async () => {
    const { world, refund, states, sound } = await ordered();
    const { faults } = world.control;
    faults.balanceMinor = 500;
    await refund(1000);
    for (const status of [503, 500]) {
      faults.api = () => ({ kind: "error", status });
      await later(world, 24 * HOUR);
      expect(await states()).toEqual([[1000, "PENDING", "BALANCE"]]);
      faults.api = undefined;
      await later(world, 24 * HOUR);
    }
    expect(await states()).toEqual([[1000, "PENDING", "BALANCE"]]);
    expect(await world.incidents()).toEqual(["REFUND_WAITS"]);
    await sound();
  });

  it("that failed at the provider after a long outage is retried within minutes", async () => {
    const { world, refund, states, sound } = await ordered();
    const failing = (status: number) => {
      world.control.faults.api = ({ method, path }) =>
        method === "POST" && path === "/v1/refunds" ? { kind: "error", status } : null;
    };
    failing(503);
    await refund(1000);
    for (let minute = 0; minute < 20; minute++) await later(world, MINUTE);
    failing(500);
    for (let minute = 0; minute < 60; minute++) await later(world, MINUTE);
    expect(await states()).toEqual([[1000, "PENDING", "FAILED_THERE"]]);
    world.control.faults.api = undefined;
    await later(world, 15 * MINUTE);
    expect(await states()).toEqual([[1000, "DONE", null]]);
    await sound();
  });

  it.each([false, true])(
    "that the provider failed at (500, carried out: %s) goes on under a new key, once",
    async (effect) => {
      const { world, refund, states, back, sound } = await ordered();
      let failures = 0;
      world.control.faults.api = ({ method, path }) => {
        if (method !== "POST" || path !== "/v1/refunds" || failures++ > 0) return null;
        return { kind: "error", status: 500, effect };
      };
      await refund(1000);
      expect(await states()).toEqual([[1000, "PENDING", "FAILED_THERE"]]);
      await later(world, MINUTE);
      expect(await states()).toEqual([[1000, "DONE", null]]);
      expect(await back()).toBe(1000);
      await sound();
    },
  );

  it("with a lost answer is found by our id, even after a day", async () => {
    const { world, refund, states, back, sound } = await ordered({ timeoutMs: 300 });
    world.control.faults.api = ({ method, path }) =>
      method === "POST" && path === "/v1/refunds"
        ? { kind: "timeout", ms: 5000, effect: true }
        : null;
    await refund(1000);
    expect(await states()).toEqual([[1000, "PENDING", "NO_ANSWER"]]);
    world.control.faults.api = undefined;
    await later(world, 48 * HOUR);
    expect(await states()).toEqual([[1000, "DONE", null]]);
    expect(await back()).toBe(1000);
    await sound();
  });

  it.each([
    ["a process that died", Crash],
    ["a process that got no answer", ProviderUnavailable],
  ])("made by %s is found by our id, not made twice", async (_, Failure) => {
    const { world, now, states, back, sound } = await ordered();
    const { provider } = world;
    const failing = async (...wanted: Parameters<typeof provider.refund>) => {
      await provider.refund(...wanted);
      throw new Failure("after the refund");
    };
    const { orders } = world.process({ provider: { ...provider, refund: failing } }).admin("cli");
    await orders.refund({ order_id: (await now()).id, amount_minor: 1000, again: true });
    world.clock.advance(48 * HOUR);
    // Neither the key nor a check of the payment helps: only the search for the refund does.
    const getCheckout = () => Promise.reject(new ProviderUnavailable("away"));
    const refund = () => Promise.reject(new Error("requested again"));
    const blind = world.process({ provider: { ...provider, getCheckout, refund } });
    await blind.reconciler.run();
    expect(await states()).toEqual([[1000, "DONE", null]]);
    expect(await back()).toBe(1000);
    await sound();
  });

  it("is not mistaken for money that went back another way", async () => {
    const { world, page, refund, states, back, sound } = await ordered();
    world.control.faults.api = ({ path }) =>
      path === "/v1/refunds" ? { kind: "error", status: 503 } : null;
    await refund(200);
    await world.control.refundOutside(page, 3000);
    await later(world, 21 * HOUR);
    world.control.faults.api = undefined;
    await later(world, 1 * HOUR);
    expect((await states()).toSorted()).toEqual([
      [200, "DONE", null],
      [3000, "DONE", null],
    ]);
    expect(await back()).toBe(3200);
    await sound();
  });

  it("of more than is left after a refund at the provider fails with an incident", async () => {
    const { world, page, refund, states, back, sound } = await ordered();
    await world.control.refundOutside(page, 3000);
    await refund(2000);
    expect(await states()).toEqual([[2000, "FAILED", "amount_too_large"]]);
    await later(world, 6 * HOUR);
    expect(await world.incidents()).toEqual(["REFUNDED_OUTSIDE", "REFUND_FAILED"]);
    expect(await back()).toBe(3000);
    await sound();
  });

  it.each([
    ["won", [[1000, "DONE", null]], 1000, "PAID"],
    ["lost", [[1000, "CANCELED", "dispute_lost"]], 0, "DISPUTED"],
  ] as const)(
    "asked for in a dispute waits until that is %s",
    async (decided, states, sum, status) => {
      const order = await ordered();
      const { world } = order;
      await world.control.dispute(order.page);
      await order.refund(1000);
      expect(await order.states()).toEqual([[1000, "PENDING", "DISPUTED"]]);
      await world.control.closeDispute(order.page, decided);
      for (let hours = 0; hours < 24; hours += 6) await later(world, 6 * HOUR);
      expect(await order.states()).toEqual(states);
      expect(await order.back()).toBe(sum);
      expect((await order.now()).payment.status).toBe(status);
      await order.sound();
    },
  );
});

it("money that the bank took back after a lost dispute cannot be refunded too", async () => {
  const { world, page, refund, now, back, sound } = await ordered();
  await refund(1000);
  await world.control.dispute(page);
  await world.control.closeDispute(page, "lost");
  await later(world, 6 * HOUR);
  expect(await now()).toMatchObject({
    refundable_minor: 0,
    payment: { status: "DISPUTED", refunded_minor: 1000, dispute: { status: "LOST" } },
  });
  await expect(refund(null)).rejects.toThrow("$0.00 of this order can be refunded");
  await expect(refund(100)).rejects.toThrow("the buyer's bank took $22.00 back");
  expect(await back()).toBe(1000);
  await sound();
});

it("a refund that a lost dispute prevents is the merchant's to send", async () => {
  const { world, page, refund, states, sound } = await ordered();
  await refund(1000);
  await world.control.dispute(page);
  // The dispute covers the rest; then the first refund fails, and its money is with the shop.
  await world.control.endRefund(page, "failed");
  await world.control.closeDispute(page, "lost");
  await later(world, 6 * HOUR);
  await refund(1000);
  expect(await states()).toEqual([
    [1000, "FAILED", "expired_or_canceled_card"],
    [1000, "FAILED", "dispute_lost"],
  ]);
  expect(await world.incidents()).toContain("REFUND_FAILED");
  await sound();
});

it("a second payment's refund that fails later is an incident too", async () => {
  const world = await shop();
  const review = await world.quote();
  const page = await paidPage(world, review);
  await world.control.captureOutside(page, 3100);
  await world.process().reconciler.first();
  expect((await readBooks(world.store)).refunds).toMatchObject([{ status: "DONE" }]);
  await world.control.endRefund(page, "failed");
  await later(world, 3 * HOUR);
  expect((await readBooks(world.store)).refunds).toMatchObject([{ status: "FAILED" }]);
  expect((await world.incidents()).toSorted()).toEqual(["REFUND_FAILED", "WRONG_AMOUNT"]);
});
