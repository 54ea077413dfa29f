import { type Context, reviewUrl } from "../core/context.ts";
import type { MerchantError } from "../core/errors.ts";
import { sharedAnswers } from "../core/shared-answers.ts";
import { untilEvent } from "../core/until-event.ts";
import { findQuote, lastTry, ownQuote } from "../quotes/found-quotes.ts";
import { orderNotReady } from "../quotes/quote-view.ts";
import type { FoundQuote } from "../quotes/standing.ts";
import type { Order } from "./order-answer.ts";
import { orderViews } from "./order-verbs.ts";

/** So long is an order's event news to those who wait, in milliseconds. */
const NEWS_MS = 10_000;

/**
 * The order of a quote; before payment 404 ORDER_NOT_READY with the link to pay (contract §5). With
 * `waitMs` it waits for one that can still come.
 */
export function quoteOrder(context: Context) {
  const { store, clock } = context;

  /** Of all who wait for a quote's order one reads which quote's a new one is. */
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
    quoteId: string,
    agentId: string,
    waitMs: number,
    gone?: () => AbortSignal,
  ): Promise<Order> => {
    const found = await ownQuote(context, quoteId, agentId);
    const look = () => store.queries.orderOfQuote(quoteId);
    let order = await look();
    if (!order) {
      const notYet = await noOrderYet(found);
      if (waitMs === 0 || !notYet.retryable) throw notYet;
      const concerns = async (orderId: string) => (await quoteOf(orderId)) === quoteId;
      order = await untilEvent(context, { waitMs, look, concerns, gone });
    }
    if (!order) throw await noOrderYet((await findQuote(context, quoteId)) ?? found);
    const [view] = await orderViews(context, [order]);
    return view!;
  };
}
