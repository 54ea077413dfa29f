/** Standing of orders with all combinations of up to three shipments and the payment. */
import { describe, expect, it, test } from "vitest";
import { SHIPMENT_STATUSES, type ShipmentStatus } from "../../src/core/records.ts";
import { type OrderReason, orderStanding, shipmentSteps } from "../../src/orders/standing.ts";

type Rows = Parameters<typeof orderStanding>[0];

const PAID = {
  payment: { status: "PAID", amount_minor: 5000, refunded_minor: 0, refunds: [], dispute: null },
  cancelRequests: [],
  canceledAt: 0,
  isToDecide: false,
  owedMinor: 0,
} satisfies Omit<Rows, "shipments">;

const headline = (...statuses: ShipmentStatus[]): OrderReason =>
  orderStanding({ shipments: statuses.map((status) => ({ status })), ...PAID }, 0).reason;

const combinations: ShipmentStatus[][] = SHIPMENT_STATUSES.flatMap((a) => [
  [a],
  ...SHIPMENT_STATUSES.flatMap((b) => [[a, b], ...SHIPMENT_STATUSES.map((c) => [a, b, c])]),
]);

describe("over all combinations of shipments", () => {
  it.each<[OrderReason, (live: ShipmentStatus[]) => boolean]>([
    ["ORDERED", (live) => live.every((s) => s === "PENDING")],
    ["DELIVERED", (live) => live.every((s) => s === "DELIVERED")],
    ["RETURNED", (live) => live.every((s) => s === "RETURNED")],
    ["CANCELED", (live) => live.length === 0],
    ["DELIVERY_FAILED", (live) => live.includes("FAILED")],
    [
      "ON_ITS_WAY",
      (live) => live.length > 0 && live.every((s) => s === "SHIPPED" || s === "IN_TRANSIT"),
    ],
  ])("%s is said exactly where it is so", (said, isSo) => {
    for (const statuses of combinations) {
      const live = statuses.filter((status) => status !== "CANCELED");
      const so = isSo(live) && (said === "CANCELED" || live.length > 0);
      expect([statuses, headline(...statuses) === said]).toEqual([statuses, so]);
    }
  });

  it("never promises an arrival when nothing is under way", () => {
    for (const statuses of combinations) {
      const shipments = statuses.map((status) => ({ status }));
      const ended = statuses.every((s) => ["DELIVERED", "RETURNED", "CANCELED"].includes(s));
      expect(orderStanding({ shipments, ...PAID }, 0).isUnderWay).toBe(!ended);
    }
  });

  it("does not depend on the order of the shipments", () => {
    for (const statuses of combinations) {
      expect(headline(...statuses.toReversed())).toBe(headline(...statuses));
    }
  });
});

test.each<[ShipmentStatus[], OrderReason]>([
  [["ROASTING", "PENDING"], "ROASTING"],
  [["SHIPPED", "ROASTING"], "PARTLY_ON_ITS_WAY"],
  [["OUT_FOR_DELIVERY", "SHIPPED"], "OUT_FOR_DELIVERY"],
  [["DELIVERED", "SHIPPED"], "PARTLY_DELIVERED"],
  [["DELIVERED", "RETURNED"], "PARTLY_RETURNED"],
  [["DELIVERED", "CANCELED"], "DELIVERED"],
])("%j reads %s", (statuses, said) => expect(headline(...statuses)).toBe(said));

test.each<[Partial<Rows["payment"]>, string]>([
  [{ refunded_minor: 1 }, "PARTLY_REFUNDED"],
  [{ refunded_minor: 5000 }, "REFUNDED"],
  [{ status: "REFUNDED", refunded_minor: 5000 }, "REFUNDED"],
  [{ status: "DISPUTED", refunded_minor: 1 }, "DISPUTED"],
  [{ amount_minor: 0 }, "PAID"],
])("the money of %j is %s", (more, state) => {
  const rows = { ...PAID, payment: { ...PAID.payment, ...more } };
  expect(orderStanding({ shipments: [{ status: "DELIVERED" }], ...rows }, 0).money.state).toBe(
    state,
  );
});

test.each<[ShipmentStatus[], string | undefined]>([
  [["PENDING", "CANCELED"], "AT_SHOP"],
  [["SHIPPED", "ROASTING"], "PARTLY_AT_SHOP"],
  [["SHIPPED", "FAILED"], "NOT_ARRIVED"],
  [["SHIPPED", "DELIVERED"], "PARTLY_ARRIVED"],
  [["RETURNED", "DELIVERED"], undefined],
])("%j, past its estimate, is late: %s", (statuses, where) => {
  const shipments = statuses.map((status) => ({ status }));
  expect(orderStanding({ shipments, ...PAID }, 3).lateness?.where).toBe(where);
  expect(orderStanding({ shipments, ...PAID }, 0).lateness).toBe(null);
  const refunded = { ...PAID, payment: { ...PAID.payment, status: "REFUNDED" as const } };
  expect(orderStanding({ shipments, ...refunded }, 3).lateness).toBe(null);
});

describe("the steps of a shipment", () => {
  it("are done up to its status", () => {
    expect(shipmentSteps("OUT_FOR_DELIVERY")).toEqual([
      { name: "PAID", state: "done" },
      { name: "ROASTING", state: "done" },
      { name: "SHIPPED", state: "now" },
      { name: "DELIVERED", state: "ahead" },
    ]);
  });

  it("are all done once it is delivered", () => {
    expect(shipmentSteps("DELIVERED").every(({ state }) => state === "done")).toBe(true);
  });

  it.each(["FAILED", "RETURNED", "CANCELED"] as const)("are empty for %s", (status) => {
    expect(shipmentSteps(status)).toEqual([]);
  });
});
