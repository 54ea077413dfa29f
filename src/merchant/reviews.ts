import { setTimeout as delay } from "node:timers/promises";
import { paymentView } from "../domain/payment/payment-answer.ts";
import { isPaying } from "../domain/quote/quote.ts";
import { minutesSinceSamePaid, recentlySince } from "../domain/review/paid-recently.ts";
import {
  type Destination,
  destinations,
  fromLog,
  type ReviewedOrder,
  type ReviewedQuote,
  type ReviewState,
  reviewState,
} from "../domain/review/review.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import { estimatedDelivery } from "../domain/shared/policy.ts";
import type { Context } from "./context.ts";
import { MOST_EVENTS } from "./orders.ts";
import type { paymentVerbs } from "./payments.ts";

/** What the page of a review link shows. */
export interface Review extends ReviewedQuote {
  status: ReviewState;
  destinations: Destination[];
  ordered: ReviewedOrder | undefined;
  /** Minutes since this buyer paid for the very same; null where they did not. */
  minutesSinceSamePaid: number | null;
  /** What the agent that made the quote calls itself; null for a buyer's own. */
  agentName: string | null;
  /** When it would arrive if it were paid now. */
  arrival: { earliest: string; latest: string };
}

const WAIT_STEPS_MS = [20, 40, 80, 160, 300, 500, 900];

/** The buyer's side of a quote: look at it, and pay (contract §5). A review link's token is all it takes. */
export function reviewVerbs(context: Context, payments: ReturnType<typeof paymentVerbs>) {
  const { store, clock } = context;

  async function find(token: string): Promise<ReviewedQuote> {
    const found = await payments.review(token);
    if (!found) throw noSuchLink();
    return found;
  }

  async function view(found: ReviewedQuote, returned: boolean): Promise<Review> {
    const { agent_id } = found.quote;
    const [ordered, agent, attempts] = await Promise.all([
      orderOf(found.quote.id),
      agent_id === null ? undefined : store.queries.agent(agent_id),
      store.queries.attemptsOfQuote(found.quote.id),
    ]);
    const now = clock();
    const input = { now, ordered: ordered !== undefined, returned, lastAttempt: attempts.at(-1) };
    const status = reviewState(found, input);
    return {
      ...found,
      status,
      destinations: destinations(found.terms, ordered?.shipments ?? []),
      ordered,
      agentName: agent?.name ?? null,
      arrival: estimatedDelivery(now),
      minutesSinceSamePaid: status.kind === "payable" ? await sincePaid(found, now) : null,
    };
  }

  async function orderOf(quoteId: string): Promise<ReviewedOrder | undefined> {
    const order = await store.queries.orderOfQuote(quoteId);
    if (!order) return undefined;
    const [shipments, requests, refunds, disputes, events] = await Promise.all([
      store.queries.shipmentsOfOrders([order.id]),
      store.queries.cancelRequestsOf([order.id]),
      store.queries.refundsOfOrders([order.id]),
      store.queries.disputesOfOrders([order.id]),
      store.queries.events(order.id, 0, MOST_EVENTS),
    ]);
    const payment = paymentView({ order, refunds, disputes });
    return { order, shipments, cancelRequest: requests.at(-1), payment, ...fromLog(events) };
  }

  async function sincePaid(found: ReviewedQuote, now: number): Promise<number | null> {
    const since = recentlySince(now);
    const orders = await store.queries.ordersOfBuyer(found.quote.buyer_email, since);
    const quotes = await store.queries.quotesByIds(orders.map((order) => order.quote_id));
    return minutesSinceSamePaid(found, { orders, quotes }, now);
  }

  /** The webhook is usually quicker than the eye: a buyer who has just paid gets a moment's patience. */
  async function findAfterPaying(token: string): Promise<ReviewedQuote> {
    let found = await find(token);
    for (const ms of WAIT_STEPS_MS) {
      if (found.state.status !== "CHECKOUT_READY" || !isPaying(found.state)) break;
      await delay(ms);
      found = await find(token);
    }
    return found;
  }

  return {
    /** Rows read, nothing changed, no provider asked. `returned`: back from the payment page. */
    open: async (token: string, { returned = false } = {}): Promise<Review> =>
      view(returned ? await findAfterPaying(token) : await find(token), returned),

    find,

    /** What pressing pay leads to. Pressed 40 times, it is one payment page. */
    pay: payments.pay,

    /** The buyer has turned back on that payment page: what it holds is free at once. */
    cancel: payments.cancel,
  };
}

const noSuchLink = (): MerchantError =>
  new MerchantError("NOT_FOUND", "There is no such review link. Check that it is complete.", {
    next: [
      {
        action: "read the error's page",
        why: "Open the whole link from the message it came in, or ask for a new one where it came from.",
      },
    ],
  });
