/** A merchant's refund waits ten minutes, in which it can be undone; undone or sent, never both. */
import { expect, it } from "vitest";
import { TIMES } from "../../src/core/policy.ts";
import { claimRefund } from "../../src/payments/refund-answer.ts";
import { BY_POST, orderedIn, pageToken, TWO_SHIPMENTS, typesOf } from "../support/ordered.ts";
import { testClock } from "../support/service.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const REFUSED = { code: "ILLEGAL_STEP" };

describeEveryStore("a refund that can be undone", (open) => {
  async function refunded(amount: number | null = 500) {
    const ordered = await orderedIn(open);
    const { shop, orderId, show } = ordered;
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: amount });
    const { id } = (await show()).refunds[0]!;
    const undo = (by: Shop = shop) => by.admin.refunds.undo({ refund_id: id });
    /** What agents read. */
    const told = async () => (await shop.merchant.orders.get(orderId, ordered.agentId)).payment;
    return { ...ordered, id, undo, told };
  }

  it("waits ten minutes, unseen by agents and buyers, and is then sent and told once", async () => {
    const { shop, orderId, show, told } = await refunded();
    const until = new Date(shop.clock.now() + TIMES.undo_ms).toISOString();
    expect(await show()).toMatchObject({
      refundable_minor: 2700,
      refunds: [{ amount_minor: 500, status: "PENDING", to_be_made: false, undo_until: until }],
    });
    shop.clock.advance(TIMES.undo_ms - 1);
    await shop.merchant.reconciler.run();
    expect(shop.provider.refunds).toEqual([]);
    expect((await told()).refunds).toEqual([]);
    const { ordered } = await shop.merchant.reviews.open(await pageToken(shop, orderId));
    expect(ordered?.payment.refunds).toEqual([]);
    expect(await typesOf(shop, orderId)).not.toContain("payment.refunded");
    shop.clock.advance(1);
    await shop.merchant.reconciler.run();
    await shop.merchant.reconciler.run();
    expect(shop.provider.refunds).toMatchObject([{ amountMinor: 500 }]);
    expect(await told()).toMatchObject({ refunded_minor: 500, refunds: [{ status: "DONE" }] });
    expect((await show()).refunds).toMatchObject([{ status: "DONE", undo_until: null }]);
    const types = await typesOf(shop, orderId);
    expect(types.filter((type) => type.startsWith("payment.refund"))).toEqual(["payment.refunded"]);
  });

  it("is never sent once undone, can be refunded again, and old forms do nothing", async () => {
    const { shop, orderId, show, undo, told } = await refunded(null);
    const before = await show();
    expect(before.refundable_minor).toBe(0);
    await undo();
    shop.clock.advance(2 * TIMES.undo_ms);
    await shop.merchant.reconciler.run();
    expect(shop.provider.refunds).toEqual([]);
    expect((await told()).refunds).toEqual([]);
    expect(await typesOf(shop, orderId)).not.toContain("payment.refunded");
    expect(await show()).toMatchObject({
      refundable_minor: 3200,
      refunds: [{ status: "CANCELED", problem: "UNDONE", undo_until: null }],
    });
    const stale = { order_id: orderId, amount_minor: 100, seen: before.version };
    await expect(shop.admin.orders.refund(stale)).rejects.toMatchObject(REFUSED);
    const acts = (await shop.admin.audit.list()).map(({ act }) => act);
    expect(acts).toEqual(expect.arrayContaining(["orders.refund", "orders.undo_refund"]));
  });

  it("is sent by the same refund at once, and only once", async () => {
    const { shop, orderId, show } = await refunded(500);
    const now = (amount_minor: number | null) =>
      shop.admin.orders.refund({ order_id: orderId, amount_minor, now: true });
    await expect(now(null)).rejects.toThrow(/A refund of \$5\.00 \(rf_\w+\) waits to be sent/);
    await now(500);
    expect(shop.provider.refunds).toMatchObject([{ amountMinor: 500 }]);
    expect((await show()).refunds).toMatchObject([{ status: "DONE", undo_until: null }]);
    shop.clock.advance(TIMES.undo_ms);
    await shop.merchant.reconciler.run();
    expect(shop.provider.refunds).toHaveLength(1);
    const acts = (await shop.admin.audit.list()).map(({ act }) => act);
    expect(acts).toEqual(expect.arrayContaining(["orders.refund", "orders.send_refund"]));
  });

  it("of everything is sent by a refund of everything at once", async () => {
    const { shop, show, refund } = await refunded(null);
    await refund();
    expect(shop.provider.refunds).toMatchObject([{ amountMinor: 3200 }]);
    expect((await show()).refunds).toMatchObject([{ amount_minor: 3200, status: "DONE" }]);
  });

  it("leaves a refund of another amount at once to itself", async () => {
    const { shop, show, refund } = await refunded(500);
    await refund(700);
    expect(shop.provider.refunds).toMatchObject([{ amountMinor: 700 }]);
    const { refunds } = await show();
    expect(refunds.map(({ amount_minor, status }) => [amount_minor, status])).toEqual(
      expect.arrayContaining([
        [500, "PENDING"],
        [700, "DONE"],
      ]),
    );
  });

  it("is undone once, and not from an old page", async () => {
    const { shop, id, show, undo } = await refunded();
    const { version: seen } = await show();
    const old = shop.admin.refunds.undo({ refund_id: id, seen: seen - 1 });
    await expect(old).rejects.toMatchObject(REFUSED);
    const both = await Promise.allSettled([undo(), undo()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(undo()).rejects.toThrow("The refund of $5.00 was undone already.");
    await expect(shop.admin.refunds.undo({ refund_id: "rf_none" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("cannot be undone after ten minutes or once it is being sent, whatever a clock says", async () => {
    const { shop, undo, id, show } = await refunded();
    shop.clock.advance(TIMES.undo_ms);
    await expect(undo()).rejects.toThrow("its undo time is over");
    const [refund] = await shop.store.queries.refundsOfOrders([(await show()).id]);
    const claim = { now: shop.clock.now(), refund: refund! };
    expect(await shop.store.run(claimRefund, claim)).toMatchObject({ id });
    // The process that claimed it dies here.
    shop.clock.advance(-TIMES.undo_ms);
    await expect(undo()).rejects.toMatchObject(REFUSED);
    shop.clock.advance(TIMES.undo_ms + 1);
    await shop.merchant.reconciler.first();
    expect(shop.provider.refunds).toHaveLength(1);
    expect((await show()).refunds).toMatchObject([{ status: "DONE" }]);
  });

  it("is either sent or undone if two processes race", async () => {
    for (let round = 0; round < 12; round++) {
      const { shop, other, undo, show } = await refunded();
      const beside = await openShop(other, testClock(shop.clock.now()));
      shop.clock.advance(TIMES.undo_ms - 1);
      beside.clock.advance(TIMES.undo_ms);
      const [refund] = await other.queries.refundsOfOrders([(await show()).id]);
      const sending = () => beside.merchant.settlements.tryRefund(refund!);
      const race = round % 2 ? [undo(), sending()] : [sending(), undo()];
      const [isUndone] = (await Promise.allSettled(race))
        .slice(round % 2 ? 0 : 1)
        .map(({ status }) => status === "fulfilled");
      await beside.merchant.reconciler.run();
      expect(beside.provider.refunds).toHaveLength(isUndone ? 0 : 1);
      expect(await show()).toMatchObject({
        refundable_minor: isUndone ? 3200 : 2700,
        refunds: [{ status: isUndone ? "CANCELED" : "DONE" }],
      });
    }
  });

  it("repeats as a second refund with an amount, as the same one without", async () => {
    const { shop, orderId, show } = await refunded();
    const again = (amount_minor: number | null) =>
      shop.admin.orders.refund({ order_id: orderId, amount_minor });
    await again(500);
    await again(null);
    await again(null);
    expect(shop.provider.refunds).toEqual([]);
    const amounts = (await show()).refunds.map(({ amount_minor }) => amount_minor);
    expect(amounts.toSorted()).toEqual([2200, 500, 500]);
    expect((await show()).refundable_minor).toBe(0);
  });

  it("does not stand in the way of trying a later refund again", async () => {
    const { shop, orderId } = await refunded();
    shop.provider.up = false;
    await shop.admin.orders.cancel({ order_id: orderId, reason: "Sold out.", refund: true });
    shop.provider.up = true;
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: null });
    expect(shop.provider.refunds).toMatchObject([{ amountMinor: 2700 }]);
  });

  it("is sent at once with a cancellation, and cannot be undone", async () => {
    const { shop, orderId, show } = await orderedIn(open);
    await shop.admin.orders.cancel({ order_id: orderId, reason: "Sold out.", refund: true });
    expect(shop.provider.refunds).toHaveLength(1);
    const { refunds } = await show();
    expect(refunds).toMatchObject([{ status: "DONE", undo_until: null }]);
    const undone = shop.admin.refunds.undo({ refund_id: refunds[0]!.id });
    await expect(undone).rejects.toThrow("its undo time is over");
  });

  it("reopens the task of a canceled order when undone", async () => {
    const { shop, orderId, show } = await orderedIn(open);
    const waiting = async () => (await shop.admin.tasks.waiting()).refunds.count;
    await shop.admin.orders.cancel({ order_id: orderId, reason: "Sold out." });
    shop.clock.advance(1000);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: null });
    expect(await waiting()).toBe(0);
    const { refunds } = await show();
    shop.clock.advance(1000);
    await shop.admin.refunds.undo({ refund_id: refunds[0]!.id });
    expect(await waiting()).toBe(1);
  });

  it("leaves nothing to decide about an order canceled after it, until it is undone", async () => {
    const { shop, orderId, undo } = await refunded(null);
    await shop.admin.orders.cancel({ order_id: orderId, reason: "Sold out." });
    const waiting = async () => (await shop.admin.tasks.waiting()).refunds;
    expect(await waiting()).toEqual({ count: 0, rows: [] });
    await undo();
    expect(await waiting()).toMatchObject({ count: 1, rows: [{ refundable_minor: 3200 }] });
  });

  it("leaves a task when undone after a cancellation that refunded the rest", async () => {
    const { shop, orderId, undo } = await refunded();
    const waiting = async () => (await shop.admin.tasks.waiting()).refunds;
    await shop.admin.orders.cancel({ order_id: orderId, reason: "Sold out.", refund: true });
    expect((await waiting()).count).toBe(0);
    await undo();
    expect(await waiting()).toMatchObject({
      count: 1,
      rows: [{ order_id: orderId, refundable_minor: 500 }],
    });
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: null });
    expect((await waiting()).count).toBe(0);
  });

  it.each([
    ["if it is still there", 1],
    ["but not after it was sent again", 0],
  ])("reopens the task of a returned shipment when undone, %s", async (_, left) => {
    const { shop, orderId, first } = await orderedIn(open, { shipments: TWO_SHIPMENTS });
    const { shipments, refunds, orders, tasks } = shop.admin;
    const step = async (act: Promise<unknown>) => {
      await act;
      shop.clock.advance(1000);
    };
    await step(orders.roast({ order_id: orderId }));
    await step(shipments.ship({ shipment_id: first, tracking: BY_POST }));
    await step(shipments.move({ shipment_id: first, to: "RETURNED" }));
    await step(shipments.refund({ shipment_id: first }));
    expect((await tasks.waiting()).returns.count).toBe(0);
    if (left === 0) {
      const tracking = { ...BY_POST, number: "9400 2000" };
      await step(shipments.ship({ shipment_id: first, tracking }));
    }
    const [refund] = (await orders.show({ order_id: orderId })).refunds;
    await step(refunds.undo({ refund_id: refund!.id }));
    expect((await tasks.waiting()).returns.count).toBe(left);
  });
});
