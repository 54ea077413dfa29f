import { offerFreeStock, queueReads, type StockChange } from "../catalog/offer-free-stock.ts";
import { audited } from "../core/audit.ts";
import { type Bags, mergeBags } from "../core/bags.ts";
import { type State, update, updateEach, type Write, writeRule } from "../core/command.ts";
import { illegalStep, unknownTo } from "../core/errors.ts";
import type { ShipmentId } from "../core/ids.ts";
import type { NewEvent } from "../core/order-log.ts";
import type { CancelRequestRow, OrderRow, OrderStatus, ShipmentRow } from "../core/records.ts";
import { requestData, requestedShipments } from "./cancel-request.ts";
import {
  cancelRequestReads,
  eventsReached,
  logOrder,
  type OrderAct,
  orderOf,
  refuseIfOrderChanged,
  updated,
} from "./order-steps.ts";
import { hasLeft, inOrder, isHere, orderStatus } from "./standing.ts";

/** Reason stored with an accepted request. It is not the merchant's own text. */
export const ACCEPTED = "The merchant accepted the cancel request.";

/** The merchant's own reason for a cancellation, or null. */
export const merchantWords = (reason: string | undefined): string | null =>
  reason === undefined || reason === ACCEPTED ? null : reason;

export interface CancelOrder extends OrderAct {
  /** The accepted request; null if the merchant cancels without one. */
  requestId: string | null;
  /** Without a request: shipments to cancel, or null for the whole order. */
  shipmentIds: readonly ShipmentId[] | null;
  reason: string;
  /** Bags per shipment, by the shipment's position. */
  bagsByShipment: readonly (readonly Bags[])[];
  heads: readonly string[];
}

/**
 * The merchant cancels an order or some of its shipments, with or without a request, before they leave.
 * Bags not yet roasted return to stock and are offered to the waitlist. Refunds are a separate step.
 */
export const cancelOrder = writeRule<CancelOrder>({
  reads: (c) => [...cancelRequestReads(c), ...queueReads(beansOf(c), c.heads)],
  writes(c, s) {
    const order = orderOf(s);
    const targets = shipmentsToCancel(c, s);
    refuseCancel(order, targets, s);
    refuseIfOrderChanged(c, s);
    const open = requestSettled(targets, s);
    const status = "CANCELED" as const;
    const after = s.shipments.map((row) => (targets.includes(row) ? { ...row, status } : row));
    const accepting: NewEvent[] = open
      ? [{ type: "cancel_request.accepted", data: decisionData(open, c.reason) }]
      : [];
    const happened = [...accepting, ...canceled(order, targets, orderStatus(after), c)];
    return [
      ...updateEach("shipments", targets, { status }),
      ...(open ? [decide(open, "ACCEPTED", c)] : []),
      ...offerFreeStock(returnedToStock(c, targets), s, c),
      ...logOrder(order, after, happened, c),
      c.requestId === null
        ? audited(c, "orders.cancel", c.orderId, {
            reason: c.reason,
            ...(c.shipmentIds && { shipment_ids: c.shipmentIds }),
            ...(open && { cancel_request_id: open.id }),
          })
        : audited(c, "cancellations.accept", c.requestId, { order_id: c.orderId }),
    ];
  },
});

/** Shipments to cancel, sorted by position. */
export function shipmentsToCancel(c: CancelOrder, s: State): ShipmentRow[] {
  const all = inOrder(s.shipments);
  if (c.requestId !== null) return requestedShipments(refuseDecided(s, c.requestId), all);
  const { shipmentIds } = c;
  if (shipmentIds === null) return all;
  const named = all.filter(({ id }) => shipmentIds.includes(id));
  const foreign = shipmentIds.find((id) => !named.some((row) => row.id === id));
  if (foreign !== undefined) throw unknownTo(`shipment in this order: ${foreign}`);
  const before = named.find(({ status }) => status === "CANCELED");
  if (before) throw illegalStep(`Shipment ${before.id} is CANCELED already.`);
  return named;
}

/**
 * The open request that this cancellation fulfills. Refuses to cancel a part of it: the amount paid for the
 * shared shipments could then be refunded twice.
 */
function requestSettled(targets: readonly ShipmentRow[], s: State): CancelRequestRow | undefined {
  const open = s.cancel_requests.find((row) => row.status === "REQUESTED");
  if (!open) return undefined;
  const asked = requestedShipments(open, s.shipments).filter(({ status }) => status !== "CANCELED");
  const both = asked.filter((row) => targets.includes(row));
  if (both.length === asked.length) return open;
  if (both.length === 0) return undefined;
  throw illegalStep(
    `Cancel request ${open.id} is about ${both.map(({ id }) => id).join(", ")} and about others: ` +
      "accept or decline it first.",
  );
}

/**
 * Events of a cancellation. The request's own event covers its shipments; without a request, each canceled
 * shipment has one.
 */
function canceled(
  order: OrderRow,
  targets: readonly ShipmentRow[],
  after: OrderStatus,
  { requestId, reason }: CancelOrder,
): NewEvent[] {
  if (after === "CANCELED") return [{ type: "order.canceled", data: { reason } }];
  const withoutRequest = requestId === null ? targets : [];
  return [
    ...withoutRequest.map((row): NewEvent => {
      const data = { ...updated({ ...row, status: "CANCELED" }, row.status), reason };
      return { type: "shipment.updated", data };
    }),
    ...eventsReached(order.status, after),
  ];
}

const beansOf = (c: CancelOrder): string[] =>
  [...new Set(c.bagsByShipment.flat().map((bag) => bag.product_id))].sort();

function refuseCancel(order: OrderRow, targets: readonly ShipmentRow[], s: State): void {
  if (order.status === "CANCELED") throw illegalStep("This order is CANCELED already.");
  const left = targets.filter(hasLeft);
  if (left.length === 0) return;
  const have = left.length === 1 ? "1 shipment has" : `${left.length} shipments have`;
  const rest = s.shipments.some(isHere) ? "cancel only the other shipments, " : "";
  throw illegalStep(
    `This order is ${order.status}: ${have} left and cannot be canceled any more. ` +
      `Decline a cancel request, ${rest}or refund the order.`,
  );
}

/** Bags of PENDING shipments. Coffee in the roaster cannot be sold again as new. */
function returnedToStock(c: CancelOrder, targets: readonly ShipmentRow[]): StockChange[] {
  const bags = targets.flatMap(({ status, position }) =>
    status === "PENDING" ? (c.bagsByShipment[position] ?? []) : [],
  );
  return mergeBags(bags).map(({ product_id, quantity: on_hand }) => ({ product_id, on_hand }));
}

export const declineCancellation = writeRule<OrderAct & { requestId: string; reason: string }>({
  reads: cancelRequestReads,
  writes(c, s) {
    const order = orderOf(s);
    const request = refuseDecided(s, c.requestId);
    refuseIfOrderChanged(c, s);
    const data = decisionData(request, c.reason);
    return [
      decide(request, "DECLINED", c),
      ...logOrder(order, s.shipments, [{ type: "cancel_request.declined", data }], c),
      audited(c, "cancellations.decline", request.id, {
        order_id: order.id,
        reason: c.reason,
      }),
    ];
  },
});

function refuseDecided(s: State, requestId: string): CancelRequestRow {
  const request = s.cancel_requests.find((row) => row.id === requestId);
  if (!request) throw unknownTo("cancel request");
  if (request.status === "REQUESTED") return request;
  throw illegalStep(`Cancel request ${request.id} is ${request.status}; it was decided once.`);
}

const decide = (
  request: CancelRequestRow,
  status: "ACCEPTED" | "DECLINED",
  c: { now: number; reason: string },
): Write =>
  update("cancel_requests", { id: request.id }, { status, decided_at: c.now, decision: c.reason });

const decisionData = (request: CancelRequestRow, reason: string) => ({
  ...requestData(request),
  decision: reason,
});
