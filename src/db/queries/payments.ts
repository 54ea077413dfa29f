import { and, asc, desc, eq, gt, inArray, like, sql } from "drizzle-orm";
import { LIVE_STATUSES } from "../../core/records.ts";
import { LIVE_ATTEMPT } from "../indexes.ts";
import { prepared, type Reads } from "./database.ts";

export function paymentQueries({ db, t, rows, preparedRows, one, among, due }: Reads) {
  const { id, quote_id, created_at, status, holds, hold_until } = t.attempts;
  const attemptsOfQuotes = among(t.attempts, quote_id, created_at, id);
  const isPaying = and(
    eq(t.attempts.customer, sql.placeholder("customer")),
    inArray(status, LIVE_STATUSES),
  );
  const paying = preparedRows("paying", t.attempts, {
    where: isPaying,
    by: [desc(created_at)],
    limit: 5,
  });
  const { buyer_email, created_at: ordered_at, quote_id: ordered } = t.orders;
  const bought = prepared("bought", () =>
    db
      .select({ quote_id: ordered })
      .from(t.orders)
      .where(
        and(eq(buyer_email, sql.placeholder("email")), gt(ordered_at, sql.placeholder("since"))),
      )
      .unionAll(db.select({ quote_id }).from(t.attempts).where(isPaying))
      .limit(1),
  );
  const live = preparedRows("live", t.attempts, {
    where: and(inArray(status, LIVE_STATUSES), gt(id, sql.placeholder("afterId"))),
    by: [asc(id)],
    limit: sql.placeholder("limit"),
  });
  return {
    attempt: one(t.attempts, id),
    attemptsOfQuotes,
    attemptsOfQuote: (quoteId: string) => attemptsOfQuotes([quoteId]),
    /** Whether there is an order since a moment, or a payment that is open or settles: no whole rows. */
    hasBought: async (customer: string, email: string, since: number): Promise<boolean> =>
      (await bought({ customer, email, since })).length > 0,
    /** Payments of a customer that are open or settle, the newest first. */
    payingOf: (customer: string) => paying({ customer }),
    attemptBySession: one(t.attempts, t.attempts.session_id),
    attemptByPayment: one(t.attempts, t.attempts.payment_ref),
    /** Attempts whose next question to the provider is due, the longest waiting first. */
    dueAttempts: due(t.attempts, t.attempts.check_at),
    /** What may still be paid, a page after `afterId`. */
    liveAttempts: (afterId: string, limit: number) => live({ afterId, limit }),
    /** Live attempts that may hold this bean, those whose time ends first first. */
    attemptsHolding: (productId: string, limit: number) =>
      rows(t.attempts, {
        where: and(LIVE_ATTEMPT, like(holds, `%${JSON.stringify(productId)}%`)),
        by: [asc(hold_until)],
        limit,
      }),
    /** Refunds to be made, or made again, the longest waiting first. */
    dueRefunds: due(t.refunds, t.refunds.try_at),
    refund: one(t.refunds, t.refunds.id),
    refundsOfOrders: among(t.refunds, t.refunds.order_id, t.refunds.created_at, t.refunds.id),
    disputesOfOrders: among(t.disputes, t.disputes.order_id, t.disputes.created_at, t.disputes.id),
    refundsOfPayments: among(t.refunds, t.refunds.payment_ref, t.refunds.created_at, t.refunds.id),
    disputesOfPayments: among(
      t.disputes,
      t.disputes.payment_ref,
      t.disputes.created_at,
      t.disputes.id,
    ),
    dueWebhooks: due(t.webhooks, t.webhooks.try_at),
  };
}
