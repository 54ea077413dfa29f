import { type AnyColumn, and, asc, eq, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { QueryDatabase, QueryTables } from "./database.ts";

/** A quote's place in the order of their ends. */
export interface QuoteCursor {
  expires_at: number;
  id: string;
}

/**
 * What nothing needs any more is deleted here, and nowhere else (contract §14). Each takes at most so
 * many rows, so that others do not wait for long, and answers how many it took. The condition
 * stands outside too: a row that somebody has just changed is looked at again.
 */
export function retentionQueries(db: QueryDatabase, t: QueryTables) {
  async function remove(
    table: SQLiteTable,
    key: readonly AnyColumn[],
    { gone, limit }: { gone: SQL | undefined; limit: number },
  ): Promise<number> {
    const names = sql.join([...key], sql`, `);
    const some = sql`(select ${names} from ${table} where ${gone} limit ${limit})`;
    const rows = await db
      .delete(table)
      .where(and(gone, sql`(${names}) in ${some}`))
      .returning({ key: sql`1` });
    return rows.length;
  }

  return {
    /** Quotes that have ended by then, paid or not, those that ended first first. */
    endedQuotes: (by: number, after: QuoteCursor | null, limit: number): Promise<QuoteCursor[]> => {
      const { id, expires_at } = t.quotes;
      const behind = after && sql`(${expires_at}, ${id}) > (${after.expires_at}, ${after.id})`;
      return db
        .select({ id, expires_at })
        .from(t.quotes)
        .where(and(lte(expires_at, by), behind ?? undefined))
        .orderBy(asc(expires_at), asc(id))
        .limit(limit) as unknown as Promise<QuoteCursor[]>;
    },
    /**
     * Of these the ones for which no money ever came and none can come. The database itself refuses
     * any other, and takes along what belongs to them.
     */
    removeUnpaidQuotes: async (ids: string[]): Promise<number> => {
      const ordered = sql`exists (select 1 from ${t.orders} where ${t.orders.quote_id} = ${t.quotes.id})`;
      const touched = sql`exists (select 1 from ${t.attempts}
        where ${t.attempts.quote_id} = ${t.quotes.id}
          and (${t.attempts.payment_ref} is not null or ${inArray(t.attempts.status, LIVE)}))`;
      const rows = await db
        .delete(t.quotes)
        .where(and(inArray(t.quotes.id, ids), sql`not ${ordered}`, sql`not ${touched}`))
        .returning({ id: t.quotes.id });
      return rows.length;
    },
    removeIdempotency: (before: number, limit: number) =>
      remove(t.idempotency, [t.idempotency.scope, t.idempotency.key_hash], {
        gone: lte(t.idempotency.expires_at, before),
        limit,
      }),
    removeFinderKeys: (before: number, limit: number) =>
      remove(t.finder_keys, [t.finder_keys.key_hash], {
        gone: lte(t.finder_keys.expires_at, before),
        limit,
      }),
    removeFinderCredits: (before: number, limit: number) =>
      remove(t.finder_credits, [t.finder_credits.agent_id, t.finder_credits.fingerprint], {
        gone: lte(t.finder_credits.created_at, before),
        limit,
      }),
    /** Settled ones, and those that were given up, of which an incident tells. */
    removeWebhooks: (before: number, limit: number) =>
      remove(t.webhooks, [t.webhooks.id], {
        gone: and(lte(t.webhooks.received_at, before), isNull(t.webhooks.try_at)),
        limit,
      }),
    removeLetters: (before: number, limit: number) =>
      remove(t.outbox, [t.outbox.id], {
        gone: and(lte(t.outbox.created_at, before), isNull(t.outbox.try_at)),
        limit,
      }),
    removeEndedWaitlist: (before: number, limit: number) =>
      remove(t.waitlist, [t.waitlist.id], {
        gone: and(WAITLIST_ENDED, lte(t.waitlist.created_at, before)),
        limit,
      }),
    removeFeedback: (before: number, limit: number) =>
      remove(t.feedback, [t.feedback.id], { gone: lte(t.feedback.created_at, before), limit }),
    removeLeads: (before: number, limit: number) =>
      remove(t.leads, [t.leads.id], { gone: lte(t.leads.created_at, before), limit }),
    /** Of messages that are gone by then. */
    removeMessageTasks: (before: number, limit: number) =>
      remove(t.desk_tasks, [t.desk_tasks.id], {
        gone: and(
          lte(t.desk_tasks.created_at, before),
          inArray(t.desk_tasks.kind, ["FEEDBACK", "LEAD"]),
        ),
        limit,
      }),
    /** Emails that began to pay, never paid, and keep no courtesy: like those that never came. */
    removeEmptyCustomers: (_before: number, limit: number) =>
      remove(t.customers, [t.customers.email], { gone: CUSTOMER_EMPTY, limit }),
    removeSandboxAnswers: (before: number, limit: number) =>
      remove(t.sandbox, [t.sandbox.id], {
        gone: and(inArray(t.sandbox.kind, SANDBOX_ANSWERED), lte(t.sandbox.created_at, before)),
        limit,
      }),
    removeSandboxSessions: (before: number, limit: number) =>
      remove(t.sandbox, [t.sandbox.id], {
        gone: and(eq(t.sandbox.kind, "session"), lte(t.sandbox.created_at, before)),
        limit,
      }),
  };
}

const LIVE = ["CREATING", "OPEN", "PROCESSING"] as const;

/** In the words of their indexes (store/tables), so that those are used. */
const WAITLIST_ENDED = sql`status in ('LEFT', 'EXPIRED')`;
const CUSTOMER_EMPTY = sql`paid_orders = 0 and courtesy is null`;

/** Answers that the sandbox keeps for retries, and webhooks that have come or never will. */
const SANDBOX_ANSWERED = ["idempotency", "delivery_done", "delivery_given_up", "delivery_dropped"];
