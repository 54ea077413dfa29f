/** The merchant cancels shipments of an order unasked (contract §5, §15). */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/core/policy.ts";
import { STOCKED, WAITLISTED } from "../support/catalog.ts";
import { BY_POST, eventsOf, orderedIn, shownToBuyer, typesOf } from "../support/ordered.ts";
import { paidOrder } from "../support/paid-order.ts";
import { after, intent, openShop, type Shop } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const ILLEGAL = { code: "ILLEGAL_STEP" };
const WHY = "No such street.";
const EVENTS_OF_SALE = 2;

const onHand = async ({ admin }: Shop) =>
  (await admin.stock.list()).find(({ product_id }) => product_id === WAITLISTED)?.on_hand;

describeEveryStore("a part that the merchant cancels without a request", (open) => {
  /** $32.00 and $44.00 were paid for the two shipments, $76.00 in all. */
  const ordered = () => orderedIn(open, { shipments: [{ [STOCKED]: 1 }, { [WAITLISTED]: 2 }] });

  it("states first that nothing was refunded for it, then how much", async () => {
    const { shop, orderId, agentId, second } = await ordered();
    const letter = async () =>
      (await shop.merchant.mail.list()).find(({ kind }) => kind === "CANCELED_IN_PART")?.letter
        ?.text;
    const told = async () => JSON.stringify(await shop.merchant.orders.get(orderId, agentId));
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 500, now: true });
    shop.clock.advance(1000);
    await shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY });
    expect(await letter()).toContain(
      "Nothing has been refunded for this yet. $5.00 of your $81.00 was refunded earlier.",
    );
    expect(await told()).toContain("Nothing was refunded since the cancellation so far.");
    shop.clock.advance(1000);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 4400, now: true });
    expect(await letter()).toContain(
      "$44.00 of your $81.00 is refunded to your original payment method, plus $5.00 earlier.",
    );
    expect(await told()).not.toContain("Nothing was refunded");
  });

  it("leaves the order's items, and its event names the recipient", async () => {
    const { shop, orderId, agentId, second } = await ordered();
    await shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY });
    const { orders } = shop.merchant;
    const { items, shipments } = await orders.get(orderId, agentId);
    expect(items).toMatchObject([{ product_id: STOCKED }]);
    expect(shipments[0]!.items).toEqual([{ product_id: STOCKED, quantity: 1 }]);
    expect(shipments[1]!.items).toEqual([
      { product_id: WAITLISTED, name: expect.any(String), quantity: 2 },
    ]);
    const { events } = await orders.events(orderId, agentId, { after: 0, limit: 50, waitMs: 0 });
    const canceled = events.find(({ data }) => data.shipment_id === second);
    expect(canceled?.data.recipient_ref).toBe("shipment 2");
  });

  it("has its shipment's event and returns its bags, and the rest continues", async () => {
    const { shop, orderId, first, second } = await ordered();
    const before = (await onHand(shop))!;
    const order = await after(
      shop,
      shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY }),
    );
    expect(order).toMatchObject({
      status: "CONFIRMED",
      shipments: [{ status: "PENDING" }, { status: "CANCELED" }],
      undoable: [],
    });
    expect((await eventsOf(shop, orderId)).slice(EVENTS_OF_SALE)).toEqual([
      {
        sequence: 3,
        type: "shipment.updated",
        order_status: "CONFIRMED",
        data: {
          shipment_id: second,
          status: "CANCELED",
          previous_status: "PENDING",
          tracking: null,
          reason: WHY,
        },
      },
    ]);
    expect(await onHand(shop)).toBe(before + 2);
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: false, reason: WHY });
    expect((await shop.admin.tasks.waiting()).refunds).toMatchObject({
      count: 1,
      rows: [{ order_id: orderId }],
    });
    expect(await shop.admin.audit.list()).toContainEqual(
      expect.objectContaining({
        act: "orders.cancel",
        subject: orderId,
        detail: { reason: WHY, shipment_ids: [second] },
      }),
    );
    await expect(shop.admin.shipments.undo({ shipment_id: second })).rejects.toMatchObject(ILLEGAL);
    // The last one ends the order.
    await shop.admin.shipments.cancel({ shipment_ids: [first], reason: WHY });
    expect((await typesOf(shop, orderId)).at(-1)).toBe("order.canceled");
  });

  it("is refunded in the same act, share by share and never more than was paid", async () => {
    const { shop, orderId, agentId, first, second } = await ordered();
    const { shipments, refundable_minor: paid } = await shop.admin.orders.show({
      order_id: orderId,
    });
    const [one, other] = shipments.map(({ paid_minor }) => paid_minor);
    expect(one! + other!).toBe(paid);
    const wish = { reason_code: "OTHER" as const, shipment_ids: [second] };
    await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    const part = await after(
      shop,
      shop.admin.shipments.cancel({
        shipment_ids: [second],
        reason: WHY,
        refund: true,
        seen: (await shop.admin.orders.show({ order_id: orderId })).version,
      }),
    );
    expect(part).toMatchObject({
      status: "CONFIRMED",
      payment: { status: "PAID", refunded_minor: other },
      refundable_minor: one,
      cancel_request: { status: "ACCEPTED", decision: WHY },
    });
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: true, reason: WHY });
    expect((await shop.admin.tasks.waiting()).refunds.count).toBe(0);
    expect(
      await after(
        shop,
        shop.admin.shipments.cancel({ shipment_ids: [first], reason: WHY, refund: true }),
      ),
    ).toMatchObject({
      status: "CANCELED",
      payment: { status: "REFUNDED", refunded_minor: paid },
    });
    // The buyer's request was about another part.
    expect(await shownToBuyer(shop, orderId)).toEqual({ byBuyer: false, reason: WHY });
  });

  it("is still to decide after another part was canceled with its refund", async () => {
    const { shop, orderId, first, second } = await ordered();
    const { cancel } = shop.admin.shipments;
    await cancel({ shipment_ids: [first], reason: WHY });
    await cancel({ shipment_ids: [second], reason: WHY, refund: true });
    const { shipments } = await shop.admin.orders.show({ order_id: orderId });
    const money = { order_id: orderId, refundable_minor: shipments[0]!.paid_minor };
    expect((await shop.admin.tasks.waiting()).refunds.rows).toMatchObject([money]);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: null });
    expect((await shop.admin.tasks.waiting()).refunds.count).toBe(0);
  });

  it("sent twice, or while the provider is down, is canceled and refunded once", async () => {
    const { shop, orderId, second } = await ordered();
    shop.provider.up = false;
    const first = await after(
      shop,
      shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY, refund: true }),
    );
    expect(first.refunds).toMatchObject([{ status: "PENDING" }]);
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY, refund: true }),
    ).rejects.toMatchObject(ILLEGAL);
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY }),
    ).rejects.toMatchObject(ILLEGAL);
    shop.provider.up = true;
    await shop.merchant.reconciler.run();
    const { refunds, shipments } = await shop.admin.orders.show({ order_id: orderId });
    expect(refunds).toMatchObject([{ status: "DONE", amount_minor: shipments[1]!.paid_minor }]);
    expect((await typesOf(shop, orderId)).slice(EVENTS_OF_SALE)).toEqual([
      "shipment.updated",
      "payment.refunded",
    ]);
  });

  it("is refused as a whole on a stale page, after a full refund, and for an unknown shipment", async () => {
    const { shop, orderId, agentId, first, second } = await ordered();
    const { version: seen } = await shop.admin.orders.show({ order_id: orderId });
    const { shipments: foreign } = await shop.admin.orders.show({
      order_id: await paidOrder(shop, { agentId }),
    });
    const before = await shop.admin.orders.show({ order_id: orderId });
    const invalid = { code: "VALIDATION_FAILED" };
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: [], reason: WHY }),
    ).rejects.toMatchObject(invalid);
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: [first], reason: " " }),
    ).rejects.toMatchObject(invalid);
    const many = Array.from({ length: LIMITS.shipments_per_order + 1 }, (_, i) => `shp_${i}`);
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: many, reason: WHY }),
    ).rejects.toMatchObject(invalid);
    const missing = { code: "NOT_FOUND" };
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: ["shp_none"], reason: WHY }),
    ).rejects.toMatchObject(missing);
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: [first, foreign[0]!.id], reason: WHY }),
    ).rejects.toMatchObject(missing);
    expect(await shop.admin.orders.show({ order_id: orderId })).toEqual(before);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 100, now: true });
    await expect(
      shop.admin.shipments.cancel({
        shipment_ids: [second],
        reason: WHY,
        refund: true,
        seen,
      }),
    ).rejects.toMatchObject(ILLEGAL);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: null, now: true });
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY, refund: true }),
    ).rejects.toMatchObject(ILLEGAL);
    const { status } = await after(
      shop,
      shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY }),
    );
    expect(status).toBe("CONFIRMED");
  });

  it("waits for the decision while a request about it and others is open", async () => {
    const { shop, orderId, agentId, first, second } = await ordered();
    await shop.admin.orders.roast({ order_id: orderId });
    const wish = { reason_code: "OTHER" as const };
    const { body } = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    await shop.admin.shipments.ship({ shipment_id: first, tracking: BY_POST });
    await expect(
      shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY }),
    ).rejects.toMatchObject(ILLEGAL);
    await shop.admin.cancellations.decline({ request_id: body.id, reason: "One has left." });
    expect(
      await after(
        shop,
        shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY, refund: true }),
      ),
    ).toMatchObject({
      status: "SHIPPED",
      refunds: [{ status: "DONE" }],
    });
    expect((await typesOf(shop, orderId)).slice(-3)).toEqual([
      "shipment.updated",
      "order.shipped",
      "payment.refunded",
    ]);
  });

  it("of two acts at two instances, one is done, with one letter", async () => {
    const { shop, other, orderId, agentId, first, second } = await ordered();
    const beside = await openShop(other, shop.clock);
    await shop.admin.orders.roast({ order_id: orderId });
    const atOnce = async (...acts: Promise<unknown>[]) => {
      const ended = await Promise.allSettled(acts);
      for (const one of ended) {
        if (one.status === "rejected") expect(one.reason).toMatchObject(ILLEGAL);
      }
      return ended.filter(({ status }) => status === "fulfilled").length;
    };
    // Handed over or canceled.
    expect(
      await atOnce(
        shop.admin.shipments.cancel({ shipment_ids: [second], reason: WHY }),
        beside.admin.shipments.ship({ shipment_id: second, tracking: BY_POST }),
      ),
    ).toBe(1);
    const wish = { reason_code: "OTHER" as const, shipment_ids: [first] };
    const { body } = await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    const { version: seen } = await shop.admin.orders.show({ order_id: orderId });
    // With and without a request, for all that the page showed as left.
    expect(
      await atOnce(
        shop.admin.shipments.cancel({
          shipment_ids: [first],
          reason: WHY,
          refund: true,
          seen,
        }),
        beside.admin.cancellations.accept({ refund: true, request_id: body.id, seen }),
        beside.admin.shipments.cancel({
          shipment_ids: [first],
          reason: WHY,
          refund: true,
          seen,
        }),
      ),
    ).toBe(1);
    const { refunds, shipments, cancel_request } = await shop.admin.orders.show({
      order_id: orderId,
    });
    expect(refunds).toMatchObject([{ amount_minor: shipments[0]!.paid_minor }]);
    expect(cancel_request?.status).toBe("ACCEPTED");
    expect(shipments[0]?.status).toBe("CANCELED");
  });

  it("with a refund at another instance, never refunds more than the page showed", async () => {
    const { shop, other, orderId, second } = await ordered();
    const beside = await openShop(other, shop.clock);
    const { refundable_minor: left, version: seen } = await shop.admin.orders.show({
      order_id: orderId,
    });
    await Promise.allSettled([
      shop.admin.shipments.cancel({
        shipment_ids: [second],
        reason: WHY,
        refund: true,
        seen,
      }),
      beside.admin.orders.refund({ order_id: orderId, amount_minor: left, now: true, seen }),
    ]);
    const { refunds, shipments } = await shop.admin.orders.show({ order_id: orderId });
    expect(refunds).toHaveLength(1);
    const isCanceled = shipments[1]!.status === "CANCELED";
    expect(refunds[0]!.amount_minor).toBe(isCanceled ? shipments[1]!.paid_minor : left);
  });
});
