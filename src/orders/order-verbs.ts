import { setImmediate } from "node:timers/promises";
import { nameForPeople } from "../catalog/catalog.ts";
import { limitConcurrency, sharedAnswers, untilEvent } from "../core/concurrency.ts";
import { reviewUrl } from "../core/context.ts";
import { isOpen } from "../core/desk-tasks.ts";
import { type MerchantError, refusal, unknownTo } from "../core/errors.ts";
import type { AgentId, OrderId, QuoteId } from "../core/ids.ts";
import { step } from "../core/next-step.ts";
import { cancellationsIn } from "../core/order-log.ts";
import { iso } from "../core/policy.ts";
import type { OrderRow } from "../core/records.ts";
import { owedMinor } from "../core/refunds.ts";
import { estimateIn } from "../core/time.ts";
import { paymentView } from "../payments/payment-answer.ts";
import type { Context } from "../payments/provider.ts";
import { findQuote, lastTry, moneyBackOf, ownQuote, paymentsOf } from "../quotes/found-quotes.ts";
import { orderNotReady } from "../quotes/quote-view.ts";
import type { FoundQuote } from "../quotes/standing.ts";
import { pendingMinor } from "./merchant-refund.ts";
import type { NamedOrder, Order, OrderEvents, OrderList } from "./order-answer.ts";
import { orderVersion } from "./order-steps.ts";
import { eventView, orderAnswer, orderSummary, orderView, recipientRefs } from "./order-view.ts";
import { isSendable, type OrderParts, type OrderStanding, orderStanding } from "./standing.ts";

/** More events than one order can have. */
export const MOST_EVENTS = 1000;

type Queries = Pick<Context["store"], "queries">;

const isQuoteId = (called: string): boolean => called.startsWith("qte_");

const NUMBER = /^#?(\d{1,9})$/;

/** Finds an order by its id, its number ("1042", "#1042") or the id of its quote. */
export function orderCalled({ queries }: Queries, called: string): Promise<OrderRow | undefined> {
  if (isQuoteId(called)) return queries.orderOfQuote(called);
  const [, number] = NUMBER.exec(called) ?? [];
  return number === undefined ? queries.order(called) : queries.orderByNumber(Number(number));
}

export async function foundOrder(store: Queries, called: string): Promise<OrderRow> {
  const order = await orderCalled(store, called);
  if (!order) throw unknownTo("order");
  return order;
}

export async function ownOrder(
  store: Queries,
  called: string,
  agentId: AgentId,
): Promise<OrderRow> {
  const order = await orderCalled(store, called);
  if (order?.agent_id === agentId) return order;
  if (isQuoteId(called)) {
    throw refusal(
      "NOT_FOUND",
      "There is no order of this quote for this key.",
      step("get_quote_order", "What the order waits for.", called),
    );
  }
  throw refusal(
    "NOT_FOUND",
    "There is no such order for this key.",
    step(
      "list_orders",
      "Find it among this key's orders. Orders of other keys are on their buyers' pages.",
    ),
  );
}

/** Orders with their own rows, in a few reads. */
export async function orderParts(
  { queries }: Queries,
  orders: readonly OrderRow[],
): Promise<OrderParts[]> {
  const ids = orders.map((order) => order.id);
  const [shipments, requests, attempts] = await Promise.all([
    queries.shipmentsOfOrders(ids),
    queries.cancelRequestsOf(ids),
    queries.attemptsOfQuotes(orders.map((order) => order.quote_id)),
  ]);
  const canceled = shipments.filter(({ status }) => status === "CANCELED");
  const back = shipments.filter(({ status }) => status === "RETURNED");
  const [money, log, tasks] = await Promise.all([
    moneyBackOf({ queries }, paymentsOf(attempts)),
    queries.eventsOfOrders([...new Set(canceled.map((row) => row.order_id))]),
    queries.tasksAbout(back.map(({ id }) => id)),
  ]);
  const undecided = tasks.filter(isOpen).map(({ subject }) => subject);
  return orders.map((order) => {
    const isOwn = ({ order_id }: { order_id: OrderId | null }) => order_id === order.id;
    const paid = paymentsOf(attempts.filter(({ quote_id }) => quote_id === order.quote_id));
    const isPaid = ({ payment_ref }: { payment_ref: string }) => paid.includes(payment_ref);
    return {
      order,
      shipments: shipments.filter(isOwn),
      refunds: money.refunds.filter(isOwn),
      disputes: money.disputes.filter(isOwn),
      owedMinor: owedMinor({
        refunds: money.refunds.filter(isPaid),
        disputes: money.disputes.filter(isPaid),
      }),
      cancelRequests: requests.filter(isOwn),
      canceledAt: cancellationsIn(log.filter(isOwn)).at(-1)?.entry.occurred_at ?? 0,
      isToDecide: back
        .filter(isOwn)
        .some((row) => isSendable(row, order) && undecided.includes(row.id)),
    };
  });
}

/** Orders viewed in one turn of the event loop: with 50 shipments each, some milliseconds. */
const VIEWED_AT_ONCE = 5;

/** Views one part of a list at a time, over all callers. */
const inTurn = limitConcurrency(1);

/** Orders with their standing. Views a long list in parts, so that other work continues in between. */
export async function standingViews(context: Context, orders: readonly OrderRow[]) {
  if (orders.length <= 1) return viewsAtOnce(context, orders);
  const views: Awaited<ReturnType<typeof viewsAtOnce>> = [];
  for (let from = 0; from < orders.length; from += VIEWED_AT_ONCE) {
    const part = orders.slice(from, from + VIEWED_AT_ONCE);
    await inTurn(async () => {
      views.push(...(await viewsAtOnce(context, part)));
      await setImmediate();
    });
  }
  return views;
}

async function viewsAtOnce(context: Context, orders: readonly OrderRow[]) {
  const { store } = context;
  const [parts, quotes] = await Promise.all([
    orderParts(store, orders),
    store.queries.quotesByIds(orders.map((order) => order.quote_id)),
  ]);
  const estimateOf = estimateIn(context, context.clock());
  return parts.map((one) => {
    const quote = quotes.find(({ id }) => id === one.order.quote_id)!;
    const payment = paymentView(one);
    const { delivery, daysPast } = estimateOf(one.order.created_at);
    const standing = orderStanding({ ...one, payment }, daysPast);
    const rows = { ...one, payment, standing, delivery };
    return { parts: one, view: orderView(rows, quote, reviewUrl(context, quote.id)), standing };
  });
}

/** Orders as agents read them. */
export const orderViews = async (context: Context, orders: readonly OrderRow[]): Promise<Order[]> =>
  (await standingViews(context, orders)).map(({ view }) => orderAnswer(view));

/** Each shipment's recipient_ref, by its id. */
export async function refsOf(
  { queries }: Pick<Context["store"], "queries">,
  { id, quote_id }: Pick<OrderRow, "id" | "quote_id">,
): Promise<Map<string, string>> {
  const [[quote], shipments] = await Promise.all([
    queries.quotesByIds([quote_id]),
    queries.shipmentsOfOrders([id]),
  ]);
  return recipientRefs(quote!, shipments);
}

/** An order for the desk, the command line and letters. */
export type OrderForPeople = NamedOrder & {
  standing: OrderStanding;
  agent_id: AgentId | null;
  /** Forms send it back as `seen`. */
  version: number;
  /** Refunds of its payment that are on their way or can still be undone. */
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

    /** Calls back with an order that may have a new event, or "" for any. Returns a function that stops. */
    onEvent: (listener: (orderId: OrderId) => void): (() => void) => store.onOrderEvent(listener),

    /** The id of the agent's own order with this number. Returns anything else unchanged. */
    async idOf(called: string, agentId: AgentId): Promise<string> {
      const isOther = NUMBER.test(called) || isQuoteId(called);
      const order = isOther ? await orderCalled(store, called) : undefined;
      return order?.agent_id === agentId ? order.id : called;
    },

    async get(called: string, agentId: AgentId): Promise<Order> {
      const [view] = await views([await ownOrder(store, called, agentId)]);
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
        buyer: page.buyer_email,
        before: page.before === undefined ? undefined : beforeMs(page.before),
        limit: page.limit + 1,
      });
      const shown = rows.slice(0, page.limit);
      const orders = await views(shown);
      return {
        orders: page.view === "summary" ? orders.map(orderSummary) : orders,
        next_before: rows.length > page.limit ? iso(shown.at(-1)!.created_at) : null,
      };
    },

    /** Events after a sequence number. With `waitMs`, waits for the first one (contract §6). */
    async events(
      called: string,
      agentId: AgentId,
      page: { after: number; limit: number; waitMs: number },
      gone?: () => AbortSignal,
    ): Promise<OrderEvents> {
      const order = await ownOrder(store, called, agentId);
      const { id: orderId, last_sequence } = order;
      if (page.after > last_sequence) return beyondTheEnd(orderId, page.after, last_sequence);
      const { after, waitMs } = page;
      const look = async () => {
        const rows = await store.queries.events(orderId, after, page.limit + 1);
        return rows.length > 0 ? rows : undefined;
      };
      let rows = await look();
      if (!rows && waitMs > 0) {
        const concerns = async (changed: string) => changed === orderId;
        rows = await untilEvent(context, { waitMs, look, concerns, gone });
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

/** Milliseconds for which waiting callers share one read of an order. */
const NEWS_MS = 10_000;

/**
 * Reads the order of a quote. Before payment it throws ORDER_NOT_READY with the link to pay (contract §5).
 * With `waitMs` it waits for an order that can still come.
 */
export function quoteOrder(context: Context) {
  const { store, clock } = context;

  /** Quote of a new order, read once for all waiting callers. */
  const quoteOf = sharedAnswers(async (orderId) => (await store.queries.order(orderId))?.quote_id, {
    forMs: NEWS_MS,
    clock,
  });

  async function noOrderYet(found: FoundQuote): Promise<MerchantError> {
    const { id } = found.quote;
    const last = await lastTry(store, id);
    return orderNotReady({ ...found, last }, { now: clock(), reviewUrl: reviewUrl(context, id) });
  }

  return async (
    quoteId: QuoteId,
    agentId: AgentId,
    waitMs: number,
    gone?: () => AbortSignal,
  ): Promise<Order> => {
    const found = await ownQuote(context, quoteId, agentId);
    const look = () => store.queries.orderOfQuote(quoteId);
    let order = await look();
    if (!order) {
      const notYet = await noOrderYet(found);
      if (waitMs === 0 || !notYet.retryable) throw notYet;
      const concerns = async (orderId: OrderId) => (await quoteOf(orderId)) === quoteId;
      order = await untilEvent(context, { waitMs, look, concerns, gone });
    }
    if (!order) throw await noOrderYet((await findQuote(context, quoteId)) ?? found);
    const [view] = await orderViews(context, [order]);
    return view!;
  };
}
