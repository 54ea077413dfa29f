import { type AnyColumn, and, asc, count, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { OrderStatus, Tables } from "../../domain/records.ts";
import { first, type QueryDatabase, type QueryTables } from "./database.ts";

/** A row's place in a list: its moment, and its id where moments are equal. */
interface Edge {
  at: number;
  id: string;
}

/** Newest first, strictly behind a row. */
const behind = (at: AnyColumn, id: AnyColumn, edge?: Edge) => ({
  older: edge && sql`(${at}, ${id}) < (${edge.at}, ${edge.id})`,
  newest: [desc(at), desc(id)],
});

const OPEN: OrderStatus[] = ["CONFIRMED", "ROASTING", "PARTIALLY_SHIPPED", "SHIPPED"];

/** What the merchant looks at (CONTRACT §15), newest first. */
export function deskQueries(db: QueryDatabase, t: QueryTables) {
  const page = 500;
  return {
    allOrders: (limit = page) =>
      db.select().from(t.orders).orderBy(desc(t.orders.created_at)).limit(limit),
    ordersBehind: (wanted: {
      statuses?: readonly OrderStatus[] | undefined;
      before?: Edge | undefined;
      limit: number;
    }) => {
      const { created_at, id, status } = t.orders;
      const { older, newest } = behind(created_at, id, wanted.before);
      const among = wanted.statuses && inArray(status, [...wanted.statuses]);
      return db
        .select()
        .from(t.orders)
        .where(and(among, older))
        .orderBy(...newest)
        .limit(wanted.limit);
    },
    /** How many orders still want something, by status. */
    openOrders: () =>
      db
        .select({ status: t.orders.status, n: count() })
        .from(t.orders)
        .where(inArray(t.orders.status, OPEN))
        .groupBy(t.orders.status),
    undecidedRequests: () =>
      db
        .select()
        .from(t.cancel_requests)
        .where(eq(t.cancel_requests.status, "REQUESTED"))
        .orderBy(asc(t.cancel_requests.created_at))
        .limit(page),
    allAgents: (before?: Edge, limit = page) => {
      const { older, newest } = behind(t.agents.created_at, t.agents.id, before);
      return db
        .select()
        .from(t.agents)
        .where(older)
        .orderBy(...newest)
        .limit(limit);
    },
    /** In turn; with `live` only who waits or was offered. */
    allWaitlist: (live = false) =>
      db
        .select()
        .from(t.waitlist)
        .where(live ? inArray(t.waitlist.status, ["WAITING", "OFFERED"]) : undefined)
        .orderBy(asc(t.waitlist.product_id), asc(t.waitlist.created_at), asc(t.waitlist.id)),
    allCancelRequests: () =>
      db.select().from(t.cancel_requests).orderBy(desc(t.cancel_requests.created_at)).limit(page),
    allFeedback: (before?: Edge, limit = page) => {
      const { older, newest } = behind(t.feedback.created_at, t.feedback.id, before);
      return db
        .select()
        .from(t.feedback)
        .where(older)
        .orderBy(...newest)
        .limit(limit);
    },
    allLeads: (before?: Edge, limit = page) => {
      const { older, newest } = behind(t.leads.created_at, t.leads.id, before);
      return db
        .select()
        .from(t.leads)
        .where(older)
        .orderBy(...newest)
        .limit(limit);
    },
    allIncidents: (before?: Edge, limit = page) => {
      const { older, newest } = behind(t.incidents.created_at, t.incidents.id, before);
      return db
        .select()
        .from(t.incidents)
        .where(older)
        .orderBy(...newest)
        .limit(limit);
    },
    allAudit: (before?: Edge, limit = page) => {
      const { older, newest } = behind(t.audit.at, t.audit.id, before);
      return db
        .select()
        .from(t.audit)
        .where(older)
        .orderBy(...newest)
        .limit(limit);
    },
    sandboxObject: async (id: string) =>
      first(await db.select().from(t.sandbox).where(eq(t.sandbox.id, id)).limit(1)),
    sandboxObjects: (kind: string, since: number) =>
      db
        .select()
        .from(t.sandbox)
        .where(and(eq(t.sandbox.kind, kind), gte(t.sandbox.created_at, since)))
        .orderBy(asc(t.sandbox.created_at)),
    /** Rows of a table in all, for checks that nothing was lost or doubled. */
    countRows: async (table: keyof Tables) => {
      const rows = await db.select({ n: count() }).from(t[table]);
      return Number(rows[0]?.n ?? 0);
    },
  };
}
