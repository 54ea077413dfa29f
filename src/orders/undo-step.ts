import { audited } from "../core/audit.ts";
import { lock, update, writeRule } from "../core/command.ts";
import { shipmentTasks, tasksOfStepUndone } from "../core/desk-tasks.ts";
import { illegalStep } from "../core/errors.ts";
import { inSequence, type LogEntry, type NewEvent } from "../core/order-log.ts";
import { stopLettersOf } from "../core/outbox.ts";
import { MINUTE_MS, TIMES } from "../core/policy.ts";
import { ERASED, type OrderRow, type ShipmentRow } from "../core/records.ts";
import {
  logOrder,
  orderReads,
  refuseIfOrderChanged,
  type ShipmentAct,
  shipmentOf,
  updated,
} from "./order-steps.ts";
import { leftBefore, type StandingStep, standingSteps } from "./shipment-steps.ts";
import { inOrder } from "./standing.ts";

/** The step of a shipment that can be undone now, and until when; null if there is none. */
export function undoable(
  { order, shipment }: { order: Pick<OrderRow, "buyer_email">; shipment: ShipmentRow },
  log: readonly LogEntry[],
  now: number,
): (StandingStep & { until: number }) | null {
  const step = standingSteps(log, shipment.id).at(-1);
  // Canceled bags are on sale again or refunded by now.
  if (step?.to !== shipment.status || step.to === "CANCELED") return null;
  // An erased buyer must not get an order in progress again.
  if (order.buyer_email === ERASED) return null;
  const until = step.at + TIMES.undo_ms;
  return until > now ? { ...step, until } : null;
}

/** The shipment, or all that were put into the roaster with it, is again what it was before. */
export const undoStep = writeRule<ShipmentAct>({
  reads: (c) => [
    ...orderReads(c),
    lock("events", { order_id: c.orderId }),
    lock("outbox", { order_id: c.orderId }),
    shipmentTasks(c.shipmentId),
  ],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    refuseIfOrderChanged(c, s);
    const log = inSequence(s.events);
    const step = refuseUndo({ order, shipment }, log, c);
    const set = withoutStep(step, log, shipment.id);
    const back = inOrder(s.shipments)
      .filter((row) => row.status === step.to && step.shipmentIds.includes(row.id))
      .map((row) => ({ before: row, after: { ...row, ...set } }));
    const after = s.shipments.map((row) => back.find(({ before }) => before === row)?.after ?? row);
    return [
      ...back.map(({ before }) => update("shipments", { id: before.id }, set)),
      ...logOrder(order, after, [undone(step, back)], c),
      ...stopLettersOf(s.outbox, step.eventId),
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
  c: ShipmentAct,
): StandingStep {
  const { shipment } = of;
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
  ...(step.to === "SHIPPED" && {
    ...NOT_SENT,
    ...(step.from === "RETURNED" && leftBefore(step, log, shipmentId)),
  }),
  ...(step.to === "DELIVERED" && { delivered_at: null }),
});

const NOT_SENT = {
  shipped_at: null,
  carrier: null,
  tracking_number: null,
  tracking_key: null,
  tracking_url: null,
};

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
