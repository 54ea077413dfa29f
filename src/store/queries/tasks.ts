import { and, asc, count, eq, inArray, isNull, lt, type SQL } from "drizzle-orm";
import { MOST_COUNTED } from "../../domain/shared/counting.ts";
import type { DeskTaskRow } from "../../domain/shared/records.ts";
import type { QueryDatabase, QueryTables } from "./database.ts";

/** What waits for a person at the desk, the longest waiting first (contract §15). */
export function taskQueries(db: QueryDatabase, t: QueryTables) {
  const { created_at, handled_at, id, kind, subject } = t.desk_tasks;
  const open = (of: DeskTaskRow["kind"]): SQL | undefined => and(eq(kind, of), isNull(handled_at));
  /** Canceled, and not all of the money has gone back. */
  const toRefund = () => and(open("REFUND"), lt(t.orders.refunded_minor, t.orders.amount_minor));
  const n = async (rows: Promise<{ n: number }[]>) => Number((await rows)[0]?.n ?? 0);
  return {
    openTasks: (of: DeskTaskRow["kind"], limit: number) =>
      db.select().from(t.desk_tasks).where(open(of)).orderBy(asc(created_at), asc(id)).limit(limit),
    countOpenTasks: async (of: DeskTaskRow["kind"]) => {
      const some = db.select({ id }).from(t.desk_tasks).where(open(of)).limit(MOST_COUNTED);
      return n(db.select({ n: count() }).from(some.as("some")));
    },
    tasksByIds: (ids: string[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.select().from(t.desk_tasks).where(inArray(id, ids)),
    refundTasks: (limit: number) =>
      db
        .select({ task: t.desk_tasks, order: t.orders })
        .from(t.desk_tasks)
        .innerJoin(t.orders, eq(t.orders.id, subject))
        .where(toRefund())
        .orderBy(asc(created_at), asc(id))
        .limit(limit),
    countRefundTasks: async () => {
      const some = db
        .select({ id })
        .from(t.desk_tasks)
        .innerJoin(t.orders, eq(t.orders.id, subject))
        .where(toRefund())
        .limit(MOST_COUNTED);
      return n(db.select({ n: count() }).from(some.as("some")));
    },
    /** The one that has to be answered first, first. */
    openDisputes: (limit: number) =>
      db
        .select()
        .from(t.disputes)
        .where(eq(t.disputes.status, "OPEN"))
        .orderBy(asc(t.disputes.due_by), asc(t.disputes.id))
        .limit(limit),
    incidentsByIds: (ids: string[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.select().from(t.incidents).where(inArray(t.incidents.id, ids)),
    feedbackByIds: (ids: string[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.select().from(t.feedback).where(inArray(t.feedback.id, ids)),
    leadsByIds: (ids: string[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.select().from(t.leads).where(inArray(t.leads.id, ids)),
    notesOfOrder: (orderId: string) =>
      db
        .select()
        .from(t.order_notes)
        .where(eq(t.order_notes.order_id, orderId))
        .orderBy(asc(t.order_notes.created_at), asc(t.order_notes.id))
        .limit(100),
  };
}
