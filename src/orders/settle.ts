import { holdsOf, planHolds } from "../catalog/holds.ts";
import { lock, type Rule, type State, type Write } from "../core/command.ts";
import { CURRENCY } from "../core/money.ts";
import { notOrderedLetter } from "../core/outbox.ts";
import { TIMES } from "../core/policy.ts";
import { type AttemptRow, LIVE } from "../core/records.ts";
import { followPayment, moneyReads, settled } from "../payments/after-payment.ts";
import { attemptReads, ending, setAttempt } from "../payments/attempt.ts";
import { CHECK_EVERY_MS, nextCheck } from "../payments/next-check.ts";
import { isRefundedInFull, refundInFull } from "../payments/refund.ts";
import type { Settle, SettleResult } from "../payments/reported-checkout.ts";
import { mayHaveFirstOrder, setQuoteState } from "../quotes/standing.ts";
import { ownOfferRows, ownOffers } from "../waitlist/own-offers.ts";
import { makeOrder, ORDER_NUMBER_SETTING, type SoldBags } from "./make-order.ts";

/**
 * Brings our books to what the provider says, whatever was told before, in any order, any number of
 * times (contract §5). One order per quote; money that must not be kept is written down as a refund.
 */
export const settle: Rule<Settle, SettleResult> = {
  reads: (c) => [
    ...attemptReads(c),
    lock("orders", { quote_id: c.quote.id }),
    lock("settings", { name: ORDER_NUMBER_SETTING }),
    ...(c.quote.agent_id ? [lock("agents", { id: c.quote.agent_id })] : []),
    ...ownOfferRows(c.quote).map((rows) => lock("waitlist", rows)),
    ...(c.reported.paymentRef ? moneyReads(c.reported.paymentRef) : []),
  ],
  decide(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    if (!attempt) throw new Error(`no attempt ${c.attemptId}`);
    const { reported } = c;
    if (s.orders[0]?.attempt_id === attempt.id) return followPayment(c, attempt, s);
    if (reported.payment === "paid") return paid(c, attempt, s);
    if (!LIVE.has(attempt.status)) return settled(s);
    const over = reported.status === "expired" ? "EXPIRED" : reported.failed ? "FAILED" : null;
    if (over) {
      const about = { outcome: over, amount_minor: c.quote.total_minor };
      const told = over === "FAILED" ? [notOrderedLetter(attempt, about, c.now)] : [];
      return settled(s, [...ending(attempt, over, c.now, s), ...told]);
    }
    if (reported.payment === "processing") return settled(s, processing(c, attempt, s));
    // Its page is open still.
    const declined = reported.declined ? 1 : 0;
    return settled(s, [setAttempt(attempt, { declined, check_at: nextCheck(attempt, c.now) })]);
  },
};

/** Paid by a method that settles in days: everything stays held until the provider's last word. */
function processing(c: Settle, attempt: AttemptRow, s: State): Write[] {
  const held = setAttempt(attempt, {
    status: "PROCESSING",
    payment_ref: c.reported.paymentRef,
    hold_until: Math.max(attempt.hold_until, attempt.created_at + TIMES.processing_hold_ms),
    check_at: c.now + CHECK_EVERY_MS,
  });
  if (s.quote_states[0]?.status !== "CHECKOUT_READY") return [held];
  return [held, setQuoteState(c.quote.id, { status: "PROCESSING", updated_at: c.now })];
}

function paid(c: Settle, attempt: AttemptRow, s: State) {
  if (isRefundedInFull(attempt, s)) return followPayment(c, attempt, s);
  if (s.orders[0]) return refundInFull(c, attempt, s, "PAID_TWICE");
  if (!fits(c, attempt)) return refundInFull(c, attempt, s, "WRONG_AMOUNT");
  const sold = isCourtesyThere(c, attempt, s) ? bagsFor(c, attempt, s) : null;
  if (!sold) return refundInFull(c, attempt, s, "PAID_TOO_LATE");
  return makeOrder(c, attempt, sold, s);
}

/** Held until now; a payment after that has what is still there, or goes back. */
function bagsFor(c: Settle, attempt: AttemptRow, s: State): SoldBags | null {
  const kept = holdsOf(attempt);
  if (kept.length > 0) return { holds: kept, held: true };
  const holds = planHolds(c.bags, s.stock, ownOffers(c.quote, s.waitlist));
  return holds && { holds, held: false };
}

/** What was paid is what was approved: total, currency, hash and attempt. */
const fits = ({ reported, quote }: Settle, attempt: AttemptRow): boolean =>
  reported.totalMinor === quote.total_minor &&
  reported.currency === CURRENCY &&
  reported.quoteHash === quote.quote_hash &&
  reported.attemptId === attempt.id;

/**
 * Kept for this attempt until now, or still there for a late payment; another attempt of this very
 * quote is the same buyer.
 */
function isCourtesyThere(c: Settle, attempt: AttemptRow, s: State): boolean {
  if (!c.firstOrder) return true;
  const customer = s.customers[0];
  const holder = customer?.courtesy === "RESERVED" ? customer.courtesy_attempt : null;
  if (holder === attempt.id) return true;
  const free = holder === null || s.attempts.some(({ id }) => id === holder);
  return free && mayHaveFirstOrder(customer);
}
