import { nameForPeople } from "../catalog/catalog.ts";
import { buildForAll, untilNews, waitBefore } from "../core/concurrency.ts";
import { reviewUrl } from "../core/context.ts";
import { customerOf } from "../core/email.ts";
import type { MerchantError } from "../core/errors.ts";
import type { AgentId, OrderId, QuoteId } from "../core/ids.ts";
import { leavesTooFew, type Subject } from "../core/news.ts";
import { lostOrder } from "../core/next-step.ts";
import { iso } from "../core/policy.ts";
import type { OrderRow } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { lastTry, lostByNow, ownQuote } from "../quotes/found-quotes.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { ofTerms } from "../quotes/quote-terms.ts";
import { orderNotReady } from "../quotes/quote-view.ts";
import { type FoundQuote, isPayable, newsOf, purchaseOf, standing } from "../quotes/standing.ts";
import {
  isOtherName,
  orderCalled,
  orderViews,
  ownOrder,
  refsOf,
  standingViews,
} from "./found-orders.ts";
import { pendingMinor } from "./merchant-refund.ts";
import type { NamedOrder, Order, OrderEvents, OrderList } from "./order-answer.ts";
import { orderVersion } from "./order-steps.ts";
import { eventView, orderSummary } from "./order-view.ts";
import type { OrderStanding } from "./standing.ts";

/** An order for the desk, the command line and letters. */
export type OrderForPeople = NamedOrder & {
  standing: OrderStanding;
  agent_id: AgentId | null;
  /** Forms send it back as `seen`. */
  version: number;
  /** Refunds of its payment that are on their way. */
  refunding_minor: number;
};

export function orderVerbs(context: Context) {
  const { store, catalog } = context;
  const views = (orders: readonly OrderRow[]) => orderViews(context, orders);
  const called = <I extends { product_id: string; name: string }>(items: readonly I[]): I[] =>
    items.map((item) => ({ ...item, name: nameForPeople(catalog, item) }));

  return {
    views,

    /** Orders for people, with each bean's current display name. */
    viewsForPeople: async (orders: readonly OrderRow[]): Promise<OrderForPeople[]> =>
      (await standingViews(context, orders)).map(({ parts, view, standing }) => ({
        ...view,
        standing,
        agent_id: parts.order.agent_id,
        version: orderVersion(parts.order, parts.refunds),
        refunding_minor: pendingMinor(parts.order, parts.refunds),
        items: called(view.items),
        shipments: view.shipments.map((one) => ({ ...one, items: called(one.items) })),
      })),

    /** The agent's own among these orders. */
    async ownedBy(agentId: AgentId, orderIds: readonly OrderId[]): Promise<OrderRow[]> {
      const orders = await Promise.all(orderIds.map((id) => store.queries.order(id)));
      return orders.flatMap((order) => (order?.agent_id === agentId ? [order] : []));
    },

    /** Number of the order's newest event, or undefined if there is no such order. */
    newestEvent: async (orderId: OrderId): Promise<number | undefined> =>
      (await store.queries.order(orderId))?.last_sequence,

    /** Calls back with what may have changed, such as an order. Returns a function that stops. */
    onEvent: (listener: (changed: Subject) => void): (() => void) => store.onNews(listener),

    /** The id of the agent's own order with this number. Returns anything else unchanged. */
    async idOf(called: string, agentId: AgentId): Promise<string> {
      const order = isOtherName(called) ? await orderCalled(store, called) : undefined;
      return order?.agent_id === agentId ? order.id : called;
    },

    async get(called: string, agentId: AgentId): Promise<Order> {
      const [view] = await views([await ownOrder(context, called, agentId)]);
      return view!;
    },

    /** Newest first, strictly before `before`. next_before is null at the end (contract §5). */
    async list(
      agentId: AgentId,
      page: {
        buyer_email?: string | undefined;
        limit: number;
        before?: string | undefined;
        view?: "full" | "summary";
      },
    ): Promise<OrderList> {
      const rows = await store.queries.ordersPage(agentId, {
        customer: page.buyer_email === undefined ? undefined : customerOf(page.buyer_email),
        before: page.before === undefined ? undefined : beforeMs(page.before),
        limit: page.limit + 1,
      });
      const shown = rows.slice(0, page.limit);
      const orders = await views(shown);
      return {
        orders: page.view === "summary" ? orders.map(orderSummary) : orders,
        next_before: rows.length > page.limit ? iso(shown.at(-1)!.created_at) : null,
        ...(orders.length === 0 &&
          page.before === undefined && { next: lostOrder(context.baseUrl) }),
      };
    },

    /** Events after a sequence number. With `waitMs`, waits for the first one (contract §6). */
    async events(
      called: string,
      agentId: AgentId,
      page: { after: number; limit: number; waitMs: number },
      gone?: () => AbortSignal,
    ): Promise<OrderEvents> {
      const order = await ownOrder(context, called, agentId);
      const { id: orderId, last_sequence } = order;
      if (page.after > last_sequence) return beyondTheEnd(orderId, page.after, last_sequence);
      const { after, waitMs } = page;
      const look = async () => {
        const rows = await store.queries.events(orderId, after, page.limit + 1);
        return rows.length > 0 ? rows : undefined;
      };
      let rows = await look();
      if (!rows && waitMs > 0) {
        const concerns = (changed: Subject) => changed === orderId;
        rows = await untilNews(context, { waitMs, look, concerns, gone });
      }
      if (!rows) return { order_id: orderId, events: [], next_after: after, has_more: false };
      const shown = rows.slice(0, page.limit);
      const refs = await refsOf(store, order);
      return {
        order_id: orderId,
        events: shown.map((row) => eventView(row, refs)),
        next_after: shown.at(-1)!.sequence,
        has_more: rows.length > page.limit,
      };
    },
  };
}

/** A reader beyond the last event would miss the next ones, so it gets this without waiting. */
const beyondTheEnd = (order_id: OrderId, after: number, last: number): OrderEvents => ({
  order_id,
  events: [],
  next_after: last,
  has_more: false,
  note: `after=${after} is beyond the last event, ${last}. Continue from next_after.`,
});

/** A time with microseconds is after its millisecond, so "before" includes that millisecond. */
function beforeMs(before: string): number {
  const finer = /\.\d{3}\d*[1-9]/.test(before);
  return Date.parse(before) + (finer ? 1 : 0);
}

/**
 * Reads the order of a quote. Before payment it throws ORDER_NOT_READY with the link to pay (contract §5).
 * With `waitMs` it waits for an order that can still come, and answers at once with any news of the payment.
 */
export function quoteOrder(context: Context) {
  const { store, clock } = context;

  /** One read for all who look at once. */
  const stock = buildForAll(() => store.queries.stock());

  const notYet = (found: FoundQuote): MerchantError =>
    orderNotReady(found, {
      ...{ now: clock(), shop: context.shop, timeZone: context.timeZone },
      reviewUrl: reviewUrl(context, found.quote.id),
    });

  /** Of this quote or, since a purchase has one order at most, of another one of its purchase. */
  async function orderOf({ quote }: FoundQuote): Promise<OrderRow | undefined> {
    const own = await store.queries.orderOfQuote(quote.id);
    if (own) return own;
    const paid = await store.queries.takenOf(purchaseOf(quote));
    return paid && store.queries.orderOfQuote(paid.quote_id);
  }

  const withLast = async (found: FoundQuote) => ({
    ...found,
    last: await lastTry(store, found.quote.id),
  });

  return async (
    quoteId: QuoteId,
    agentId: AgentId,
    waitMs: number,
    gone?: () => AbortSignal,
  ): Promise<Order> => {
    const read = async () => withLast(await ownQuote(context, quoteId, agentId));
    const newsIn = (seen: Awaited<ReturnType<typeof read>>) =>
      newsOf(standing(seen, clock()), seen.last);
    let found = await read();
    if (waitMs > 0 && found.state.order_id === null && notYet(found).retryable) {
      const before = newsIn(found);
      const terms = JSON.parse(found.quote.terms) as Terms;
      const { bags } = ofTerms(terms);
      const topics: Subject[] = [quoteId, purchaseOf(found.quote)];
      const concerns = (changed: Subject) =>
        topics.includes(changed) || leavesTooFew(changed, bags);
      const look = async () => {
        const stored = await store.queries.quote(quoteId);
        if (!stored) return undefined;
        const isOpen = isPayable(stored.state.status);
        const lost = isOpen ? await lostByNow(store, { ...stored, terms }, await stock()) : null;
        const news = newsIn(await withLast({ ...stored, lost }));
        return news === null || news === before ? undefined : news;
      };
      const waiting = { waitMs, now: clock() };
      const untilMs = waitBefore(standing(found, waiting.now).expiresAt, waiting);
      await untilNews(context, { waitMs: untilMs, look, concerns, gone });
      found = await read();
    }
    const order = await orderOf(found);
    if (!order) throw notYet(found);
    const [view] = await orderViews(context, [order]);
    return view!;
  };
}
