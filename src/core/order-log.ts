import { insert, type Write } from "./command.ts";
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

/** An entry of an order's log, as what reads the log needs it. */
export type LogEntry = Pick<EventRow, "id" | "type" | "data" | "occurred_at">;

/** Data of an entry about canceling; for a part, with its shipments. */
interface CanceledData {
  reason?: string;
  decision?: string;
  shipment_id?: string;
  shipment_ids?: string[];
}

/**
 * Entries about canceling. In one act an accepted request comes first; after it
 * the order, or each shipment, as far as these are told beside it.
 */
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

/** Sorted by sequence: a database returns rows in any order. */
export const inSequence = (rows: readonly EventRow[]): EventRow[] =>
  rows.toSorted((a, b) => a.sequence - b.sequence);

export interface EventStamp {
  now: number;
  /** At least as many as can happen in one step. */
  eventIds: readonly string[];
}

/**
 * The next entries of an order's log. Numbered inside the order's transaction, from its own counter:
 * a reader of `after` must never meet a gap that fills later (contract §6).
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
