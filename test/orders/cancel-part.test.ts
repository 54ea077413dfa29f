/** The merchant cancels shipments of an order unasked (contract §5, §15). */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/core/policy.ts";
import { STOCKED, WAITLISTED } from "../support/catalog.ts";
import {
  actsOn,
  BY_POST,
  eventsOf,
  ILLEGAL,
  orderedIn,
  shownToBuyer,
  typesOf,
  WHY,
} from "../support/ordered.ts";
import { openShop, paidOrder } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const EVENTS_OF_SALE = 2;

describeEveryStore("a part that the merchant cancels without a request", (open) => {
  async function ordered() {
    const found = await orderedIn(open, { shipments: [{ [STOCKED]: 1 }, { [WAITLISTED]: 2 }] });
    const { shop, other } = found;
    const beside = async () => actsOn({ ...found, shop: await openShop(other, shop.clock) });
    const toRefund = async () => (await shop.admin.tasks.waiting()).refunds;
    return { ...found, beside, toRefund };
  }

  it("states first that nothing was refunded for it, then how much", async () => {
    const { shop, second, refund, cancelPart, read, show } = await ordered();
    const letter = async () =>
      (await shop.merchant.mail.list()).find(({ kind }) => kind === "CANCELED_IN_PART")?.letter
        ?.text;
    const told = async () => JSON.stringify(await read());
    await refund(500);
    shop.clock.advance(1000);
    await cancelPart([second]);
    expect(await letter()).toContain(
      "Nothing has been refunded for this yet. $5.00 of your $81.00 was refunded earlier.",
    );
    expect(await told()).toContain("Nothing was refunded since the cancellation so far.");
    const { canceled_refund_minor: suggested } = await show();
    shop.clock.advance(1000);
    await refund(suggested);
    expect(await letter()).toContain(
      `$${(suggested! / 100).toFixed(2)} of your $81.00 is refunded to your original payment method, plus $5.00 earlier.`,
    );
    expect(await told()).not.toContain("Nothing was refunded");
    expect((await show()).canceled_refund_minor).toBe(0);
  });

  it("leaves the order's items, and its event names the recipient", async () => {
    const { shop, orderId, agentId, second, cancelPart, read } = await ordered();
    await cancelPart([second]);
    const { items, shipments } = await read();
    expect(items).toMatchObject([{ product_id: STOCKED }]);
    expect(shipments[0]!.items).toEqual([{ product_id: STOCKED, quantity: 1 }]);
    expect(shipments[1]!.items).toEqual([
      { product_id: WAITLISTED, name: expect.any(String), quantity: 2 },
    ]);
    const page = { after: 0, limit: 50, waitMs: 0 };
    const { events } = await shop.merchant.orders.events(orderId, agentId, page);
    const canceled = events.find(({ data }) => data.shipment_id === second);
    expect(canceled?.data.recipient_ref).toBe("shipment 2");
  });

  it("has its shipment's event and returns its bags, and the rest continues", async () => {
    const { shop, orderId, first, second, cancelPart, toRefund } = await ordered();
    const onHand = async () =>
      (await shop.admin.stock.list()).find((row) => row.product_id === WAITLISTED)!.on_hand;
    const before = await onHand();
    const order = await cancelPart([second]);
    expect(order).toMatchObject({
      status: "CONFIRMED",
      shipments: [{ status: "PENDING" }, { status: "CANCELED" }],
      undoable: [],
    });
    expect(order.estimated_delivery).not.toBeNull();
    const data = {
      ...{ shipment_id: second, status: "CANCELED", previous_status: "PENDING" },
      ...{ tracking: null, reason: WHY },
    };
    expect((await eventsOf(shop, orderId)).slice(EVENTS_OF_SALE)).toEqual([
      { sequence: 3, type: "shipment.updated", order_status: "CONFIRMED", data },
    ]);
    expect(await onHand()).toBe(before + 2);
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: false, reason: WHY });
    expect(await toRefund()).toMatchObject({ count: 1, rows: [{ order_id: orderId }] });
    const detail = { reason: WHY, shipment_ids: [second] };
    expect(await shop.admin.audit.list()).toContainEqual(
      expect.objectContaining({ act: "orders.cancel", subject: orderId, detail }),
    );
    await expect(shop.admin.shipments.undo({ shipment_id: second })).rejects.toMatchObject(ILLEGAL);
    // The last one ends the order.
    await cancelPart([first]);
    expect((await typesOf(shop, orderId)).at(-1)).toBe("order.canceled");
  });

  it("is refunded in the same act, share by share and never more than was paid", async () => {
    const { shop, orderId, first, second, show, ask, cancelPart, toRefund } = await ordered();
    const { shipments, refundable_minor: paid, version: seen } = await show();
    const [one, other] = shipments.map(({ paid_minor }) => paid_minor);
    expect(one! + other!).toBe(paid);
    await ask([second]);
    expect((await show()).request_refund_minor).toBe(other);
    expect(await cancelPart([second], { refund: true, seen: seen + 1 })).toMatchObject({
      status: "CONFIRMED",
      payment: { status: "PAID", refunded_minor: other },
      refundable_minor: one,
      cancel_request: { status: "ACCEPTED", decision: WHY },
    });
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: true, reason: WHY });
    expect((await toRefund()).count).toBe(0);
    expect(await cancelPart([first], { refund: true })).toMatchObject({
      status: "CANCELED",
      payment: { status: "REFUNDED", refunded_minor: paid },
    });
    // The buyer's request was about another part.
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: false, reason: WHY });
  });

  it("on request, is canceled and refunded in one act, at most with what is left", async () => {
    const { shop, first, second, refund, ask, accept, show, toRefund } = await ordered();
    shop.provider.up = false;
    await refund(4400);
    shop.provider.up = true;
    shop.clock.advance(1000);
    const { id } = await ask([first]);
    expect(await accept(id, { refund: true, seen: (await show()).version })).toMatchObject({
      status: "CONFIRMED",
      shipments: [{ status: "CANCELED" }, { status: "PENDING" }],
      refunds: [{ amount_minor: 4400 }, { amount_minor: 3200 }],
      request_refund_minor: null,
    });
    expect((await toRefund()).count).toBe(0);
    shop.clock.advance(1000);
    await ask([second]);
    expect((await show()).request_refund_minor).toBe(500);
  });

  it("is still to decide after another part was canceled with its refund", async () => {
    const { orderId, first, second, cancelPart, refund, show, toRefund } = await ordered();
    await cancelPart([first]);
    await cancelPart([second], { refund: true });
    const { shipments } = await show();
    const money = { order_id: orderId, refundable_minor: shipments[0]!.paid_minor };
    expect((await toRefund()).rows).toMatchObject([money]);
    await refund();
    expect((await toRefund()).count).toBe(0);
  });

  it("sent twice, or while the provider is down, is canceled and refunded once", async () => {
    const { shop, orderId, second, cancelPart, show } = await ordered();
    shop.provider.up = false;
    const { refunds: waiting } = await cancelPart([second], { refund: true });
    expect(waiting).toMatchObject([{ status: "PENDING" }]);
    for (const refund of [true, false]) {
      await expect(cancelPart([second], { refund })).rejects.toMatchObject(ILLEGAL);
    }
    shop.provider.up = true;
    await shop.merchant.reconciler.run();
    const { refunds, shipments } = await show();
    expect(refunds).toMatchObject([{ status: "DONE", amount_minor: shipments[1]!.paid_minor }]);
    expect((await typesOf(shop, orderId)).slice(EVENTS_OF_SALE)).toEqual([
      "shipment.updated",
      "payment.refunded",
    ]);
  });

  it("is refused as a whole on a stale page, after a full refund, and for an unknown shipment", async () => {
    const { shop, agentId, first, second, show, cancelPart, refund } = await ordered();
    const other = { order_id: await paidOrder(shop, { agentId }) };
    const [foreign] = (await shop.admin.orders.show(other)).shipments;
    const before = await show();
    const invalid = { code: "VALIDATION_FAILED" };
    const many = Array.from({ length: LIMITS.shipments_per_order + 1 }, (_, i) => `shp_${i}`);
    for (const ids of [[], many]) await expect(cancelPart(ids)).rejects.toMatchObject(invalid);
    const silent = shop.admin.shipments.cancel({ shipment_ids: [first], reason: " " });
    await expect(silent).rejects.toMatchObject(invalid);
    for (const ids of [["shp_none"], [first, foreign!.id]]) {
      await expect(cancelPart(ids)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await show()).toEqual(before);
    await refund(100);
    const stale = { refund: true, seen: before.version };
    await expect(cancelPart([second], stale)).rejects.toMatchObject(ILLEGAL);
    await refund();
    await expect(cancelPart([second], { refund: true })).rejects.toMatchObject(ILLEGAL);
    expect((await cancelPart([second])).status).toBe("CONFIRMED");
  });

  it("waits for the decision while a request about it and others is open", async () => {
    const { shop, orderId, second, roast, ship, ask, decline, cancelPart } = await ordered();
    await roast();
    const { id } = await ask();
    await ship();
    await expect(cancelPart([second])).rejects.toMatchObject(ILLEGAL);
    await decline(id);
    expect(await cancelPart([second], { refund: true })).toMatchObject({
      status: "SHIPPED",
      refunds: [{ status: "DONE" }],
    });
    expect((await typesOf(shop, orderId)).slice(-3)).toEqual([
      "shipment.updated",
      "order.shipped",
      "payment.refunded",
    ]);
  });

  it("of two acts at two instances, one is done", async () => {
    const { first, second, roast, ask, show, cancelPart, ...found } = await ordered();
    const beside = await found.beside();
    await roast();
    const done = async (...acts: Promise<unknown>[]) => {
      const ended = await Promise.allSettled(acts);
      for (const one of ended) {
        if (one.status === "rejected") expect(one.reason).toMatchObject(ILLEGAL);
      }
      return ended.filter(({ status }) => status === "fulfilled").length;
    };
    // Handed over or canceled.
    expect(await done(cancelPart([second]), beside.ship(second, BY_POST))).toBe(1);
    const { id } = await ask([first]);
    const seen = { refund: true, seen: (await show()).version };
    // With and without a request, for all that the page showed as left.
    const acts = [cancelPart([first], seen), beside.accept(id, seen)];
    expect(await done(...acts, beside.cancelPart([first], seen))).toBe(1);
    const { refunds, shipments, cancel_request } = await show();
    expect(refunds).toMatchObject([{ amount_minor: shipments[0]!.paid_minor }]);
    expect(cancel_request?.status).toBe("ACCEPTED");
    expect(shipments[0]?.status).toBe("CANCELED");
  });

  it("with a refund at another instance, never refunds more than the page showed", async () => {
    const { shop, other, orderId, second, show, cancelPart } = await ordered();
    const beside = await openShop(other, shop.clock);
    const { refundable_minor: left, version: seen } = await show();
    const all = { order_id: orderId, amount_minor: left, seen };
    await Promise.allSettled([
      cancelPart([second], { refund: true, seen }),
      beside.admin.orders.refund(all),
    ]);
    const { refunds, shipments } = await show();
    expect(refunds).toHaveLength(1);
    const isCanceled = shipments[1]!.status === "CANCELED";
    expect(refunds[0]!.amount_minor).toBe(isCanceled ? shipments[1]!.paid_minor : left);
  });
});
