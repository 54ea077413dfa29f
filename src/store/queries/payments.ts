import { and, asc, eq, gt, inArray, isNotNull, like, lte, sql } from "drizzle-orm";
import { first, prepared, type QueryDatabase, type QueryTables } from "./database.ts";

/** In the words of the index, so that it is used. */
const LIVE = sql`status in ('CREATING', 'OPEN', 'PROCESSING')`;

export function paymentQueries(db: QueryDatabase, t: QueryTables) {
  const ofQuote = prepared(
    "attempts_of_quote",
    db
      .select()
      .from(t.attempts)
      .where(eq(t.attempts.quote_id, sql.placeholder("quoteId")))
      .orderBy(asc(t.attempts.created_at), asc(t.attempts.id)),
  );
  return {
    attempt: async (id: string) =>
      first(await db.select().from(t.attempts).where(eq(t.attempts.id, id)).limit(1)),
    attemptsOfQuote: (quoteId: string) => ofQuote({ quoteId }),
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
    /** What may still be paid, a page after `afterId`. */
    liveAttempts: (afterId: string, limit: number) =>
      db
        .select()
        .from(t.attempts)
        .where(
          and(
            inArray(t.attempts.status, ["CREATING", "OPEN", "PROCESSING"]),
            gt(t.attempts.id, afterId),
          ),
        )
        .orderBy(asc(t.attempts.id))
        .limit(limit),
    /** Live attempts that may hold this bean, those whose time ends first first. */
    attemptsHolding: (productId: string, limit: number) =>
      db
        .select()
        .from(t.attempts)
        .where(and(LIVE, like(t.attempts.holds, `%${JSON.stringify(productId)}%`)))
        .orderBy(asc(t.attempts.hold_until))
        .limit(limit),
    /** Refunds to be made, or made again, the longest waiting first. */
    dueRefunds: (now: number, limit: number) =>
      db
        .select()
        .from(t.refunds)
        .where(and(isNotNull(t.refunds.try_at), lte(t.refunds.try_at, now)))
        .orderBy(asc(t.refunds.try_at))
        .limit(limit),
    refundsOfOrders: (orderIds: string[]) =>
      orderIds.length === 0
        ? Promise.resolve([])
        : db
            .select()
            .from(t.refunds)
            .where(inArray(t.refunds.order_id, orderIds))
            .orderBy(asc(t.refunds.created_at), asc(t.refunds.id)),
    disputesOfOrders: (orderIds: string[]) =>
      orderIds.length === 0
        ? Promise.resolve([])
        : db
            .select()
            .from(t.disputes)
            .where(inArray(t.disputes.order_id, orderIds))
            .orderBy(asc(t.disputes.created_at), asc(t.disputes.id)),
    dueWebhooks: (now: number, limit: number) =>
      db
        .select()
        .from(t.webhooks)
        .where(and(isNotNull(t.webhooks.try_at), lte(t.webhooks.try_at, now)))
        .orderBy(asc(t.webhooks.try_at))
        .limit(limit),
  };
}
