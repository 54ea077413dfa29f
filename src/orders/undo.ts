import { audited } from "../core/audit.ts";
import { lock, update, writeRule } from "../core/command.ts";
import { shipmentTasks, tasksOfStepUndone } from "../core/desk-tasks.ts";
import { illegalStep } from "../core/errors.ts";
import type { NewEvent } from "../core/order-log.ts";
import { stopLettersOf } from "../core/outbox.ts";
import { iso, MINUTE_MS, TIMES } from "../core/policy.ts";
import { ERASED, type OrderRow, type ShipmentRow, type ShipmentStatus } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import {
  logOrder,
  orderReads,
  refuseIfOrderChanged,
  type ShipmentAct,
  shipmentOf,
  updated,
} from "./order-steps.ts";
import { inOrder } from "./standing.ts";

/** A step in its shipment's row. The merchant can undo it for ten minutes (contract §5, §15). */
interface StoredStep {
  /** Audit entry of the act. Shipments that were roasted together share it. */
  act: string;
  /** Event of the step. */
  event: string;
  to: ShipmentStatus;
  /** The columns that the step changed, and the step before it while that could be undone too. */
  before: Partial<ShipmentRow> & Pick<ShipmentRow, "status">;
}

/** Columns of a step, with what undoing it restores. */
export function stepColumns(
  row: ShipmentRow,
  set: Partial<ShipmentRow> & Pick<ShipmentRow, "status">,
  { now, by, eventIds }: Pick<ShipmentAct, "now" | "by" | "eventIds">,
): Partial<ShipmentRow> & Pick<ShipmentRow, "status"> {
  const changed = Object.keys(set) as (keyof ShipmentRow)[];
  const isStanding = row.step_at !== null && row.step_at + TIMES.undo_ms > now;
  const before = {
    status: row.status,
    ...Object.fromEntries(changed.map((column) => [column, row[column]])),
    ...(isStanding && { step: row.step, step_at: row.step_at }),
  };
  const step: StoredStep = { act: by.id, event: eventIds[0]!, to: set.status, before };
  return { ...set, step: JSON.stringify(step), step_at: now };
}

/** The step of a shipment that can be undone now, and until when; null if there is none. */
function undoable(
  { buyer_email }: Pick<OrderRow, "buyer_email">,
  { status, step, step_at }: ShipmentRow,
  now: number,
): (StoredStep & { until: number }) | null {
  if (step === null || step_at === null) return null;
  const stored = JSON.parse(step) as StoredStep;
  const until = step_at + TIMES.undo_ms;
  // Canceled bags are on sale again or refunded by now. An erased buyer must not get an order in progress again.
  if (stored.to !== status || buyer_email === ERASED || until <= now) return null;
  return { ...stored, until };
}

/** Undoes the newest step of a shipment, and for roasting of all shipments roasted with it. */
export const undoStep = writeRule<ShipmentAct>({
  reads: (c) => [
    ...orderReads(c),
    lock("outbox", { order_id: c.orderId }),
    shipmentTasks(c.shipmentId),
  ],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    refuseIfOrderChanged(c, s);
    const step = undoable(order, shipment, c.now);
    if (!step) {
      const detail = `there is no step of the last ${TIMES.undo_ms / MINUTE_MS} minutes to undo`;
      throw illegalStep(`Shipment ${shipment.id} is ${shipment.status}: ${detail}.`);
    }
    const back = inOrder(s.shipments).flatMap((row) => {
      const own = undoable(order, row, c.now);
      if (own?.act !== step.act) return [];
      const set = { step: null, step_at: null, ...own.before };
      return [{ row, set, after: { ...row, ...set } }];
    });
    const after = s.shipments.map((row) => back.find((one) => one.row === row)?.after ?? row);
    return [
      ...back.map(({ row: { id }, set }) => update("shipments", { id }, set)),
      ...logOrder(order, after, [undone(step, back)], c),
      ...stopLettersOf(s.outbox, step.event),
      ...tasksOfStepUndone(s, step, c),
      audited(c, "shipments.undo", shipment.id, {
        order_id: order.id,
        was: step.to,
        is: step.before.status,
      }),
    ];
  },
});

function undone(
  { to }: StoredStep,
  back: readonly { row: ShipmentRow; after: ShipmentRow }[],
): NewEvent {
  if (to !== "ROASTING") {
    const { row, after } = back[0]!;
    return { type: "shipment.step_undone", data: updated(after, row.status) };
  }
  const shipments = back.map(({ after }) => ({ shipment_id: after.id, status: after.status }));
  return { type: "order.roasting_undone", data: { shipments } };
}

/** A step that the merchant can still undo, with its order's number. */
export type UndoableStep = ReturnType<typeof undoableSteps>[number];

/** Steps of these shipments that can be undone now. */
export function undoableSteps(
  orders: readonly OrderRow[],
  shipments: readonly ShipmentRow[],
  now: number,
) {
  const byId = new Map(orders.map((order) => [order.id, order]));
  return shipments.flatMap((shipment) => {
    const order = byId.get(shipment.order_id);
    const step = order && undoable(order, shipment, now);
    if (!step) return [];
    const { to: was, before, until } = step;
    return [
      {
        order_id: order.id,
        number: order.number,
        shipment_id: shipment.id,
        was,
        back_to: before.status,
        until: iso(until),
      },
    ];
  });
}

/** Shipments searched for recent steps, newest step first. */
const MOST_STEPS = 500;

/** Steps to a status in the last minutes, newest first. */
export async function stepsDone(
  { store, clock }: Pick<Context, "store" | "clock">,
  to: ShipmentStatus,
): Promise<UndoableStep[]> {
  const { queries } = store;
  const moved = await queries.shipmentsMovedAfter(clock() - TIMES.undo_ms, MOST_STEPS);
  const orders = await queries.ordersByIds([...new Set(moved.map(({ order_id }) => order_id))]);
  return undoableSteps(orders, moved, clock()).filter(({ was }) => was === to);
}
