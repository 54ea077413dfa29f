import { setTimeout as delay } from "node:timers/promises";
import { isUnpaid } from "../domain/payment/attempt.ts";
import { type StartResult, startPayment } from "../domain/payment/start.ts";
import type { ReviewedQuote } from "../domain/review/review.ts";
import { addressPseudonym } from "../domain/shared/client-address.ts";
import { TIMES } from "../domain/shared/policy.ts";
import type { AttemptRow } from "../domain/shared/records.ts";
import { sha256 } from "../domain/shared/sha256.ts";
import { type CheckoutState, ProviderRejected, ProviderUnavailable } from "../payments/provider.ts";
import { checkoutRequest, ofTerms } from "./checkout-request.ts";
import type { Context } from "./context.ts";
import { linkedId, newId } from "./ids.ts";
import { rivalPayments } from "./rival-payments.ts";
import type { Settlements } from "./settlements.ts";
import { sharedAnswers } from "./shared-answers.ts";

/**
 * How long a buyer's click waits for the provider, in milliseconds. Less than a proxy or a stopping
 * service allows; what was begun goes on, and the next click finds it done.
 */
const PATIENCE_MS = 7_000;

/** So long an answer of the provider is good enough for everybody who only asks, in milliseconds. */
const SHARED_MS = 10_000;

/** What pressing pay leads to: the provider's page, or back to ours, which tells the rest. */
export type PayResult =
  | { kind: "redirect"; url: string }
  | { kind: "look" }
  | { kind: "unavailable" }
  /** Somebody else has begun to pay for it; it may be free again from `until` on. */
  | { kind: "taken"; what: "COURTESY" | "BAGS"; until: number }
  | Extract<StartResult, { kind: "too_many" }>;

export function paymentVerbs(context: Context, settling: Settlements) {
  const { store, clock, provider, log, patienceMs = PATIENCE_MS } = context;
  const rivals = rivalPayments(context, settling);
  const shared = { forMs: SHARED_MS, clock };
  const lookAt = sharedAnswers((sessionId) => provider.lookAtCheckout(sessionId), shared);
  const ping = sharedAnswers(() => provider.ping(), shared);

  /** The quote behind a review link; undefined for a link that never was (contract §5). */
  async function review(token: string): Promise<ReviewedQuote | undefined> {
    const id = linkedId(context.secret, "review", token);
    const { quote: byId, quoteByReviewToken: byHash } = store.queries;
    const found = await (id === undefined ? byHash(sha256(token)) : byId(id));
    if (!found) return undefined;
    const { quote, state, revoked_at } = found;
    return { quote, state, revoked: revoked_at !== null, terms: JSON.parse(quote.terms) };
  }

  /**
   * Starts or resumes the hosted payment of a quote. Pressed 40 times, it is one session. `network`
   * is who presses, for the share of bags that one of them may hold; null is not counted.
   */
  async function pay(found: ReviewedQuote, network: string | null = null): Promise<PayResult> {
    const over = new AbortController();
    const late: PayResult = { kind: "unavailable" };
    const patience = delay(patienceMs, late, { signal: over.signal }).catch(() => late);
    const address = network && addressPseudonym(context.secret, network);
    const begun = begin(found, address);
    begun.catch((error: unknown) => log.warn({ quote: found.quote.id, error }, "pay failed"));
    const paying = await Promise.race([begun, patience]).finally(() => over.abort());
    if (paying === late) log.warn({ quote: found.quote.id }, "the provider keeps a buyer waiting");
    return paying;
  }

  async function begin(found: ReviewedQuote, address: string | null): Promise<PayResult> {
    let closed: AttemptRow[] = [];
    let failures = 0;
    for (let tries = 0; tries < 4; tries++) {
      const started = await start(found, address, closed);
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
      // Its answer stands under that attempt's key; under a new one it may pass. Once, not for ever.
      if (paying === "failed there" && failures++ > 0) break;
      if (paying !== "again" && paying !== "failed there") return paying;
    }
    return { kind: "unavailable" };
  }

  function start(
    { quote, terms }: ReviewedQuote,
    address: string | null,
    closed: readonly AttemptRow[],
  ): Promise<StartResult> {
    const now = clock();
    const { minTtlMs, maxTtlMs } = provider.limits;
    const length = Math.min(Math.max(TIMES.session_ms, minTtlMs), maxTtlMs);
    return store.run(startPayment, {
      now,
      quote,
      ...ofTerms(terms),
      address,
      attemptId: newId("pay", now),
      sessionEndsAt: now + length,
      closed,
    });
  }

  /** The buyer has turned back at the provider's page: bags and courtesy are free at once. */
  async function cancel({ quote, terms }: ReviewedQuote, attemptId: string): Promise<void> {
    const attempt = await store.queries.attempt(attemptId);
    if (attempt?.quote_id !== quote.id || !isUnpaid(attempt)) return;
    await settling.cancel(attempt, { quote, terms });
  }

  /** "again" where the attempt turned out to be over, so that a new one may start. */
  async function resume(
    found: ReviewedQuote,
    attempt: AttemptRow,
  ): Promise<PayResult | "again" | "failed there"> {
    try {
      const state =
        attempt.session_id === null
          ? await open(found, attempt)
          : await look(attempt, attempt.session_id);
      if (state === "again") return "again";
      if (state === "replaced") return { kind: "look" };
      if (state === "as noted") return redirect(attempt.url!);
      if (state.status === "open" && state.payment === "unpaid" && state.url) {
        return redirect(state.url);
      }
      await settling.settleWith(attempt, found, state);
      return state.status === "expired" || state.failed ? "again" : { kind: "look" };
    } catch (error) {
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRejected)) throw error;
      log.warn({ attempt: attempt.id, error: error.name }, "the provider did not open a payment");
      const ended = error instanceof ProviderUnavailable && error.failedThere;
      return ended ? "failed there" : { kind: "unavailable" };
    }
  }

  /**
   * The page as it stood moments ago; where nothing is heard of it, it is where our row says it is.
   */
  async function look(attempt: AttemptRow, sessionId: string): Promise<CheckoutState | "as noted"> {
    try {
      return await lookAt(sessionId);
    } catch (error) {
      const open = attempt.status === "OPEN" && attempt.url && attempt.expires_at > clock();
      if (open && error instanceof ProviderUnavailable) return "as noted";
      throw error;
    }
  }

  function redirect(url: string): PayResult {
    if (!isCheckoutUrl(url)) throw new ProviderRejected("session URL of a foreign origin");
    return { kind: "redirect", url };
  }

  /** Asks the provider for the attempt's page; asked again, it is the same page. */
  async function open(
    found: ReviewedQuote,
    attempt: AttemptRow,
  ): Promise<CheckoutState | "again" | "replaced"> {
    if (settling.isAbandoned(attempt)) {
      await settling.end(attempt, found, "ABANDONED");
      return "again";
    }
    const state = await create(found, attempt);
    if (state === "again") return state;
    const { status, outcome } = await settling.record(attempt, state);
    if (status !== "ENDED") return state;
    // Given up while the provider took its time: this page was never shown, and never will be.
    await provider.expireCheckout(state.sessionId);
    // A newer press came in between: this older one does not take its place back.
    return outcome === "REPLACED" ? "replaced" : "again";
  }

  async function create(
    found: ReviewedQuote,
    attempt: AttemptRow,
  ): Promise<CheckoutState | "again"> {
    try {
      return await provider.createCheckout(checkoutRequest(context, found, attempt));
    } catch (error) {
      // It goes on failing under this attempt's key; the page, if there is one, was not given to
      // anybody.
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
      if (outdated) return "again";
      throw error;
    }
  }

  const isCheckoutUrl = (url: string): boolean =>
    URL.canParse(url) && provider.checkoutOrigins.includes(new URL(url).origin);

  return {
    review,
    pay,
    cancel,
    /** Where a buyer is sent to pay: a page's form must be allowed to lead there. */
    checkoutOrigins: provider.checkoutOrigins,
    /** Rejects where the provider does not answer. One question for all who ask within a while. */
    ping: () => ping(""),
  };
}
