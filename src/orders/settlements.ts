import { type Context, unobserved } from "../core/context.ts";
import { newId, newIds } from "../core/ids.ts";
import { type AttemptRow, isUnpaid, LIVE, type RefundRow } from "../core/records.ts";
import {
  type EndAttempt,
  endAttempt,
  GIVE_UP_MS,
  holdEndsAt,
  isHoldOver,
  loseHold,
} from "../payments/attempt.ts";
import { agreedOf, type QuoteWithTerms } from "../payments/checkout-request.ts";
import { type CheckoutState, isUnknownThere, ProviderUnavailable } from "../payments/provider.ts";
import { refundVerbs } from "../payments/refund-verbs.ts";
import { recordSession } from "../payments/start.ts";
import { ofTerms } from "../quotes/quote-terms.ts";
import { settle } from "./settle.ts";

const UNKNOWN_PAGE =
  "The payment provider does not know a page that it made. Its account may have changed. Look up there " +
  "whether it was paid.";

export type Settlements = ReturnType<typeof settlements>;

/**
 * Settles attempts with the provider's state (contract §5). Webhook, reconciler and the buyer's next click
 * all do the same, any number of times, in any process.
 */
export function settlements(context: Context) {
  const { store, clock, provider, log, watch = unobserved } = context;
  const tryRefund = refundVerbs(context);

  /** Fields of every command about an attempt. */
  const about = ({ id: attemptId }: AttemptRow, { quote, terms }: QuoteWithTerms) => ({
    now: clock(),
    attemptId,
    quote,
    ...ofTerms(terms),
  });

  const settleOnce = (attempt: AttemptRow, agreed: QuoteWithTerms, reported: CheckoutState) => {
    const command = about(attempt, agreed);
    const { now, quote } = command;
    const shipmentCount = agreed.terms.shipments.length;
    // Each refund and dispute can have two events at once: its start and its end.
    const moved = 2 * (reported.refunds.length + reported.disputes.length);
    const ids = {
      order: newId("ord", now),
      shipments: newIds("shp", now, shipmentCount),
      events: newIds("evt", now, 2 + moved),
      refund: newId("rf", now),
      incidents: newIds("inc", now, 1 + moved),
    };
    const { answers } = attempt;
    const outcome = { shipmentCount, mode: provider.mode, reported, answers, ids };
    const run = async () => {
      const settled = await store.run(settle, { ...command, ...outcome });
      return { ...settled, fresh: settled.orderId === ids.order };
    };
    return watch({ kind: "settlement", name: reported.payment, quoteId: quote.id }, run);
  };

  /**
   * Settles with the provider's response, which is newer than `attempt`. Then closes the quote's other pages
   * and sends refunds.
   */
  async function settleWith(attempt: AttemptRow, agreed: QuoteWithTerms, reported: CheckoutState) {
    const settled = await settleOnce(attempt, agreed, reported);
    // A payment found late may have been refunded or disputed before its order was made.
    if (settled.fresh && reported.refunds.length + reported.disputes.length > 0) {
      await settleOnce(attempt, agreed, reported);
    }
    for (const rival of settled.expire) {
      await close(rival, agreed).catch((error: unknown) => {
        // The reconciler tries again. A payment made meanwhile is refunded.
        log.warn({ attempt: rival.id, error }, "a second page was not closed yet");
      });
    }
    if (settled.refund) await makeRefund(settled.refund);
    return settled;
  }

  /** Closes the page, then settles with the provider's response. */
  async function close(attempt: AttemptRow, agreed: QuoteWithTerms): Promise<void> {
    if (attempt.session_id === null) await end(attempt, agreed, "ABANDONED");
    else await settleWith(attempt, agreed, await provider.expireCheckout(attempt.session_id));
  }

  /** The buyer canceled: releases the hold at once, even if the provider is unavailable. */
  async function cancel(attempt: AttemptRow, agreed: QuoteWithTerms): Promise<void> {
    try {
      await close(attempt, agreed);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      await releaseHold(attempt, agreed, true);
    }
  }

  async function end(
    attempt: AttemptRow,
    agreed: QuoteWithTerms,
    outcome: EndAttempt["outcome"],
    trouble?: string,
  ): Promise<void> {
    const command = about(attempt, agreed);
    const incidentId = newId("inc", command.now);
    await store.run(endAttempt, { ...command, outcome, incidentId, trouble });
  }

  /** Sends a refund. If that fails, the reconciler tries again. */
  async function makeRefund(refund: RefundRow): Promise<void> {
    await tryRefund(refund).catch((error: unknown) => {
      log.error({ refund: refund.id, error }, "a refund was not made yet");
    });
  }

  /**
   * Reads an attempt's session and settles. Closes an unpaid page past its time, which releases its hold. If
   * the provider does not answer, the hold is released when the page expires by itself.
   */
  async function settleAttempt(attempt: AttemptRow): Promise<void> {
    const agreed = await agreedOf(store, attempt);
    const over = LIVE.has(attempt.status) && isHoldOver(attempt, clock());
    try {
      if (over && isUnpaid(attempt)) await close(attempt, agreed);
      else if (attempt.session_id !== null) {
        await settleWith(attempt, agreed, await provider.getCheckout(attempt.session_id));
      } else if (isAbandoned(attempt)) await end(attempt, agreed, "ABANDONED");
    } catch (error) {
      if (!isUnknownThere(error) || !LIVE.has(attempt.status)) throw error;
      await end(attempt, agreed, "UNKNOWN", UNKNOWN_PAGE);
    } finally {
      // Last, because after a long outage the first response may be that it was paid in time.
      if (over && holdEndsAt(attempt) <= clock()) await releaseHold(attempt, agreed, false);
    }
  }

  const isAbandoned = (attempt: AttemptRow): boolean =>
    attempt.status === "CREATING" && clock() - attempt.created_at >= GIVE_UP_MS;

  /** False for a session of another shop with the same account. */
  async function settleSession(sessionId: string): Promise<boolean> {
    const attempt =
      (await store.queries.attemptBySession(sessionId)) ??
      (await attemptOf(await provider.getCheckout(sessionId)));
    if (!attempt) return false;
    await settleAttempt(attempt);
    return true;
  }

  /** Adopts a session that a crash kept from being recorded. */
  async function attemptOf(state: CheckoutState): Promise<AttemptRow | undefined> {
    if (state.attemptId === null) return undefined;
    const attempt = await store.queries.attempt(state.attemptId);
    return attempt?.session_id === null ? record(attempt, state) : undefined;
  }

  const record = ({ id: attemptId }: AttemptRow, { sessionId, url }: CheckoutState) =>
    store.run(recordSession, { now: clock(), attemptId, sessionId, url: url ?? "" });

  const releaseHold = (attempt: AttemptRow, agreed: QuoteWithTerms, canceled: boolean) =>
    store.run(loseHold, { ...about(attempt, agreed), canceled });

  return {
    settleWith,
    record,
    end,
    isAbandoned,
    cancel,
    makeRefund,
    tryRefund,
    settleSession,
    settleAttempt,
  };
}
