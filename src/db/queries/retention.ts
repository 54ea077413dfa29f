import { setImmediate } from "node:timers/promises";
import {
  type AnyColumn,
  and,
  asc,
  desc,
  eq,
  getTableName,
  gt,
  inArray,
  isNull,
  like,
  lte,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { namesCustomer } from "../../core/email.ts";
import type { OrderId, QuoteId } from "../../core/ids.ts";
import { ERASURE, LIVE_STATUSES, PRIMARY_KEYS, type TableName } from "../../core/records.ts";
import { CUSTOMER_EMPTY, KEY_UNUSED, WAITLIST_ENDED } from "../indexes.ts";
import { behind, type ListCursor, type Reads } from "./database.ts";

/**
 * All deletion of old rows (contract §14). Each function deletes at most `limit` rows, so that others
 * don't wait long, and returns how many it deleted.
 */
export function retentionQueries({ db, t, isAmong }: Reads) {
  /** The condition is repeated outside, so that PostgreSQL checks a row again that was just changed. */
  async function remove(table: SQLiteTable, gone: SQL | undefined, limit: number): Promise<number> {
    const names = PRIMARY_KEYS[getTableName(table) as TableName];
    const columns = table as unknown as Record<string, AnyColumn>;
    const key = sql.join(
      names.map((name) => sql`${columns[name]}`),
      sql`, `,
    );
    const some = sql`(select ${key} from ${table} where ${gone} limit ${limit})`;
    const rows = await db
      .delete(table)
      .where(and(gone, sql`(${key}) in ${some}`))
      .returning({ key: sql`1` });
    return rows.length;
  }

  /** Removes rows from before a moment. */
  const older =
    (table: SQLiteTable, at: AnyColumn, also?: SQL) => (before: number, limit: number) =>
      remove(table, and(lte(at, before), also), limit);

  const { id, expires_at } = t.quotes;
  return {
    /** Quotes that expired by then, paid or not, the oldest first. */
    endedQuotes: (by: number, after: ListCursor | undefined, limit: number) => {
      const next = after && behind([expires_at, id], [after.at, after.id]);
      return db
        .select({ id, at: expires_at, customer: t.quotes.customer })
        .from(t.quotes)
        .where(and(lte(expires_at, by), next))
        .orderBy(asc(expires_at), asc(id))
        .limit(limit);
    },
    /**
     * Removes those of these quotes that were not paid and can't be. The database refuses any other, and
     * deletes the rows that belong to them.
     */
    removeUnpaidQuotes: async (ids: string[]): Promise<number> => {
      const ordered = sql`exists (select 1 from ${t.orders} where ${t.orders.quote_id} = ${id})`;
      const touched = sql`exists (select 1 from ${t.attempts}
        where ${t.attempts.quote_id} = ${id}
          and (${t.attempts.payment_ref} is not null or ${inArray(t.attempts.status, LIVE_STATUSES)}))`;
      const rows = await db
        .delete(t.quotes)
        .where(and(isAmong(id, ids), sql`not ${ordered}`, sql`not ${touched}`))
        .returning({ id });
      return rows.length;
    },
    removeUnusedKeys: older(
      t.agents,
      t.agents.created_at,
      and(KEY_UNUSED, isNull(t.agents.revoked_at)),
    ),
    /** Unpaid ones, whose quotes are gone. */
    removeCheckouts: older(
      t.checkouts,
      t.checkouts.expires_at,
      and(
        isNull(t.checkouts.order_id),
        sql`not exists (select 1 from ${t.quotes} where ${id} = ${t.checkouts.quote_id})`,
      ),
    ),
    removeIdempotency: older(t.idempotency, t.idempotency.expires_at),
    removeRateLimits: older(t.rate_limits, t.rate_limits.ends_at),
    removeFinderKeys: older(t.finder_keys, t.finder_keys.expires_at),
    removeFinderCredits: older(t.finder_credits, t.finder_credits.created_at),
    /** Webhooks that were settled, or given up with an incident. */
    removeWebhooks: older(t.webhooks, t.webhooks.received_at, isNull(t.webhooks.try_at)),
    /** Unsent letters, too: without a mail server none is ever sent. */
    removeLetters: older(t.outbox, t.outbox.created_at),
    removeEndedWaitlist: older(t.waitlist, t.waitlist.created_at, WAITLIST_ENDED),
    removeFeedback: older(t.feedback, t.feedback.created_at),
    removeLeads: older(t.leads, t.leads.created_at),
    /** Tasks of messages that have been deleted. */
    removeMessageTasks: older(
      t.desk_tasks,
      t.desk_tasks.created_at,
      inArray(t.desk_tasks.kind, ["FEEDBACK", "LEAD"]),
    ),
    /** Customers who began to pay, never paid, and hold no courtesy. */
    removeEmptyCustomers: (_before: number, limit: number) =>
      remove(t.customers, CUSTOMER_EMPTY, limit),
    removeSandboxAnswers: older(
      t.sandbox,
      t.sandbox.created_at,
      inArray(t.sandbox.kind, SANDBOX_ANSWERED),
    ),
    removeSandboxSessions: older(t.sandbox, t.sandbox.created_at, eq(t.sandbox.kind, "session")),
  };
}

/** Pages nobody paid, and the idempotency keys and webhooks that earlier versions stored. */
const SANDBOX_ANSWERED = [
  ...["idempotency", "session_unpaid"],
  ...["delivery", "delivery_done", "delivery_given_up"],
];

type TableWithId = SQLiteTable & { id: SQLiteColumn };

/** Rows that a search reads at a time. */
const ROWS_AT_ONCE = 500;

/** Finds a person's rows. `rowsNaming` reads whole tables, some rows at a time. */
export function privacyQueries({ db, t, rows, among, isAmong }: Reads) {
  async function ordersWhere(where: SQL): Promise<OrderId[]> {
    const rows = await db.select({ id: t.orders.id }).from(t.orders).where(where);
    return rows.map(({ id }) => id);
  }

  /** Ids of rows made by that time whose text names the customer, in any spelling of the address. */
  async function naming(
    table: TableWithId & { created_at: SQLiteColumn },
    columns: readonly AnyColumn[],
    { customer, at }: { customer: string; at: number },
  ) {
    const found: string[] = [];
    const text = sql<string>`concat_ws('"', ${sql.join([...columns], sql`, `)})`;
    for (let after = ""; ; ) {
      const rows = await db
        .select({ id: table.id, text })
        .from(table)
        .where(and(gt(table.id, after), lte(table.created_at, at), like(text, "%@%")))
        .orderBy(asc(table.id))
        .limit(ROWS_AT_ONCE);
      for (const row of rows) if (namesCustomer(row.text, customer)) found.push(row.id as string);
      if (rows.length < ROWS_AT_ONCE) return found;
      after = rows.at(-1)!.id as string;
      await setImmediate();
    }
  }

  const { id, buyer_email, cart, created_at } = t.quotes;
  const quoteOfCustomer = { id, buyer_email, cart, created_at };
  return {
    quotesOfCustomer: (customer: string, after: string, limit: number) =>
      db
        .select(quoteOfCustomer)
        .from(t.quotes)
        .where(and(eq(t.quotes.customer, customer), gt(t.quotes.id, after)))
        .orderBy(asc(t.quotes.id))
        .limit(limit),
    /** When a customer's newest quote was made. Ids begin with their time. */
    lastQuotedAt: async (customer: string): Promise<number | undefined> => {
      const [newest] = await db
        .select({ created_at })
        .from(t.quotes)
        .where(eq(t.quotes.customer, customer))
        .orderBy(desc(t.quotes.id))
        .limit(1);
      return newest?.created_at;
    },
    ordersOfQuotes: (quoteIds: QuoteId[]) => ordersWhere(isAmong(t.orders.quote_id, quoteIds)),
    ordersOfCustomer: (customer: string) =>
      ordersWhere(
        inArray(
          t.orders.quote_id,
          db.select({ id }).from(t.quotes).where(eq(t.quotes.customer, customer)),
        ),
      ),
    waitlistOfCustomer: (customer: string) =>
      rows(t.waitlist, { where: eq(t.waitlist.customer, customer) }),
    checkoutsOfPages: among(t.checkouts, t.checkouts.page),
    /** Ids of rows made by that time that contain an address of the customer. */
    rowsNaming: async (customer: string, at: number) => {
      const { email, purpose, quantity, organization } = t.leads;
      const of = { customer, at };
      return {
        leads: await naming(t.leads, [email, purpose, quantity, organization], of),
        feedback: await naming(t.feedback, [t.feedback.message], of),
        agents: await naming(t.agents, [t.agents.contact_email, t.agents.name], of),
        sandbox: await naming(t.sandbox, [t.sandbox.body], of),
        checkouts: await naming(t.checkouts, [t.checkouts.cart, t.checkouts.buyer], of),
      };
    },
    /** Erasures that have not ended. */
    erasures: () => rows(t.settings, { where: like(t.settings.name, `${ERASURE}%`) }),
    endErasure: async (name: string): Promise<void> => {
      await db.delete(t.settings).where(eq(t.settings.name, name));
    },
    removeCustomer: async (email: string): Promise<void> => {
      await db.delete(t.customers).where(eq(t.customers.email, email));
    },
  };
}
