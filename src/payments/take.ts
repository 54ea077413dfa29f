import { type Hold, holdsOf, planHolds, storedHolds, takeHolds } from "../catalog/holds.ts";
import type { Decision, State, Write } from "../core/command.ts";
import { CURRENCY } from "../core/money.ts";
import { type AttemptRow, LIVE, ORDERED } from "../core/records.ts";
import {
  mayHaveFirstOrder,
  purchaseOf,
  type ReleaseReason,
  setQuoteState,
} from "../quotes/standing.ts";
import { ownOffers } from "../waitlist/own-offers.ts";
import {
  type AttemptCommand,
  giveBack,
  NOTHING_TAKEN,
  reopenQuote,
  type Settle,
  type SettleResult,
  setAttempt,
  setCustomer,
  settled,
} from "./attempt.ts";
import { nextCheck } from "./times.ts";

/*
 * Authorize → take → capture (contract §5). An authorized payment takes bags and courtesy in one transaction
 * and is captured, or takes nothing and is released. So nobody is charged for an order that does not exist.
 */

/** → CAPTURING or RELEASING. Decides about a payment that the buyer's bank has authorized. */
export function take(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const holds = fits(c, attempt) ? bagsFor(c, attempt, s) : "TOTAL_MISMATCH";
  if (typeof holds === "string") return release(c, attempt, s, holds);
  if (!LIVE.has(attempt.status)) return release(c, attempt, s, "PAGE_CLOSED");
  return calling("CAPTURING", c, attempt, s, {}, [
    setQuoteState(c.quote.id, { status: "PROCESSING", updated_at: c.now }),
    ...keep(c, attempt, holds, s),
  ]);
}

/**
 * → PROCESSING. Paid by a method that settles in days: bags and courtesy are kept until the payment settles
 * or fails. If they are gone, a payment that succeeds is refunded.
 */
export function hold(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const holds = bagsFor(c, attempt, s);
  const status = "PROCESSING" as const;
  return settled(s, [
    setAttempt(attempt, {
      status,
      payment_ref: c.reported.paymentRef,
      check_at: nextCheck({ ...attempt, status }, c.now),
    }),
    ...(typeof holds === "string" ? [] : keep(c, attempt, holds, s)),
    ...(s.quote_states[0]?.status === "CHECKOUT_READY"
      ? [setQuoteState(c.quote.id, { status, updated_at: c.now })]
      : []),
  ]);
}

/** → RELEASING. Takes nothing. The quote can be paid again, unless its amount can never be charged. */
export function release(c: Settle, attempt: AttemptRow, s: State, outcome: ReleaseReason) {
  const never = outcome === "TOTAL_MISMATCH" && !s.orders[0];
  const lost = { status: "INVALIDATED", reason: outcome, paying_until: null } as const;
  return calling("RELEASING", c, attempt, s, { outcome, ...NOTHING_TAKEN }, [
    ...giveBack(attempt, s),
    ...(never
      ? [setQuoteState(c.quote.id, { ...lost, updated_at: c.now })]
      : reopenQuote(attempt, c.now, s)),
  ]);
}

/** Moves the attempt to the status of a call. This process makes the call; others wait until `check_at`. */
function calling(
  status: "CAPTURING" | "RELEASING",
  c: Settle,
  attempt: AttemptRow,
  s: State,
  set: Partial<AttemptRow>,
  writes: Write[],
): Decision<SettleResult> {
  const called = { status, called_since: c.now };
  const check_at = nextCheck({ ...attempt, ...called }, c.now);
  const { paymentRef: payment_ref } = c.reported;
  const moved = { ...called, check_at, payment_ref, ...set };
  const decision = settled(s, [setAttempt(attempt, moved), ...writes]);
  return { ...decision, reply: { ...decision.reply, calling: { ...attempt, ...moved } } };
}

/**
 * Bags for a payment: those that it has taken, the buyer's offers, or free ones. Otherwise why it gets
 * none. Every payment is decided here, under the locks of the transaction that takes its bags.
 */
export function bagsFor(c: Settle, attempt: AttemptRow, s: State): Hold[] | ReleaseReason {
  if (s.orders[0] || isPageTaken(c, s)) return "ORDERED_ALREADY";
  const taken = holdsOf(attempt);
  // A debit whose bags were freed has been decided, too.
  const isDecided = taken.length > 0 || attempt.taken_at !== null;
  if (!isDecided && isCanceled(s)) return "PAGE_CLOSED";
  if (!isDecided && isBoughtSince(attempt, s)) return "BOUGHT_ALREADY";
  if (!isCourtesyThere(c, attempt, s)) return "COURTESY_USED";
  if (taken.length > 0) return taken;
  return planHolds(c.bags, s.stock, ownOffers(c.quote, s.waitlist)) ?? "OUT_OF_STOCK";
}

/** Whether the quote's checkout was canceled. */
export const isCanceled = ({ checkouts: [row] }: Pick<State, "checkouts">): boolean =>
  row !== undefined && row.canceled_at !== null;

/**
 * Whether the same customer has paid for the same bags and addresses since this payment page was opened, by
 * whatever quote. A page that was opened later, at least by the time of reading it, named that purchase.
 */
const isBoughtSince = ({ id, wish, created_at }: AttemptRow, { attempts }: State): boolean =>
  wish !== null &&
  attempts.some(
    (other) =>
      other.id !== id &&
      other.wish === wish &&
      ORDERED.has(other.status) &&
      other.taken_at !== null &&
      other.taken_at >= created_at,
  );

/** Whether another quote of the same purchase is ordered, or about to be (contract §10). */
export const isPageTaken = (
  { quote }: Pick<AttemptCommand, "quote">,
  { attempts }: Pick<State, "attempts">,
): boolean =>
  attempts.some(
    ({ quote_id, page, status }) =>
      quote_id !== quote.id && page === purchaseOf(quote) && ORDERED.has(status),
  );

/** Takes bags and courtesy, unless the attempt has them. */
const keep = (c: Settle, attempt: AttemptRow, holds: Hold[], s: State): Write[] => [
  ...(attempt.holds === "[]"
    ? [
        setAttempt(attempt, { holds: storedHolds(holds), taken_at: c.now }),
        ...takeHolds(holds, attempt.id, s),
      ]
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
