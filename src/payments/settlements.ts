import { unobserved } from "../core/context.ts";
import { sha256 } from "../core/hash.ts";
import { newId, newIds, type OrderId } from "../core/ids.ts";
import { DAY_MS } from "../core/policy.ts";
import { type AttemptRow, isUnpaid, type RefundRow } from "../core/records.ts";
import { lostByNow } from "../quotes/found-quotes.ts";
import { ofTerms } from "../quotes/quote-terms.ts";
import { NO_SESSION, type Report, reportOf, type Settle } from "./attempt.ts";
import { agreedOf, type QuoteWithTerms, type ReviewedQuote } from "./checkout-request.ts";
import { type CheckoutState, type Context, isUnknownThere } from "./provider.ts";
import { refundSender } from "./send-refund.ts";
import { type OrderMaker, settle } from "./settle.ts";
import { recordSession } from "./start.ts";
import { calledSince, GIVE_UP_MS, isOverdue } from "./times.ts";

const UNKNOWN_PAGE =
  "The payment provider does not know a page that it made. Its account may have changed. Look up there " +
  "whether it was paid.";

export type Settlements = ReturnType<typeof settlements>;

/** Fixed id of an incident that is told once. */
export const incidentOf = (topic: string): string => `inc_${sha256(topic).slice(0, 32)}`;

/** A report and what came with it. */
type News = Pick<Settle, "report"> & Partial<Pick<Settle, "reported" | "trouble">>;

/**
 * Reads, captures, releases and closes payments at the provider, and settles its answers (contract §5).
 * Webhook, reconciler and the buyer's next click all do the same, any number of times, in any process.
 */
export function settlements(context: Context, orders: OrderMaker) {
  const { store, clock, provider, log, watch = unobserved } = context;
  const sendRefund = refundSender(context);
  const rule = settle(orders);

  /** Settles one report. `seen`: the attempt before the provider was asked. */
  async function settleOnce(
    seen: AttemptRow,
    { quote, terms }: QuoteWithTerms,
    { reported = NO_SESSION, ...news }: News,
    incidentId?: string,
  ) {
    const now = clock();
    const shipmentCount = terms.shipments.length;
    // Each refund and dispute can have two events at once: its start and its end.
    const moved = 2 * (reported.refunds.length + reported.disputes.length);
    const incidents = newIds("inc", now, 1 + moved);
    const ids = {
      order: newId("ord", now),
      shipments: newIds("shp", now, shipmentCount),
      events: newIds("evt", now, 2 + moved),
      refund: newId("rf", now),
      incidents: incidentId ? [incidentId, ...incidents] : incidents,
    };
    const command = { now, attemptId: seen.id, quote, ...ofTerms(terms), ...news, reported, seen };
    const run = async () => {
      const { mode } = provider;
      const settled = await store.run(rule, { ...command, shipmentCount, mode, ids });
      return { ...settled, fresh: settled.orderId === ids.order };
    };
    return watch({ kind: "settlement", name: news.report, quoteId: quote.id }, run);
  }

  /** Settles a report, then makes the calls that follow: captures or releases, closes pages, refunds. */
  async function settleWith(
    seen: AttemptRow,
    agreed: QuoteWithTerms,
    reported: CheckoutState,
    report: Report = reportOf(reported),
  ): Promise<{ orderId: OrderId | null }> {
    const news = { report, reported };
    const settled = await settleOnce(seen, agreed, news);
    if (settled.calling) return (await call(settled.calling, agreed, reported)) ?? settled;
    // A payment found late may have been refunded or disputed before its order was made.
    if (settled.fresh && reported.refunds.length + reported.disputes.length > 0) {
      await settleOnce(seen, agreed, news);
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

  /**
   * Captures or releases the payment, as its status says, and settles the answer. Without one, the
   * reconciler tries again.
   */
  async function call(
    attempt: AttemptRow,
    agreed: QuoteWithTerms,
    { sessionId, paymentRef }: CheckoutState,
  ) {
    const isCapture = attempt.status === "CAPTURING";
    let answer: CheckoutState;
    try {
      answer = await (isCapture
        ? provider.captureCheckout(sessionId, paymentRef!)
        : provider.releaseCheckout(sessionId, paymentRef!));
    } catch (error) {
      log.warn(
        { attempt: attempt.id, status: attempt.status, error },
        "a payment was not settled yet",
      );
      return null;
    }
    const report = reportOf(answer);
    return settleWith(attempt, agreed, answer, report === "authorized" ? "refused" : report);
  }

  /** Closes the page, then settles with the provider's response. */
  async function close(attempt: AttemptRow, agreed: QuoteWithTerms): Promise<void> {
    const { session_id } = attempt;
    if (session_id === null) return end(attempt, agreed, "abandoned");
    const expire = async () =>
      settleWith(attempt, agreed, await provider.expireCheckout(session_id));
    await asking(attempt, agreed, expire);
  }

  /** Ends an attempt whose page was not made. The merchant is told of the same trouble once a day. */
  async function end(
    attempt: AttemptRow,
    agreed: QuoteWithTerms,
    report: "abandoned" | "rejected",
    trouble?: string,
  ): Promise<void> {
    const day = Math.floor(clock() / DAY_MS);
    await settleOnce(attempt, agreed, { report, trouble }, incidentOf(`${trouble} ${day}`));
  }

  /** Sends a refund. If that fails, the reconciler tries again. */
  async function makeRefund(refund: RefundRow): Promise<void> {
    await sendRefund(refund).catch((error: unknown) => {
      log.error({ refund: refund.id, error }, "a refund was not made yet");
    });
  }

  /** Asks the provider, and ends the attempt if it does not know its session. */
  async function asking(attempt: AttemptRow, agreed: QuoteWithTerms, ask: () => Promise<unknown>) {
    try {
      await ask();
    } catch (error) {
      if (!isUnknownThere(error)) throw error;
      log.warn({ attempt: attempt.id, error }, "the provider does not know a session");
      await settleOnce(attempt, agreed, { report: "unknown", trouble: UNKNOWN_PAGE });
    }
  }

  /** Reads an attempt's session and settles. */
  async function settleAttempt(attempt: AttemptRow): Promise<void> {
    const { session_id } = attempt;
    if (session_id === null) return;
    const agreed = await agreedOf(store, attempt);
    const read = async () => settleWith(attempt, agreed, await provider.getCheckout(session_id));
    await asking(attempt, agreed, read);
  }

  /**
   * Does what is due for an attempt. Closes a page that is past its time, or whose quote is lost; repeats a
   * call that was not answered. The caller has claimed the check: see `claimCheck`.
   */
  async function check(attempt: AttemptRow): Promise<void> {
    const agreed = await agreedOf(store, attempt);
    const overdue = isOverdue(attempt, clock());
    const isCalling = attempt.status === "CAPTURING" || attempt.status === "RELEASING";
    try {
      if (attempt.session_id === null) {
        if (overdue || isAbandoned(attempt)) await end(attempt, agreed, "abandoned");
      } else if (isUnpaid(attempt) && (overdue || (await isLost(agreed)))) {
        await close(attempt, agreed);
      } else if (isCalling) {
        const { session_id } = attempt;
        const read = async () => {
          const reported = await provider.getCheckout(session_id);
          const isWaiting = reported.payment === "authorized";
          await (isWaiting ? call : settleWith)(attempt, agreed, reported);
        };
        await asking(attempt, agreed, read);
      } else await settleAttempt(attempt);
    } finally {
      // Last, because after a long outage the first response may be that it was paid in time.
      if (overdue) {
        const days = Math.floor((clock() - calledSince(attempt)) / DAY_MS);
        const incident = incidentOf(`stuck ${attempt.id} ${days}`);
        await settleOnce(attempt, agreed, { report: "overdue" }, incident);
      }
    }
  }

  /** Nobody should fill in a card on a page whose payment would be released, or for what was changed since. */
  const isLost = async (agreed: ReviewedQuote): Promise<boolean> =>
    agreed.state.replaced_by !== null ||
    (await lostByNow(store, agreed, await store.queries.stock())) !== null;

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
    record,
    end,
    isAbandoned,
    close,
    check,
    makeRefund,
    sendRefund,
    settleSession,
    settleAttempt,
  };
}
