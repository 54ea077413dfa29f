import { setImmediate } from "node:timers/promises";
import { limitConcurrency } from "../core/concurrency.ts";
import { reviewUrl } from "../core/context.ts";
import { isOpen } from "../core/desk-tasks.ts";
import { refusal, unknownTo } from "../core/errors.ts";
import type { AgentId, OrderId } from "../core/ids.ts";
import { lostOrder, step } from "../core/next-step.ts";
import { cancellationsIn } from "../core/order-log.ts";
import { owedMinor } from "../core/owed.ts";
import type { OrderRow } from "../core/records.ts";
import { estimateIn } from "../core/time.ts";
import { paymentView } from "../payments/payment-answer.ts";
import type { Context } from "../payments/provider.ts";
import { moneyBackOf, paymentsOf } from "../quotes/found-quotes.ts";
import type { Order } from "./order-answer.ts";
import { orderAnswer, orderView, recipientRefs } from "./order-view.ts";
import { isSendable, type OrderParts, orderStanding } from "./standing.ts";

/** More events than one order can have. */
export const MOST_EVENTS = 1000;

type Queries = Pick<Context["store"], "queries">;

const isQuoteId = (called: string): boolean => called.startsWith("qte_");

const NUMBER = /^#?(\d{1,9})$/;

/** Whether it names an order otherwise than by its id. */
export const isOtherName = (called: string): boolean => NUMBER.test(called) || isQuoteId(called);

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
  { store, baseUrl }: Pick<Context, "store" | "baseUrl">,
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
      ...lostOrder(baseUrl),
    );
  }
  throw refusal(
    "NOT_FOUND",
    "There is no such order for this key.",
    step("list_orders", "Find it among this key's orders."),
    ...lostOrder(baseUrl),
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
