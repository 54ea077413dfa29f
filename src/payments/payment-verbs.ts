import { setTimeout as delay } from "node:timers/promises";
import { sharedAnswers } from "../core/concurrency.ts";
import { type AttemptId, newId } from "../core/ids.ts";
import { TIMES } from "../core/policy.ts";
import { type AttemptRow, LIVE } from "../core/records.ts";
import { pauseAt } from "../core/shop.ts";
import { wishOf } from "../quotes/bought-already.ts";
import { boughtByNow } from "../quotes/found-quotes.ts";
import { ofTerms } from "../quotes/quote-terms.ts";
import type { PaymentObstacle } from "../quotes/standing.ts";
import { checkoutRequest, type ReviewedQuote } from "./checkout-request.ts";
import {
  type CheckoutState,
  type Context,
  isProvidersError,
  isUnknownThere,
  ProviderRejected,
  ProviderUnavailable,
} from "./provider.ts";
import type { Settlements } from "./settlements.ts";
import { type StartResult, startPayment } from "./start.ts";

/**
 * Time that a buyer's click waits for the provider, in milliseconds. Shorter than the timeouts of proxies
 * and of a stopping service. The payment goes on, and the next click finds it done.
 */
const PATIENCE_MS = 7_000;

/** Time that buyers share one answer of the provider, in milliseconds. */
const SHARED_MS = 10_000;

/** Outcome of pressing pay: the provider's page, our page again ("look"), or an obstacle. */
export type PayResult = { kind: "redirect"; url: string } | { kind: "look" } | PaymentObstacle;

/** Outcome of one attempt; after "over" a new one may start. */
type AttemptResult = PayResult | { kind: "over"; failedThere: boolean };

const OVER: AttemptResult = { kind: "over", failedThere: false };
const NOT_OPENED = "the provider did not open a payment";

export function paymentVerbs(context: Context, settling: Settlements) {
  const { store, clock, provider, log, patienceMs = PATIENCE_MS } = context;
  const shared = { forMs: SHARED_MS, clock };
  const lookAt = sharedAnswers((sessionId) => provider.lookAtCheckout(sessionId), shared);
  const ping = sharedAnswers(() => provider.ping(), shared);
  /** Settles what the provider says of a payment under way. */
  const check = sharedAnswers(async (attemptId) => {
    const attempt = await store.queries.attempt(attemptId as AttemptId);
    if (!attempt || !LIVE.has(attempt.status) || attempt.session_id === null) return;
    await follow(attempt, await lookAt(attempt.session_id));
  }, shared);

  /**
   * Starts or resumes the hosted payment of a quote: one session, however often it is pressed.
   * `shownPurchase`: the other purchase that the page showed; a newer one is shown before the buyer pays.
   * Null: no page.
   */
  async function pay(
    found: ReviewedQuote,
    { shownPurchase = null }: { shownPurchase?: string | null } = {},
  ): Promise<PayResult> {
    const over = new AbortController();
    const late: PayResult = { kind: "unavailable" };
    const patience = delay(patienceMs, late, { signal: over.signal }).catch(() => late);
    const begun = begin(found, shownPurchase);
    begun.catch((error: unknown) => log.warn({ quote: found.quote.id, error }, "pay failed"));
    const paying = await Promise.race([begun, patience]).finally(() => over.abort());
    if (paying === late) log.warn({ quote: found.quote.id }, "the provider keeps a buyer waiting");
    return paying;
  }

  async function begin(found: ReviewedQuote, shownPurchase: string | null): Promise<PayResult> {
    let failures = 0;
    const hasNewPurchase = async () => {
      if (shownPurchase === null) return false;
      const bought = await boughtByNow(context, { ...found.quote, terms: found.terms }, "BUYER");
      return bought !== null && bought.quoteId !== shownPurchase;
    };
    for (let tries = 0; tries < 4; tries++) {
      if (await hasNewPurchase()) return { kind: "look" };
      const started = await start(found);
      if (started.kind === "closed") return { kind: "look" };
      if (started.kind === "taken") return started;
      if (started.kind === "overdue") {
        try {
          await settling.check(started.attempt);
        } catch (error) {
          if (!(error instanceof ProviderUnavailable)) throw error;
          return { kind: "unavailable" };
        }
        continue;
      }
      const paying = await resume(found, started.attempt);
      if (paying.kind !== "over") return paying;
      // The provider repeats its failure under that attempt's key. A new key is tried once.
      if (paying.failedThere && failures++ > 0) break;
    }
    return { kind: "unavailable" };
  }

  function start({ quote, terms }: ReviewedQuote): Promise<StartResult> {
    const now = clock();
    const { minTtlMs, maxTtlMs } = provider.limits;
    const length = Math.min(Math.max(TIMES.session_ms, minTtlMs), maxTtlMs);
    return store.run(startPayment, {
      now,
      quote,
      ...ofTerms(terms),
      wish: wishOf(quote.customer, terms),
      attemptId: newId("pay", now),
      pause: pauseAt(context, now),
      sessionEndsAt: now + length,
    });
  }

  async function resume(found: ReviewedQuote, attempt: AttemptRow): Promise<AttemptResult> {
    try {
      if (attempt.session_id === null) return await open(found, attempt);
      return await follow(attempt, await lookAt(attempt.session_id));
    } catch (error) {
      if (!isProvidersError(error)) throw error;
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
  async function follow(attempt: AttemptRow, state: CheckoutState): Promise<AttemptResult> {
    if (state.status === "open" && state.payment === "unpaid" && state.url) {
      return redirect(attempt, state.url);
    }
    // Read afresh: the state may be a shared answer.
    await settling.settleAttempt(attempt);
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
      await settling.end(attempt, found, "abandoned");
      return OVER;
    }
    const state = await create(found, attempt);
    if (state === null) return OVER;
    const recorded = await settling.record(attempt, state);
    if (recorded.status !== "ENDED") return follow(recorded, state);
    // The attempt ended while the provider took its time: this page was never shown.
    await provider.expireCheckout(state.sessionId);
    return OVER;
  }

  /** Null if the attempt is over and a new one can start. */
  async function create(found: ReviewedQuote, attempt: AttemptRow): Promise<CheckoutState | null> {
    try {
      return await provider.createCheckout(checkoutRequest(context, found, attempt));
    } catch (error) {
      // The provider repeats the failure under this attempt's key. Its page, if any, was not shown.
      if (error instanceof ProviderUnavailable && error.failedThere) {
        await settling.end(attempt, found, "abandoned");
      }
      if (!(error instanceof ProviderRejected)) throw error;
      // An attempt from before a change of BASE_URL, or from too long ago, is no mistake.
      const outdated =
        error.code === "idempotency_error" ||
        attempt.expires_at - clock() < provider.limits.minTtlMs;
      const code = error.code ? `: ${error.code}` : "";
      const hint = error.hint ? ` ${error.hint}` : "";
      const trouble = `The payment provider refused to open a payment${code}.${hint}`;
      await settling.end(attempt, found, "rejected", outdated ? undefined : trouble);
      if (outdated) return null;
      throw error;
    }
  }

  /** Asks the provider about the payment under way, for a buyer who checks again. Callers share one check. */
  async function checkAgain({ quote }: Pick<ReviewedQuote, "quote">): Promise<void> {
    const attempts = await store.queries.attemptsOfQuote(quote.id);
    const attempt = attempts.find(({ status }) => LIVE.has(status));
    if (!attempt) return;
    const over = new AbortController();
    const patience = delay(patienceMs, undefined, { signal: over.signal }).catch(() => {});
    const asked = check(attempt.id).catch((error: unknown) =>
      log.warn({ quote: quote.id, error }, "check again failed"),
    );
    await Promise.race([asked, patience]).finally(() => over.abort());
  }

  return {
    pay,
    checkAgain,
    /** Origins of payment pages, for the Content-Security-Policy of our forms. */
    checkoutOrigins: provider.checkoutOrigins,
    /** Rejects if the provider does not answer. Callers within some seconds share one request. */
    ping: () => ping(""),
  };
}
