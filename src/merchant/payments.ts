import { refundDone } from "../domain/payment-return.ts";
import { settle } from "../domain/payment-settle.ts";
import {
  endAttempt,
  loseHold,
  type Started,
  sessionOpened,
  startPayment,
} from "../domain/payment-start.ts";
import type { Settled } from "../domain/payment-word.ts";
import type { Terms } from "../domain/quote-terms.ts";
import type { AttemptRow, QuoteRow, QuoteStateRow, RefundRow } from "../domain/records.ts";
import { type CheckoutState, ProviderRejected, ProviderUnavailable } from "../payments/provider.ts";
import { checkoutRequest, ofTerms } from "./checkout-request.ts";
import { type Context, reviewHash } from "./context.ts";
import { newId, newIds } from "./ids.ts";

/** How long a buyer has on the hosted page before its session ends by itself. */
const SESSION_MS = 60 * 60_000;

export interface Review {
  quote: QuoteRow;
  state: QuoteStateRow;
  revoked: boolean;
  terms: Terms;
}

/** What pressing pay leads to: the provider's page, or back to ours, which tells the rest. */
export type Paying = { kind: "redirect"; url: string } | { kind: "look" } | { kind: "unavailable" };

export function paymentVerbs(context: Context) {
  const { store, clock, provider, log } = context;

  /** The quote behind a review link; undefined for a link that never was (CONTRACT §5). */
  async function review(token: string): Promise<Review | undefined> {
    const found = await store.queries.quoteByReview(reviewHash(token));
    if (!found) return undefined;
    const { quote, state, revoked_at } = found;
    const terms = JSON.parse(quote.terms) as Terms;
    return { quote, state, revoked: revoked_at !== null, terms };
  }

  /** Starts or resumes the hosted payment of a quote. Pressed 40 times, it is one session. */
  async function pay(found: Review): Promise<Paying> {
    for (let tries = 0; tries < 3; tries++) {
      const started = await start(found);
      if (started.kind === "closed") return { kind: "look" };
      const paying = await resume(found, started);
      if (paying !== "again") return paying;
    }
    return { kind: "unavailable" };
  }

  function start({ quote, terms }: Review): Promise<Started> {
    const now = clock();
    const { minTtlMs, maxTtlMs } = provider.limits;
    const length = Math.min(Math.max(SESSION_MS, minTtlMs), maxTtlMs);
    return store.run(startPayment, {
      now,
      quote,
      ...ofTerms(terms),
      attemptId: newId("pay", now),
      sessionEndsAt: now + length,
    });
  }

  /** "again" where the attempt turned out to be over, so that a new one may start. */
  async function resume(
    found: Review,
    { attempt }: Extract<Started, { attempt: AttemptRow }>,
  ): Promise<Paying | "again"> {
    try {
      const state =
        attempt.session_id === null
          ? await open(found, attempt)
          : await provider.getCheckout(attempt.session_id);
      if (state === null) return "again";
      if (state.status === "open" && state.payment === "unpaid" && state.url) {
        if (!isCheckoutUrl(state.url))
          throw new ProviderRejected("session URL of a foreign origin");
        return { kind: "redirect", url: state.url };
      }
      await settleWith(attempt, found, state);
      return state.status === "expired" || state.failed ? "again" : { kind: "look" };
    } catch (error) {
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRejected)) throw error;
      log.warn({ attempt: attempt.id, error: error.name }, "the provider did not open a payment");
      return { kind: "unavailable" };
    }
  }

  /** Asks the provider for the attempt's page; asked again, it is the same page. Null: refused. */
  async function open(found: Review, attempt: AttemptRow): Promise<CheckoutState | null> {
    try {
      const state = await provider.createCheckout(checkoutRequest(context, found, attempt));
      await store.run(sessionOpened, {
        now: clock(),
        attemptId: attempt.id,
        sessionId: state.sessionId,
        url: state.url ?? "",
      });
      return state;
    } catch (error) {
      if (!(error instanceof ProviderRejected)) throw error;
      await reject(found, attempt, error);
      const stale = attempt.expires_at - clock() < provider.limits.minTtlMs;
      if (stale) return null;
      throw error;
    }
  }

  async function reject(found: Review, attempt: AttemptRow, error: ProviderRejected) {
    const now = clock();
    await store.run(endAttempt, {
      now,
      attemptId: attempt.id,
      quote: found.quote,
      ...ofTerms(found.terms),
      outcome: "REJECTED",
      incident: {
        id: newId("inc", now),
        kind: "PROVIDER_REJECTED",
        subject: found.quote.id,
        detail: `The payment provider refused to open a payment${error.code ? `: ${error.code}` : ""}.`,
        created_at: now,
      },
    });
  }

  const isCheckoutUrl = (url: string): boolean =>
    URL.canParse(url) && provider.checkoutOrigins.includes(new URL(url).origin);

  /** Brings one attempt to what the provider says, and sends money back that must not be kept. */
  async function settleWith(
    attempt: AttemptRow,
    found: Pick<Review, "quote" | "terms">,
    state: CheckoutState,
  ): Promise<Settled> {
    const now = clock();
    const parcels = found.terms.shipments.length;
    const settled = await store.run(settle, {
      now,
      attemptId: attempt.id,
      quote: found.quote,
      ...ofTerms(found.terms),
      parcels,
      mode: provider.mode,
      word: state,
      ids: {
        order: newId("ord", now),
        shipments: newIds("shp", now, parcels),
        events: newIds("evt", now, 2),
        refund: newId("rf", now),
        incident: newId("inc", now),
      },
    });
    for (const sessionId of settled.expire) await expire(sessionId);
    if (settled.refund) await sendBack(settled.refund);
    return settled;
  }

  async function expire(sessionId: string): Promise<void> {
    try {
      await provider.expireCheckout(sessionId);
    } catch (error) {
      // The reconciler meets this session again; if it is paid meanwhile, the money goes back.
      log.warn({ session: sessionId, error: String(error) }, "a second session was not ended");
    }
  }

  /** Sends money back once: the row was written first, its id is the provider's idempotency key. */
  async function sendBack(refund: RefundRow): Promise<void> {
    try {
      await provider.refund(refund.payment_ref, {
        idempotencyKey: refund.id,
        amountMinor: refund.amount_minor,
      });
    } catch (error) {
      log.error({ refund: refund.id, error: String(error) }, "a refund is still to be made");
      return;
    }
    const now = clock();
    await store.run(refundDone, { now, refund, eventId: newId("evt", now) });
    if (refund.reason === "SELLER") await convergeAttempt(refund.attempt_id);
  }

  /** Re-reads an attempt's session from the provider and settles: safe at any time, any number of times. */
  async function convergeAttempt(attemptId: string): Promise<void> {
    const attempt = await store.queries.attempt(attemptId);
    if (!attempt) return;
    const found = await store.queries.quote(attempt.quote_id);
    if (!found) return;
    const terms = JSON.parse(found.quote.terms) as Terms;
    const full = { quote: found.quote, state: found.state, revoked: false, terms };
    if (attempt.session_id === null) {
      if (attempt.status === "CREATING") await open(full, attempt);
      return;
    }
    await settleWith(attempt, full, await provider.getCheckout(attempt.session_id));
  }

  /** A session that is none of ours belongs to another shop of the same account: nothing to do. */
  async function converge(sessionId: string): Promise<boolean> {
    const attempt =
      (await store.queries.attemptBySession(sessionId)) ??
      (await attemptOf(await provider.getCheckout(sessionId)));
    if (!attempt) return false;
    await convergeAttempt(attempt.id);
    return true;
  }

  /** A crash may lie between the provider's answer and our note of it: adopt the session then. */
  async function attemptOf(state: CheckoutState): Promise<AttemptRow | undefined> {
    if (state.attemptId === null) return undefined;
    const attempt = await store.queries.attempt(state.attemptId);
    if (!attempt || attempt.session_id !== null) return undefined;
    return store.run(sessionOpened, {
      now: clock(),
      attemptId: attempt.id,
      sessionId: state.sessionId,
      url: state.url ?? "",
    });
  }

  /** Past the session's end and the grace, without the provider's word: others may buy the bags. */
  async function loseHoldOf(attempt: AttemptRow): Promise<void> {
    const found = await store.queries.quote(attempt.quote_id);
    if (!found) return;
    const { bags } = ofTerms(JSON.parse(found.quote.terms) as Terms);
    const { quote } = found;
    await store.run(loseHold, { now: clock(), attemptId: attempt.id, quote, bags });
  }

  return { review, pay, converge, convergeAttempt, loseHoldOf, sendBack };
}
