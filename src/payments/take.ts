import { type Hold, holdsOf, planHolds, storedHolds, takeHolds } from "../catalog/holds.ts";
import { type Decision, insert, lock, type State, type Write, writeRule } from "../core/command.ts";
import type { AttemptId } from "../core/ids.ts";
import { CURRENCY, display } from "../core/money.ts";
import { notOrderedLetter } from "../core/outbox.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/policy.ts";
import { type AttemptRow, isUnpaid, LIVE, type QuoteRow } from "../core/records.ts";
import {
  type InvalidReason,
  isReleaseReason,
  lostFor,
  mayHaveFirstOrder,
  type ReleaseReason,
  setQuoteState,
} from "../quotes/standing.ts";
import { ownOffers } from "../waitlist/own-offers.ts";
import {
  endUnpaid,
  giveBack,
  NOTHING_TAKEN,
  reopenQuote,
  setAttempt,
  setCustomer,
} from "./attempt.ts";
import { settled } from "./money-back.ts";
import { CHECK_EVERY_MS } from "./next-check.ts";
import type { PaymentCall, Settle, SettleResult } from "./reported-checkout.ts";
import { isPageOrdered } from "./start.ts";

/*
 * Authorize → take → capture (contract §5). An authorized payment takes bags and courtesy in one transaction
 * and is captured, or takes nothing and is released. So nobody is charged for an order that does not exist.
 */

/** An incident tells the merchant about a call that the provider has not answered for this long. */
const STUCK_AFTER_MS: Record<PaymentCall, number> = {
  capture: 10 * MINUTE_MS,
  release: HOUR_MS,
};

/** Decides about a payment that the buyer's bank has authorized and nobody has captured. */
export function authorized(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  // A payment that was released or captured is never authorized again: the report is older.
  const { status, outcome, payment_ref } = attempt;
  const isOver = status === "ENDED" && (payment_ref !== null || isReleaseReason(outcome));
  if (status === "PAID" || isOver) return settled(s);
  if (attempt.status === "RELEASING") return again(c, s, "release");
  if (attempt.status === "CAPTURING") {
    // Still authorized after the call: the provider refused to capture.
    return c.called === "capture"
      ? release(c, attempt, s, "CAPTURE_FAILED")
      : again(c, s, "capture");
  }
  const holds = fits(c, attempt) ? bagsFor(c, attempt, s) : "TOTAL_MISMATCH";
  if (typeof holds === "string") return release(c, attempt, s, holds);
  if (!LIVE.has(attempt.status)) return release(c, attempt, s, "PAGE_CLOSED");
  return calling(s, "capture", [
    setAttempt(attempt, {
      status: "CAPTURING",
      payment_ref: c.reported.paymentRef,
      hold_until: c.now + STUCK_AFTER_MS.capture,
      check_at: c.now + CHECK_EVERY_MS,
    }),
    setQuoteState(c.quote.id, { status: "PROCESSING", updated_at: c.now }),
    ...take(c, attempt, holds, s),
  ]);
}

/** Ends a payment whose authorization was released or has lapsed, or whose debit the bank refused. */
export function notCharged(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const isReleasing = attempt.status === "RELEASING";
  if (!isReleasing && !LIVE.has(attempt.status)) return settled(s);
  const isDebit = attempt.status === "PROCESSING" || (isUnpaid(attempt) && c.reported.failed);
  const outcome = isReleasing ? attempt.outcome! : isDebit ? "FAILED" : "CAPTURE_FAILED";
  const about = { outcome, amount_minor: c.quote.total_minor };
  return settled(s, [
    ...endUnpaid(attempt, outcome, c.now, s),
    // No money came, so the quote may be deleted like any unpaid one.
    ...(outcome === "FAILED" ? [] : [setAttempt(attempt, { payment_ref: null })]),
    ...(s.orders[0] ? [] : [notOrderedLetter(attempt, about, c.now)]),
  ]);
}

/**
 * Bags for a payment, if bags and courtesy are there: those that it has taken, the buyer's offers, or free
 * ones. Otherwise the reason for the release.
 */
export function bagsFor(c: Settle, attempt: AttemptRow, s: State): Hold[] | ReleaseReason {
  if (s.orders[0] || c.ordered !== null || isPageOrdered(c, s)) return "ORDERED_ALREADY";
  if (!isCourtesyThere(c, attempt, s)) return "COURTESY_USED";
  const taken = holdsOf(attempt);
  if (taken.length > 0) return taken;
  return planHolds(c.bags, s.stock, ownOffers(c.quote, s.waitlist)) ?? "OUT_OF_STOCK";
}

/** Takes bags and courtesy, unless the attempt has them. */
export const take = (c: Settle, attempt: AttemptRow, holds: Hold[], s: State): Write[] => [
  ...(attempt.holds === "[]"
    ? [setAttempt(attempt, { holds: storedHolds(holds) }), ...takeHolds(holds, attempt.id, s)]
    : []),
  ...(c.firstOrder
    ? [setCustomer(s, c.quote.customer, { courtesy: "RESERVED", courtesy_attempt: attempt.id })]
    : []),
];

/** Whether the payment matches the approval: amount, currency, hash and attempt. */
export const fits = ({ reported, quote }: Settle, attempt: AttemptRow): boolean =>
  reported.totalMinor === quote.total_minor &&
  reported.amountMinor === quote.total_minor &&
  reported.currency === CURRENCY &&
  reported.quoteHash === quote.quote_hash &&
  reported.attemptId === attempt.id;

/**
 * Whether the courtesy is reserved for this attempt or free. Another attempt of the same quote is the same
 * buyer.
 */
function isCourtesyThere(c: Settle, attempt: AttemptRow, s: State): boolean {
  if (!c.firstOrder) return true;
  const customer = s.customers[0];
  const holder = customer?.courtesy === "RESERVED" ? customer.courtesy_attempt : null;
  if (holder === attempt.id) return true;
  const isOwn = s.attempts.some(({ id, quote_id }) => id === holder && quote_id === c.quote.id);
  return (holder === null || isOwn) && mayHaveFirstOrder(customer);
}

/** Takes nothing. The quote can be paid again, unless it is lost for good. */
function release(c: Settle, attempt: AttemptRow, s: State, outcome: ReleaseReason) {
  const never = s.orders[0] ? null : lostForGood(c, s, outcome);
  const lost = { status: "INVALIDATED", reason: never, paying_until: null } as const;
  return calling(s, "release", [
    setAttempt(attempt, {
      status: "RELEASING",
      outcome,
      payment_ref: c.reported.paymentRef,
      hold_until: c.now + STUCK_AFTER_MS.release,
      check_at: c.now + CHECK_EVERY_MS,
      ...NOTHING_TAKEN,
    }),
    ...giveBack(attempt, s),
    ...(never === null
      ? reopenQuote(attempt, c.now, s)
      : [setQuoteState(c.quote.id, { ...lost, updated_at: c.now })]),
  ]);
}

/** Why the quote can never be paid. Bags or a discount that another payment has taken may come back. */
function lostForGood(c: Settle, s: State, outcome: ReleaseReason): InvalidReason | null {
  if (outcome === "TOTAL_MISMATCH") return outcome;
  const isOrdered = c.ordered === "PAGE" || isPageOrdered(c, s, "PAID");
  return isOrdered ? "ORDERED_ALREADY" : lostFor(c, s);
}

/** Repeats a call if the process that had to make it has had its time: see `claimCheck`. */
const again = (c: Settle, s: State, call: PaymentCall): Decision<SettleResult> =>
  c.isClaimed && c.called === null ? calling(s, call, []) : settled(s);

function calling(s: State, call: PaymentCall, writes: Write[]): Decision<SettleResult> {
  const decision = settled(s, writes);
  return { ...decision, reply: { ...decision.reply, call } };
}

/** Tells the merchant about a payment that could not be captured or released yet, once a day. */
export const tellStuck = writeRule<{
  now: number;
  attemptId: AttemptId;
  quote: QuoteRow;
  incidentId: string;
}>({
  reads: (c) => [lock("attempts", { id: c.attemptId })],
  writes(c, { attempts: [attempt] }) {
    if (!attempt || attempt.hold_until > c.now) return [];
    const amount = display(c.quote.total_minor);
    const detail =
      attempt.status === "CAPTURING"
        ? `A payment of ${amount} is authorized and could not be captured yet. Its bags are kept.`
        : attempt.status === "RELEASING"
          ? `A payment of ${amount} is not needed and could not be released yet.`
          : null;
    if (detail === null) return [];
    return [
      setAttempt(attempt, { hold_until: c.now + DAY_MS }),
      insert("incidents", {
        id: c.incidentId,
        kind: "PAYMENT_STUCK",
        subject: c.quote.id,
        detail: `${detail} It is tried every minute. Look at it at the payment provider.`,
        created_at: c.now,
      }),
    ];
  },
});
