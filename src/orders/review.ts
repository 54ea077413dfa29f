import { addressKey } from "../core/address.ts";
import type { RefundId, ShipmentId } from "../core/ids.ts";
import { sum } from "../core/money.ts";
import { cancellationsIn, type EventType, type LogEntry } from "../core/order-log.ts";
import type { Asker, ShipmentRow, ShipmentStatus } from "../core/records.ts";
import { isOrders, type Payment } from "../payments/payment-answer.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { merchantWords } from "./cancel-order.ts";
import { currentAddress, type OrderParts, type OrderStanding } from "./standing.ts";

/** An order with its payment and history. Amounts of the timeline sum to what the buyer paid in the end. */
export type ReviewedOrder = OrderParts &
  ReturnType<typeof fromLog> & {
    payment: Payment;
    standing: OrderStanding;
    timeline: TimelineEntry[];
  };

/** The merchant's correction of an earlier statement about a shipment. */
export interface Correction {
  shipmentId: ShipmentId;
  kind: "STEP_UNDONE" | "TRACKING_CORRECTED" | "ADDRESS_CHANGED";
  /** Status that an undone step had claimed. */
  was: ShipmentStatus | null;
  at: number;
}

const CORRECTIONS: Partial<Record<string, Correction["kind"]>> = {
  "shipment.step_undone": "STEP_UNDONE",
  "shipment.tracking_corrected": "TRACKING_CORRECTED",
  "shipment.address_changed": "ADDRESS_CHANGED",
} satisfies Partial<Record<EventType, Correction["kind"]>>;

/** Corrections that still hold, oldest first. */
function corrections(events: readonly LogEntry[]): Correction[] {
  let holding: Correction[] = [];
  for (const event of events) {
    const { type, occurred_at: at } = event;
    const { shipment_id: shipmentId, status, previous_status: was = null } = dataOf(event);
    if (!shipmentId) continue;
    const kind = CORRECTIONS[type];
    // The step that was undone has happened now, or another correction replaces this one.
    const isOver = (one: Correction) =>
      one.kind === "STEP_UNDONE"
        ? type === "shipment.updated" && one.was === status
        : one.kind === kind || (one.kind === "TRACKING_CORRECTED" && isShipping(event));
    holding = holding.filter((one) => one.shipmentId !== shipmentId || !isOver(one));
    if (kind) holding.push({ shipmentId, kind, was: kind === "STEP_UNDONE" ? was : null, at });
  }
  return holding;
}

/** Whether the shipment gets or loses its tracking number with this event. */
function isShipping(event: LogEntry): boolean {
  const { status, previous_status: was } = dataOf(event);
  return event.type === "shipment.updated" ? status === "SHIPPED" : was === "SHIPPED";
}

type TimelineKind =
  | Exclude<ShipmentStatus, "PENDING" | "IN_TRANSIT">
  | "PAID"
  | "CANCELED_IN_PART"
  | "CANCEL_RECEIVED"
  | "CANCEL_DECLINED"
  | "CANCEL_WITHDRAWN"
  | "REFUNDED"
  | "REFUND_FAILED"
  | "DISPUTE_LOST";

export interface TimelineEntry {
  kind: TimelineKind;
  at: number;
  /** The shipment, if it is not about the whole order. */
  shipmentId: ShipmentId | null;
  /** Paid by the buyer; negative if it went back. */
  amountMinor: number | null;
  /** Time when the buyer's letter was sent. */
  emailedAt: number | null;
}

const IN_TIMELINE: Partial<Record<string, TimelineKind>> = {
  "order.roasting": "ROASTING",
  "cancel_request.received": "CANCEL_RECEIVED",
  "cancel_request.declined": "CANCEL_DECLINED",
  "cancel_request.withdrawn": "CANCEL_WITHDRAWN",
  "payment.refund_failed": "REFUND_FAILED",
  "order.canceled": "CANCELED",
} satisfies Partial<Record<EventType, TimelineKind>>;

interface Logged {
  shipment_id?: ShipmentId;
  shipment_ids?: ShipmentId[];
  refund_id?: RefundId;
  status?: ShipmentStatus;
  previous_status?: ShipmentStatus;
  amount_minor?: number;
}

/** Id of the buyer's letter about an event. */
const letterId = (kind: TimelineKind, eventId: string) =>
  `${kind === "PAID" ? "RECEIPT" : kind}_${eventId}`;

const MORE_LETTERS: Partial<Record<string, TimelineKind>> = {
  "payment.refunded": "REFUNDED",
  "cancel_request.accepted": "CANCELED_IN_PART",
};

/** Letters that entries of this log may have caused. */
export const lettersIn = (events: readonly LogEntry[]): string[] =>
  events.flatMap((event) => {
    const kind = MORE_LETTERS[event.type] ?? kindIn(event, dataOf(event));
    return kind ? [letterId(kind, event.id)] : [];
  });

const dataOf = ({ data }: LogEntry): Logged => JSON.parse(data);

function kindIn({ type }: LogEntry, { status }: Logged): TimelineKind | undefined {
  if (type === "order.confirmed") return "PAID";
  if (type !== "shipment.updated") return IN_TIMELINE[type];
  if (status === "CANCELED") return "CANCELED_IN_PART";
  return status === "PENDING" || status === "IN_TRANSIT" ? undefined : status;
}

/** Builds the timeline: money from the payment and its refunds, the rest from the log, without undone steps. */
export function timelineOf(
  { order, refunds }: Pick<OrderParts, "order" | "refunds">,
  { dispute }: Pick<Payment, "dispute">,
  events: readonly LogEntry[],
  letters: readonly { id: string; sent_at: number | null }[],
): TimelineEntry[] {
  const entry = (kind: TimelineKind, at: number, event?: LogEntry): TimelineEntry => {
    const letter = event && letters.find(({ id }) => id === letterId(kind, event.id));
    const emailedAt = letter?.sent_at ?? null;
    return { kind, at, shipmentId: null, amountMinor: null, emailedAt };
  };
  const canceled = cancellationsIn(events);
  const confirmed = events.find(({ type }) => type === "order.confirmed");
  const paid = entry("PAID", order.created_at, confirmed);
  const entries: TimelineEntry[] = [{ ...paid, amountMinor: order.amount_minor }];
  for (const event of events) {
    const data = dataOf(event);
    const { shipment_id: shipmentId = null, previous_status: was } = data;
    const undone =
      event.type === "order.roasting_undone"
        ? entries.findLastIndex(({ kind }) => kind === "ROASTING")
        : event.type === "shipment.step_undone"
          ? entries.findLastIndex((one) => one.kind === was && one.shipmentId === shipmentId)
          : -1;
    if (undone >= 0) entries.splice(undone, 1);
    const kind = kindIn(event, data);
    if (kind && kind !== "PAID")
      entries.push({ ...entry(kind, event.occurred_at, event), shipmentId });
    // A cancellation of the whole order, or one that the merchant began, has events of its own.
    const isAlone = () =>
      canceled.every(({ entry }) => entry === event || !isSameAct(entry, event));
    if (event.type === "cancel_request.accepted" && isAlone()) {
      const inPart = entry("CANCELED_IN_PART", event.occurred_at, event);
      entries.push(...(data.shipment_ids ?? []).map((id) => ({ ...inPart, shipmentId: id })));
    }
  }
  for (const row of refunds) {
    const { id, status, amount_minor, done_at, created_at } = row;
    if (status !== "DONE" || !isOrders(row, order)) continue;
    const event = events.find(
      (one) => one.type === "payment.refunded" && dataOf(one).refund_id === id,
    );
    const refunded = entry("REFUNDED", done_at ?? created_at, event);
    entries.push({ ...refunded, amountMinor: -amount_minor });
  }
  if (dispute?.status === "LOST") {
    const lost = entry("DISPUTE_LOST", Date.parse(dispute.at));
    entries.push({ ...lost, amountMinor: -dispute.amount_minor });
  }
  return entries.sort((a, b) => a.at - b.at);
}

/** Whether two events of an order were written by one act. */
const isSameAct = (one: LogEntry, other: LogEntry): boolean =>
  one.occurred_at === other.occurred_at;

export function fromLog(events: readonly LogEntry[]) {
  const canceled = cancellationsIn(events);
  const { entry, data } = canceled.at(-1) ?? {};
  const reason = data?.reason ?? data?.decision;
  const withdrawn = events.findLast(({ type }) => type === "cancel_request.withdrawn");
  const { withdrawn_by: withdrawnBy = null } = JSON.parse(withdrawn?.data ?? "{}") as {
    withdrawn_by?: Asker;
  };
  const byBuyer = canceled.some(
    ({ entry: one }) => one.type === "cancel_request.accepted" && entry && isSameAct(one, entry),
  );
  return {
    /** The merchant's corrections that still hold, oldest first. */
    corrections: corrections(events),
    /** Author of the last withdrawal. Earlier versions did not record it. */
    withdrawnBy,
    /** The last cancellation, of all or a part. `reason`: the merchant's own words, if any. */
    canceled: data ? { byBuyer, reason: merchantWords(reason) } : null,
  };
}

/** Shipments grouped by address, since shipping is charged once per address (contract §2). */
export function destinations(terms: Terms, rows: readonly ShipmentRow[]) {
  const shipments = terms.shipments.map((approved, position) => {
    const row = rows.find((row) => row.position === position);
    const shipment = row ? { ...approved, address: currentAddress(row, approved) } : approved;
    return { approved, shipment, row };
  });
  // Shipping was charged by the approved addresses, even if a shipment's address changed later.
  const groups = Map.groupBy(shipments, ({ approved }) => addressKey(approved.address));
  return [...groups.values()].map((group) => ({
    subtotalMinor: sum(group.map(({ shipment }) => shipment.subtotal_minor)),
    shippingMinor: sum(group.map(({ shipment }) => shipment.shipping_minor)),
    shipments: group,
  }));
}
