import { setTimeout as delay } from "node:timers/promises";
import { type MerchantError, type NextStep, refusal } from "../core/errors.ts";
import { linkedId, type QuoteId } from "../core/ids.ts";
import { step } from "../core/next-step.ts";
import { note } from "../core/request-note.ts";
import { estimateIn } from "../core/time.ts";
import type { ReviewedQuote } from "../payments/checkout-request.ts";
import type { Context } from "../payments/provider.ts";
import { asItStands, lastTry } from "../quotes/found-quotes.ts";
import type { Quote } from "../quotes/quote-answer.ts";
import { quoteView } from "../quotes/quote-view.ts";
import { isPaying, standing } from "../quotes/standing.ts";
import { MOST_EVENTS, orderViews, standingViews } from "./found-orders.ts";
import type { Order } from "./order-answer.ts";
import { destinations, fromLog, lettersIn, type ReviewedOrder, timelineOf } from "./review.ts";

/** Content of the page behind a review link. */
export type Review = Awaited<ReturnType<ReturnType<typeof reviewVerbs>["open"]>>;

const WAIT_STEPS_MS = [20, 40, 80, 160, 300, 500, 900];

/** The buyer's side of a quote (contract §5). A review link's token is all it takes. */
export function reviewVerbs(context: Context) {
  const { store, clock, secret } = context;

  /** The quote behind a review link, as stored. Paying checks again what was sold since. */
  async function find(token: string): Promise<ReviewedQuote> {
    const id = linkedId(secret, "review", token);
    if (id !== undefined) note({ quote: id });
    const found = id === undefined ? undefined : await store.queries.quote(id);
    if (!found) throw noSuchLink();
    return { ...found, terms: JSON.parse(found.quote.terms) };
  }

  async function view(read: ReviewedQuote, returned: boolean) {
    const { id, agent_id } = read.quote;
    // Before the order is read, so that bags of its own payment do not count as sold elsewhere.
    const found = await asItStands(context, read, "BUYER");
    const { cart } = read.quote;
    const [ordered, agent, last, checkout] = await Promise.all([
      orderOf(id),
      agent_id === null ? undefined : store.queries.agent(agent_id),
      lastTry(store, id),
      agent_id === null && cart !== null ? store.queries.checkoutOfPage(cart) : undefined,
    ]);
    const now = clock();
    const s = standing({ ...found, last }, now);
    const confirming = s.status === "PAID" || s.isCapturing || (returned && s.payable && s.paying);
    return {
      ...found,
      standing: s,
      /** The buyer is back from the payment page, or the order is being written. */
      confirming: confirming && !ordered,
      /** Beans with too few bags left, if the quote cannot be paid for that reason. */
      short: s.reason === "OUT_OF_STOCK" ? s.short : [],
      destinations: destinations(found.terms, ordered?.shipments ?? []),
      ordered,
      /** The agent has made a later payable quote for the buyer. */
      hasNewerQuote:
        !ordered &&
        s.status !== "PAID" &&
        s.status !== "PROCESSING" &&
        (await store.queries.hasNewerQuote(found.quote, now)),
      /** The checkout that a buyer made it of. */
      checkoutId: checkout?.id ?? null,
      /** The agent's own name; null for a quote without an agent. */
      agentName: agent?.name ?? null,
      /** Delivery estimate; before payment, as if it were paid now. */
      arrival: estimateIn(context, now)(ordered?.order.created_at ?? now).delivery,
    };
  }

  async function orderOf(quoteId: QuoteId): Promise<ReviewedOrder | undefined> {
    const order = await store.queries.orderOfQuote(quoteId);
    if (!order) return undefined;
    const [[found], events] = await Promise.all([
      standingViews(context, [order]),
      store.queries.events(order.id, 0, MOST_EVENTS),
    ]);
    const { parts, standing, view } = found!;
    const { payment } = view;
    const letters = await store.queries.lettersByIds(lettersIn(events));
    const timeline = timelineOf(parts, payment, events, letters);
    return { ...parts, standing, payment, timeline, ...fromLog(events) };
  }

  /** Waits a moment for the webhook after the buyer has paid. */
  async function findAfterPaying(token: string): Promise<ReviewedQuote> {
    let found = await find(token);
    for (const ms of WAIT_STEPS_MS) {
      const { status } = found.state;
      if (status !== "PROCESSING" && !(status === "CHECKOUT_READY" && isPaying(found.state))) break;
      await delay(ms);
      found = await find(token);
    }
    return found;
  }

  return {
    /** Only reads rows. `returned`: the buyer is back from the payment page. */
    open: async (token: string, { returned = false } = {}) =>
      view(returned ? await findAfterPaying(token) : await find(token), returned),

    /** The page as JSON, for programs. Nothing in it leads to paying (contract §5). */
    async read(token: string): Promise<ReadReview> {
      const found = await asItStands(context, await find(token));
      const { id, agent_id } = found.quote;
      const [order, last] = await Promise.all([store.queries.orderOfQuote(id), lastTry(store, id)]);
      const { mode } = context.provider;
      const { shop, timeZone } = context;
      const as = { now: clock(), reviewUrl: null, mode, shop, timeZone };
      const quote = withoutNext(quoteView({ ...found, last }, as));
      const [view = null] = order ? await orderViews(context, [order]) : [];
      const follow = step("get_quote", "Its agent follows it, with its key.", id);
      const next = agent_id === null ? [ONLY_BUYER] : [ONLY_BUYER, follow];
      return { ...quote, order: view && withoutNext(view), next };
    },

    find,
  };
}

type ReadReview = Omit<Quote, "checkout"> & { order: Omit<Order, "next"> | null };

const withoutNext = <A extends Order | Quote>({ next: _, ...rest }: A): Omit<A, "next"> => rest;

const ONLY_BUYER: NextStep = {
  action: "open this address in a browser",
  why: "It is the buyer's page: only the buyer pays, and paying is the approval.",
};

const noSuchLink = (): MerchantError =>
  refusal("NOT_FOUND", "There is no such review link. Check that it is complete.", {
    action: "read the error's page",
    why: "Open the complete link from the message it came in, or ask its sender for a new one.",
  });
