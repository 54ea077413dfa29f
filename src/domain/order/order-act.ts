import type { MerchantAct } from "../shared/audit.ts";
import { lock, type Read, type State } from "../shared/command.ts";
import { illegalStep, unknownTo } from "../shared/errors.ts";
import type { OrderRow, ShipmentRow, ShipmentStatus } from "../shared/records.ts";

/** What the merchant does to an order (contract §5, §15). */
export interface OrderAct extends MerchantAct {
  orderId: string;
  /** Fresh ones, as many as an act has events at most. */
  eventIds: readonly string[];
}

export interface ShipmentAct extends OrderAct {
  shipmentId: string;
}

/** The order with its shipments: its row stands for the log. */
export const orderReads = ({ orderId }: { orderId: string }): Read[] => [
  lock("orders", { id: orderId }),
  lock("shipments", { order_id: orderId }),
];

export const cancelRequestReads = (c: { orderId: string }): Read[] => [
  ...orderReads(c),
  lock("cancel_requests", { order_id: c.orderId }),
];

export function orderOf({ orders: [order] }: Pick<State, "orders">): OrderRow {
  if (!order) throw unknownTo("order");
  return order;
}

export function shipmentOf(
  { shipmentId }: { shipmentId: string },
  s: Pick<State, "orders" | "shipments">,
): { order: OrderRow; shipment: ShipmentRow } {
  const order = s.orders[0];
  const shipment = s.shipments.find((row) => row.id === shipmentId);
  if (!order || !shipment) throw unknownTo("shipment");
  return { order, shipment };
}

/** What the merchant looked at has become another since; `seen` is undefined where no page showed it. */
export function refuseUnseen({ id, status }: ShipmentRow, seen: ShipmentStatus | undefined): void {
  if (seen === undefined || seen === status) return;
  throw illegalStep(`Shipment ${id} was ${seen} when you looked and is ${status} now. Look again.`);
}
