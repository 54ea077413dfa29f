import type { Context } from "../core/context.ts";
import { iso, TIMES } from "../core/policy.ts";
import type { OrderRow } from "../core/records.ts";
import { MOST_EVENTS } from "./order-verbs.ts";
import { undoable } from "./undo-step.ts";

/** A step that the merchant can still take back, with the number that people call its order. */
export type UndoableStep = Awaited<ReturnType<typeof undoableSteps>>[number];

/** Orders that are looked through for what was done just now. */
const MOST_ORDERS = 50;
/** Acts that are looked through, newest first. */
const MOST_ACTS = 500;

/** Steps of these orders that can be taken back now (contract §15). */
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

/** What was put into the roaster, or handed over, in the last minutes: newest first. */
export async function justDone(
  context: Pick<Context, "store" | "clock">,
  was: "ROASTING" | "SHIPPED",
): Promise<UndoableStep[]> {
  const { queries } = context.store;
  const acts = await queries.auditSince(context.clock() - TIMES.undo_ms, MOST_ACTS);
  const ids = acts.flatMap(({ act, subject, detail }): string[] => {
    if (was === "ROASTING") return act === "orders.roast" ? [subject] : [];
    return act === "shipments.ship" ? [(JSON.parse(detail) as { order_id: string }).order_id] : [];
  });
  const newest = [...new Set(ids)].slice(0, MOST_ORDERS);
  const orders = await queries.ordersByIds(newest);
  const steps = await undoableSteps(context, orders);
  return steps
    .filter((step) => step.was === was)
    .sort((a, b) => newest.indexOf(a.order_id) - newest.indexOf(b.order_id));
}
