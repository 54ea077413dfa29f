import type { OrderId } from "../core/ids.ts";
import { iso, TIMES } from "../core/policy.ts";
import type { OrderRow, ShipmentStatus } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { MOST_EVENTS } from "./found-orders.ts";
import { undoable } from "./shipment-steps.ts";

/** A step that the merchant can still undo, with its order's number. */
type UndoableStep = Awaited<ReturnType<typeof undoableSteps>>[number];

/** Orders searched for recent steps. */
const MOST_ORDERS = 50;
/** Audit entries searched for recent steps, newest first. */
const MOST_ACTS = 500;

/** Steps of these orders that can be undone now (contract §15). */
export async function undoableSteps(
  { store, clock }: Pick<Context, "store" | "clock">,
  orders: readonly OrderRow[],
) {
  const ids = orders.map(({ id }) => id);
  const [log, shipments] = await Promise.all([
    orders.length === 1
      ? store.queries.events(ids[0]!, 0, MOST_EVENTS)
      : store.queries.eventsOfOrders(ids),
    store.queries.shipmentsOfOrders(ids),
  ]);
  const now = clock();
  return orders.flatMap((order) => {
    const own = log.filter(({ order_id }) => order_id === order.id);
    return shipments
      .filter(({ order_id }) => order_id === order.id)
      .flatMap((shipment) => {
        const step = undoable({ order, shipment }, own, now);
        if (!step) return [];
        const { id: order_id, number } = order;
        const { to: was, from: back_to, until } = step;
        return [{ order_id, number, shipment_id: shipment.id, was, back_to, until: iso(until) }];
      });
  });
}

/** Steps to a status by this act in the last minutes, newest first. */
export async function stepsDone(
  context: Pick<Context, "store" | "clock">,
  { to, act: wanted }: { to: ShipmentStatus; act: string },
): Promise<UndoableStep[]> {
  const { queries } = context.store;
  const acts = await queries.auditSince(context.clock() - TIMES.undo_ms, MOST_ACTS);
  const ids = acts.flatMap(({ act, subject, detail }): string[] => {
    if (act !== wanted) return [];
    const { order_id = subject } = JSON.parse(detail) as { order_id?: OrderId };
    return [order_id];
  });
  const newest = [...new Set(ids)].slice(0, MOST_ORDERS);
  const orders = await queries.ordersByIds(newest);
  const steps = await undoableSteps(context, orders);
  return steps
    .filter((step) => step.was === to)
    .sort((a, b) => newest.indexOf(a.order_id) - newest.indexOf(b.order_id));
}
