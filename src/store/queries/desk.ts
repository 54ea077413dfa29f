import { and, asc, count, desc, eq, gte } from "drizzle-orm";
import type { Tables } from "../../domain/records.ts";
import { first, type QueryDatabase, type QueryTables } from "./database.ts";

/** What the merchant looks at (CONTRACT §15), newest first. */
export function deskQueries(db: QueryDatabase, t: QueryTables) {
  const page = 500;
  return {
    allOrders: (limit = page) =>
      db.select().from(t.orders).orderBy(desc(t.orders.created_at)).limit(limit),
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
