import { consumeHolds, type Hold } from "../catalog/holds.ts";
import {
  type Decision,
  lock,
  type Read,
  type Rule,
  type State,
  update,
  type Write,
} from "../core/command.ts";
import { display } from "../core/money.ts";
import { notOrderedLetter } from "../core/outbox.ts";
import { type AttemptRow, isUnpaid, type OrderRow } from "../core/records.ts";
import { isReleaseReason, purchaseOf, setQuoteState } from "../quotes/standing.ts";
import { ownOfferRows } from "../waitlist/own-offers.ts";
import {
  attemptReads,
  endUnpaid,
  giveBack,
  NOTHING_TAKEN,
  type Report,
  type Settle,
  type SettleResult,
  setAttempt,
  setCustomer,
  settled,
  tell,
} from "./attempt.ts";
import { isRefundedInFull, refundInFull } from "./full-refund.ts";
import { followPayment, moneyReads } from "./money-back.ts";
import { bagsFor, fits, hold, release, take } from "./take.ts";
import { calledSince, isOverdue, LAPSED_MS, nextCheck } from "./times.ts";

/** What follows from a report; each names the next status. */
type Act = (c: Settle, attempt: AttemptRow, s: State, orders: OrderMaker) => Decision<SettleResult>;

/**
 * States of an attempt to pay (contract §5): for each report, the statuses in which something follows. Any
 * other report is older than what is known, and changes nothing. So reports may come in any order, from
 * anybody, any number of times.
 *
 * CREATING → OPEN, once the page is made (start.ts). OPEN → CAPTURING, with its bags taken, or RELEASING,
 * without. CAPTURING → PAID, with an order. A debit waits as PROCESSING in between. Everything else is ENDED.
 */
const NEXT: Record<Report, { [S in AttemptRow["status"]]?: Act }> = {
  rejected: { CREATING: end },
  abandoned: { CREATING: end },
  open: { OPEN: wait },
  expired: { OPEN: end, PROCESSING: end },
  processing: { OPEN: hold, PROCESSING: wait },
  authorized: { OPEN: take, PROCESSING: take, ENDED: releaseLate },
  refused: { CAPTURING: releaseRefused },
  paid: {
    OPEN: order,
    PROCESSING: order,
    CAPTURING: order,
    RELEASING: order,
    PAID: order,
    ENDED: order,
  },
  failed: { OPEN: end, PROCESSING: end, CAPTURING: end, RELEASING: end },
  canceled: { OPEN: end, PROCESSING: end, CAPTURING: end, RELEASING: end },
  unknown: { OPEN: end, PROCESSING: end, CAPTURING: endLapsed, RELEASING: end },
  overdue: { PROCESSING: freeBags, CAPTURING: tellStuck, RELEASING: tellStuck },
};

/** Makes the order of a captured payment, in the transaction that settles it. Orders hand it in. */
export interface OrderMaker {
  /** Rows that only a new order changes. */
  reads(c: Settle): Read[];
  make(c: Settle, attempt: AttemptRow, s: State): { order: OrderRow; writes: Write[] };
}

/**
 * Brings the books to a report, once. Takes bags only for an authorized or processing payment. Makes at most
 * one order per quote and page, and records a refund for a payment that must not be kept.
 */
export const settle = (orders: OrderMaker): Rule<Settle, SettleResult> => ({
  reads: (c) => [
    ...attemptReads(c),
    ...(c.quote.cart ? [lock("checkouts", { page: c.quote.cart })] : []),
    lock("attempts", { page: purchaseOf(c.quote) }),
    ...(c.seen.wish ? [lock("attempts", { wish: c.seen.wish })] : []),
    lock("orders", { quote_id: c.quote.id }),
    // Every order waits for the counter's lock. A known order keeps its number, whatever is reported later.
    ...(c.report === "paid" && c.seen.status !== "PAID" ? orders.reads(c) : []),
    ...ownOfferRows(c.quote).map((rows) => lock("waitlist", rows)),
    ...(c.reported.paymentRef ? moneyReads(c.reported.paymentRef) : []),
    ...(TOLD_ONCE.has(c.report) ? [lock("incidents", { id: c.ids.incidents[0]! })] : []),
  ],
  decide(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    if (!attempt) throw new Error(`no attempt ${c.attemptId}`);
    return NEXT[c.report][attempt.status]?.(c, attempt, s, orders) ?? settled(s);
  },
});

const TOLD_ONCE: ReadonlySet<Report> = new Set(["rejected", "overdue"]);

/** → the same. Notes a declined card, and when to ask again. */
function wait(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const check_at = nextCheck(attempt, c.now);
  const declined = c.reported.declined ? 1 : 0;
  const isNews = isUnpaid(attempt) && declined !== attempt.declined;
  return settled(s, [setAttempt(attempt, { check_at, ...(isNews && { declined }) })]);
}

/**
 * → ENDED. No page, no payment, or one that was released, lapsed or bounced: everything comes back. The
 * buyer gets a letter if a bank had said yes.
 */
function end(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const { report, now, trouble, quote } = c;
  const outcome = outcomeOf(report, attempt);
  const isNews = report === "failed" || report === "canceled" || attempt.status === "RELEASING";
  const about = { outcome, amount_minor: quote.total_minor };
  return settled(s, [
    ...endUnpaid(attempt, outcome, now, s),
    // No money came, so the quote may be deleted like any unpaid one.
    ...(isReleaseReason(outcome) ? [setAttempt(attempt, { payment_ref: null })] : []),
    ...(isNews && !s.orders[0] ? [notOrderedLetter(attempt, about, now)] : []),
    ...(trouble === undefined ? [] : tell(c, s, { kind: "PROVIDER_REJECTED", detail: trouble })),
  ]);
}

function outcomeOf(report: Report, { status, outcome }: AttemptRow): string {
  if (status === "RELEASING") return outcome!;
  if (report !== "failed" && report !== "canceled") return report.toUpperCase();
  const isDebit = status === "PROCESSING" || (status === "OPEN" && report === "failed");
  return isDebit ? "FAILED" : "CAPTURE_FAILED";
}

/** → ENDED, once no authorization can be left. Until then the bags are kept: the money may be on its way. */
function endLapsed(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const isLapsed = c.now >= calledSince(attempt) + LAPSED_MS;
  return isLapsed ? end(c, attempt, s) : settled(s);
}

/** → RELEASING. A page that was given up was paid all the same, and nothing was decided about that yet. */
function releaseLate(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const isOver = attempt.payment_ref !== null || isReleaseReason(attempt.outcome);
  return isOver ? settled(s) : take(c, attempt, s);
}

/** → RELEASING, unless another process has taken over the call. */
function releaseRefused(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const isOurs = attempt.check_at === c.seen.check_at;
  return isOurs ? release(c, attempt, s, "CAPTURE_FAILED") : settled(s);
}

/** → PAID, with an order. A payment that must not be kept → ENDED, with a refund. */
function order(c: Settle, attempt: AttemptRow, s: State, orders: OrderMaker) {
  const isKnown = s.orders[0]?.attempt_id === attempt.id || isRefundedInFull(attempt, s);
  if (isKnown) return followPayment(c, attempt, s);
  const holds = bagsFor(c, attempt, s);
  const isSecond = holds === "ORDERED_ALREADY" || holds === "BOUGHT_ALREADY";
  if (isSecond) return refundInFull(c, attempt, s, "PAID_TWICE");
  if (!fits(c, attempt)) return refundInFull(c, attempt, s, "WRONG_AMOUNT");
  // A payment that was to be released was captured all the same, at the provider itself.
  const isReleased = attempt.status === "RELEASING" || isReleaseReason(attempt.outcome);
  if (isReleased || typeof holds === "string") return refundInFull(c, attempt, s, "PAID_TOO_LATE");
  return sell(c, attempt, holds, s, orders);
}

/** Order, events, stock and courtesy in one transaction (contract §5). */
function sell(c: Settle, attempt: AttemptRow, holds: Hold[], s: State, orders: OrderMaker) {
  const { order, writes } = orders.make(c, attempt, s);
  const status = "PAID" as const;
  const rivals = s.attempts.filter(
    (a) =>
      a.id !== attempt.id &&
      (a.quote_id === c.quote.id || a.page === purchaseOf(c.quote)) &&
      isUnpaid(a),
  );
  const redeemed = c.firstOrder
    ? ({ courtesy: "REDEEMED", courtesy_attempt: attempt.id } as const)
    : {};
  const paid_orders = (s.customers[0]?.paid_orders ?? 0) + 1;
  return {
    reply: { orderId: order.id, calling: null, refund: null, expire: rivals },
    writes: [
      ...writes,
      setAttempt(attempt, {
        status,
        payment_ref: c.reported.paymentRef,
        session_id: c.reported.sessionId,
        ...NOTHING_TAKEN,
        customer: attempt.customer,
        wish: attempt.wish,
        taken_at: attempt.taken_at ?? c.now,
        check_at: nextCheck({ ...attempt, status }, c.now),
      }),
      setQuoteState(c.quote.id, {
        status,
        order_id: order.id,
        paying_until: null,
        updated_at: c.now,
      }),
      ...s.checkouts.map(({ id }) => update("checkouts", { id }, { order_id: order.id })),
      ...consumeHolds({ holds, held: attempt.holds !== "[]" }, attempt.id, s),
      setCustomer(s, c.quote.customer, { paid_orders, ...redeemed }),
    ],
  };
}

/**
 * → the same, without bags. A debit is past its time. A payment that comes all the same counts as late.
 */
function freeBags(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  if (attempt.holds === "[]" || !isOverdue(attempt, c.now)) return settled(s);
  return settled(s, [setAttempt(attempt, { holds: "[]" }), ...giveBack(attempt, s)]);
}

const STUCK = {
  CAPTURING: "is authorized and could not be captured yet. Its bags are kept.",
  RELEASING: "is not needed and could not be released yet.",
};

/** → the same. The merchant is told once a day. */
function tellStuck(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  if (!isOverdue(attempt, c.now)) return settled(s);
  const why = STUCK[attempt.status as keyof typeof STUCK];
  const detail = `A payment of ${display(c.quote.total_minor)} ${why} It is tried every minute. Look at it at the payment provider.`;
  return settled(s, tell(c, s, { kind: "PAYMENT_STUCK", detail }));
}
