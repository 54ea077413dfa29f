/** An order past the estimate that policy gives: told to its agent, its buyer and the merchant. */

import { expect, it } from "vitest";
import { BY_POST, orderedIn, pageToken, TWO_SHIPMENTS } from "../support/ordered.ts";
import { type OrderSettings, paidOrder } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const DAY = 86_400_000;

describeEveryStore("an order past its estimate", (open) => {
  async function ordered(wanted: Partial<OrderSettings> = {}) {
    const at = await orderedIn(open, wanted);
    const { shop, orderId, agentId } = at;
    const read = async () => {
      const { estimated_delivery, next } = await shop.merchant.orders.get(orderId, agentId);
      const why = next.find((one) => one.why.includes("later than"))?.why;
      return { days_late: estimated_delivery?.days_late, why };
    };
    const late = async () => (await shop.admin.views.waiting()).late;
    const inShort = async () =>
      (await shop.merchant.orders.list(agentId, { limit: 1, view: "summary" })).orders[0];
    const page = async () =>
      (await shop.merchant.reviews.open(await pageToken(shop, orderId))).ordered?.standing.lateness
        ?.days ?? 0;
    return { ...at, read, inShort, late, page };
  }

  it("is not late on its last day, and one day late on the next", async () => {
    const { shop, orderId, read, inShort, late, page } = await ordered();
    shop.clock.advance(14 * DAY);
    expect(await read()).toEqual({});
    expect(await late()).toEqual({ count: 0, rows: [] });
    expect(await page()).toBe(0);
    expect(await inShort()).not.toHaveProperty("days_late");
    shop.clock.advance(DAY);
    expect(await read()).toEqual({
      days_late: 1,
      why: expect.stringContaining("1 day later than estimated and has not left the merchant"),
    });
    expect(await late()).toMatchObject({
      count: 1,
      rows: [{ id: orderId, number: 1001, status: "CONFIRMED", days_late: 1 }],
    });
    expect(await page()).toBe(1);
    expect(await inShort()).toMatchObject({ days_late: 1 });
  });

  it("with all shipments gone is late without a known arrival, and not on the merchant's list", async () => {
    const { shop, orderId, first, read, late, page } = await ordered();
    await shop.admin.orders.roast({ order_id: orderId });
    await shop.admin.shipments.ship({ shipment_id: first, tracking: BY_POST });
    shop.clock.advance(17 * DAY);
    expect(await read()).toEqual({
      days_late: 3,
      why: expect.stringContaining("3 days later than estimated, and its arrival is not known yet"),
    });
    expect([await late(), await page()]).toEqual([{ count: 0, rows: [] }, 3]);
    await shop.admin.shipments.move({ shipment_id: first, to: "DELIVERED" });
    expect([(await read()).days_late, await page()]).toEqual([undefined, 0]);
  });

  it("without news for two weeks after it was shipped is done by itself, and is followed no more", async () => {
    const { shop, orderId, first } = await ordered();
    const { views } = shop.admin;
    const standing = async () => ({
      followed: (await views.counts()).deliver,
      listed: (await views.inTurn({ view: "deliver" })).orders.map(({ id }) => id),
      underway: (await views.page({ view: "underway", limit: 5 })).orders.map(({ id }) => id),
      done: (await views.page({ view: "done", limit: 5 })).orders.map(({ id }) => id),
    });
    await shop.admin.orders.roast({ order_id: orderId });
    await shop.admin.shipments.ship({ shipment_id: first, tracking: BY_POST });
    shop.clock.advance(14 * DAY);
    const followed = { followed: 1, listed: [orderId], underway: [orderId], done: [] };
    expect(await standing()).toEqual(followed);
    shop.clock.advance(1);
    const over = { followed: 0, listed: [], underway: [], done: [orderId] };
    expect(await standing()).toEqual(over);
    await shop.admin.shipments.move({ shipment_id: first, to: "DELIVERED" });
    expect(await standing()).toEqual(over);
  });

  it("is on the merchant's list while a part has not left, the latest first", async () => {
    const at = await ordered({ shipments: TWO_SHIPMENTS });
    const { shop, agentId, orderId, first, second, read, late } = at;
    await shop.admin.orders.roast({ order_id: orderId });
    await shop.admin.shipments.ship({ shipment_id: first, tracking: BY_POST });
    shop.clock.advance(2 * DAY);
    const next = await paidOrder(shop, { agentId });
    shop.clock.advance(15 * DAY);
    expect((await late()).rows).toMatchObject([
      { id: orderId, days_late: 3 },
      { id: next, days_late: 1 },
    ]);
    expect((await read()).why).toContain("and a part of it has not left the merchant");
    await shop.admin.shipments.ship({
      shipment_id: second!,
      tracking: { ...BY_POST, number: "9400 3000" },
    });
    await shop.admin.shipments.move({ shipment_id: first, to: "DELIVERED" });
    expect((await read()).why).toContain("and the arrival of a part of it is not known yet");
  });

  it("leaves the list once its buyer has a letter, and returns when the new date is over, too", async () => {
    const { shop, orderId, late } = await ordered();
    const { tasks, orders, audit } = shop.admin;
    shop.clock.advance(15 * DAY);
    const [row] = (await late()).rows;
    expect((await orders.show({ order_id: orderId })).late_letter.handled_at).toBeNull();
    await tasks.handle({ task_id: row!.id });
    expect(await late()).toEqual({ count: 0, rows: [] });
    expect((await orders.show({ order_id: orderId })).late_letter).toEqual({
      handled_at: new Date(shop.clock.now()).toISOString(),
      handled_by: "cli",
    });
    await expect(tasks.handle({ task_id: orderId })).rejects.toMatchObject({
      code: "ILLEGAL_STEP",
    });
    const [act] = await audit.list();
    expect(act?.sentence).toBe("Wrote to the buyer of order #1001, which is late");

    shop.clock.advance(14 * DAY);
    expect(await late()).toMatchObject({ count: 1, rows: [{ id: orderId, days_late: 15 }] });
    await tasks.handle({ task_id: orderId });
    expect((await late()).count).toBe(0);
    await expect(tasks.handle({ task_id: "ord_none" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("is not late once it is refunded or canceled", async () => {
    const { shop, agentId, orderId, read, late } = await ordered();
    shop.clock.advance(1);
    const canceled = await paidOrder(shop, { agentId });
    await shop.admin.orders.cancel({ order_id: canceled, reason: "No." });
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: null });
    shop.clock.advance(20 * DAY);
    expect((await read()).days_late).toBeUndefined();
    expect(await late()).toEqual({ count: 0, rows: [] });
  });
});
