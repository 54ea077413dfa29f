import type { Decision, Write } from "./command.ts";
import { insert } from "./command.ts";
import type { OrderId, ShipmentId } from "./ids.ts";
import { cancellationsIn } from "./order-log.ts";
import { letterOfCancellation, lettersOf } from "./outbox.ts";
import type { DeskTaskRow, EventRow } from "./records.ts";

/**
 * Adds the letters and desk tasks that a decision's writes cause, in the same transaction, so that none is
 * forgotten. A task waits at the desk until a person has handled it (contract §15).
 */
export function withFollowUps<R>(decision: Decision<R>): Decision<R> {
  const { writes } = decision;
  const more = [
    ...writes.flatMap((write) => [...lettersOf(write), ...tasksOf(write)]),
    ...afterCancellation(writes),
  ];
  return more.length === 0 ? decision : { ...decision, writes: [...writes, ...more] };
}

function tasksOf(write: Write): Write[] {
  if (write.op !== "insert") return [];
  switch (write.table) {
    case "incidents":
    case "feedback":
    case "leads":
      return [task(TASKS[write.table], write.row.id, write.row)];
    case "events":
      return afterStep(write.row);
    default:
      return [];
  }
}

/** The merchant decides about a shipment that was not delivered or came back. */
function afterStep({ id, type, data, occurred_at: created_at }: EventRow): Write[] {
  if (type !== "shipment.updated") return [];
  const { shipment_id, status } = JSON.parse(data) as { shipment_id: ShipmentId; status: string };
  const kind = STOPPED.get(status);
  return kind ? [task(kind, shipment_id, { id, created_at })] : [];
}

const STOPPED = new Map<string, DeskTaskRow["kind"]>([
  ["FAILED", "FAILURE"],
  ["RETURNED", "RETURN"],
]);

const TASKS = { incidents: "INCIDENT", feedback: "FEEDBACK", leads: "LEAD" } as const;

/**
 * After a cancellation the buyer gets a letter and the merchant decides about the money. One act is one
 * letter and one task, however many events it writes.
 */
function afterCancellation(writes: readonly Write[]): Write[] {
  const canceled = cancellationsIn(
    writes.flatMap((write) => (write.op === "insert" && write.table === "events" ? write.row : [])),
  );
  const [first] = canceled;
  const last = canceled.at(-1);
  if (!first || !last) return [];
  const { id, order_id, occurred_at: created_at } = last.entry;
  const shipments = canceled.flatMap(({ data }) => data.shipment_ids ?? data.shipment_id ?? []);
  // The first names the request, where one is accepted; the last gives the reason.
  const about = { ...first.data, ...last.data, shipment_ids: [...new Set(shipments)] };
  return [
    letterOfCancellation(last.entry, about),
    ...(refundsBy(writes, order_id) ? [] : [refundTask(order_id, { id, created_at })]),
  ];
}

/** The merchant decides about the money of a canceled order. */
const refundTask = (orderId: OrderId, at: { id: string; created_at: number }): Write =>
  task("REFUND", orderId, at);

/** An act that cancels and refunds leaves nothing to decide. */
const refundsBy = (writes: readonly Write[], orderId: OrderId): boolean =>
  writes.some(
    (write) => write.op === "insert" && write.table === "refunds" && write.row.order_id === orderId,
  );

const task = (
  kind: DeskTaskRow["kind"],
  subject: string,
  { id, created_at }: { id: string; created_at: number },
): Write => insert("desk_tasks", { id, kind, subject, created_at });
