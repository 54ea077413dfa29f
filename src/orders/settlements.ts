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
  "The payment provider does not know a page that it made: its account may be another than before. What was " +
  "paid on it is to be looked up there.";

export type Settlements = ReturnType<typeof settlements>;

/**
 * Brings attempts to what the provider says (contract §5). Whichever comes first, webhook,
 * reconciler or the buyer's next click, does the same, and it may be done any number of times, by
 * any process.
 */
export function settlements(context: Context) {
  const { store, clock, provider, log, watch = unobserved } = context;
  const tryRefund = refundVerbs(context);

  /** What every command about an attempt carries. */
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
    // Each can be told twice at once: that it began, and how it ended.
    const moved = 2 * (reported.refunds.length + reported.disputes.length);
    const ids = {
      order: newId("ord", now),
      shipments: newIds("shp", now, shipmentCount),
      events: newIds("evt", now, 2 + moved),
      refund: newId("rf", now),
      incidents: newIds("inc", now, 1 + moved),
    };
    const { answers } = attempt;
    const said = { shipmentCount, mode: provider.mode, reported, answers, ids };
    const run = async () => {
      const settled = await store.run(settle, { ...command, ...said });
      return { ...settled, fresh: settled.orderId === ids.order };
    };
    return watch({ kind: "settlement", name: reported.payment, quoteId: quote.id }, run);
  };

  /**
   * Settles with what was answered since `attempt` was read, then does outside what that asks for: other
   * pages closed, money sent back.
   */
  async function settleWith(attempt: AttemptRow, agreed: QuoteWithTerms, reported: CheckoutState) {
    const settled = await settleOnce(attempt, agreed, reported);
    // Found late, a payment may have been refunded or disputed before its order was made.
    if (settled.fresh && reported.refunds.length + reported.disputes.length > 0) {
      await settleOnce(attempt, agreed, reported);
    }
    for (const rival of settled.expire) {
      await close(rival, agreed).catch((error: unknown) => {
        // The reconciler meets it again; if it is paid meanwhile, the money goes back.
        log.warn({ attempt: rival.id, error }, "a second page was not closed yet");
      });
    }
    if (settled.refund) await makeRefund(settled.refund);
    return settled;
  }

  /** Has the page closed, and believes what the provider then says of it. */
  async function close(attempt: AttemptRow, agreed: QuoteWithTerms): Promise<void> {
    if (attempt.session_id === null) await end(attempt, agreed, "ABANDONED");
    else await settleWith(attempt, agreed, await provider.expireCheckout(attempt.session_id));
  }

  /** The buyer has canceled: what is held is free at once, also where the provider is away. */
  async function cancel(attempt: AttemptRow, agreed: QuoteWithTerms): Promise<void> {
    try {
      await close(attempt, agreed);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      await letGo(attempt, agreed, true);
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

  /** Sends money back. Where that is not possible now, the reconciler tries again. */
  async function makeRefund(refund: RefundRow): Promise<void> {
    await tryRefund(refund).catch((error: unknown) => {
      log.error({ refund: refund.id, error }, "a refund is still to be made");
    });
  }

  /**
   * Re-reads an attempt's session and settles. Without a session there is nothing to ask about yet.
   * Past its time an unpaid page is closed, which lets go of what it holds; where the provider does
   * not answer, that is let go when the page ends by itself.
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
      // Only now: after a long silence the first answer may be that it has been paid in time.
      if (over && holdEndsAt(attempt) <= clock()) await letGo(attempt, agreed, false);
    }
  }

  const isAbandoned = (attempt: AttemptRow): boolean =>
    attempt.status === "CREATING" && clock() - attempt.created_at >= GIVE_UP_MS;

  /** False for a session that is none of ours: another shop of the same account. */
  async function settleSession(sessionId: string): Promise<boolean> {
    const attempt =
      (await store.queries.attemptBySession(sessionId)) ??
      (await attemptOf(await provider.getCheckout(sessionId)));
    if (!attempt) return false;
    await settleAttempt(attempt);
    return true;
  }

  /** A crash may lie between the provider's answer and our note of it: adopt the session then. */
  async function attemptOf(state: CheckoutState): Promise<AttemptRow | undefined> {
    if (state.attemptId === null) return undefined;
    const attempt = await store.queries.attempt(state.attemptId);
    return attempt?.session_id === null ? record(attempt, state) : undefined;
  }

  const record = ({ id: attemptId }: AttemptRow, { sessionId, url }: CheckoutState) =>
    store.run(recordSession, { now: clock(), attemptId, sessionId, url: url ?? "" });

  const letGo = (attempt: AttemptRow, agreed: QuoteWithTerms, canceled: boolean) =>
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
