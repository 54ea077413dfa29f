import { and, asc, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { first, prepared, type QueryDatabase, type QueryTables } from "./database.ts";

export function orderQueries(db: QueryDatabase, t: QueryTables) {
  const byId = prepared(
    "order",
    db
      .select()
      .from(t.orders)
      .where(eq(t.orders.id, sql.placeholder("id")))
      .limit(1),
  );
  const byQuote = prepared(
    "order_of_quote",
    db
      .select()
      .from(t.orders)
      .where(eq(t.orders.quote_id, sql.placeholder("quoteId")))
      .limit(1),
  );
  const log = prepared(
    "events",
    db
      .select()
      .from(t.events)
      .where(
        and(
          eq(t.events.order_id, sql.placeholder("orderId")),
          gt(t.events.sequence, sql.placeholder("after")),
        ),
      )
      .orderBy(asc(t.events.sequence))
      .limit(sql.placeholder("limit")),
  );
  return {
    order: async (id: string) => first(await byId({ id })),
    orderByNumber: async (number: number) =>
      first(await db.select().from(t.orders).where(eq(t.orders.number, number)).limit(1)),
    orderOfQuote: async (quoteId: string) => first(await byQuote({ quoteId })),
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
    /** Oldest first, from a moment on or behind an order that was read before. */
    ordersAfter: (after: { at: number; id: string }, limit: number) =>
      db
        .select()
        .from(t.orders)
        .where(sql`(${t.orders.created_at}, ${t.orders.id}) > (${after.at}, ${after.id})`)
        .orderBy(asc(t.orders.created_at), asc(t.orders.id))
        .limit(limit),
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
    ordersByIds: (ids: string[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.select().from(t.orders).where(inArray(t.orders.id, ids)),
    cancelRequestsOf: (orderIds: string[]) =>
      orderIds.length === 0
        ? Promise.resolve([])
        : db
            .select()
            .from(t.cancel_requests)
            .where(inArray(t.cancel_requests.order_id, orderIds))
            .orderBy(asc(t.cancel_requests.created_at), asc(t.cancel_requests.id)),
    cancelRequest: async (id: string) =>
      first(await db.select().from(t.cancel_requests).where(eq(t.cancel_requests.id, id)).limit(1)),
    events: (orderId: string, after: number, limit: number) => log({ orderId, after, limit }),
    /** The logs of several orders, each in its sequence. */
    eventsOfOrders: (orderIds: string[]) =>
      orderIds.length === 0
        ? Promise.resolve([])
        : db
            .select()
            .from(t.events)
            .where(inArray(t.events.order_id, orderIds))
            .orderBy(asc(t.events.order_id), asc(t.events.sequence)),
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
