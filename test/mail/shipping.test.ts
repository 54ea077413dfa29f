/** Letters about steps of a shipment, which wait until the step can't be undone. */
import { expect, it, test } from "vitest";
import { TIMES } from "../../src/core/policy.ts";
import { dayOf, momentIn } from "../../src/core/time.ts";
import { ADDRESS } from "../support/shopper.ts";
import { about, BUYER, mailedOrder } from "./postbox.ts";

const FIRST = { carrier: "USPS", number: "9400-1" };
const ups = (number: string) => ({ carrier: "UPS", number });

/** A shipped order whose letter has not left. */
async function shipped() {
  const { ids, ...mailed } = await mailedOrder();
  const { shop, orderId, told } = mailed;
  const shipment_id = ids[0]!;
  const { move, ship, undo, correct } = shop.admin.shipments;
  await shop.admin.orders.roast({ order_id: orderId });
  const to = (status: "IN_TRANSIT" | "FAILED" | "DELIVERED" | "RETURNED") =>
    move({ shipment_id, to: status });
  const sendBy = (tracking: typeof FIRST) => ship({ shipment_id, tracking });
  await sendBy(FIRST);
  return {
    ...mailed,
    to,
    sendBy,
    undo: () => undo({ shipment_id }),
    correct: (tracking: typeof FIRST) => correct({ shipment_id, tracking }),
    /** Letters after the time to undo. */
    later: () => {
      shop.clock.advance(TIMES.undo_ms);
      return told();
    },
  };
}

it("shipped and delivered get letters, the steps between do not", async () => {
  const { to, later } = await shipped();
  await to("IN_TRANSIT");
  await to("DELIVERED");
  const letters = await later();
  expect(letters).toMatchObject(
    about("Your coffee to Test Buyer is on its way (#1001)", "arrived"),
  );
  expect(letters[0]?.text).toContain("USPS, tracking number 9400-1");
});

it("a letter waits until its step can't be undone", async () => {
  const { shop, send, undo, told } = await shipped();
  shop.clock.advance(TIMES.undo_ms - 1);
  expect(await send()).toBe(0);
  shop.clock.advance(1);
  await expect(undo()).rejects.toThrow("no step of the last 10 minutes");
  expect(await told()).toMatchObject(about("on its way"));
});

it("an undone step gets no letter, and the next step gets one", async () => {
  const { to, sendBy, undo, later } = await shipped();
  await undo();
  expect(await later()).toEqual([]);
  await sendBy(ups("1Z"));
  await undo();
  await sendBy(ups("1Z 2"));
  expect(await later()).toMatchObject([
    { text: expect.stringContaining("UPS, tracking number 1Z 2") },
  ]);
  await to("DELIVERED");
  await undo();
  await to("DELIVERED");
  expect(await later()).toMatchObject(about("arrived"));
});

it("a failed delivery and a return get letters, unless the status has changed", async () => {
  const { to, later } = await shipped();
  await later();
  await to("FAILED");
  const failed = await later();
  expect(failed).toMatchObject(about("delivery to Test Buyer failed"));
  expect(failed[0]?.text).toContain("USPS, tracking number 9400-1");
  for (const status of ["IN_TRANSIT", "FAILED", "IN_TRANSIT"] as const) await to(status);
  expect(await later()).toEqual([]);
  await to("RETURNED");
  expect(await later()).toMatchObject(about("came back"));
});

it("a return of a refunded order gets a letter without anything to decide", async () => {
  const { shop, orderId, to, later } = await shipped();
  await shop.admin.orders.refund({ order_id: orderId, amount_minor: null });
  await later();
  await to("RETURNED");
  const [back] = await later();
  expect(back?.text).toContain("came back to us");
  expect(back?.text).not.toContain("what happens next");
});

it("a shipment that is sent again gets a letter with its new number", async () => {
  const { to, sendBy, later } = await shipped();
  await to("RETURNED");
  await later();
  await sendBy(ups("1Z 9"));
  const [again, ...more] = await later();
  expect([again?.text, more]).toEqual([expect.stringContaining("sent the shipment to"), []]);
  expect(again?.text).toMatch(/ again\.\n(.*\n)+UPS, tracking number 1Z 9/);
});

it("a corrected tracking number gets a letter, unless the first letter has not left", async () => {
  const { correct, later } = await shipped();
  await correct(ups("1Z 1"));
  const only = (number: string) => [
    { text: expect.stringContaining(`UPS, tracking number ${number}`) },
  ];
  expect(await later()).toMatchObject(only("1Z 1"));
  await correct(ups("1Z 3"));
  await correct(ups("1Z 2"));
  expect(await later()).toMatchObject(only("1Z 2"));
});

it("a changed address gets a letter", async () => {
  const { shop, ids, told } = await mailedOrder();
  const address = { ...ADDRESS, line1: "7 Elm Street" };
  await shop.admin.shipments.changeAddress({ shipment_id: ids[0]!, address });
  expect(await told(BUYER)).toMatchObject([
    {
      subject: expect.stringContaining("New address"),
      text: expect.stringContaining("7 Elm Street"),
    },
  ]);
});

test("a letter shows times in the shop's time zone, and days of the calendar", () => {
  expect(momentIn("America/Chicago", "2026-03-04T10:00:00.000Z")).toBe("Mar 4, 2026, 4:00 AM CST");
  expect(dayOf("2026-03-09")).toBe("Monday, March 9");
});
