import { type AuditAuthor, audited } from "../shared/audit.ts";
import { mergeBags } from "../shared/bags.ts";
import { lock, type Rule, type State, update, type Write } from "../shared/command.ts";
import type { CancelRequestRow, OrderRow } from "../shared/records.ts";
import { offerFreeStock, queueReads, type StockChange } from "../waitlist/offer-free-stock.ts";
import { illegalStep, logOrder, type NewEvent, unknownTo } from "./order-log.ts";
import { hasLeft } from "./order-steps.ts";

export interface CancelOrder {
  now: number;
  orderId: string;
  /** The request that is accepted; null where the merchant cancels unasked. */
  requestId: string | null;
  reason: string;
  /** Bags per shipment, by the shipment's position. */
  bagsByShipment: readonly (readonly { product_id: string; quantity: number }[])[];
  /** Entries at the heads of the queues for these bags. */
  heads: readonly string[];
  eventIds: readonly string[];
  by: AuditAuthor;
}

/**
 * The merchant cancels, asked or unasked, while nothing has left. Bags not yet roasted go back on the
 * stock and on to those who wait. Money is another step: refunds go through the provider.
 */
export const cancelOrder: Rule<CancelOrder, null> = {
  reads: (c) => [
    lock("orders", { id: c.orderId }),
    lock("shipments", { order_id: c.orderId }),
    lock("cancel_requests", { order_id: c.orderId }),
    ...queueReads(beansOf(c), c.heads),
  ],
  decide(c, s) {
    const order = s.orders[0];
    if (!order) throw unknownTo("order");
    const open = s.cancel_requests.find((row) => row.status === "REQUESTED");
    if (c.requestId !== null) refuseDecided(s, c.requestId);
    refuseCancel(order, s);
    const happened: NewEvent[] = [
      ...(open
        ? [{ type: "cancel_request.accepted", data: decided(open, c.reason) } as const]
        : []),
      { type: "order.canceled", data: { reason: c.reason } },
    ];
    const canceled = s.shipments.map((row) => ({ ...row, status: "CANCELED" as const }));
    return {
      reply: null,
      writes: [
        ...s.shipments.map(({ id }) => update("shipments", { id }, { status: "CANCELED" })),
        ...(open ? [decide(open, "ACCEPTED", c)] : []),
        ...offerFreeStock(returnedToStock(c, s), s, c),
        ...logOrder(order, canceled, happened, c),
        auditCancel(c, open),
      ],
    };
  },
};

const beansOf = (c: CancelOrder): string[] =>
  [...new Set(c.bagsByShipment.flat().map((bag) => bag.product_id))].sort();

const auditCancel = (c: CancelOrder, open: CancelRequestRow | undefined): Write =>
  c.requestId === null
    ? audited(c.by, "orders.cancel", c.orderId, c.now, {
        reason: c.reason,
        ...(open && { cancel_request_id: open.id }),
      })
    : audited(c.by, "cancellations.accept", c.requestId, c.now, { order_id: c.orderId });

function refuseCancel(order: OrderRow, s: State): void {
  if (order.status === "CANCELED") throw illegalStep("This order is CANCELED already.");
  const left = hasLeft(s);
  if (left.length === 0) return;
  throw illegalStep(
    `This order is ${order.status}: ${left.length} of its ${s.shipments.length} shipments have left, ` +
      "so it cannot be canceled any more. A cancel request can be declined; money can be refunded.",
  );
}

/**
 * Of shipments that are still PENDING: what is in the roaster already cannot be sold again as new.
 */
function returnedToStock(c: CancelOrder, s: State): StockChange[] {
  const bags = s.shipments.flatMap(({ status, position }) =>
    status === "PENDING" ? (c.bagsByShipment[position] ?? []) : [],
  );
  return mergeBags(bags).map(({ product_id, quantity }) => ({
    product_id,
    on_hand: quantity,
    held: 0,
  }));
}

export interface DeclineCancellation {
  now: number;
  orderId: string;
  requestId: string;
  reason: string;
  eventIds: readonly string[];
  by: AuditAuthor;
}

export const declineCancellation: Rule<DeclineCancellation, null> = {
  reads: (c) => [
    lock("orders", { id: c.orderId }),
    lock("shipments", { order_id: c.orderId }),
    lock("cancel_requests", { order_id: c.orderId }),
  ],
  decide(c, s) {
    const order = s.orders[0];
    const request = refuseDecided(s, c.requestId);
    if (!order) throw unknownTo("order");
    const data = decided(request, c.reason);
    return {
      reply: null,
      writes: [
        decide(request, "DECLINED", c),
        ...logOrder(order, s.shipments, [{ type: "cancel_request.declined", data }], c),
        audited(c.by, "cancellations.decline", request.id, c.now, {
          order_id: order.id,
          reason: c.reason,
        }),
      ],
    };
  },
};

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

const decided = (request: CancelRequestRow, reason: string) => ({
  cancel_request_id: request.id,
  reason_code: request.reason_code,
  decision: reason,
});
