/** A shipment that the carrier brought back: sent again, refunded, or neither (contract §5, §15). */
import { expect, it } from "vitest";
import {
  BY_POST,
  eventsOf,
  orderedIn,
  pageToken,
  TWO_SHIPMENTS,
  typesOf,
} from "../support/ordered.ts";
import type { OrderSettings } from "../support/paid-order.ts";
import { after } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { describeEveryStore } from "../support/stores.ts";

const ILLEGAL = { code: "ILLEGAL_STEP" };
const NEW_LABEL = { ...BY_POST, number: "9400 2000" };
const ELSEWHERE = { ...ADDRESS, line1: "7 Elm Street", city: "Dallas", postal_code: "75201" };

describeEveryStore("a shipment that came back", (open) => {
  async function cameBack(wanted: Partial<OrderSettings> = {}) {
    const ordered = await orderedIn(open, wanted);
    const { shop, orderId, first, second } = ordered;
    await shop.admin.orders.roast({ order_id: orderId });
    await shop.admin.shipments.ship({ shipment_id: first, tracking: BY_POST });
    if (second) {
      await shop.admin.shipments.ship({
        shipment_id: second,
        tracking: { ...BY_POST, number: "9400 3000" },
      });
      await shop.admin.shipments.move({ shipment_id: second, to: "DELIVERED" });
    }
    shop.clock.advance(1000);
    await shop.admin.shipments.move({ shipment_id: first, to: "RETURNED" });
    shop.clock.advance(1000);
    const waiting = async () => (await shop.admin.tasks.waiting()).returns;
    return { ...ordered, waiting };
  }

  it("waits for the merchant, with its address and the amount paid for it", async () => {
    const { shop, orderId, first, waiting } = await cameBack({ shipments: TWO_SHIPMENTS });
    expect(await waiting()).toMatchObject({
      count: 1,
      rows: [
        {
          order_id: orderId,
          number: 1001,
          shipment_id: first,
          address: { name: "Test Buyer" },
          refund_minor: 3200,
          version: expect.any(Number),
        },
      ],
    });
    const [row] = (await waiting()).rows;
    expect((await shop.admin.orders.show({ order_id: orderId })).shipments).toMatchObject([
      { returned: row },
      { returned: null },
    ]);
  });

  it("ships again with a new label, which its agent reads in the events", async () => {
    const { shop, orderId, agentId, first, waiting } = await cameBack();
    const { shipped_at } = (await shop.admin.orders.show({ order_id: orderId })).shipments[0]!;
    const order = await after(
      shop,
      shop.admin.shipments.ship({ shipment_id: first, tracking: NEW_LABEL }),
    );
    expect(order).toMatchObject({
      status: "SHIPPED",
      shipments: [{ status: "SHIPPED", tracking: NEW_LABEL, returned: null }],
    });
    expect(order.shipments[0]!.shipped_at! > shipped_at!).toBe(true);
    expect((await eventsOf(shop, orderId)).slice(-2)).toMatchObject([
      {
        type: "shipment.updated",
        order_status: "SHIPPED",
        data: { status: "SHIPPED", previous_status: "RETURNED", tracking: NEW_LABEL },
      },
      { type: "order.shipped" },
    ]);
    expect(await waiting()).toEqual({ count: 0, rows: [] });
    await shop.admin.shipments.move({ shipment_id: first, to: "DELIVERED" });
    expect(await shop.merchant.orders.get(orderId, agentId)).toMatchObject({ status: "COMPLETED" });
    expect((await typesOf(shop, orderId)).at(-1)).toBe("order.completed");
  });

  it("ships to another address, also with the label on the box", async () => {
    const { shop, first } = await cameBack();
    const { recipient_ref: _, ...to } = { recipient_ref: "", ...ELSEWHERE };
    const order = await after(
      shop,
      shop.admin.shipments.changeAddress({ shipment_id: first, address: to }),
    );
    expect(order.shipments).toMatchObject([{ status: "RETURNED", address: { city: "Dallas" } }]);
    const old = { ...BY_POST, number: "9400-1000" };
    await shop.admin.shipments.ship({ shipment_id: first, tracking: old });
  });

  it("waits again after its second shipping was undone, with its first label", async () => {
    const { shop, orderId, first, waiting } = await cameBack();
    const before = (await shop.admin.orders.show({ order_id: orderId })).shipments[0]!;
    await shop.admin.shipments.ship({ shipment_id: first, tracking: NEW_LABEL });
    const order = await after(shop, shop.admin.shipments.undo({ shipment_id: first }));
    const { status, tracking, shipped_at } = before;
    expect(order).toMatchObject({
      status: "COMPLETED",
      shipments: [{ status, tracking, shipped_at }],
    });
    expect((await waiting()).rows).toMatchObject([{ shipment_id: first }]);
  });

  it("needs no decision after its return was undone", async () => {
    const { shop, first, waiting } = await cameBack();
    await shop.admin.shipments.undo({ shipment_id: first });
    expect(await waiting()).toEqual({ count: 0, rows: [] });
  });

  it("is refunded once with the amount paid for it, and not from a stale page", async () => {
    const { shop, orderId, first, waiting } = await cameBack({ shipments: TWO_SHIPMENTS });
    const { version } = await shop.admin.orders.show({ order_id: orderId });
    await expect(
      shop.admin.shipments.refund({ shipment_id: first, now: true, seen: version - 1 }),
    ).rejects.toMatchObject(ILLEGAL);
    const order = await after(
      shop,
      shop.admin.shipments.refund({ shipment_id: first, now: true, seen: version }),
    );
    expect(order).toMatchObject({
      status: "COMPLETED",
      payment: { status: "PAID", refunded_minor: 3200 },
    });
    expect(await waiting()).toEqual({ count: 0, rows: [] });
    expect((await typesOf(shop, orderId)).at(-1)).toBe("payment.refunded");
    await expect(
      shop.admin.shipments.refund({ shipment_id: first, now: true }),
    ).rejects.toMatchObject(ILLEGAL);
    // Nor after a slip: what was decided before it stays so.
    shop.clock.advance(1000);
    await shop.admin.shipments.ship({ shipment_id: first, tracking: NEW_LABEL });
    await shop.admin.shipments.undo({ shipment_id: first });
    expect(await waiting()).toEqual({ count: 0, rows: [] });
    await expect(
      shop.admin.shipments.refund({ shipment_id: first, now: true }),
    ).rejects.toMatchObject(ILLEGAL);
  });

  it("is sent by the same refund at once, once", async () => {
    const { shop, first } = await cameBack({ shipments: TWO_SHIPMENTS });
    await shop.admin.shipments.refund({ shipment_id: first });
    expect(shop.provider.refunds).toEqual([]);
    await shop.admin.shipments.refund({ shipment_id: first, now: true });
    expect(shop.provider.refunds).toHaveLength(1);
    await expect(
      shop.admin.shipments.refund({ shipment_id: first, now: true }),
    ).rejects.toMatchObject(ILLEGAL);
  });

  it("is not offered for shipping once the order was refunded in full", async () => {
    const { shop, orderId, agentId, first } = await cameBack();
    const next = async () =>
      JSON.stringify((await shop.merchant.orders.get(orderId, agentId)).next);
    expect(await next()).toContain("It can be sent again");
    await shop.admin.shipments.refund({ shipment_id: first, now: true });
    expect(await next()).not.toContain("It can be sent again");
  });

  it("is not offered for shipping once it was refunded or dismissed, or its buyer erased", async () => {
    const { shop, orderId, agentId, first, second, waiting } = await cameBack({
      shipments: TWO_SHIPMENTS,
    });
    const isSaid = async () => {
      const { next } = await shop.merchant.orders.get(orderId, agentId);
      const page = await shop.merchant.reviews.open(await pageToken(shop, orderId));
      const said = JSON.stringify(next).includes("It can be sent again");
      expect(page.ordered?.isToDecide).toBe(said);
      return said;
    };
    expect(await isSaid()).toBe(true);
    await shop.admin.shipments.refund({ shipment_id: first, now: true });
    expect(await isSaid()).toBe(false);
    await shop.admin.shipments.undo({ shipment_id: second! });
    await shop.admin.shipments.move({ shipment_id: second!, to: "RETURNED" });
    expect(await isSaid()).toBe(true);
    await shop.admin.tasks.handle({ task_id: (await waiting()).rows[0]!.id });
    expect(await isSaid()).toBe(false);
    await shop.admin.shipments.undo({ shipment_id: second! });
    await shop.admin.shipments.move({ shipment_id: second!, to: "RETURNED" });
    await shop.admin.customers.erase({ email: "buyer@example.com" });
    const { next } = await shop.merchant.orders.get(orderId, agentId);
    expect(JSON.stringify(next)).not.toContain("It can be sent again");
  });

  it("waits from a failed delivery on until the merchant acts", async () => {
    const { shop, orderId, first } = await orderedIn(open, {});
    const failures = async () => (await shop.admin.tasks.waiting()).failures;
    await shop.admin.orders.roast({ order_id: orderId });
    await shop.admin.shipments.ship({ shipment_id: first, tracking: BY_POST });
    await shop.admin.shipments.move({ shipment_id: first, to: "FAILED" });
    const row = { order_id: orderId, number: 1001, shipment_id: first };
    expect(await failures()).toMatchObject({ count: 1, rows: [row] });
    await shop.admin.shipments.move({ shipment_id: first, to: "IN_TRANSIT" });
    expect(await failures()).toEqual({ count: 0, rows: [] });
    await shop.admin.shipments.undo({ shipment_id: first });
    expect(await failures()).toMatchObject({ count: 1, rows: [row] });
    shop.clock.advance(1000);
    await shop.admin.shipments.move({ shipment_id: first, to: "RETURNED" });
    await shop.admin.shipments.undo({ shipment_id: first });
    expect(await failures()).toMatchObject({ count: 1, rows: [row] });
    await shop.admin.shipments.move({ shipment_id: first, to: "RETURNED" });
    const { failures: failed, returns } = await shop.admin.tasks.waiting();
    expect([failed.count, returns.count]).toEqual([0, 1]);
  });

  it("can be dismissed, and still ship again", async () => {
    const { shop, first, waiting } = await cameBack();
    await shop.admin.tasks.handle({ task_id: (await waiting()).rows[0]!.id });
    expect(await waiting()).toEqual({ count: 0, rows: [] });
    await expect(
      shop.admin.shipments.refund({ shipment_id: first, now: true }),
    ).rejects.toMatchObject(ILLEGAL);
    await shop.admin.shipments.ship({ shipment_id: first, tracking: NEW_LABEL });
  });

  it("does not ship from a page older than its return, nor to an erased buyer", async () => {
    const { shop, orderId, first } = await cameBack();
    const { version } = await shop.admin.orders.show({ order_id: orderId });
    const old = shop.admin.shipments.ship({
      shipment_id: first,
      tracking: NEW_LABEL,
      seen: version - 1,
    });
    await expect(old).rejects.toMatchObject(ILLEGAL);
    await shop.admin.customers.erase({ email: "buyer@example.com" });
    await expect(
      shop.admin.shipments.ship({ shipment_id: first, tracking: NEW_LABEL }),
    ).rejects.toThrow(/erased/);
  });
});
