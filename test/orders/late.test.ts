/** An order past the estimate that policy gives: told to its agent, its buyer and the merchant. */

import { expect, it } from "vitest";
import { BY_POST, ILLEGAL, orderedIn, pageToken, TWO_SHIPMENTS } from "../support/ordered.ts";
import { type OrderSettings, paidOrder } from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";

const DAY = 86_400_000;
const NONE = { count: 0, rows: [] };

async function ordered(wanted: Partial<OrderSettings> = {}) {
  const at = await orderedIn(openUsual, wanted);
  const { shop, orderId, agentId, read } = at;
  const { views, tasks, audit } = shop.admin;
  /** Days late as the agent reads them, in full and in the list, and as the page says. */
  const days = async () => {
    const { estimated_delivery } = await read();
    const { orders } = await shop.merchant.orders.list(agentId, { limit: 9, view: "summary" });
    const inShort = orders.find(({ id }) => id === orderId) as { days_late?: number };
    const { ordered } = await shop.merchant.reviews.open(await pageToken(shop, orderId));
    const said = [estimated_delivery?.days_late, inShort.days_late];
    expect(said).toEqual([said[0], said[0]]);
    expect(ordered?.standing.lateness?.days).toBe(said[0]);
    return said[0];
  };
  const why = async () => (await read()).next.find((one) => one.why.includes("later than"))?.why;
  const late = async () => (await views.waiting()).late;
  return { ...at, views, tasks, audit, days, why, late };
}

it("is not late on its last day, and one day late on the next", async () => {
  const { shop, orderId, days, why, late } = await ordered();
  shop.clock.advance(14 * DAY);
  expect([await days(), await why(), await late()]).toEqual([undefined, undefined, NONE]);
  shop.clock.advance(DAY);
  expect([await days(), await why()]).toEqual([
    1,
    expect.stringContaining("1 day later than estimated and has not left the merchant"),
  ]);
  expect(await late()).toMatchObject({
    count: 1,
    rows: [{ id: orderId, number: 1001, status: "CONFIRMED", days_late: 1 }],
  });
});

it("with all shipments gone is late without a known arrival, and not on the merchant's list", async () => {
  const { shop, days, why, late, roast, ship, move } = await ordered();
  await roast();
  await ship();
  shop.clock.advance(17 * DAY);
  expect([await days(), await why(), await late()]).toEqual([
    3,
    expect.stringContaining("3 days later than estimated, and its arrival is not known yet"),
    NONE,
  ]);
  await move("DELIVERED");
  expect(await days()).toBeUndefined();
});

it("without news for two weeks after it was shipped is done by itself, and is followed no more", async () => {
  const { shop, orderId, views, roast, ship, move } = await ordered();
  const standing = async () => ({
    followed: (await views.counts()).deliver,
    listed: (await views.inTurn({ view: "deliver" })).orders.map(({ id }) => id),
    underway: (await views.page({ view: "underway", limit: 5 })).orders.map(({ id }) => id),
    done: (await views.page({ view: "done", limit: 5 })).orders.map(({ id }) => id),
  });
  await roast();
  await ship();
  shop.clock.advance(14 * DAY);
  const followed = { followed: 1, listed: [orderId], underway: [orderId], done: [] };
  expect(await standing()).toEqual(followed);
  shop.clock.advance(1);
  const over = { followed: 0, listed: [], underway: [], done: [orderId] };
  expect(await standing()).toEqual(over);
  await move("DELIVERED");
  expect(await standing()).toEqual(over);
});

it("is on the merchant's list while a part has not left, the latest first", async () => {
  const { shop, agentId, orderId, second, why, late, roast, ship, move } = await ordered({
    shipments: TWO_SHIPMENTS,
  });
  await roast();
  await ship();
  shop.clock.advance(2 * DAY);
  const next = await paidOrder(shop, { agentId });
  shop.clock.advance(15 * DAY);
  const rows = [
    { id: orderId, days_late: 3 },
    { id: next, days_late: 1 },
  ];
  expect((await late()).rows).toMatchObject(rows);
  expect(await why()).toContain("and a part of it has not left the merchant");
  await ship(second, { ...BY_POST, number: "9400 3000" });
  await move("DELIVERED");
  expect(await why()).toContain("and the arrival of a part of it is not known yet");
});

it("leaves the list once its buyer has a letter, and returns when the new date is over, too", async () => {
  const { shop, orderId, tasks, audit, show, late } = await ordered();
  shop.clock.advance(15 * DAY);
  const [row] = (await late()).rows;
  expect((await show()).late_letter.handled_at).toBeNull();
  await tasks.handle({ task_id: row!.id });
  expect(await late()).toEqual(NONE);
  const handled_at = new Date(shop.clock.now()).toISOString();
  expect((await show()).late_letter).toEqual({ handled_at, handled_by: "cli" });
  await expect(tasks.handle({ task_id: orderId })).rejects.toMatchObject(ILLEGAL);
  const [act] = await audit.list();
  expect(act?.sentence).toBe("Wrote to the buyer of order #1001, which is late");
  shop.clock.advance(14 * DAY);
  expect(await late()).toMatchObject({ count: 1, rows: [{ id: orderId, days_late: 15 }] });
  await tasks.handle({ task_id: orderId });
  expect((await late()).count).toBe(0);
  const unknown = tasks.handle({ task_id: "ord_none" });
  await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("is not late once it is refunded or canceled", async () => {
  const { shop, agentId, days, late, refund } = await ordered();
  shop.clock.advance(1);
  const canceled = await paidOrder(shop, { agentId });
  await shop.admin.orders.cancel({ order_id: canceled, reason: "No." });
  await refund();
  shop.clock.advance(20 * DAY);
  expect([await days(), await late()]).toEqual([undefined, NONE]);
});
