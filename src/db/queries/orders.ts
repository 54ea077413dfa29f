import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import { trackingKey } from "../../core/text-rules.ts";
import { behind, type Reads } from "./database.ts";

export function orderQueries({ t, rows, preparedRows, one, among }: Reads) {
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
  const requests = t.cancel_requests;
  return {
    order: one(t.orders, id),
    orderByNumber: one(t.orders, t.orders.number),
    orderOfQuote: one(t.orders, t.orders.quote_id),
    ordersByIds: among(t.orders, id),
    /** Newest first, strictly before `before`; created_at strictly increases per key. */
    ordersPage: (
      agentId: string,
      page: { buyer?: string | undefined; before?: number | undefined; limit: number },
    ) =>
      rows(t.orders, {
        where: and(
          eq(agent_id, agentId),
          page.buyer === undefined ? undefined : eq(buyer_email, page.buyer),
          page.before === undefined ? undefined : lt(created_at, page.before),
        ),
        by: [desc(created_at)],
        limit: page.limit,
      }),
    /** Oldest first, from a moment on or behind an order that was read before. */
    ordersAfter: (after: { at: number; id: string }, limit: number) =>
      rows(t.orders, {
        where: behind([created_at, id], [after.at, after.id]),
        by: [asc(created_at), asc(id)],
        limit,
      }),
    /** Paid orders of a customer since a moment, newest first: for "you paid for this just now". */
    ordersOfBuyer: (email: string, since: number) => ofBuyer({ email, since }),
    shipment: one(t.shipments, t.shipments.id),
    shipmentsTracked: (number: string, limit: number) =>
      rows(t.shipments, {
        where: eq(t.shipments.tracking_key, trackingKey(number)),
        by: [desc(t.shipments.shipped_at)],
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
    events: (orderId: string, after: number, limit: number) => log({ orderId, after, limit }),
    eventsOfOrders: among(t.events, t.events.order_id, t.events.order_id, t.events.sequence),
  };
}
