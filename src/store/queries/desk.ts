import {
  type AnyColumn,
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { MOST_COUNTED } from "../../domain/shared/counting.ts";
import type { OrderRow, OrderStatus, Tables } from "../../domain/shared/records.ts";
import { first, type QueryDatabase, type QueryTables } from "./database.ts";

/** A row's place in a list: its moment, and its id where moments are equal. */
interface ListCursor {
  at: number;
  id: string;
}

/** A select that is still to be narrowed down. */
interface ListQuery<R> {
  where(condition: SQL | undefined): { orderBy(...by: SQL[]): { limit(rows: number): R } };
}

interface ListFilter {
  before?: ListCursor | undefined;
  limit: number;
  among?: SQL | undefined;
}

/** Newest first, strictly behind a row. */
function newestBefore<R>(
  list: ListQuery<R>,
  [at, id]: [AnyColumn, AnyColumn],
  wanted: ListFilter,
): R {
  const { before, limit, among } = wanted;
  const older = before && sql`(${at}, ${id}) < (${before.at}, ${before.id})`;
  return list.where(and(among, older)).orderBy(desc(at), desc(id)).limit(limit);
}

const oldestFirst = (a: OrderRow, b: OrderRow): number =>
  a.created_at - b.created_at || (a.id < b.id ? -1 : 1);

const newestFirst = (a: OrderRow, b: OrderRow): number => oldestFirst(b, a);

const OPEN: OrderStatus[] = ["CONFIRMED", "ROASTING", "PARTIALLY_SHIPPED", "SHIPPED"];

/** What the merchant looks at (contract §15), newest first. */
export function deskQueries(db: QueryDatabase, t: QueryTables) {
  const page = 500;
  const countOf = async (some: Parameters<ReturnType<typeof db.select>["from"]>[0]) => {
    const rows = await db.select({ n: count() }).from(some);
    return Number(rows[0]?.n ?? 0);
  };
  return {
    ordersBehind: async (wanted: {
      statuses?: readonly OrderStatus[] | undefined;
      before?: ListCursor | undefined;
      limit: number;
    }) => {
      const { created_at, id, status } = t.orders;
      const { statuses, before, limit } = wanted;
      const page = (among?: SQL) =>
        newestBefore(db.select().from(t.orders), [created_at, id], { before, limit, among });
      if (!statuses) return await page();
      // Status by status, each along its index: of several at once the whole table would be sorted.
      const pages = await Promise.all(statuses.map((one) => page(eq(status, one))));
      return pages.flat().sort(newestFirst).slice(0, limit);
    },
    /** First in, first out: what came first is roasted and shipped first. */
    ordersInTurn: async (statuses: readonly OrderStatus[], limit: number) => {
      const { created_at, id, status } = t.orders;
      const page = (one: OrderStatus) =>
        db
          .select()
          .from(t.orders)
          .where(eq(status, one))
          .orderBy(asc(created_at), asc(id))
          .limit(limit);
      const pages = await Promise.all(statuses.map(page));
      return pages.flat().sort(oldestFirst).slice(0, limit);
    },
    /**
     * Of the newest orders, those with these words somewhere in email, terms, changed address or
     * tracking number, newest first. Words inside of others are found, so each row is looked at: no
     * more than so many.
     */
    ordersLike: (words: string, among: number, limit: number) => {
      const like = `%${words.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
      const has = (column: AnyColumn) => sql`lower(${column}) like ${like} escape '\\'`;
      const { id, quote_id, buyer_email, created_at } = t.orders;
      const newest = db
        .select({ id, quote_id, buyer_email, created_at })
        .from(t.orders)
        .orderBy(desc(created_at), desc(id))
        .limit(among)
        .as("newest");
      const { terms } = t.quotes;
      const { address, tracking_number, order_id } = t.shipments;
      return db
        .select({ id: newest.id, email: newest.buyer_email, terms, address, tracking_number })
        .from(newest)
        .innerJoin(t.quotes, eq(t.quotes.id, newest.quote_id))
        .innerJoin(t.shipments, eq(order_id, newest.id))
        .where(or(has(newest.buyer_email as never), has(terms), has(address), has(tracking_number)))
        .orderBy(desc(newest.created_at), desc(newest.id))
        .limit(limit);
    },
    /** Of all orders, those with exactly this email or tracking number; along their indexes. */
    ordersOf: async (words: string, limit: number) => {
      const { id, buyer_email, created_at } = t.orders;
      const { order_id, tracking_number } = t.shipments;
      const [bought, tracked] = await Promise.all([
        db
          .select({ id })
          .from(t.orders)
          .where(eq(buyer_email, words.toLowerCase()))
          .orderBy(desc(created_at))
          .limit(limit),
        db
          .select({ id: order_id })
          .from(t.shipments)
          .where(eq(tracking_number, words))
          .limit(limit),
      ]);
      return [...new Set([...bought, ...tracked].map((row) => row.id))];
    },
    /** How many orders still want something, by status, as far as anybody counts. */
    openOrders: async () =>
      Promise.all(
        OPEN.map(async (status) => {
          const some = db
            .select({ id: t.orders.id })
            .from(t.orders)
            .where(eq(t.orders.status, status))
            .limit(MOST_COUNTED)
            .as("some");
          return { status, n: await countOf(some) };
        }),
      ),
    undecidedRequests: (limit: number) =>
      db
        .select()
        .from(t.cancel_requests)
        .where(eq(t.cancel_requests.status, "REQUESTED"))
        .orderBy(asc(t.cancel_requests.created_at))
        .limit(limit),
    countUndecidedRequests: () => {
      const { id, status } = t.cancel_requests;
      const asking = db.select({ id }).from(t.cancel_requests).where(eq(status, "REQUESTED"));
      return countOf(asking.limit(MOST_COUNTED).as("some"));
    },
    allAgents: (before?: ListCursor, limit = page) =>
      newestBefore(db.select().from(t.agents), [t.agents.created_at, t.agents.id], {
        before,
        limit,
      }),
    allWaitlist: (before?: ListCursor, limit = page) =>
      newestBefore(db.select().from(t.waitlist), [t.waitlist.created_at, t.waitlist.id], {
        before,
        limit,
      }),
    allCancelRequests: (before?: ListCursor, limit = page) => {
      const { created_at, id } = t.cancel_requests;
      return newestBefore(db.select().from(t.cancel_requests), [created_at, id], { before, limit });
    },
    feedback: async (id: string) =>
      first(await db.select().from(t.feedback).where(eq(t.feedback.id, id)).limit(1)),
    allFeedback: (before?: ListCursor, limit = page) =>
      newestBefore(db.select().from(t.feedback), [t.feedback.created_at, t.feedback.id], {
        before,
        limit,
      }),
    allLeads: (before?: ListCursor, limit = page) =>
      newestBefore(db.select().from(t.leads), [t.leads.created_at, t.leads.id], { before, limit }),
    allIncidents: (before?: ListCursor, limit = page) =>
      newestBefore(db.select().from(t.incidents), [t.incidents.created_at, t.incidents.id], {
        before,
        limit,
      }),
    letters: (before?: ListCursor, limit = page) =>
      newestBefore(db.select().from(t.outbox), [t.outbox.created_at, t.outbox.id], {
        before,
        limit,
      }),
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
    allAudit: (before?: ListCursor, limit = page) =>
      newestBefore(db.select().from(t.audit), [t.audit.at, t.audit.id], { before, limit }),
    /** What the merchant did since a moment, newest first. */
    auditSince: (since: number, limit: number) =>
      db
        .select()
        .from(t.audit)
        .where(gt(t.audit.at, since))
        .orderBy(desc(t.audit.at), desc(t.audit.id))
        .limit(limit),
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
