import { insert, type Write } from "./command.ts";
import type { ShipmentId } from "./ids.ts";
import type { EventRow, OrderRow } from "./records.ts";

export type EventType =
  | "order.confirmed"
  | "payment.verified"
  | "payment.disputed"
  | "payment.dispute_closed"
  | "payment.refunded"
  | "payment.refund_failed"
  | "order.roasting"
  | "order.roasting_undone"
  | "shipment.updated"
  | "shipment.step_undone"
  | "shipment.tracking_corrected"
  | "shipment.address_changed"
  | "order.shipped"
  | "order.completed"
  | "cancel_request.received"
  | "cancel_request.accepted"
  | "cancel_request.declined"
  | "cancel_request.withdrawn"
  | "order.canceled";

export interface NewEvent {
  type: EventType;
  data: unknown;
}

/** The columns of an event that readers of the log use. */
export type LogEntry = Pick<EventRow, "id" | "type" | "data" | "occurred_at">;

/** Data of a cancellation event; names its shipments if it is partial. */
interface CanceledData {
  reason?: string;
  decision?: string;
  shipment_id?: ShipmentId;
  shipment_ids?: ShipmentId[];
}

/** Cancellation events. In one act an accepted request comes first, then the order or its shipments. */
export function cancellationsIn<E extends Pick<LogEntry, "type" | "data">>(
  entries: readonly E[],
): { entry: E; data: CanceledData }[] {
  return entries.flatMap((entry) => {
    if (!CANCELING.has(entry.type)) return [];
    const data = JSON.parse(entry.data) as CanceledData & { status?: string };
    return entry.type === "shipment.updated" && data.status !== "CANCELED" ? [] : [{ entry, data }];
  });
}

const CANCELING: ReadonlySet<string> = new Set<EventType>([
  "cancel_request.accepted",
  "shipment.updated",
  "order.canceled",
]);

/** Sorts by sequence: a database returns rows in any order. */
export const inSequence = (rows: readonly EventRow[]): EventRow[] =>
  rows.toSorted((a, b) => a.sequence - b.sequence);

export interface EventStamp {
  now: number;
  /** Fresh ids, at least one per event. */
  eventIds: readonly string[];
}

/**
 * Writes the next events of an order. They are numbered in the order's transaction by its own counter, so
 * that a reader of `after` never meets a gap that fills later (contract §6).
 */
export function appendEvents(
  order: Pick<OrderRow, "id" | "status" | "last_sequence">,
  happened: readonly NewEvent[],
  { now, eventIds }: EventStamp,
): { writes: Write[]; last_sequence: number } {
  const writes = happened.map(({ type, data }, i) =>
    insert("events", {
      order_id: order.id,
      sequence: order.last_sequence + 1 + i,
      id: eventIds[i]!,
      type,
      occurred_at: now,
      order_status: order.status,
      data: JSON.stringify(data),
    }),
  );
  return { writes, last_sequence: order.last_sequence + writes.length };
}
