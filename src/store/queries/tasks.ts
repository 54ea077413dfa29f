import { and, asc, eq, isNull, lt, type Placeholder, sql } from "drizzle-orm";
import type { DeskTaskRow } from "../../domain/shared/records.ts";
import type { Reads } from "./database.ts";

/** What waits for a person at the desk, the longest waiting first (contract §15). */
export function taskQueries({ db, t, rows, preparedRows, among, counted }: Reads) {
  const { created_at, handled_at, id, kind, subject } = t.desk_tasks;
  const open = (of: DeskTaskRow["kind"] | Placeholder) => and(eq(kind, of), isNull(handled_at));
  /** Canceled, and not all of the money has gone back. */
  const toRefund = () => and(open("REFUND"), lt(t.orders.refunded_minor, t.orders.amount_minor));
  const oldestFirst = [asc(created_at), asc(id)];
  const tasks = preparedRows("open", t.desk_tasks, {
    where: open(sql.placeholder("kind")),
    by: oldestFirst,
    limit: sql.placeholder("limit"),
  });
  const notes = preparedRows("of_order", t.order_notes, {
    where: eq(t.order_notes.order_id, sql.placeholder("orderId")),
    by: [asc(t.order_notes.created_at), asc(t.order_notes.id)],
  });
  return {
    openTasks: (kind: DeskTaskRow["kind"], limit: number) => tasks({ kind, limit }),
    countOpenTasks: (of: DeskTaskRow["kind"]) =>
      counted(db.select({ id }).from(t.desk_tasks).where(open(of))),
    tasksByIds: among(t.desk_tasks, id),
    tasksAbout: among(t.desk_tasks, subject, created_at, id),
    refundTasks: (limit: number) =>
      db
        .select({ task: t.desk_tasks, order: t.orders })
        .from(t.desk_tasks)
        .innerJoin(t.orders, eq(t.orders.id, subject))
        .where(toRefund())
        .orderBy(...oldestFirst)
        .limit(limit),
    countRefundTasks: () =>
      counted(
        db
          .select({ id })
          .from(t.desk_tasks)
          .innerJoin(t.orders, eq(t.orders.id, subject))
          .where(toRefund()),
      ),
    /** The one that has to be answered first, first; those without a deadline last on either engine. */
    openDisputes: (limit: number) =>
      rows(t.disputes, {
        where: eq(t.disputes.status, "OPEN"),
        by: [sql`${t.disputes.due_by} is null`, asc(t.disputes.due_by), asc(t.disputes.id)],
        limit,
      }),
    incidentsByIds: among(t.incidents, t.incidents.id),
    feedbackByIds: among(t.feedback, t.feedback.id),
    leadsByIds: among(t.leads, t.leads.id),
    notesOfOrder: (orderId: string) => notes({ orderId }),
  };
}
