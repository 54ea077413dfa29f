import { correctionLetter, lettersOfStepUndone } from "../mail/outbox.ts";
import { ERASED } from "../privacy/erase.ts";
import type { OutAddress } from "../quote/quote-answer.ts";
import type { Address } from "../shared/address.ts";
import { audited } from "../shared/audit.ts";
import { markOf } from "../shared/canonical-json.ts";
import { lock, type State, update, writeRule } from "../shared/command.ts";
import { illegalStep } from "../shared/errors.ts";
import { MINUTE_MS, TIMES } from "../shared/policy.ts";
import type { OrderRow, ShipmentRow, ShipmentStatus } from "../shared/records.ts";
import { currentAddress, inOrder, isHere, trackingOf } from "./order.ts";
import { type LogEntry, logOrder, type NewEvent } from "./order-log.ts";
import { orderReads, refuseUnseen, type ShipmentAct, shipmentOf, updated } from "./order-steps.ts";
import { type NumberUse, refuseTaken, type Tracking, trackingColumns } from "./tracking.ts";

/** Forms that set something right are filled in with what stood there: an old one would put that back. */
function refuseOld(what: string, seen: string | undefined, now: object): void {
  if (seen === undefined || seen === markOf(now)) return;
  throw illegalStep(
    `${what} has been changed since you looked. See what it is now before you change it.`,
  );
}

export interface CorrectTracking extends ShipmentAct {
  tracking: Tracking;
  use: NumberUse | null;
  /** The mark of what stood there; undefined where no page showed it. */
  seen?: string | undefined;
}

/** A slip in the carrier or the number of a shipment that has left (contract §5, §15). */
export const correctTracking = writeRule<CorrectTracking>({
  reads: (c) => [...orderReads(c), lock("outbox", { order_id: c.orderId })],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    const before = trackingOf(shipment);
    if (before === null || shipment.status === "CANCELED") {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}: it has no tracking number to correct.`,
      );
    }
    refuseOld("The tracking number", c.seen, before);
    const set = trackingColumns(c.tracking);
    const after = trackingOf({ ...shipment, ...set });
    if (JSON.stringify(after) === JSON.stringify(before)) {
      throw illegalStep(`Shipment ${shipment.id} has exactly this carrier and number already.`);
    }
    refuseTaken(c.use, c.now);
    const data = {
      shipment_id: shipment.id,
      status: shipment.status,
      tracking: after,
      previous_tracking: before,
    };
    const fresh = { id: c.eventIds[0]!, now: c.now };
    return [
      update("shipments", { id: shipment.id }, set),
      ...logOrder(order, s.shipments, [{ type: "shipment.tracking_corrected", data }], c),
      ...correctionLetter(s.outbox, { order_id: order.id, shipment_id: shipment.id }, fresh),
      audited(c, "shipments.correct", shipment.id, {
        order_id: order.id,
        ...c.tracking,
        before: `${before.carrier} ${before.number}`,
      }),
    ];
  },
});

export interface ChangeAddress extends ShipmentAct {
  address: Address;
  /** As it was approved: a shipment keeps only another one. */
  approved: { address: OutAddress };
  seen?: string | undefined;
}

/**
 * Another address, until the shipment has left. The price stays, and so does what was approved, which
 * the quote's terms keep. Log and audit say that it was changed and never to what: they are for good.
 */
export const changeAddress = writeRule<ChangeAddress>({
  reads: orderReads,
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    if (!isHere(shipment)) {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}: its address can be changed until it is shipped.`,
      );
    }
    refuseOld("The address", c.seen, currentAddress(shipment, c.approved));
    const data = { shipment_id: shipment.id, status: shipment.status };
    return [
      update("shipments", { id: shipment.id }, { address: JSON.stringify(c.address) }),
      ...logOrder(order, s.shipments, [{ type: "shipment.address_changed", data }], c),
      audited(c, "shipments.address", shipment.id, { order_id: order.id }),
    ];
  },
});

/**
 * A step that stands: made, and not taken back. One that was a slip is taken back for ten minutes
 * (contract §5, §15). The log tells which one: it only grows, so a step that was taken back stands in it
 * with the entry that says so.
 */
export interface StandingStep {
  eventId: string;
  from: ShipmentStatus;
  to: ShipmentStatus;
  /** Milliseconds since the epoch. */
  at: number;
  /** Roasting takes all that was put into the roaster at once. */
  shipmentIds: readonly string[];
}

/** The newest standing step of a shipment, out of its order's log; undefined where there is none. */
export function standingStep(log: readonly LogEntry[], shipmentId: string) {
  const standing: StandingStep[] = [];
  for (const entry of log) {
    const shipmentIds = about(entry);
    if (!shipmentIds.includes(shipmentId)) continue;
    if (entry.type === "order.roasting_undone" || entry.type === "shipment.step_undone") {
      standing.pop();
      continue;
    }
    const { status = "ROASTING", previous_status = "PENDING" } = JSON.parse(entry.data) as Partial<
      Record<"status" | "previous_status", ShipmentStatus>
    >;
    const { id: eventId, occurred_at: at } = entry;
    standing.push({ eventId, from: previous_status, to: status, at, shipmentIds });
  }
  return standing.at(-1);
}

/** The shipments whose step an entry tells; none where it tells something else. */
function about({ type, data }: LogEntry): string[] {
  if (type === "shipment.updated" || type === "shipment.step_undone") {
    return [(JSON.parse(data) as { shipment_id: string }).shipment_id];
  }
  if (type !== "order.roasting" && type !== "order.roasting_undone") return [];
  const { shipments } = JSON.parse(data) as { shipments: { shipment_id: string }[] };
  return shipments.map(({ shipment_id }) => shipment_id);
}

/** What can be taken back of a shipment now, and until when; null where nothing can. */
export function undoable(
  { order, shipment }: { order: Pick<OrderRow, "buyer_email">; shipment: ShipmentRow },
  log: readonly LogEntry[],
  now: number,
): (StandingStep & { until: number }) | null {
  const step = standingStep(log, shipment.id);
  // What was canceled is on sale again or refunded by now.
  if (step?.to !== shipment.status || step.to === "CANCELED") return null;
  // Who was erased has nothing under way any more, and is to stay so.
  if (order.buyer_email === ERASED) return null;
  const until = step.at + TIMES.undo_ms;
  return until > now ? { ...step, until } : null;
}

export interface UndoStep extends ShipmentAct {
  /** What the merchant saw it be; undefined where no page showed it. */
  seen?: ShipmentStatus | undefined;
}

/** The shipment, or all that were put into the roaster with it, is again what it was before. */
export const undoStep = writeRule<UndoStep>({
  reads: (c) => [
    ...orderReads(c),
    lock("events", { order_id: c.orderId }),
    lock("outbox", { order_id: c.orderId }),
  ],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    const step = refuseUndo(order, shipment, s, c);
    const back = inOrder(s.shipments)
      .filter((row) => row.status === step.to && step.shipmentIds.includes(row.id))
      .map((row) => ({ before: row, after: { ...row, ...withoutStep(step) } }));
    const after = s.shipments.map((row) => back.find(({ before }) => before === row)?.after ?? row);
    return [
      ...back.map(({ before }) => update("shipments", { id: before.id }, withoutStep(step))),
      ...logOrder(order, after, [undone(step, back)], c),
      ...lettersOfStepUndone(s.outbox, step.eventId, { id: c.eventIds[0]!, now: c.now }),
      audited(c, "shipments.undo", shipment.id, {
        order_id: order.id,
        was: step.to,
        is: step.from,
      }),
    ];
  },
});

function refuseUndo(order: OrderRow, shipment: ShipmentRow, s: State, c: UndoStep): StandingStep {
  refuseUnseen(shipment, c.seen);
  const log = s.events.toSorted((a, b) => a.sequence - b.sequence);
  const step = undoable({ order, shipment }, log, c.now);
  if (step) return step;
  const minutes = TIMES.undo_ms / MINUTE_MS;
  throw illegalStep(
    `Shipment ${shipment.id} is ${shipment.status}: ` +
      `there is no step of the last ${minutes} minutes to take back.`,
  );
}

const withoutStep = ({ from, to }: StandingStep): Partial<ShipmentRow> => ({
  status: from,
  ...(to === "SHIPPED" && {
    shipped_at: null,
    carrier: null,
    tracking_number: null,
    tracking_key: null,
    tracking_url: null,
  }),
  ...(to === "DELIVERED" && { delivered_at: null }),
});

function undone(
  step: StandingStep,
  back: readonly { before: ShipmentRow; after: ShipmentRow }[],
): NewEvent {
  if (step.to !== "ROASTING") {
    const { before, after } = back[0]!;
    return { type: "shipment.step_undone", data: updated(after, before.status) };
  }
  const shipments = back.map(({ after }) => ({ shipment_id: after.id, status: after.status }));
  return { type: "order.roasting_undone", data: { shipments } };
}
