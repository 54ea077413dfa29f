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
import { after, type OrderSettings } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { describeEveryStore } from "../support/stores.ts";

const ILLEGAL = { code: "ILLEGAL_STEP" };
const NEW_LABEL = { ...BY_POST, number: "9400 2000" };
const ELSEWHERE = { ...ADDRESS, line1: "7 Elm Street", city: "Dallas", postal_code: "75201" };

describeEveryStore("a shipment that came back", (open) => {
  async function cameBack(wanted: Partial<OrderSettings> = {}) {
    const ordered = await orderedIn(open, wanted);
    const { shop, second, roast, ship, move } = ordered;
    await roast();
    await ship();
    if (second) {
      await ship(second, { ...BY_POST, number: "9400 3000" });
      await move("DELIVERED", second);
    }
    shop.clock.advance(1000);
    await move("RETURNED");
    shop.clock.advance(1000);
    const waiting = async () => (await shop.admin.tasks.waiting()).returns;
    return { ...ordered, waiting };
  }

  it("waits for the merchant, with its address and the amount paid for it", async () => {
    const { orderId, first, waiting, show } = await cameBack({ shipments: TWO_SHIPMENTS });
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
    expect((await show()).shipments).toMatchObject([{ returned: row }, { returned: null }]);
  });

  it("ships again with a new label, which its agent reads in the events", async () => {
    const { shop, orderId, first, waiting, show, ship, read, move } = await cameBack();
    const { shipped_at } = (await show()).shipments[0]!;
    const order = await ship(first, NEW_LABEL);
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
    await move("DELIVERED");
    expect(await read()).toMatchObject({ status: "COMPLETED" });
    expect((await typesOf(shop, orderId)).at(-1)).toBe("order.completed");
  });

  it("ships to another address, also with the label on the box", async () => {
    const { shop, first, ship } = await cameBack();
    const { recipient_ref: _, ...to } = { recipient_ref: "", ...ELSEWHERE };
    const order = await after(
      shop,
      shop.admin.shipments.changeAddress({ shipment_id: first, address: to }),
    );
    expect(order.shipments).toMatchObject([{ status: "RETURNED", address: { city: "Dallas" } }]);
    const old = { ...BY_POST, number: "9400-1000" };
    await ship(first, old);
  });

  it("waits again after its second shipping was undone, with its first label", async () => {
    const { first, waiting, show, ship, undo } = await cameBack();
    const before = (await show()).shipments[0]!;
    await ship(first, NEW_LABEL);
    const order = await undo();
    const { status, tracking, shipped_at } = before;
    expect(order).toMatchObject({
      status: "COMPLETED",
      shipments: [{ status, tracking, shipped_at }],
    });
    expect((await waiting()).rows).toMatchObject([{ shipment_id: first }]);
  });

  it("needs no decision after its return was undone", async () => {
    const { waiting, undo } = await cameBack();
    await undo();
    expect(await waiting()).toEqual({ count: 0, rows: [] });
  });

  it("is refunded once with the amount paid for it, and not from a stale page", async () => {
    const { shop, orderId, first, waiting, show, ship, undo } = await cameBack({
      shipments: TWO_SHIPMENTS,
    });
    const { version } = await show();
    await expect(
      shop.admin.shipments.refund({ shipment_id: first, seen: version - 1 }),
    ).rejects.toMatchObject(ILLEGAL);
    const order = await after(
      shop,
      shop.admin.shipments.refund({ shipment_id: first, seen: version }),
    );
    expect(order).toMatchObject({
      status: "COMPLETED",
      payment: { status: "PAID", refunded_minor: 3200 },
    });
    expect(await waiting()).toEqual({ count: 0, rows: [] });
    expect((await typesOf(shop, orderId)).at(-1)).toBe("payment.refunded");
    await expect(shop.admin.shipments.refund({ shipment_id: first })).rejects.toMatchObject(
      ILLEGAL,
    );
    // Nor after a slip: what was decided before it stays so.
    shop.clock.advance(1000);
    await ship(first, NEW_LABEL);
    await undo();
    expect(await waiting()).toEqual({ count: 0, rows: [] });
    await expect(shop.admin.shipments.refund({ shipment_id: first })).rejects.toMatchObject(
      ILLEGAL,
    );
  });

  it("is not offered for shipping once the order was refunded in full", async () => {
    const { shop, first, read } = await cameBack();
    const next = async () => JSON.stringify((await read()).next);
    expect(await next()).toContain("It can be sent again");
    await shop.admin.shipments.refund({ shipment_id: first });
    expect(await next()).not.toContain("It can be sent again");
  });

  it("is not offered for shipping once it was refunded or dismissed, or its buyer erased", async () => {
    const { shop, orderId, first, second, waiting, read, move, undo } = await cameBack({
      shipments: TWO_SHIPMENTS,
    });
    const isSaid = async () => {
      const { next } = await read();
      const page = await shop.merchant.reviews.open(await pageToken(shop, orderId));
      const said = JSON.stringify(next).includes("It can be sent again");
      expect(page.ordered?.isToDecide).toBe(said);
      return said;
    };
    expect(await isSaid()).toBe(true);
    await shop.admin.shipments.refund({ shipment_id: first });
    expect(await isSaid()).toBe(false);
    await undo(second!);
    await move("RETURNED", second!);
    expect(await isSaid()).toBe(true);
    await shop.admin.tasks.handle({ task_id: (await waiting()).rows[0]!.id });
    expect(await isSaid()).toBe(false);
    await undo(second!);
    await move("RETURNED", second!);
    await shop.admin.customers.erase({ email: "buyer@example.com" });
    const { next } = await read();
    expect(JSON.stringify(next)).not.toContain("It can be sent again");
  });

  it("waits from a failed delivery on until the merchant acts", async () => {
    const { shop, orderId, first, roast, ship, move, undo } = await orderedIn(open, {});
    const failures = async () => (await shop.admin.tasks.waiting()).failures;
    await roast();
    await ship();
    await move("FAILED");
    const row = { order_id: orderId, number: 1001, shipment_id: first };
    expect(await failures()).toMatchObject({ count: 1, rows: [row] });
    await move("IN_TRANSIT");
    expect(await failures()).toEqual({ count: 0, rows: [] });
    await undo();
    expect(await failures()).toMatchObject({ count: 1, rows: [row] });
    shop.clock.advance(1000);
    await move("RETURNED");
    await undo();
    expect(await failures()).toMatchObject({ count: 1, rows: [row] });
    await move("RETURNED");
    const { failures: failed, returns } = await shop.admin.tasks.waiting();
    expect([failed.count, returns.count]).toEqual([0, 1]);
  });

  it("can be dismissed, and still ship again", async () => {
    const { shop, first, waiting, ship } = await cameBack();
    await shop.admin.tasks.handle({ task_id: (await waiting()).rows[0]!.id });
    expect(await waiting()).toEqual({ count: 0, rows: [] });
    await expect(shop.admin.shipments.refund({ shipment_id: first })).rejects.toMatchObject(
      ILLEGAL,
    );
    await ship(first, NEW_LABEL);
  });

  it("does not ship from a page older than its return, nor to an erased buyer", async () => {
    const { shop, first, show, ship } = await cameBack();
    const { version } = await show();
    const old = shop.admin.shipments.ship({
      shipment_id: first,
      tracking: NEW_LABEL,
      seen: version - 1,
    });
    await expect(old).rejects.toMatchObject(ILLEGAL);
    await shop.admin.customers.erase({ email: "buyer@example.com" });
    await expect(ship(first, NEW_LABEL)).rejects.toThrow(/erased/);
  });
});
