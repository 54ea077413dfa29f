import {
  audited,
  entryOf,
  isInLog,
  type MerchantAct,
  refuseIfChangedSince,
} from "../core/audit.ts";
import {
  insert,
  lock,
  type Read,
  type State,
  update,
  type Write,
  writeRule,
} from "../core/command.ts";
import { unknownTo } from "../core/errors.ts";
import { prose } from "../core/fields.ts";
import type { OrderId, ShipmentId } from "../core/ids.ts";
import { appendEvents, type EventStamp, type NewEvent } from "../core/order-log.ts";
import type {
  OrderRow,
  OrderStatus,
  RefundRow,
  ShipmentRow,
  ShipmentStatus,
} from "../core/records.ts";
import { orderStatus, trackingOf } from "./standing.ts";

/** An act of the merchant on an order (contract §5, §15). */
export interface OrderAct extends MerchantAct {
  orderId: OrderId;
  /** Fresh ids for the act's events. */
  eventIds: readonly string[];
  /** The version of the order that a page showed (`orderVersion`); undefined without a page. */
  seen?: number | undefined;
}

export interface ShipmentAct extends OrderAct {
  shipmentId: ShipmentId;
}

type OrderCommand = Pick<OrderAct, "orderId" | "seen">;

/** The order and its shipments, and its refunds if a page's version must be compared. */
export const orderReads = ({ orderId, seen }: OrderCommand): Read[] => [
  lock("orders", { id: orderId }),
  lock("shipments", { order_id: orderId }),
  ...(seen === undefined ? [] : [lock("refunds", { order_id: orderId })]),
];

/**
 * Grows with every event of an order, and with every refund of its payment that is recorded, which has no
 * event. Forms send it back as `seen`.
 */
export function orderVersion(order: OrderRow, refunds: readonly RefundRow[]): number {
  const own = refunds.filter(
    (row) => row.order_id === order.id && row.payment_ref === order.payment_ref,
  );
  return order.last_sequence + own.length;
}

export function refuseIfOrderChanged({ seen }: Pick<OrderAct, "seen">, s: State): void {
  refuseIfChangedSince(seen, orderVersion(orderOf(s), s.refunds), "This order");
}

export const cancelRequestReads = (c: OrderCommand): Read[] => [
  ...orderReads(c),
  lock("cancel_requests", { order_id: c.orderId }),
];

export function orderOf({ orders: [order] }: Pick<State, "orders">): OrderRow {
  if (!order) throw unknownTo("order");
  return order;
}

export function shipmentOf(
  { shipmentId }: { shipmentId: ShipmentId },
  s: Pick<State, "orders" | "shipments">,
): { order: OrderRow; shipment: ShipmentRow } {
  const order = s.orders[0];
  const shipment = s.shipments.find((row) => row.id === shipmentId);
  if (!order || !shipment) throw unknownTo("shipment");
  return { order, shipment };
}

/**
 * The merchant's steps of a shipment (contract §5, §15): the name of each in the audit log and on the
 * command line, and the statuses from which it is possible. Steps go forward, except that a returned
 * shipment can ship again. Steps of the carrier can be skipped; roasting cannot.
 */
export const SHIPMENT_STEPS = {
  SHIPPED: { act: "ship", from: ["ROASTING", "RETURNED"] },
  IN_TRANSIT: { act: "transit", from: ["SHIPPED", "FAILED"] },
  OUT_FOR_DELIVERY: { act: "out-for-delivery", from: ["SHIPPED", "IN_TRANSIT"] },
  DELIVERED: { act: "deliver", from: ["SHIPPED", "IN_TRANSIT", "OUT_FOR_DELIVERY", "FAILED"] },
  FAILED: { act: "fail", from: ["SHIPPED", "IN_TRANSIT", "OUT_FOR_DELIVERY"] },
  RETURNED: { act: "return", from: ["SHIPPED", "IN_TRANSIT", "OUT_FOR_DELIVERY", "FAILED"] },
} as const satisfies Partial<
  Record<ShipmentStatus, { act: string; from: readonly ShipmentStatus[] }>
>;

export type ShipmentStep = keyof typeof SHIPMENT_STEPS;

const STEPS = Object.keys(SHIPMENT_STEPS) as ShipmentStep[];

export const nextShipmentSteps = (status: ShipmentStatus): readonly ShipmentStep[] =>
  STEPS.filter((to) => SHIPMENT_STEPS[to].from.some((from) => from === status));

/** Reasons to check an order before working on it. */
const DOUBTS = ["DISPUTED", "REFUNDED", "CANCEL_REQUESTED"] as const;
type Doubt = (typeof DOUBTS)[number];

export const doubtsAbout = (payment: string, request: string | undefined): Doubt[] =>
  DOUBTS.filter((one) => (one === "CANCEL_REQUESTED" ? request === "REQUESTED" : one === payment));

/** Event data of a step, made or undone. */
export const updated = (row: ShipmentRow, previous: ShipmentStatus) => ({
  shipment_id: row.id,
  status: row.status,
  previous_status: previous,
  tracking: trackingOf(row),
});

/** Sets the order's status from its shipments and appends the events (contract §5). */
export function logOrder(
  order: OrderRow,
  shipments: readonly Pick<ShipmentRow, "status">[],
  happened: readonly NewEvent[],
  stamp: EventStamp,
): Write[] {
  const status = orderStatus(shipments);
  const { writes, last_sequence } = appendEvents({ ...order, status }, happened, stamp);
  return [update("orders", { id: order.id }, { status, last_sequence }), ...writes];
}

/** Events of the order's new status. */
export function eventsReached(before: OrderStatus, after: OrderStatus): NewEvent[] {
  if (after === before) return [];
  if (after === "SHIPPED") return [{ type: "order.shipped", data: {} }];
  if (after === "COMPLETED") return [{ type: "order.completed", data: {} }];
  return [];
}

export const OrderNote = prose("The note", 1000).describe("The note.");

export const addNote = writeRule<MerchantAct & { id: string; orderId: OrderId; text: string }>({
  reads: (c) => [lock("orders", { id: c.orderId }), entryOf(c)],
  writes(c, s) {
    if (isInLog(s)) return [];
    if (!s.orders[0]) throw unknownTo("order");
    return [noteOf(c, c.orderId, c), audited(c, "orders.note", c.orderId)];
  },
});

/** A note that belongs to an act on its order. */
export const noteOf = (
  { now: created_at, by }: MerchantAct,
  order_id: OrderId,
  { id, text }: { id: string; text: string },
): Write => insert("order_notes", { id, order_id, text, written_by: by.actor, created_at });
