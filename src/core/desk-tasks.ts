import { audited, type MerchantAct } from "./audit.ts";
import {
  type Decision,
  insert,
  lock,
  type Rule,
  type State,
  update,
  updateEach,
  type Write,
} from "./command.ts";
import { illegalStep, MerchantError } from "./errors.ts";
import type { OrderId, ShipmentId } from "./ids.ts";
import { cancellationsIn } from "./order-log.ts";
import { letterOfCancellation, lettersOf } from "./outbox.ts";
import { iso } from "./policy.ts";
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

export const NO_TASK =
  "There is no such task. A cancel request is accepted or declined; a dispute is decided by the bank.";

/** Closes a task by hand: answered, checked, or decided that no money goes back. */
export const handleTask: Rule<MerchantAct & { id: string }, DeskTaskRow> = {
  reads: (c) => [lock("desk_tasks", { id: c.id })],
  decide(c, { desk_tasks: [row] }) {
    if (!row) throw new MerchantError("NOT_FOUND", NO_TASK);
    if (row.handled_at !== null) throw illegalStep("This has been handled already.");
    return {
      reply: { ...row, ...handledBy(c) },
      writes: [
        update("desk_tasks", { id: row.id }, handledBy(c)),
        audited(c, "tasks.handle", row.subject, { kind: row.kind }),
      ],
    };
  },
};

export const handledBy = ({ now, by }: MerchantAct) => ({
  handled_at: now,
  handled_by: by.actor,
  decided_by: by.id,
});

export const isOpen = ({ handled_at }: Pick<DeskTaskRow, "handled_at">): boolean =>
  handled_at === null;

/** Closes these tasks, decided by the merchant's act. */
export const tasksDecided = ({ desk_tasks }: Pick<State, "desk_tasks">, c: MerchantAct): Write[] =>
  updateEach("desk_tasks", desk_tasks.filter(isOpen), handledBy(c));

/** Tasks about the money of a canceled order. */
export const refundTasks = (orderId: OrderId) =>
  lock("desk_tasks", { subject: orderId, kind: "REFUND" });

/** Tasks about a shipment that was not delivered or came back. */
export const shipmentTasks = (shipmentId: ShipmentId) =>
  lock("desk_tasks", { subject: shipmentId });

/** Undoing a step closes the tasks that the step opened, and reopens those that it decided. */
export const tasksOfStepUndone = (
  { desk_tasks }: Pick<State, "desk_tasks">,
  { act }: { act: string },
  c: MerchantAct,
): Write[] => [
  ...tasksDecided({ desk_tasks }, c),
  ...updateEach(
    "desk_tasks",
    desk_tasks.filter(({ decided_by }) => decided_by === act),
    { handled_at: null, handled_by: null, decided_by: null },
  ),
];

/** Handler and time of a task; null while it waits. */
export const handledTask = (row: DeskTaskRow | undefined) => ({
  handled_at: row?.handled_at ? iso(row.handled_at) : null,
  handled_by: row?.handled_by ?? null,
});
