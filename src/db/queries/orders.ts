import { and, asc, desc, eq, exists, gt, inArray, lt, sql } from "drizzle-orm";
import { trackingKey } from "../../core/fields.ts";
import type { AgentId, OrderId, QuoteId } from "../../core/ids.ts";
import { type AttemptRow, ORDERED_STATUSES, UNSETTLED_STATUSES } from "../../core/records.ts";
import { behind, prepared, type Reads } from "./database.ts";

export function orderQueries({ db, t, rows, preparedRows, one, among }: Reads) {
  const { id, agent_id, buyer_email, created_at } = t.orders;
  const log = preparedRows("log", t.events, {
    where: and(
      eq(t.events.order_id, sql.placeholder("orderId")),
      gt(t.events.sequence, sql.placeholder("after")),
    ),
    by: [asc(t.events.sequence)],
    limit: sql.placeholder("limit"),
  });
  const ofBuyer = preparedRows("of_buyer", t.orders, {
    where: and(eq(buyer_email, sql.placeholder("email")), gt(created_at, sql.placeholder("since"))),
    by: [desc(created_at)],
    limit: 5,
  });
  const ofAgentsBuyer = preparedRows("of_agents_buyer", t.orders, {
    where: and(
      eq(agent_id, sql.placeholder("agentId")),
      eq(buyer_email, sql.placeholder("email")),
      lt(created_at, sql.placeholder("before")),
    ),
    by: [desc(created_at)],
    limit: 2,
  });
  /** Each spelling of a customer's email that somebody used. */
  const spellings = (customer: string) =>
    db
      .select({ email: t.quotes.buyer_email })
      .from(t.quotes)
      .where(eq(t.quotes.customer, customer));
  const requests = t.cancel_requests;
  return {
    order: one(t.orders, id),
    orderByNumber: one(t.orders, t.orders.number),
    orderOfQuote: one(t.orders, t.orders.quote_id),
    ordersByIds: among(t.orders, id),
    /** Newest first, strictly before `before`; created_at strictly increases per key. */
    ordersPage: (
      agentId: AgentId,
      page: { customer?: string | undefined; before?: number | undefined; limit: number },
    ) => {
      const isOfPerson =
        page.customer === undefined ? undefined : inArray(buyer_email, spellings(page.customer));
      // A person has few orders. Without the sign SQLite reads all orders of the key in their order.
      const at = isOfPerson ? sql`+${created_at}` : sql`${created_at}`;
      return rows(t.orders, {
        where: and(
          eq(agent_id, agentId),
          isOfPerson,
          page.before === undefined ? undefined : lt(at, page.before),
        ),
        by: [desc(at)],
        limit: page.limit,
      });
    },
    /** Oldest first, behind a time or an order. */
    ordersAfter: (after: { at: number; id: string }, limit: number) =>
      rows(t.orders, {
        where: behind([created_at, id], [after.at, after.id]),
        by: [asc(created_at), asc(id)],
        limit,
      }),
    /** Money that went back, oldest first, behind a time or a line. */
    ledgerAfter: (after: { at: number; id: string }, limit: number) =>
      rows(t.ledger, {
        where: behind([t.ledger.at, t.ledger.id], [after.at, after.id]),
        by: [asc(t.ledger.at), asc(t.ledger.id)],
        limit,
      }),
    ledgerOfOrders: among(t.ledger, t.ledger.order_id, t.ledger.at, t.ledger.id),
    /** Paid orders of a customer since a moment, newest first: for "you paid for this just now". */
    ordersOfBuyer: (email: string, since: number) => ofBuyer({ email, since }),
    /** The two newest orders of a buyer through one key, from before a moment. */
    ordersOfAgentsBuyer: (of: { agentId: AgentId; email: string; before: number }) =>
      ofAgentsBuyer(of),
    shipment: one(t.shipments, t.shipments.id),
    shipmentsTracked: (number: string, limit: number) =>
      rows(t.shipments, {
        where: eq(t.shipments.tracking_key, trackingKey(number)),
        by: [desc(t.shipments.shipped_at)],
        limit,
      }),
    /** Newest step first. */
    shipmentsMovedAfter: (at: number, limit: number) =>
      rows(t.shipments, {
        where: gt(t.shipments.step_at, at),
        by: [desc(t.shipments.step_at), asc(t.shipments.order_id), asc(t.shipments.position)],
        limit,
      }),
    shipmentsOfOrders: among(
      t.shipments,
      t.shipments.order_id,
      t.shipments.order_id,
      t.shipments.position,
    ),
    cancelRequest: one(requests, requests.id),
    cancelRequestsOf: among(requests, requests.order_id, requests.created_at, requests.id),
    events: (orderId: OrderId, after: number, limit: number) => log({ orderId, after, limit }),
    eventsOfOrders: among(t.events, t.events.order_id, t.events.order_id, t.events.sequence),
  };
}

export function paymentQueries({ db, rows, t, preparedRows, one, among, due }: Reads) {
  const { id, quote_id, created_at, status } = t.attempts;
  const attemptsOfQuotes = among(t.attempts, quote_id, created_at, id);
  const taken = preparedRows("taken", t.attempts, {
    where: and(eq(t.attempts.page, sql.placeholder("page")), inArray(status, ORDERED_STATUSES)),
    by: [sql`${status} <> 'PAID'`, desc(created_at)],
    limit: 1,
  });
  const isOfCustomer = and(
    eq(t.attempts.customer, sql.placeholder("customer")),
    inArray(status, ORDERED_STATUSES),
    gt(created_at, sql.placeholder("since")),
  );
  const ofCustomer = preparedRows("of_customer", t.attempts, {
    where: isOfCustomer,
    by: [desc(created_at)],
    limit: 20,
  });
  const isOfAgentsBuyer = and(
    eq(t.orders.agent_id, sql.placeholder("agentId")),
    eq(t.orders.buyer_email, sql.placeholder("email")),
  );
  const history = prepared("buyer_history", () => {
    const taken = db.select({ id }).from(t.attempts).where(isOfCustomer);
    const ordered = db.select({ id: t.orders.id }).from(t.orders).where(isOfAgentsBuyer);
    return db
      .select({
        hasTaken: sql`${exists(taken)}`.mapWith(Boolean),
        hasOrdered: sql`${exists(ordered)}`.mapWith(Boolean),
      })
      .from(sql`(select 1) as one`);
  });
  const live = preparedRows("live", t.attempts, {
    where: and(inArray(status, UNSETTLED_STATUSES), gt(id, sql.placeholder("afterId"))),
    by: [asc(id)],
    limit: sql.placeholder("limit"),
  });
  return {
    attempt: one(t.attempts, id),
    attemptsOfQuotes,
    attemptsOfQuote: (quoteId: QuoteId) => attemptsOfQuotes([quoteId]),
    /** A customer's newest payments that are paid, or have taken their bags. */
    takenOfCustomer: (customer: string, since: number): Promise<AttemptRow[]> =>
      ofCustomer({ customer, since }),
    /**
     * Whether the customer has payments that `takenOfCustomer` lists, and whether an order of the buyer came
     * through this key. Two reads of their own would cost every quote twice as much.
     */
    buyerHistory: async (of: {
      customer: string;
      since: number;
      agentId: AgentId;
      email: string;
    }): Promise<{ hasTaken: boolean; hasOrdered: boolean }> => (await history(of))[0]!,
    /** The attempt of a purchase that is paid, or has taken its bags. */
    takenOf: async (page: string): Promise<AttemptRow | undefined> => (await taken({ page }))[0],
    /** Attempts of a purchase whose page may be open. */
    openAttemptsOf: (page: string): Promise<AttemptRow[]> =>
      rows(t.attempts, {
        where: and(eq(t.attempts.page, page), inArray(status, ["CREATING", "OPEN"])),
      }),
    attemptBySession: one(t.attempts, t.attempts.session_id),
    attemptByPayment: one(t.attempts, t.attempts.payment_ref),
    /** Attempts whose next check at the provider is due, the longest waiting first. */
    dueAttempts: due(t.attempts, t.attempts.check_at),
    /** A page of attempts about which the provider is still to be asked or told, behind `afterId`. */
    liveAttempts: (afterId: string, limit: number) => live({ afterId, limit }),
    /** Refunds to make or retry, the longest waiting first. */
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
    /** The newest webhook, in a list. */
    lastWebhook: () => rows(t.webhooks, { by: [desc(t.webhooks.received_at)], limit: 1 }),
  };
}
