import { audited, type MerchantAct } from "../core/audit.ts";
import { lock, put, type Rule } from "../core/command.ts";
import { handledBy, NO_TASK } from "../core/desk-tasks.ts";
import { illegalStep, MerchantError } from "../core/errors.ts";
import type { OrderId } from "../core/ids.ts";
import { DAY_MS } from "../core/policy.ts";
import type { DeskTaskRow } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";

/**
 * A late order waits for a letter to its buyer. It waits again after another delivery time, because the
 * new date is over then, too, and US law asks for a new consent (16 CFR 435).
 */
export const lateSince = ({ clock, shop }: Pick<Context, "clock" | "shop">): number =>
  clock() - shop.delivery_days[1] * DAY_MS;

/** The letters of these orders that still count, by order. */
export async function lateLetters(
  context: Pick<Context, "store" | "clock" | "shop">,
  orderIds: readonly OrderId[],
): Promise<Map<string, DeskTaskRow>> {
  const tasks = await context.store.queries.tasksAbout(orderIds);
  const since = lateSince(context);
  return new Map(
    tasks
      .filter(({ kind, handled_at }) => kind === "LATE" && (handled_at ?? 0) > since)
      .map((task) => [task.subject, task]),
  );
}

interface NoteLateLetter extends MerchantAct {
  orderId: OrderId;
  /** Letters from before no longer count. */
  since: number;
}

/** Notes that the merchant has written to the buyer of a late order. */
export const noteLateLetter: Rule<NoteLateLetter, DeskTaskRow> = {
  reads: ({ orderId }) => [
    lock("orders", { id: orderId }),
    lock("desk_tasks", { subject: orderId, kind: "LATE" }),
  ],
  decide(c, { orders: [order], desk_tasks: [known] }) {
    if (!order) throw new MerchantError("NOT_FOUND", NO_TASK);
    if (known && (known.handled_at ?? 0) > c.since) {
      throw illegalStep("This has been handled already.");
    }
    const id = `late_${order.id}`;
    const rest = { kind: "LATE", subject: order.id, created_at: c.now, ...handledBy(c) } as const;
    return {
      reply: { id, ...rest },
      writes: [
        put("desk_tasks", known, { id }, rest),
        audited(c, "tasks.handle", order.id, { kind: "LATE" }),
      ],
    };
  },
};
