import {
  type AnyColumn,
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { OrderStatus, Tables } from "../../domain/shared/records.ts";
import { first, type QueryDatabase, type QueryTables } from "./database.ts";

/** A row's place in a list: its moment, and its id where moments are equal. */
interface Edge {
  at: number;
  id: string;
}

/** A select that is still to be narrowed down. */
interface Listed<R> {
  where(condition: SQL | undefined): { orderBy(...by: SQL[]): { limit(rows: number): R } };
}

interface Wanted {
  before?: Edge | undefined;
  limit: number;
  among?: SQL | undefined;
}

/** Newest first, strictly behind a row. */
function behind<R>(list: Listed<R>, [at, id]: [AnyColumn, AnyColumn], wanted: Wanted): R {
  const { before, limit, among } = wanted;
  const older = before && sql`(${at}, ${id}) < (${before.at}, ${before.id})`;
  return list.where(and(among, older)).orderBy(desc(at), desc(id)).limit(limit);
}

const OPEN: OrderStatus[] = ["CONFIRMED", "ROASTING", "PARTIALLY_SHIPPED", "SHIPPED"];

/** What the merchant looks at (contract §15), newest first. */
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
      const { statuses, before, limit } = wanted;
      const among = statuses && inArray(status, [...statuses]);
      return behind(db.select().from(t.orders), [created_at, id], { before, limit, among });
    },
    /** First in, first out: what came first is roasted and shipped first. */
    ordersInTurn: (statuses: readonly OrderStatus[], limit: number) =>
      db
        .select()
        .from(t.orders)
        .where(inArray(t.orders.status, [...statuses]))
        .orderBy(asc(t.orders.created_at), asc(t.orders.id))
        .limit(limit),
    orderByNumber: async (number: number) =>
      first(await db.select().from(t.orders).where(eq(t.orders.number, number)).limit(1)),
    /** By email, by what stands in the addresses, or by tracking number; newest first. */
    ordersLike: (words: string, limit: number) => {
      const like = `%${words.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
      const has = (column: AnyColumn) => sql`lower(${column}) like ${like} escape '\\'`;
      const tracked = db
        .select({ order_id: t.shipments.order_id })
        .from(t.shipments)
        .where(has(t.shipments.tracking_number));
      return db
        .select({ order: t.orders })
        .from(t.orders)
        .innerJoin(t.quotes, eq(t.quotes.id, t.orders.quote_id))
        .where(or(has(t.orders.buyer_email), has(t.quotes.terms), inArray(t.orders.id, tracked)))
        .orderBy(desc(t.orders.created_at), desc(t.orders.id))
        .limit(limit);
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
    allAgents: (before?: Edge, limit = page) =>
      behind(db.select().from(t.agents), [t.agents.created_at, t.agents.id], { before, limit }),
    /** In turn; with `live` only who waits or was offered. */
    allWaitlist: (live = false) =>
      db
        .select()
        .from(t.waitlist)
        .where(live ? inArray(t.waitlist.status, ["WAITING", "OFFERED"]) : undefined)
        .orderBy(asc(t.waitlist.product_id), asc(t.waitlist.created_at), asc(t.waitlist.id)),
    allCancelRequests: () =>
      db.select().from(t.cancel_requests).orderBy(desc(t.cancel_requests.created_at)).limit(page),
    feedback: async (id: string) =>
      first(await db.select().from(t.feedback).where(eq(t.feedback.id, id)).limit(1)),
    allFeedback: (before?: Edge, limit = page) =>
      behind(db.select().from(t.feedback), [t.feedback.created_at, t.feedback.id], {
        before,
        limit,
      }),
    allLeads: (before?: Edge, limit = page) =>
      behind(db.select().from(t.leads), [t.leads.created_at, t.leads.id], { before, limit }),
    allIncidents: (before?: Edge, limit = page) =>
      behind(db.select().from(t.incidents), [t.incidents.created_at, t.incidents.id], {
        before,
        limit,
      }),
    letters: (before?: Edge, limit = page) =>
      behind(db.select().from(t.outbox), [t.outbox.created_at, t.outbox.id], { before, limit }),
    dueLetters: async (now: number, limit: number) =>
      db
        .select()
        .from(t.outbox)
        .where(lte(t.outbox.try_at, now))
        .orderBy(asc(t.outbox.try_at))
        .limit(limit),
    lead: async (id: string) =>
      first(await db.select().from(t.leads).where(eq(t.leads.id, id)).limit(1)),
    incident: async (id: string) =>
      first(await db.select().from(t.incidents).where(eq(t.incidents.id, id)).limit(1)),
    allAudit: (before?: Edge, limit = page) =>
      behind(db.select().from(t.audit), [t.audit.at, t.audit.id], { before, limit }),
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
