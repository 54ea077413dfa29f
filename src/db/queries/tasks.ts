import { and, asc, eq, isNull, lt, type Placeholder, sql } from "drizzle-orm";
import type { DeskTaskRow } from "../../core/records.ts";
import type { Reads } from "./database.ts";

/** What waits for a person at the desk, the longest waiting first (contract §15). */
export function taskQueries({ db, t, rows, preparedRows, among, counted }: Reads) {
  const { created_at, handled_at, id, kind, subject } = t.desk_tasks;
  const open = (of: DeskTaskRow["kind"] | Placeholder) => and(eq(kind, of), isNull(handled_at));
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
    /** How many there are, and the first of them. */
    openTasks: async (kind: DeskTaskRow["kind"], limit: number) => ({
      count: await counted(db.select({ id }).from(t.desk_tasks).where(open(kind))),
      tasks: await tasks({ kind, limit }),
    }),
    tasksByIds: among(t.desk_tasks, id),
    tasksAbout: among(t.desk_tasks, subject, created_at, id),
    /** The same of orders that were canceled, and not all of whose money has gone back. */
    refundTasks: async (limit: number) => {
      const { refunded_minor, amount_minor } = t.orders;
      const of = and(eq(t.orders.id, subject), lt(refunded_minor, amount_minor));
      const ids = db.select({ id }).from(t.desk_tasks).innerJoin(t.orders, of);
      const found = db
        .select({ task: t.desk_tasks, order: t.orders })
        .from(t.desk_tasks)
        .innerJoin(t.orders, of)
        .where(open("REFUND"))
        .orderBy(...oldestFirst)
        .limit(limit);
      return { count: await counted(ids.where(open("REFUND"))), found: await found };
    },
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
