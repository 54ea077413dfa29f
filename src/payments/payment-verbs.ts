import { setTimeout as delay } from "node:timers/promises";
import { enoughAt, holdsOf } from "../catalog/holds.ts";
import { limitConcurrencyPerCaller, sharedAnswers } from "../core/concurrency.ts";
import type { Context } from "../core/context.ts";
import { newId } from "../core/ids.ts";
import { addressPseudonym } from "../core/network.ts";
import { MINUTE_MS, TIMES } from "../core/policy.ts";
import { type AttemptRow, isUnpaid } from "../core/records.ts";
import { paidBeside, wishOf } from "../quotes/bought-already.ts";
import { boughtByNow } from "../quotes/found-quotes.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { ofTerms } from "../quotes/quote-terms.ts";
import type { PaymentObstacle } from "../quotes/standing.ts";
import {
  agreedOf,
  checkoutRequest,
  type ReviewedQuote,
  type Settling,
} from "./checkout-request.ts";
import {
  type CheckoutState,
  isUnknownThere,
  ProviderRejected,
  ProviderUnavailable,
} from "./provider.ts";
import { type StartPayment, type StartResult, startPayment } from "./start.ts";

/**
 * Time that a buyer's click waits for the provider, in milliseconds. Shorter than the timeouts of proxies
 * and of a stopping service. The payment goes on, and the next click finds it done.
 */
const PATIENCE_MS = 7_000;

/** Time that buyers share one answer of the provider, in milliseconds. */
const SHARED_MS = 10_000;

/** Presses of one network at a time, so that it does not use up the calls to the provider. */
const PRESSES_AT_ONCE = 2;

/** A background job releases expired holds within this time. */
const RETRY_MS = MINUTE_MS;

/** Holds of one bean that are read to find when enough of them end. */
const HOLDS_READ = 100;

/** Outcome of pressing pay: the provider's page, our page again ("look"), or an obstacle. */
export type PayResult = { kind: "redirect"; url: string } | { kind: "look" } | PaymentObstacle;

interface PressOfPay {
  /** The client's network, for its share of the bags; null is not counted. */
  network?: string | null;
  /** The other purchase that the page showed; a newer one is shown before the buyer pays. Null: no page. */
  shownPurchase?: string | null;
}

/** Outcome of one attempt; after "over" a new one may start. */
type AttemptResult = PayResult | { kind: "over"; failedThere: boolean };

const OVER: AttemptResult = { kind: "over", failedThere: false };
const NOT_OPENED = "the provider did not open a payment";

export function paymentVerbs(context: Context, settling: Settling) {
  const { store, clock, provider, log, patienceMs = PATIENCE_MS } = context;
  const shared = { forMs: SHARED_MS, clock };
  const lookAt = sharedAnswers((sessionId) => provider.lookAtCheckout(sessionId), shared);
  const inTurn = limitConcurrencyPerCaller(PRESSES_AT_ONCE);
  const ping = sharedAnswers(() => provider.ping(), shared);

  /** Starts or resumes the hosted payment of a quote: one session, however often it is pressed. */
  async function pay(
    found: ReviewedQuote,
    { network = null, shownPurchase = null }: PressOfPay = {},
  ): Promise<PayResult> {
    const over = new AbortController();
    const late: PayResult = { kind: "unavailable" };
    const patience = delay(patienceMs, late, { signal: over.signal }).catch(() => late);
    const address = network && addressPseudonym(context.secret, network);
    // A turn that comes after the buyer was answered starts nothing.
    const press = async () => (over.signal.aborted ? late : begin(found, address, shownPurchase));
    const begun = address === null ? press() : inTurn(address, press);
    begun.catch((error: unknown) => log.warn({ quote: found.quote.id, error }, "pay failed"));
    const paying = await Promise.race([begun, patience]).finally(() => over.abort());
    if (paying === late) log.warn({ quote: found.quote.id }, "the provider keeps a buyer waiting");
    return paying;
  }

  async function begin(
    found: ReviewedQuote,
    address: string | null,
    shownPurchase: string | null,
  ): Promise<PayResult> {
    let closed: AttemptRow[] = [];
    let failures = 0;
    const hasNewPurchase = async () => {
      if (shownPurchase === null) return false;
      const bought = await boughtByNow(context, { ...found.quote, terms: found.terms });
      return ![null, shownPurchase].includes(paidBeside(bought));
    };
    for (let tries = 0; tries < 4; tries++) {
      if (await hasNewPurchase()) return { kind: "look" };
      const started = await start(found, { address, closed });
      // A payment that was open at the first look may be paid by now.
      if (started.kind === "started" && (await hasNewPurchase())) {
        await settling.end(started.attempt, found, "ABANDONED");
        return { kind: "look" };
      }
      if (started.kind === "closed") return { kind: "look" };
      if (started.kind === "too_many") return started;
      if (started.kind === "taken") {
        return { ...started, until: await freeAt(found.terms, started) };
      }
      if (started.kind === "replace") {
        const gone = await closePages(started.attempts);
        if (!gone) return { kind: "unavailable" };
        closed = [...closed, ...gone];
        continue;
      }
      const paying = await resume(found, started.attempt);
      if (paying.kind !== "over") return paying;
      // The provider repeats its failure under that attempt's key. A new key is tried once.
      if (paying.failedThere && failures++ > 0) break;
    }
    return { kind: "unavailable" };
  }

  function start(
    { quote, terms }: ReviewedQuote,
    by: Pick<StartPayment, "address" | "closed">,
  ): Promise<StartResult> {
    const now = clock();
    const { minTtlMs, maxTtlMs } = provider.limits;
    const length = Math.min(Math.max(TIMES.session_ms, minTtlMs), maxTtlMs);
    return store.run(startPayment, {
      now,
      quote,
      ...ofTerms(terms),
      ...by,
      wish: wishOf(terms),
      attemptId: newId("pay", now),
      sessionEndsAt: now + length,
    });
  }

  /** Releases bags and courtesy at once when the buyer turns back at the provider's page. */
  async function cancel({ quote, terms }: ReviewedQuote, attemptId: string): Promise<void> {
    const attempt = await store.queries.attempt(attemptId);
    if (attempt?.quote_id !== quote.id || !isUnpaid(attempt)) return;
    await settling.cancel(attempt, { quote, terms });
  }

  async function resume(found: ReviewedQuote, attempt: AttemptRow): Promise<AttemptResult> {
    try {
      if (attempt.session_id === null) return await open(found, attempt);
      return await follow(found, attempt, await lookAt(attempt.session_id));
    } catch (error) {
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRejected)) throw error;
      if (attempt.session_id !== null && isUnknownThere(error)) {
        await settling.settleAttempt(attempt);
        return OVER;
      }
      const noted = attempt.status === "OPEN" && attempt.expires_at > clock() ? attempt.url : null;
      // Without an answer, the page is still where our row says.
      if (noted && error instanceof ProviderUnavailable) return redirect(attempt, noted);
      log.warn({ attempt: attempt.id, error }, NOT_OPENED);
      const failedThere = error instanceof ProviderUnavailable && error.failedThere;
      return failedThere ? { kind: "over", failedThere } : { kind: "unavailable" };
    }
  }

  /** Redirects to the page while it can be paid; otherwise settles its state. */
  async function follow(
    found: ReviewedQuote,
    attempt: AttemptRow,
    state: CheckoutState,
  ): Promise<AttemptResult> {
    if (state.status === "open" && state.payment === "unpaid" && state.url) {
      return redirect(attempt, state.url);
    }
    await settling.settleWith(attempt, found, state);
    return state.status === "expired" || state.failed ? OVER : { kind: "look" };
  }

  function redirect({ id }: AttemptRow, url: string): PayResult {
    const { origin = "" } = URL.parse(url) ?? {};
    if (provider.checkoutOrigins.includes(origin)) return { kind: "redirect", url };
    const reason = `Its page is at ${origin}. If that is your domain, set STRIPE_CHECKOUT_DOMAIN.`;
    log.warn({ attempt: id, reason }, NOT_OPENED);
    return { kind: "unavailable" };
  }

  /** Asks the provider for the attempt's page; a repeated request returns the same page. */
  async function open(found: ReviewedQuote, attempt: AttemptRow): Promise<AttemptResult> {
    if (settling.isAbandoned(attempt)) {
      await settling.end(attempt, found, "ABANDONED");
      return OVER;
    }
    const state = await create(found, attempt);
    if (state === null) return OVER;
    const { status, outcome } = await settling.record(attempt, state);
    if (status !== "ENDED") return follow(found, attempt, state);
    // The attempt ended while the provider took its time: this page was never shown.
    await provider.expireCheckout(state.sessionId);
    // A newer press replaced this one, which does not take its place back.
    return outcome === "REPLACED" ? { kind: "look" } : OVER;
  }

  /** Null if the attempt is over and a new one can start. */
  async function create(found: ReviewedQuote, attempt: AttemptRow): Promise<CheckoutState | null> {
    try {
      return await provider.createCheckout(checkoutRequest(context, found, attempt));
    } catch (error) {
      // The provider repeats the failure under this attempt's key. Its page, if any, was not shown.
      if (error instanceof ProviderUnavailable && error.failedThere) {
        await settling.end(attempt, found, "ABANDONED");
      }
      if (!(error instanceof ProviderRejected)) throw error;
      // An attempt from before a change of BASE_URL, or from too long ago, is no mistake.
      const outdated =
        error.code === "idempotency_error" ||
        attempt.expires_at - clock() < provider.limits.minTtlMs;
      const code = error.code ? `: ${error.code}` : "";
      const trouble = `The payment provider refused to open a payment${code}.`;
      await settling.end(attempt, found, "REJECTED", outdated ? undefined : trouble);
      if (outdated) return null;
      throw error;
    }
  }

  /**
   * Closes the pages of older attempts for the newer one that replaces them. Returns those that cannot be
   * paid any more; a page that turns out to be paid becomes an order. Null if the provider does not answer.
   */
  async function closePages(attempts: readonly AttemptRow[]): Promise<AttemptRow[] | null> {
    const closed: AttemptRow[] = [];
    for (const attempt of attempts) {
      try {
        if (await closePage(attempt)) closed.push(attempt);
      } catch (error) {
        if (isUnknownThere(error)) {
          closed.push(attempt);
          continue;
        }
        if (!(error instanceof ProviderUnavailable)) throw error;
        log.warn({ attempt: attempt.id, error }, "an older page was not closed yet");
        return null;
      }
    }
    return closed;
  }

  async function closePage(attempt: AttemptRow): Promise<boolean> {
    // Nobody knows the page's address, and nobody will.
    if (attempt.session_id === null) return true;
    const state = await provider.expireCheckout(attempt.session_id);
    if (state.status === "expired") return true;
    await settling.settleWith(attempt, await agreedOf(store, attempt), state);
    return false;
  }

  /** When to try again: the end of the one payment, or of the first holds that free enough bags. */
  async function freeAt(terms: Terms, { what, until }: Extract<StartResult, { kind: "taken" }>) {
    const soonest = clock() + RETRY_MS;
    if (what !== "BAGS") return Math.max(soonest, until ?? soonest);
    const stock = await store.queries.stock();
    const times = await Promise.all(
      ofTerms(terms).bags.map(async (bag) => enoughAt(bag, stock, await holdEnds(bag.product_id))),
    );
    return Math.max(soonest, ...times.filter((at) => at !== null));
  }

  async function holdEnds(productId: string) {
    const [attempts, offers] = await Promise.all([
      store.queries.attemptsHolding(productId, HOLDS_READ),
      store.queries.offersHolding(productId, HOLDS_READ),
    ]);
    const held = attempts.flatMap((attempt) =>
      holdsOf(attempt)
        .filter((hold) => hold.product_id === productId && hold.fromStock > 0)
        .map((hold) => ({ at: attempt.hold_until, bags: hold.fromStock })),
    );
    const offered = offers.map((entry) => ({ at: entry.offer_expires_at!, bags: entry.quantity }));
    return [...held, ...offered];
  }

  return {
    pay,
    cancel,
    /** Origins of payment pages, for the Content-Security-Policy of our forms. */
    checkoutOrigins: provider.checkoutOrigins,
    /** Rejects if the provider does not answer. Callers within some seconds share one request. */
    ping: () => ping(""),
  };
}
