import { and, asc, count, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { OrderRow, OrderStatus, Tables } from "../../domain/records.ts";
import { first, type QueryDatabase, type QueryTables } from "./database.ts";

const OPEN: OrderStatus[] = ["CONFIRMED", "ROASTING", "PARTIALLY_SHIPPED", "SHIPPED"];

/** What the merchant looks at (CONTRACT §15), newest first. */
export function deskQueries(db: QueryDatabase, t: QueryTables) {
  const page = 500;
  return {
    allOrders: (limit = page) =>
      db.select().from(t.orders).orderBy(desc(t.orders.created_at)).limit(limit),
    /** Newest first, strictly after an order; equal moments are told apart by their ids. */
    ordersAfter: (page: {
      statuses?: readonly OrderStatus[] | undefined;
      edge?: Pick<OrderRow, "created_at" | "id"> | undefined;
      limit: number;
    }) => {
      const { statuses, edge } = page;
      const { created_at, id, status } = t.orders;
      return db
        .select()
        .from(t.orders)
        .where(
          and(
            statuses && inArray(status, [...statuses]),
            edge && sql`(${created_at}, ${id}) < (${edge.created_at}, ${edge.id})`,
          ),
        )
        .orderBy(desc(created_at), desc(id))
        .limit(page.limit);
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
    allAgents: () => db.select().from(t.agents).orderBy(desc(t.agents.created_at)).limit(page),
    allWaitlist: () =>
      db
        .select()
        .from(t.waitlist)
        .orderBy(asc(t.waitlist.product_id), asc(t.waitlist.created_at), asc(t.waitlist.id)),
    allCancelRequests: () =>
      db.select().from(t.cancel_requests).orderBy(desc(t.cancel_requests.created_at)).limit(page),
    allFeedback: () =>
      db.select().from(t.feedback).orderBy(desc(t.feedback.created_at)).limit(page),
    allLeads: () => db.select().from(t.leads).orderBy(desc(t.leads.created_at)).limit(page),
    allIncidents: () =>
      db.select().from(t.incidents).orderBy(desc(t.incidents.created_at)).limit(page),
    allAudit: () => db.select().from(t.audit).orderBy(desc(t.audit.at)).limit(page),
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
