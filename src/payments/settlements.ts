import { unobserved } from "../core/context.ts";
import { newId, newIds, type OrderId } from "../core/ids.ts";
import { type AttemptRow, isUnpaid, LIVE, type RefundRow } from "../core/records.ts";
import { boughtByNow, isPageOrdered } from "../quotes/found-quotes.ts";
import { ofTerms } from "../quotes/quote-terms.ts";
import { lostFor } from "../quotes/standing.ts";
import { type EndAttempt, endAttempt, GIVE_UP_MS, isOverdue, releaseOverdue } from "./attempt.ts";
import { agreedOf, type QuoteWithTerms } from "./checkout-request.ts";
import { type CheckoutState, type Context, isUnknownThere } from "./provider.ts";
import { refundVerbs } from "./refund-verbs.ts";
import type { PaymentCall, Settle } from "./reported-checkout.ts";
import { settle } from "./settle.ts";
import { recordSession } from "./start.ts";
import { tellStuck } from "./take.ts";

const UNKNOWN_PAGE =
  "The payment provider does not know a page that it made. Its account may have changed. Look up there " +
  "whether it was paid.";

/** How a report came: see `Settle`. */
type SettledBy = Pick<Settle, "isClaimed" | "called">;

const BY_REPORT: SettledBy = { isClaimed: false, called: null };

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

  const settleOnce = async (
    attempt: AttemptRow,
    agreed: QuoteWithTerms,
    reported: CheckoutState,
    by: SettledBy,
  ) => {
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
    const ordered = await orderedElsewhere(attempt, agreed, reported);
    const mayOrder = attempt.status !== "PAID";
    const seen = { reported, answers, mayOrder, ordered, ...by };
    const run = async () => {
      const settled = await store.run(settle, {
        ...command,
        shipmentCount,
        mode: provider.mode,
        ids,
        ...seen,
      });
      return { ...settled, fresh: settled.orderId === ids.order };
    };
    return watch({ kind: "settlement", name: reported.payment, quoteId: quote.id }, run);
  };

  /** What was ordered elsewhere, for a payment that is to become an order: see `Settle`. */
  async function orderedElsewhere(
    attempt: AttemptRow,
    { quote, terms }: QuoteWithTerms,
    { payment }: CheckoutState,
  ): Promise<Settle["ordered"]> {
    if (attempt.status === "PAID" || payment === "unpaid" || payment === "canceled") return null;
    if (await isPageOrdered(store, quote)) return "PAGE";
    if (payment !== "authorized" || !isUnpaid(attempt) || quote.agent_id === null) return null;
    const bought = await boughtByNow(context, { ...quote, terms });
    return bought?.same && bought.at > attempt.created_at ? "SAME" : null;
  }

  /**
   * Settles with the provider's response, which is newer than `attempt`. Then makes the calls that follow:
   * captures or releases the payment, closes other pages, sends refunds.
   */
  async function settleWith(
    attempt: AttemptRow,
    agreed: QuoteWithTerms,
    reported: CheckoutState,
    by: SettledBy = BY_REPORT,
  ): Promise<{ orderId: OrderId | null }> {
    const settled = await settleOnce(attempt, agreed, reported, by);
    if (settled.call) return (await call(settled.call, attempt, agreed, reported)) ?? settled;
    // A payment found late may have been refunded or disputed before its order was made.
    if (settled.fresh && reported.refunds.length + reported.disputes.length > 0) {
      await settleOnce(attempt, agreed, reported, by);
    }
    for (const rival of settled.expire) {
      await close(rival, await agreedOf(store, rival)).catch((error: unknown) => {
        // The reconciler tries again. A payment authorized meanwhile is released.
        log.warn({ attempt: rival.id, error }, "another page was not closed yet");
      });
    }
    if (settled.refund) await makeRefund(settled.refund);
    return settled;
  }

  /** Captures or releases the payment and settles with the answer. Without one, the reconciler tries again. */
  async function call(
    which: PaymentCall,
    attempt: AttemptRow,
    agreed: QuoteWithTerms,
    { sessionId, paymentRef }: CheckoutState,
  ) {
    let answer: CheckoutState;
    try {
      answer = await (which === "capture"
        ? provider.captureCheckout(sessionId, paymentRef!)
        : provider.releaseCheckout(sessionId, paymentRef!));
    } catch (error) {
      log.warn({ attempt: attempt.id, call: which, error }, "a payment was not settled yet");
      return null;
    }
    return settleWith(attempt, agreed, answer, { isClaimed: true, called: which });
  }

  /** Closes the page, then settles with the provider's response. */
  async function close(attempt: AttemptRow, agreed: QuoteWithTerms): Promise<void> {
    if (attempt.session_id === null) await end(attempt, agreed, "ABANDONED");
    else await settleWith(attempt, agreed, await provider.expireCheckout(attempt.session_id));
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
   * Reads an attempt's session and settles. Closes an open page past its time, or whose quote is lost.
   * `isClaimed`: the caller has claimed the attempt's check, so it may capture or release.
   */
  async function settleAttempt(attempt: AttemptRow, isClaimed = false): Promise<void> {
    const agreed = await agreedOf(store, attempt);
    const overdue = isOverdue(attempt, clock());
    try {
      if (isUnpaid(attempt) && (overdue || (isClaimed && (await isLost(agreed)))))
        await close(attempt, agreed);
      else if (attempt.session_id !== null) {
        const reported = await provider.getCheckout(attempt.session_id);
        await settleWith(attempt, agreed, reported, { isClaimed, called: null });
      } else if (isAbandoned(attempt)) await end(attempt, agreed, "ABANDONED");
    } catch (error) {
      const isLive = LIVE.has(attempt.status) && attempt.status !== "CAPTURING";
      if (!isUnknownThere(error) || !isLive) throw error;
      await end(attempt, agreed, "UNKNOWN", UNKNOWN_PAGE);
    } finally {
      // Last, because after a long outage the first response may be that it was paid in time.
      if (overdue) await tellOverdue(attempt, agreed);
    }
  }

  /** Nobody should fill in a card on a page whose payment would be released. */
  async function isLost(agreed: QuoteWithTerms): Promise<boolean> {
    const needs = { quote: agreed.quote, ...ofTerms(agreed.terms) };
    const [stock, customer] = await Promise.all([
      store.queries.stock(),
      store.queries.customer(agreed.quote.customer),
    ]);
    const lost = lostFor(needs, { stock, customers: customer ? [customer] : [] });
    return lost !== null || isPageOrdered(store, agreed.quote);
  }

  async function tellOverdue(attempt: AttemptRow, agreed: QuoteWithTerms): Promise<void> {
    const command = about(attempt, agreed);
    await store.run(releaseOverdue, command);
    await store.run(tellStuck, { ...command, incidentId: newId("inc", command.now) });
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

  return {
    settleWith,
    record,
    end,
    isAbandoned,
    close,
    makeRefund,
    tryRefund,
    settleSession,
    settleAttempt,
  };
}
