import { shipmentTasks, tasksOfStepUndone } from "../desk/tasks.ts";
import { lettersOfStepUndone } from "../mail/outbox.ts";
import { ERASED } from "../privacy/erase.ts";
import { audited } from "../shared/audit.ts";
import { lock, update, writeRule } from "../shared/command.ts";
import { illegalStep } from "../shared/errors.ts";
import { MINUTE_MS, TIMES } from "../shared/policy.ts";
import type { OrderRow, ShipmentRow, ShipmentStatus } from "../shared/records.ts";
import { inOrder } from "./order.ts";
import type { Shipment } from "./order-answer.ts";
import { type LogEntry, logOrder, type NewEvent } from "./order-log.ts";
import { orderReads, refuseUnseen, type ShipmentAct, shipmentOf, updated } from "./order-steps.ts";
import { trackingColumns } from "./tracking.ts";

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

/** The standing steps of a shipment, out of its order's log, oldest first. */
export function standingSteps(log: readonly LogEntry[], shipmentId: string): StandingStep[] {
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
  return standing;
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
  const step = standingSteps(log, shipment.id).at(-1);
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
    shipmentTasks(c.shipmentId),
  ],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    const log = s.events.toSorted((a, b) => a.sequence - b.sequence);
    const step = refuseUndo({ order, shipment }, log, c);
    const set = withoutStep(step, log, shipment.id);
    const back = inOrder(s.shipments)
      .filter((row) => row.status === step.to && step.shipmentIds.includes(row.id))
      .map((row) => ({ before: row, after: { ...row, ...set } }));
    const after = s.shipments.map((row) => back.find(({ before }) => before === row)?.after ?? row);
    return [
      ...back.map(({ before }) => update("shipments", { id: before.id }, set)),
      ...logOrder(order, after, [undone(step, back)], c),
      ...lettersOfStepUndone(s.outbox, step.eventId, { id: c.eventIds[0]!, now: c.now }),
      ...tasksOfStepUndone(s, step, c),
      audited(c, "shipments.undo", shipment.id, {
        order_id: order.id,
        was: step.to,
        is: step.from,
      }),
    ];
  },
});

function refuseUndo(
  of: { order: OrderRow; shipment: ShipmentRow },
  log: readonly LogEntry[],
  c: UndoStep,
): StandingStep {
  const { shipment } = of;
  refuseUnseen(shipment, c.seen);
  const step = undoable(of, log, c.now);
  if (step) return step;
  const minutes = TIMES.undo_ms / MINUTE_MS;
  throw illegalStep(
    `Shipment ${shipment.id} is ${shipment.status}: ` +
      `there is no step of the last ${minutes} minutes to take back.`,
  );
}

const withoutStep = (
  step: StandingStep,
  log: readonly LogEntry[],
  shipmentId: string,
): Partial<ShipmentRow> => ({
  status: step.from,
  ...(step.to === "SHIPPED" && { ...NOT_SENT, ...sentBefore(step, log, shipmentId) }),
  ...(step.to === "DELIVERED" && { delivered_at: null }),
});

const NOT_SENT = {
  shipped_at: null,
  carrier: null,
  tracking_number: null,
  tracking_key: null,
  tracking_url: null,
};

/** When and with what label it had left that came back and was then sent again by mistake. */
function sentBefore(
  { from, eventId }: StandingStep,
  log: readonly LogEntry[],
  shipmentId: string,
): Partial<ShipmentRow> | null {
  if (from !== "RETURNED") return null;
  const earlier = log.slice(
    0,
    log.findIndex(({ id }) => id === eventId),
  );
  const labels = earlier.flatMap(({ data }) => {
    const told = JSON.parse(data) as { shipment_id?: string; tracking?: Shipment["tracking"] };
    return told.shipment_id === shipmentId && told.tracking ? [told.tracking] : [];
  });
  const label = labels.at(-1);
  const left = standingSteps(earlier, shipmentId).findLast(({ to }) => to === "SHIPPED");
  return {
    shipped_at: left?.at ?? null,
    ...(label && trackingColumns({ ...label, url: label.url ?? undefined })),
  };
}

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
