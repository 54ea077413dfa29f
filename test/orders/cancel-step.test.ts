/** `next` and the buyer's page always offer exactly the cancel step that the rules accept (contract §5). */
import { describe, expect, it, test } from "vitest";
import { stateOf } from "../../src/core/command.ts";
import { LIMITS } from "../../src/core/policy.ts";
import {
  type CancelRequestRow,
  newRow,
  SHIPMENT_STATUSES,
  type ShipmentStatus,
} from "../../src/core/records.ts";
import { requestCancellation, withdrawCancellation } from "../../src/orders/cancel-request.ts";
import { cancelStep, isHere, orderStatus } from "../../src/orders/standing.ts";
import { NOW, order } from "../support/rows.ts";

const shipment = (status: ShipmentStatus, position: number) =>
  newRow("shipments", { id: `shp_${position}`, order_id: "ord_1", position, status });

type RequestStatus = CancelRequestRow["status"];

const request = (status: RequestStatus, i: number): CancelRequestRow =>
  newRow("cancel_requests", {
    id: `cr_${i}`,
    order_id: "ord_1",
    shipment_ids: '["shp_0"]',
    asked_by: i % 2 ? "AGENT" : "BUYER",
    reason_code: "OTHER",
    message: null,
    status,
    created_at: NOW + i,
  });

const HISTORIES: Record<string, RequestStatus[]> = {
  "never asked": [],
  asked: ["REQUESTED"],
  declined: ["DECLINED"],
  "taken back": ["WITHDRAWN"],
  accepted: ["ACCEPTED"],
  "declined, then asked": ["DECLINED", "REQUESTED"],
  "asked as often as can be": Array(LIMITS.cancel_requests_per_order).fill("WITHDRAWN"),
};

function standing(statuses: readonly ShipmentStatus[], history: readonly RequestStatus[]) {
  const shipments = statuses.map(shipment);
  const cancel_requests = history.map(request);
  const orders = [order({ status: orderStatus(shipments) })];
  // A store returns rows in any order.
  const rows = { orders, shipments, cancel_requests: cancel_requests.toReversed() };
  const state = stateOf(rows);
  const here = shipments.filter(isHere).map(({ id }) => id);
  const stamp = { now: NOW, eventIds: ["evt_1"], orderId: "ord_1" };
  const wish = { reason_code: "OTHER" as const, ...(here.length > 0 && { shipment_ids: here }) };
  const grants = (act: () => unknown) => {
    try {
      act();
      return true;
    } catch {
      return false;
    }
  };
  return {
    offered: cancelStep({ shipments, cancelRequests: cancel_requests }),
    mayAsk: grants(() =>
      requestCancellation.decide(
        { ...stamp, id: "cr_new", askedBy: "BUYER", wish, refs: new Map() },
        state,
      ),
    ),
    mayTakeBack:
      history.at(-1) === "REQUESTED" &&
      grants(() =>
        withdrawCancellation.decide({ ...stamp, refs: new Map(), withdrawnBy: "BUYER" }, state),
      ),
  };
}

describe.each(Object.entries(HISTORIES))("an order that was %s", (_name, history) => {
  it("offers a request exactly where one is accepted, and a withdrawal likewise", () => {
    for (const a of SHIPMENT_STATUSES) {
      for (const b of SHIPMENT_STATUSES) {
        const { offered, mayAsk, mayTakeBack } = standing([a, b], history);
        const said = [offered === "request_cancellation", offered === "withdraw_cancellation"];
        expect([a, b, ...said]).toEqual([a, b, mayAsk, mayTakeBack]);
      }
    }
  });
});

test.each<[ShipmentStatus[], string, ReturnType<typeof cancelStep>]>([
  [["PENDING"], "never asked", "request_cancellation"],
  [["ROASTING", "SHIPPED"], "never asked", "request_cancellation"],
  [["SHIPPED", "DELIVERED"], "never asked", null],
  [["CANCELED"], "accepted", null],
  [["PENDING"], "declined", "request_cancellation"],
  [["PENDING"], "asked as often as can be", null],
  [["SHIPPED"], "asked", "withdraw_cancellation"],
])("%j, %s: %s", (statuses, history, offered) => {
  expect(standing(statuses, HISTORIES[history]!).offered).toBe(offered);
});

test("a request that names no shipment is about those that are not canceled", () => {
  const shipments = (["CANCELED", "PENDING", "ROASTING"] as const).map(shipment);
  const rows = stateOf({ orders: [order({ status: orderStatus(shipments) })], shipments });
  const wish = { reason_code: "OTHER" as const };
  const command = { now: NOW, eventIds: ["evt_1"], orderId: "ord_1", id: "cr_new", wish };
  const { reply } = requestCancellation.decide(
    { ...command, askedBy: "BUYER", refs: new Map() },
    rows,
  );
  expect(reply.shipment_ids).toEqual(["shp_1", "shp_2"]);
});
