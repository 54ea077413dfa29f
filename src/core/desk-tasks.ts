import { audited, type MerchantAct } from "./audit.ts";
import { lock, type Rule, type State, update, updateEach, type Write } from "./command.ts";
import { illegalStep, MerchantError } from "./errors.ts";
import type { OrderId, ShipmentId } from "./ids.ts";
import { iso } from "./policy.ts";
import type { DeskTaskRow } from "./records.ts";

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
