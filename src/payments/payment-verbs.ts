import { setTimeout as delay } from "node:timers/promises";
import { limitConcurrencyPerCaller, sharedAnswers } from "../core/concurrency.ts";
import type { Context } from "../core/context.ts";
import { newId } from "../core/ids.ts";
import { addressPseudonym } from "../core/network.ts";
import { TIMES } from "../core/policy.ts";
import { type AttemptRow, isUnpaid } from "../core/records.ts";
import { paidBeside, wishOf } from "../quotes/bought-already.ts";
import { boughtByNow } from "../quotes/found-quotes.ts";
import { ofTerms } from "../quotes/quote-terms.ts";
import type { PaymentObstacle } from "../quotes/standing.ts";
import { checkoutRequest, type ReviewedQuote, type Settling } from "./checkout-request.ts";
import {
  type CheckoutState,
  isUnknownThere,
  ProviderRejected,
  ProviderUnavailable,
} from "./provider.ts";
import { rivalPayments } from "./rival-payments.ts";
import { type StartPayment, type StartResult, startPayment } from "./start.ts";

/**
 * How long a buyer's click waits for the provider, in milliseconds. Less than a proxy or a stopping
 * service allows; what was begun goes on, and the next click finds it done.
 */
const PATIENCE_MS = 7_000;

/** So long an answer of the provider is good enough for everybody who only asks, in milliseconds. */
const SHARED_MS = 10_000;

/** Of one network: its other presses wait, so that they do not use up the calls to the provider. */
const PRESSES_AT_ONCE = 2;

/** What pressing pay leads to: the provider's page, or back to ours, which tells the rest. */
export type PayResult = { kind: "redirect"; url: string } | { kind: "look" } | PaymentObstacle;

/** What one attempt leads to; "over" where it is, so that a new one may start. */
type AttemptResult = PayResult | { kind: "over"; failedThere: boolean };

const OVER: AttemptResult = { kind: "over", failedThere: false };
const NOT_OPENED = "the provider did not open a payment";

export function paymentVerbs(context: Context, settling: Settling) {
  const { store, clock, provider, log, patienceMs = PATIENCE_MS } = context;
  const rivals = rivalPayments(context, settling);
  const shared = { forMs: SHARED_MS, clock };
  const lookAt = sharedAnswers((sessionId) => provider.lookAtCheckout(sessionId), shared);
  const inTurn = limitConcurrencyPerCaller(PRESSES_AT_ONCE);
  const ping = sharedAnswers(() => provider.ping(), shared);

  /**
   * Starts or resumes the hosted payment of a quote. Pressed 40 times, it is one session. `network`
   * is who presses, for the share of bags that one of them may hold; null is not counted. `told` is the
   * quote that its page said would be paid beside it: what it did not say yet is shown first. Null where
   * no page was pressed on.
   */
  async function pay(
    found: ReviewedQuote,
    network: string | null = null,
    told: string | null = null,
  ): Promise<PayResult> {
    const over = new AbortController();
    const late: PayResult = { kind: "unavailable" };
    const patience = delay(patienceMs, late, { signal: over.signal }).catch(() => late);
    const address = network && addressPseudonym(context.secret, network);
    // A turn that comes after the buyer was answered starts nothing.
    const press = async () => (over.signal.aborted ? late : begin(found, address, told));
    const begun = address === null ? press() : inTurn(address, press);
    begun.catch((error: unknown) => log.warn({ quote: found.quote.id, error }, "pay failed"));
    const paying = await Promise.race([begun, patience]).finally(() => over.abort());
    if (paying === late) log.warn({ quote: found.quote.id }, "the provider keeps a buyer waiting");
    return paying;
  }

  async function begin(
    found: ReviewedQuote,
    address: string | null,
    told: string | null,
  ): Promise<PayResult> {
    let closed: AttemptRow[] = [];
    let failures = 0;
    const isUntold = async () => {
      if (told === null) return false;
      const bought = await boughtByNow(context, { ...found.quote, terms: found.terms });
      return ![null, told].includes(paidBeside(bought));
    };
    for (let tries = 0; tries < 4; tries++) {
      if (await isUntold()) return { kind: "look" };
      const started = await start(found, { address, closed });
      // What was open at the first look and is paid since did not stand in its way.
      if (started.kind === "started" && (await isUntold())) {
        await settling.end(started.attempt, found, "ABANDONED");
        return { kind: "look" };
      }
      if (started.kind === "closed") return { kind: "look" };
      if (started.kind === "too_many") return started;
      if (started.kind === "taken") {
        return { ...started, until: await rivals.freeAt(found.terms, started) };
      }
      if (started.kind === "replace") {
        const gone = await rivals.closePages(started.attempts);
        if (!gone) return { kind: "unavailable" };
        closed = [...closed, ...gone];
        continue;
      }
      const paying = await resume(found, started.attempt);
      if (paying.kind !== "over") return paying;
      // Its answer stands under that attempt's key; under a new one it may pass. Once, not for ever.
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

  /** The buyer has turned back at the provider's page: bags and courtesy are free at once. */
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
      // Nothing is heard of the page: it is where our row says it is.
      if (noted && error instanceof ProviderUnavailable) return redirect(attempt, noted);
      log.warn({ attempt: attempt.id, error }, NOT_OPENED);
      const failedThere = error instanceof ProviderUnavailable && error.failedThere;
      return failedThere ? { kind: "over", failedThere } : { kind: "unavailable" };
    }
  }

  /** To the page while it can be paid; otherwise its state is settled. */
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
    const reason = `Its page is at ${origin}: is that STRIPE_CHECKOUT_DOMAIN?`;
    log.warn({ attempt: id, reason }, NOT_OPENED);
    return { kind: "unavailable" };
  }

  /** Asks the provider for the attempt's page; asked again, it is the same page. */
  async function open(found: ReviewedQuote, attempt: AttemptRow): Promise<AttemptResult> {
    if (settling.isAbandoned(attempt)) {
      await settling.end(attempt, found, "ABANDONED");
      return OVER;
    }
    const state = await create(found, attempt);
    if (state === null) return OVER;
    const { status, outcome } = await settling.record(attempt, state);
    if (status !== "ENDED") return follow(found, attempt, state);
    // Given up while the provider took its time: this page was never shown, and never will be.
    await provider.expireCheckout(state.sessionId);
    // A newer press came in between: this older one does not take its place back.
    return outcome === "REPLACED" ? { kind: "look" } : OVER;
  }

  /** Null where the attempt is over, and a new one can be asked for. */
  async function create(found: ReviewedQuote, attempt: AttemptRow): Promise<CheckoutState | null> {
    try {
      return await provider.createCheckout(checkoutRequest(context, found, attempt));
    } catch (error) {
      // It goes on failing under this attempt's key; its page, if there is one, was not shown.
      if (error instanceof ProviderUnavailable && error.failedThere) {
        await settling.end(attempt, found, "ABANDONED");
      }
      if (!(error instanceof ProviderRejected)) throw error;
      // Asked for before a restart under another BASE_URL, or too long ago: not a mistake.
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

  return {
    pay,
    cancel,
    /** Where a buyer is sent to pay: a page's form must be allowed to lead there. */
    checkoutOrigins: provider.checkoutOrigins,
    /** Rejects where the provider does not answer. One question for all who ask within a while. */
    ping: () => ping(""),
  };
}
