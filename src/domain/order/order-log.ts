import { insert, update, type Write } from "../shared/command.ts";
import { MerchantError, type NextStep } from "../shared/errors.ts";
import type { EventRow, OrderRow, OrderStatus, ShipmentRow } from "../shared/records.ts";
import { appendEvents, type EventType, orderStatus } from "./order.ts";

export interface NewEvent {
  type: EventType;
  data: unknown;
}

/** An entry of an order's log, as what reads the log needs it. */
export type LogEntry = Pick<EventRow, "id" | "type" | "data" | "occurred_at">;

interface EventStamp {
  now: number;
  /** At least as many as can happen in one step. */
  eventIds: readonly string[];
}

/**
 * Brings an order to where its shipments are and writes down what happened, numbered by the order's
 * own counter in the same transaction (contract §5, §6).
 */
export function logOrder(
  order: OrderRow,
  shipments: readonly Pick<ShipmentRow, "status">[],
  happened: readonly NewEvent[],
  { now, eventIds }: EventStamp,
): Write[] {
  const status = orderStatus(shipments);
  const entries = happened.map((entry, i) => ({ ...entry, id: eventIds[i]!, status }));
  const log = appendEvents(order, entries, now);
  return [
    update("orders", { id: order.id }, { status, last_sequence: log.last_sequence }),
    ...log.rows.map((row) => insert("events", row)),
  ];
}

/** What else is true of an order once its shipments have come this far. */
export function eventsReached(before: OrderStatus, after: OrderStatus): NewEvent[] {
  if (after === before) return [];
  if (after === "SHIPPED") return [{ type: "order.shipped", data: {} }];
  if (after === "COMPLETED") return [{ type: "order.completed", data: {} }];
  return [];
}

/** A step that the present state does not allow: what it is now, and what is possible. */
export const illegalStep = (detail: string, ...next: NextStep[]): MerchantError =>
  new MerchantError("ILLEGAL_STEP", detail, { next });

export const unknownTo = (what: string): MerchantError =>
  new MerchantError("NOT_FOUND", `There is no such ${what}.`);
