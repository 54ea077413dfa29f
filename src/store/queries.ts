import { and, asc, count, desc, eq, gt, inArray, isNotNull, lt, lte, sql } from "drizzle-orm";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type { Tables } from "../domain/records.ts";
import type * as sqliteSchema from "./sqlite/schema.ts";

/**
 * Every read outside commands, written once for both engines: drizzle's builders say the same on
 * SQLite and PostgreSQL, so PostgreSQL's database and tables are passed in under SQLite's types.
 */
export type QueryDatabase = BaseSQLiteDatabase<"async", unknown, typeof sqliteSchema>;
export type QueryTables = typeof sqliteSchema;

export type Queries = ReturnType<typeof createQueries>;

const first = <T>(rows: T[]): T | undefined => rows[0];

export function createQueries(db: QueryDatabase, t: QueryTables) {
  return {
    ...agentQueries(db, t),
    ...quoteQueries(db, t),
    ...paymentQueries(db, t),
    ...orderQueries(db, t),
    ...waitlistQueries(db, t),
    ...deskQueries(db, t),
  };
}

function agentQueries(db: QueryDatabase, t: QueryTables) {
  return {
    agentByKeyHash: async (hash: string) =>
      first(await db.select().from(t.agents).where(eq(t.agents.key_hash, hash)).limit(1)),
    agent: async (id: string) =>
      first(await db.select().from(t.agents).where(eq(t.agents.id, id)).limit(1)),
    setting: async (name: string) =>
      first(await db.select().from(t.settings).where(eq(t.settings.name, name)).limit(1))?.value,
    finderCredits: (agentId: string) =>
      db.select().from(t.finder_credits).where(eq(t.finder_credits.agent_id, agentId)),
  };
}

function quoteQueries(db: QueryDatabase, t: QueryTables) {
  const quotes = () =>
    db
      .select({ quote: t.quotes, state: t.quote_states, revoked_at: t.agents.revoked_at })
      .from(t.quotes)
      .innerJoin(t.quote_states, eq(t.quote_states.quote_id, t.quotes.id))
      .leftJoin(t.agents, eq(t.agents.id, t.quotes.agent_id));
  return {
    quote: async (id: string) => first(await quotes().where(eq(t.quotes.id, id)).limit(1)),
    quoteByReview: async (hash: string) =>
      first(await quotes().where(eq(t.quotes.review_hash, hash)).limit(1)),
    quotesByIds: (ids: string[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.select().from(t.quotes).where(inArray(t.quotes.id, ids)),
  };
}

function paymentQueries(db: QueryDatabase, t: QueryTables) {
  return {
    attempt: async (id: string) =>
      first(await db.select().from(t.attempts).where(eq(t.attempts.id, id)).limit(1)),
    attemptsOfQuote: (quoteId: string) =>
      db
        .select()
        .from(t.attempts)
        .where(eq(t.attempts.quote_id, quoteId))
        .orderBy(asc(t.attempts.created_at), asc(t.attempts.id)),
    attemptBySession: async (sessionId: string) =>
      first(
        await db.select().from(t.attempts).where(eq(t.attempts.session_id, sessionId)).limit(1),
      ),
    attemptByPayment: async (paymentRef: string) =>
      first(
        await db.select().from(t.attempts).where(eq(t.attempts.payment_ref, paymentRef)).limit(1),
      ),
    /** Attempts whose next question to the provider is due, the longest waiting first. */
    dueAttempts: (now: number, limit: number) =>
      db
        .select()
        .from(t.attempts)
        .where(and(isNotNull(t.attempts.check_at), lte(t.attempts.check_at, now)))
        .orderBy(asc(t.attempts.check_at))
        .limit(limit),
    pendingRefunds: (limit: number) =>
      db
        .select()
        .from(t.refunds)
        .where(eq(t.refunds.status, "PENDING"))
        .orderBy(asc(t.refunds.created_at))
        .limit(limit),
    dueWebhooks: (now: number, limit: number) =>
      db
        .select()
        .from(t.webhooks)
        .where(and(isNotNull(t.webhooks.try_at), lte(t.webhooks.try_at, now)))
        .orderBy(asc(t.webhooks.try_at))
        .limit(limit),
  };
}

function orderQueries(db: QueryDatabase, t: QueryTables) {
  return {
    order: async (id: string) =>
      first(await db.select().from(t.orders).where(eq(t.orders.id, id)).limit(1)),
    orderOfQuote: async (quoteId: string) =>
      first(await db.select().from(t.orders).where(eq(t.orders.quote_id, quoteId)).limit(1)),
    /** Newest first, strictly before `before`; created_at strictly increases per key. */
    ordersPage: (
      agentId: string,
      page: { buyer?: string | undefined; before?: number | undefined; limit: number },
    ) =>
      db
        .select()
        .from(t.orders)
        .where(
          and(
            eq(t.orders.agent_id, agentId),
            page.buyer === undefined ? undefined : eq(t.orders.buyer_email, page.buyer),
            page.before === undefined ? undefined : lt(t.orders.created_at, page.before),
          ),
        )
        .orderBy(desc(t.orders.created_at))
        .limit(page.limit),
    shipmentsOfOrders: (orderIds: string[]) =>
      orderIds.length === 0
        ? Promise.resolve([])
        : db
            .select()
            .from(t.shipments)
            .where(inArray(t.shipments.order_id, orderIds))
            .orderBy(asc(t.shipments.order_id), asc(t.shipments.position)),
    shipment: async (id: string) =>
      first(await db.select().from(t.shipments).where(eq(t.shipments.id, id)).limit(1)),
    openCancelRequests: (orderIds: string[]) =>
      orderIds.length === 0
        ? Promise.resolve([])
        : db
            .select()
            .from(t.cancel_requests)
            .where(inArray(t.cancel_requests.order_id, orderIds))
            .orderBy(asc(t.cancel_requests.created_at), asc(t.cancel_requests.id)),
    cancelRequest: async (id: string) =>
      first(await db.select().from(t.cancel_requests).where(eq(t.cancel_requests.id, id)).limit(1)),
    events: (orderId: string, after: number, limit: number) =>
      db
        .select()
        .from(t.events)
        .where(and(eq(t.events.order_id, orderId), gt(t.events.sequence, after)))
        .orderBy(asc(t.events.sequence))
        .limit(limit),
    /** Paid orders of a customer since a moment, newest first: for "you paid for this just now". */
    ordersOfBuyer: (email: string, since: number) =>
      db
        .select()
        .from(t.orders)
        .where(and(eq(t.orders.buyer_email, email), gt(t.orders.created_at, since)))
        .orderBy(desc(t.orders.created_at))
        .limit(5),
  };
}

function waitlistQueries(db: QueryDatabase, t: QueryTables) {
  return {
    waitlistEntry: async (id: string) =>
      first(await db.select().from(t.waitlist).where(eq(t.waitlist.id, id)).limit(1)),
    /** How many wait before this entry: first come, first served (CONTRACT §7). */
    waitlistAhead: async (entry: Tables["waitlist"]) => {
      const ahead = sql`(${t.waitlist.created_at}, ${t.waitlist.id}) < (${entry.created_at}, ${entry.id})`;
      const rows = await db
        .select({ n: count() })
        .from(t.waitlist)
        .where(
          and(eq(t.waitlist.product_id, entry.product_id), eq(t.waitlist.status, "WAITING"), ahead),
        );
      return rows[0]?.n ?? 0;
    },
    expiredOffers: (now: number, limit: number) =>
      db
        .select()
        .from(t.waitlist)
        .where(and(eq(t.waitlist.status, "OFFERED"), lte(t.waitlist.offer_expires_at, now)))
        .limit(limit),
    stock: () => db.select().from(t.stock).orderBy(asc(t.stock.product_id)),
  };
}

/** What the merchant looks at (CONTRACT §15), newest first. */
function deskQueries(db: QueryDatabase, t: QueryTables) {
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
        .where(and(eq(t.sandbox.kind, kind), gt(t.sandbox.created_at, since)))
        .orderBy(asc(t.sandbox.created_at)),
    /** Rows of a table in all, for checks that nothing was lost or doubled. */
    countRows: async (table: keyof Tables) => {
      const rows = await db.select({ n: count() }).from(t[table]);
      return Number(rows[0]?.n ?? 0);
    },
  };
}
