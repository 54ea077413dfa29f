/** Cancellations by the merchant, with and without a request (contract §5). */
import { describe, expect, test } from "vitest";
import { type Rule, stateOf } from "../../src/core/command.ts";
import { withFollowUps } from "../../src/core/follow-ups.ts";
import { newRow, type ShipmentStatus } from "../../src/core/records.ts";
import { type CancelOrder, cancelOrder } from "../../src/orders/cancel-order.ts";
import { cancelAndRefund } from "../../src/orders/merchant-refund.ts";
import { orderStatus } from "../../src/orders/standing.ts";
import { NOW, order } from "../support/rows.ts";

const STATUSES: Record<string, ShipmentStatus> = {
  P: "PENDING",
  R: "ROASTING",
  S: "SHIPPED",
  D: "DELIVERED",
  C: "CANCELED",
};
const idsOf = (letters: string): string[] => [...letters].map((letter) => `shp_${letter}`);

/** Shipments `a`, `b`, `c` … by their statuses' letters; `asked`: those of an open request. */
function standing(statuses: string, asked: string) {
  const shipments = [...statuses].map((letter, position) =>
    newRow("shipments", {
      id: `shp_${"abc"[position]}`,
      order_id: "ord_1",
      position,
      status: STATUSES[letter]!,
    }),
  );
  const request = newRow("cancel_requests", {
    id: "cr_1",
    order_id: "ord_1",
    shipment_ids: JSON.stringify(idsOf(asked)),
    asked_by: "BUYER",
    reason_code: "OTHER",
    message: null,
    status: "REQUESTED",
    created_at: NOW,
  });
  const orders = [order({ status: orderStatus(shipments), amount_minor: 6000 })];
  return stateOf({ orders, shipments, cancel_requests: asked ? [request] : [] });
}

/** Shipments to cancel: "asked" for the request, "all", or their letters. */
const canceling = (what: string): CancelOrder => ({
  now: NOW,
  eventIds: ["evt_1", "evt_2", "evt_3", "evt_4", "evt_5"],
  by: { id: "aud_1", actor: "desk" },
  orderId: "ord_1",
  requestId: what === "asked" ? "cr_1" : null,
  shipmentIds: what === "asked" || what === "all" ? null : idsOf(what),
  reason: "No such street.",
  bagsByShipment: [],
  heads: [],
});

/** Amount paid for each, of 6000. */
const PAID = [1000, 2000, 3000];

/** Short form of the writes: events with their subjects, letters and tasks. */
function told<C, R>(rule: Rule<C, R>, command: C, state: ReturnType<typeof stateOf>): string[] {
  return withFollowUps(rule.decide(command, state)).writes.flatMap((write) => {
    if (write.op === "update" && write.table === "orders") return [write.set.status!];
    if (write.op !== "insert") return [];
    if (write.table === "outbox") return [`letter ${write.row.kind}`];
    if (write.table === "desk_tasks") return [`task ${write.row.kind}`];
    if (write.table === "refunds") return [`refund ${write.row.amount_minor}`];
    if (write.table !== "events") return [];
    const { shipment_id = "" } = JSON.parse(write.row.data) as { shipment_id?: string };
    return [[write.row.type, shipment_id.replace("shp_", "")].filter(Boolean).join(" ")];
  });
}

const canceled = (letter: string) => `shipment.updated ${letter}`;
const ACCEPTED = "cancel_request.accepted";
const PART = ["letter CANCELED_IN_PART", "task REFUND"];
const WHOLE = ["order.canceled", "letter CANCELED", "task REFUND"];

describe("a cancellation covers only shipments that have not left, and has one event and letter", () => {
  test.each<[statuses: string, asked: string, what: string, told: string[]]>([
    // The whole order, and a part of it.
    ["PP", "", "all", ["CANCELED", ...WHOLE]],
    ["PPP", "", "b", ["CONFIRMED", canceled("b"), ...PART]],
    ["RRR", "", "ca", ["ROASTING", canceled("a"), canceled("c"), ...PART]],
    ["PPP", "", "aab", ["CONFIRMED", canceled("a"), canceled("b"), ...PART]],
    // The last that were open: the order's status follows its shipments.
    ["PP", "", "ab", ["CANCELED", ...WHOLE]],
    ["CP", "", "b", ["CANCELED", ...WHOLE]],
    ["CP", "", "all", ["CANCELED", ...WHOLE]],
    ["SR", "", "b", ["SHIPPED", canceled("b"), "order.shipped", ...PART]],
    ["DR", "", "b", ["COMPLETED", canceled("b"), "order.completed", ...PART]],
    ["SRR", "", "b", ["PARTIALLY_SHIPPED", canceled("b"), ...PART]],
    // An open request all of which is canceled is settled; one about others stays open.
    ["PP", "ab", "all", ["CANCELED", ACCEPTED, ...WHOLE]],
    ["PP", "a", "all", ["CANCELED", ACCEPTED, ...WHOLE]],
    ["PPP", "a", "a", ["CONFIRMED", ACCEPTED, canceled("a"), ...PART]],
    ["PPP", "a", "ab", ["CONFIRMED", ACCEPTED, canceled("a"), canceled("b"), ...PART]],
    ["PPP", "a", "c", ["CONFIRMED", canceled("c"), ...PART]],
    // With the request.
    ["PPP", "ac", "asked", ["CONFIRMED", ACCEPTED, ...PART]],
    ["PP", "ab", "asked", ["CANCELED", ACCEPTED, ...WHOLE]],
  ])("%s, asked %j, cancels %s: %j", (statuses, asked, what, expected) => {
    expect(told(cancelOrder, canceling(what), standing(statuses, asked))).toEqual(expected);
  });
});

describe("a refused cancellation writes nothing", () => {
  test.each<[statuses: string, asked: string, what: string, says: RegExp]>([
    ["SP", "", "all", /PARTIALLY_SHIPPED: 1 shipment has left/],
    ["SP", "", "a", /1 shipment has left .* cancel only the other shipments/],
    ["SPP", "", "ab", /1 shipment has left/],
    ["CC", "", "all", /CANCELED already/],
    ["CC", "", "a", /CANCELED already/],
    ["CP", "", "ab", /shp_a is CANCELED already/],
    ["PP", "", "ax", /shipment/],
    // Declined first: its share could go back with the rest of it once more.
    ["PPP", "ab", "b", /cr_1 is about shp_b and about others/],
    ["PSP", "ab", "a", /cr_1 is about shp_a and about others: accept or decline it first/],
    ["PSP", "ab", "asked", /1 shipment has left/],
    ["PP", "", "asked", /cancel request/],
  ])("%s, asked %j, cancels %s: %s", (statuses, asked, what, says) => {
    expect(() => cancelOrder.decide(canceling(what), standing(statuses, asked))).toThrow(says);
  });
});

describe("a cancellation with its refund returns the canceled share and leaves no task", () => {
  const refund = { now: NOW, by: { id: "aud_2", actor: "desk" }, id: "rf_1" };

  test.each<[statuses: string, asked: string, what: string, refunded: number]>([
    ["PPP", "", "b", 2000],
    ["PPP", "", "ca", 4000],
    ["PPP", "", "all", 6000],
    ["PPP", "", "abc", 6000],
    ["CPP", "", "b", 2000],
    ["CCP", "", "c", 3000],
    ["SPP", "", "bc", 5000],
    ["PPP", "a", "asked", 1000],
    ["PPP", "a", "ab", 3000],
  ])("%s, asked %j, cancels %s: %d", (statuses, asked, what, refunded) => {
    const cancel = canceling(what);
    const command = {
      cancel,
      refund: { ...refund, orderId: "ord_1", paymentRef: order().payment_ref },
      paid: PAID,
    };
    const written = told(cancelAndRefund, command, standing(statuses, asked));
    expect(written.filter((one) => /^(refund|task)/.test(one))).toEqual([`refund ${refunded}`]);
  });
});
