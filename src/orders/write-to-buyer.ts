import { audited, entryOf, isInLog, type MerchantAct } from "../core/audit.ts";
import { insert, lock, writeRule } from "../core/command.ts";
import { handleTask } from "../core/desk-tasks.ts";
import { illegalStep, unknownTo } from "../core/errors.ts";
import type { OrderId } from "../core/ids.ts";
import { answerLetter } from "../core/outbox.ts";
import { ERASED } from "../core/records.ts";
import { noteLateLetter } from "./late-letters.ts";

interface WriteToBuyer extends MerchantAct {
  /** Of the note that keeps the text. */
  id: string;
  orderId: OrderId;
  text: string;
  /** The message that it answers; the order's own id for the letter about its delay; or null. */
  taskId: string | null;
  /** Letters about a delay from before no longer count. */
  since: number;
}

/** Sends the merchant's own words to the buyer, keeps them on the order, and closes what they answer. */
export const writeToBuyer = writeRule<WriteToBuyer>({
  reads: (c) => [
    lock("orders", { id: c.orderId }),
    entryOf(c),
    ...(c.taskId === null
      ? []
      : c.taskId === c.orderId
        ? noteLateLetter.reads(c)
        : taskReads(c.taskId)),
  ],
  writes(c, s) {
    const { id, orderId: order_id, text, taskId, now, by } = c;
    if (isInLog(s)) return [];
    const [order] = s.orders;
    if (!order) throw unknownTo("order");
    if (order.buyer_email === ERASED) throw illegalStep("The buyer was erased and has no address.");
    const closed =
      taskId === null
        ? []
        : taskId === order_id
          ? noteLateLetter.decide(c, s).writes
          : handleTask.decide({ now, by, id: taskId }, s).writes;
    const note = {
      id,
      order_id,
      text: `To the buyer: ${text}`,
      written_by: by.actor,
      created_at: now,
    };
    return [
      answerLetter({ id, order_id, text }, now),
      insert("order_notes", note),
      audited(c, "orders.write", order_id),
      ...closed.filter(({ table }) => table !== "audit"),
    ];
  },
});

const taskReads = (id: string) => [lock("desk_tasks", { id })];
