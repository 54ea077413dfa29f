import {
  type AnyColumn,
  and,
  asc,
  eq,
  getTableName,
  gt,
  inArray,
  isNull,
  like,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { wholeEmails } from "../../core/email.ts";
import { LIVE_STATUSES, PRIMARY_KEYS, type TableName } from "../../core/records.ts";
import { CUSTOMER_EMPTY, KEY_UNUSED, WAITLIST_ENDED } from "../indexes.ts";
import { anywhere, behind, type ListCursor, type Reads } from "./database.ts";

/**
 * What nothing needs any more is deleted here, and nowhere else (contract §14). Each takes at most so
 * many rows, so that others do not wait for long, and answers how many it took.
 */
export function retentionQueries({ db, t }: Reads) {
  /** The condition stands outside too: a row that somebody has just changed is looked at again. */
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
    /** Quotes that have ended by then, paid or not, those that ended first first. */
    endedQuotes: (by: number, after: ListCursor | undefined, limit: number) => {
      const next = after && behind([expires_at, id], [after.at, after.id]);
      return db
        .select({ id, at: expires_at })
        .from(t.quotes)
        .where(and(lte(expires_at, by), next))
        .orderBy(asc(expires_at), asc(id))
        .limit(limit);
    },
    /**
     * Of these the ones for which no money ever came and none can come. The database itself refuses
     * any other, and takes along what belongs to them.
     */
    removeUnpaidQuotes: async (ids: string[]): Promise<number> => {
      const ordered = sql`exists (select 1 from ${t.orders} where ${t.orders.quote_id} = ${id})`;
      const touched = sql`exists (select 1 from ${t.attempts}
        where ${t.attempts.quote_id} = ${id}
          and (${t.attempts.payment_ref} is not null or ${inArray(t.attempts.status, LIVE_STATUSES)}))`;
      const rows = await db
        .delete(t.quotes)
        .where(and(inArray(id, ids), sql`not ${ordered}`, sql`not ${touched}`))
        .returning({ id });
      return rows.length;
    },
    removeUnusedKeys: older(
      t.agents,
      t.agents.created_at,
      and(KEY_UNUSED, isNull(t.agents.revoked_at)),
    ),
    removeUcpSessions: older(t.ucp_sessions, t.ucp_sessions.expires_at),
    removeIdempotency: older(t.idempotency, t.idempotency.expires_at),
    removeRateLimits: older(t.rate_limits, t.rate_limits.ends_at),
    removeFinderKeys: older(t.finder_keys, t.finder_keys.expires_at),
    removeFinderCredits: older(t.finder_credits, t.finder_credits.created_at),
    /** Settled ones, and those that were given up, of which an incident tells. */
    removeWebhooks: older(t.webhooks, t.webhooks.received_at, isNull(t.webhooks.try_at)),
    /** Unsent ones too: without a mail server none is ever sent. */
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
    /** Emails that began to pay, never paid, and keep no courtesy: like those that never came. */
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

/** Idempotency keys, pages nobody paid, and webhooks that version 0.1.0 stored as rows of their own. */
const SANDBOX_ANSWERED = [
  ...["idempotency", "session_unpaid"],
  ...["delivery", "delivery_done", "delivery_given_up"],
];

type TableWithId = SQLiteTable & { id: SQLiteColumn };

/** Forms of a mailbox that one statement looks for; strangers can make any number, SQL has its bounds. */
const FORMS_AT_ONCE = 100;

/** Finds a person's rows. It runs rarely, so it may read whole tables. */
export function privacyQueries({ db, t, rows }: Reads) {
  async function idsOf(table: TableWithId, where: SQL | undefined): Promise<string[]> {
    const rows = await db.select({ id: table.id }).from(table).where(where);
    return rows.map(({ id }) => id as string);
  }

  /** Ids of rows whose text contains one of these emails as a whole, in any case, plain or in JSON. */
  async function naming(table: TableWithId, columns: readonly AnyColumn[], emails: string[]) {
    const found = new Set<string>();
    const whole = wholeEmails(emails);
    const text = sql<string>`concat_ws('"', ${sql.join([...columns], sql`, `)})`;
    for (let i = 0; i < emails.length; i += FORMS_AT_ONCE) {
      const forms = emails.slice(i, i + FORMS_AT_ONCE).map(anywhere);
      const has = columns.flatMap((column) =>
        forms.map((form) => sql`lower(${column}) like ${form} escape '\\'`),
      );
      const rows = await db
        .select({ id: table.id, text })
        .from(table)
        .where(or(...has));
      for (const row of rows) if (row.text.search(whole) >= 0) found.add(row.id as string);
    }
    return [...found];
  }

  return {
    quotesOfCustomer: (customer: string, after: string, limit: number) =>
      db
        .select({ id: t.quotes.id, buyer_email: t.quotes.buyer_email, cart: t.quotes.cart })
        .from(t.quotes)
        .where(and(eq(t.quotes.customer, customer), gt(t.quotes.id, after)))
        .orderBy(asc(t.quotes.id))
        .limit(limit),
    ordersOfQuotes: (quoteIds: string[]) => idsOf(t.orders, inArray(t.orders.quote_id, quoteIds)),
    waitlistOfCustomer: (customer: string) =>
      rows(t.waitlist, { where: eq(t.waitlist.customer, customer) }),
    /** Every session whose cart carries a gift note. */
    sessionsWithNotes: () =>
      db
        .select({ id: t.ucp_sessions.id, from_cart: t.ucp_sessions.from_cart })
        .from(t.ucp_sessions)
        .where(like(t.ucp_sessions.cart, '%"gift_note"%')),
    /** Rows that name one of these emails, or were written about these orders. */
    rowsNaming: async (emails: string[], orderIds: string[]) => {
      const { email, purpose, quantity, organization } = t.leads;
      const about = await idsOf(t.feedback, inArray(t.feedback.order_id, orderIds));
      return {
        leads: await naming(t.leads, [email, purpose, quantity, organization], emails),
        feedback: [
          ...new Set([...(await naming(t.feedback, [t.feedback.message], emails)), ...about]),
        ],
        agents: await naming(t.agents, [t.agents.contact_email, t.agents.name], emails),
        sandbox: await naming(t.sandbox, [t.sandbox.body], emails),
        ucp_sessions: await naming(t.ucp_sessions, [t.ucp_sessions.cart], emails),
      };
    },
    removeCustomer: async (email: string): Promise<void> => {
      await db.delete(t.customers).where(eq(t.customers.email, email));
    },
  };
}
