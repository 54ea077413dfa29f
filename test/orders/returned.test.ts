/** A shipment that the carrier brought back: sent again, refunded, or neither (contract §5, §15). */
import { expect, it } from "vitest";
import {
  BY_POST,
  ILLEGAL,
  orderedIn,
  pageToken,
  TWO_SHIPMENTS,
  typesOf,
} from "../support/ordered.ts";
import type { OrderSettings } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { openUsual } from "../support/stores.ts";

const NEW_LABEL = { ...BY_POST, number: "9400 2000" };
const ELSEWHERE = { ...ADDRESS, line1: "7 Elm Street", city: "Dallas", postal_code: "75201" };
const NONE = { count: 0, rows: [] };

async function cameBack(wanted: Partial<OrderSettings> = { shipments: TWO_SHIPMENTS }) {
  const ordered = await orderedIn(openUsual, wanted);
  const { shop, first, second, roast, ship, move } = ordered;
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
  const refund = (seen?: number) =>
    shop.admin.shipments.refund({ shipment_id: first, ...(seen !== undefined && { seen }) });
  return { ...ordered, waiting, refund };
}

it("waits with its address and the amount paid for it, until it ships again or its return is undone", async () => {
  const { orderId, first, waiting, show, ship, undo } = await cameBack();
  const { shipments: before } = await show();
  expect(await waiting()).toMatchObject({
    count: 1,
    rows: [
      {
        ...{ order_id: orderId, number: 1001, shipment_id: first, refund_minor: 3200 },
        ...{ address: { name: "Test Buyer" }, version: expect.any(Number) },
      },
    ],
  });
  const [row] = (await waiting()).rows;
  expect(before).toMatchObject([{ returned: row }, { returned: null }]);
  const [again] = (await ship(first, NEW_LABEL)).shipments;
  expect(again).toMatchObject({ status: "SHIPPED", tracking: NEW_LABEL, returned: null });
  expect(again!.shipped_at! > before[0]!.shipped_at!).toBe(true);
  expect(await waiting()).toEqual(NONE);
  // With its first label, after the second shipping was undone.
  const { status, tracking, shipped_at } = before[0]!;
  expect((await undo()).shipments[0]).toMatchObject({ status, tracking, shipped_at });
  expect((await waiting()).rows).toMatchObject([{ shipment_id: first }]);
  await undo();
  expect(await waiting()).toEqual(NONE);
});

it("ships to another address, also with the label on the box", async () => {
  const { shop, first, ship, show } = await cameBack({});
  await shop.admin.shipments.changeAddress({ shipment_id: first, address: ELSEWHERE });
  const shipments = [{ status: "RETURNED", address: { city: "Dallas" } }];
  expect(await show()).toMatchObject({ shipments });
  await ship(first, { ...BY_POST, number: "9400-1000" });
});

it("is refunded once with the amount paid for it, and not from a stale page", async () => {
  const { shop, orderId, first, waiting, show, ship, undo, refund } = await cameBack();
  const { version } = await show();
  await expect(refund(version - 1)).rejects.toMatchObject(ILLEGAL);
  await refund(version);
  const payment = { status: "PAID", refunded_minor: 3200 };
  expect(await show()).toMatchObject({ status: "COMPLETED", payment });
  expect(await waiting()).toEqual(NONE);
  expect((await typesOf(shop, orderId)).at(-1)).toBe("payment.refunded");
  await expect(refund()).rejects.toMatchObject(ILLEGAL);
  // Nor after a slip: what was decided before it stays so.
  shop.clock.advance(1000);
  await ship(first, NEW_LABEL);
  await undo();
  expect(await waiting()).toEqual(NONE);
  await expect(refund()).rejects.toMatchObject(ILLEGAL);
});

it("is not offered for shipping once it was refunded or dismissed, or its buyer erased", async () => {
  const { shop, orderId, first, second, waiting, read, ship, move, undo, refund } =
    await cameBack();
  const isSaid = async () => {
    const { next } = await read();
    const page = await shop.merchant.reviews.open(await pageToken(shop, orderId));
    const said = JSON.stringify(next).includes("It can be sent again");
    expect(page.ordered?.isToDecide).toBe(said);
    return said;
  };
  expect(await isSaid()).toBe(true);
  await refund();
  expect(await isSaid()).toBe(false);
  await undo(second);
  await move("RETURNED", second);
  expect(await isSaid()).toBe(true);
  await shop.admin.tasks.handle({ task_id: (await waiting()).rows[0]!.id });
  expect([await isSaid(), await waiting()]).toEqual([false, NONE]);
  const dismissed = shop.admin.shipments.refund({ shipment_id: second });
  await expect(dismissed).rejects.toMatchObject(ILLEGAL);
  // It still can.
  await ship(second, { ...BY_POST, number: "9400 4000" });
  await undo(second);
  await undo(second);
  await move("RETURNED", second);
  await shop.admin.customers.erase({ email: "buyer@example.com" });
  expect(JSON.stringify((await read()).next)).not.toContain("It can be sent again");
  await expect(ship(first, NEW_LABEL)).rejects.toThrow(/erased/);
  await expect(undo(second)).rejects.toMatchObject(ILLEGAL);
});

it("does not ship from a page older than its return", async () => {
  const { shop, first: shipment_id, show } = await cameBack();
  const seen = (await show()).version - 1;
  const old = shop.admin.shipments.ship({ shipment_id, tracking: NEW_LABEL, seen });
  await expect(old).rejects.toMatchObject(ILLEGAL);
});

it("waits from a failed delivery on until the merchant acts", async () => {
  const { shop, orderId, first, roast, ship, move, undo } = await orderedIn(openUsual);
  const failures = async () => (await shop.admin.tasks.waiting()).failures;
  const row = { order_id: orderId, number: 1001, shipment_id: first };
  const waits = { count: 1, rows: [row] };
  await roast();
  await ship();
  await move("FAILED");
  expect(await failures()).toMatchObject(waits);
  await move("IN_TRANSIT");
  expect(await failures()).toEqual(NONE);
  await undo();
  expect(await failures()).toMatchObject(waits);
  shop.clock.advance(1000);
  await move("RETURNED");
  await undo();
  expect(await failures()).toMatchObject(waits);
  await move("RETURNED");
  const { failures: failed, returns } = await shop.admin.tasks.waiting();
  expect([failed.count, returns.count]).toEqual([0, 1]);
});
