import { holdsOf, releaseHolds } from "../catalog/holds.ts";
import type { Bags } from "../core/bags.ts";
import { insert, lock, type State, update, writeRule } from "../core/command.ts";
import { MINUTE_MS, TIMES } from "../core/policy.ts";
import {
  type AttemptRow,
  type CustomerRow,
  isUnpaid,
  LIVE,
  type QuoteRow,
} from "../core/records.ts";
import { isUnderWay } from "../core/time.ts";
import { setQuoteState } from "../quotes/standing.ts";

/**
 * Time that the provider may take to make the page: longer than a call with all its retries. Nobody knows
 * the page's address yet, so giving up does no harm.
 */
export const GIVE_UP_MS = 2 * MINUTE_MS;

export interface AttemptCommand {
  now: number;
  attemptId: string;
  quote: QuoteRow;
  /** The quote's bags by bean, as `bagsByProduct` returns them. */
  bags: readonly Bags[];
}

/** Rows that every payment attempt reads. */
export const saleReads = ({ quote, bags }: Pick<AttemptCommand, "quote" | "bags">) => [
  lock("quote_states", { quote_id: quote.id }),
  lock("attempts", { quote_id: quote.id }),
  lock("customers", { email: quote.customer }),
  lock("stock", { product_id: bags.map((b) => b.product_id) }),
];

/** Rows that the end of an attempt may change. */
export const attemptReads = (c: AttemptCommand) => [
  ...saleReads(c),
  lock("waitlist", { attempt_id: c.attemptId }),
];

export interface EndAttempt extends AttemptCommand {
  /**
   * REJECTED: the provider refused to make the page. ABANDONED: it never confirmed the page. UNKNOWN: it
   * made the page and does not know it any more.
   */
  outcome: "REJECTED" | "ABANDONED" | "UNKNOWN";
  incidentId: string;
  /** Detail of an incident for the merchant, if one is needed. */
  trouble: string | undefined;
}

/**
 * Ends an attempt whose page is unknown, here or at the provider, and releases everything it held. If the
 * page was made and only the answer was lost, nobody has its address; a payment there counts as late.
 */
export const endAttempt = writeRule<EndAttempt>({
  reads: attemptReads,
  writes(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    if (!attempt || !LIVE.has(attempt.status)) return [];
    const pageWasMade = attempt.status !== "CREATING";
    if (pageWasMade !== (c.outcome === "UNKNOWN")) return [];
    const writes = endUnpaid(attempt, c.outcome, c.now, s);
    if (c.trouble === undefined) return writes;
    const about = { subject: c.quote.id, detail: c.trouble, created_at: c.now };
    return [
      ...writes,
      insert("incidents", { id: c.incidentId, kind: "PROVIDER_REJECTED", ...about }),
    ];
  },
});

/**
 * Whether bags and courtesy may go to somebody else. A hold that ends later than any hold can was made
 * before the clock was set back, so it counts as over.
 */
export const isHoldOver = (
  { status, hold_until }: Pick<AttemptRow, "status" | "hold_until">,
  now: number,
): boolean => {
  const length = status === "PROCESSING" ? TIMES.processing_hold_ms : TIMES.unpaid_hold_ms;
  return !isUnderWay(hold_until, length, now);
};

/**
 * End of an attempt's hold while the provider does not answer. A page that could not be closed with the
 * hold may have been paid in time, so the hold lasts until the page's own end.
 */
export const holdEndsAt = (attempt: Pick<AttemptRow, "status" | "hold_until" | "expires_at">) =>
  isUnpaid(attempt) ? Math.max(attempt.hold_until, attempt.expires_at) : attempt.hold_until;

/**
 * Releases the bags and the courtesy of an attempt that is past its time or canceled by the buyer, before
 * the provider confirms that its page is closed. A payment there counts as late (contract §5).
 */
export const loseHold = writeRule<AttemptCommand & { canceled: boolean }>({
  reads: attemptReads,
  writes(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    const held = attempt ? holdsOf(attempt) : [];
    const setBack = attempt && attempt.hold_until > c.now && isHoldOver(attempt, c.now);
    const over = attempt && (c.canceled || setBack || holdEndsAt(attempt) <= c.now);
    if (!over || !LIVE.has(attempt.status) || !held[0]) return [];
    return [
      setAttempt(attempt, { holds: "[]", hold_until: c.now, address: null }),
      ...releaseCourtesy(attempt, s),
      ...releaseHolds(held, c.now, s),
    ];
  },
});

export const setAttempt = ({ id }: Pick<AttemptRow, "id">, set: Partial<AttemptRow>) =>
  update("attempts", { id }, set);

/** Clears who pressed pay: it matters only while something is held. */
export const NO_PAYER = { customer: null, wish: null, address: null } as const;

/** Ends an attempt unpaid: releases stock and courtesy, and opens the quote for a new payment. */
export const endUnpaid = (attempt: AttemptRow, outcome: string, now: number, s: State) => [
  ...closeAttempt(attempt, outcome, now, s),
  ...releaseHolds(holdsOf(attempt), now, s),
];

/** Like `endUnpaid`, for callers that pass on the bags in the same step. */
export function closeAttempt(attempt: AttemptRow, outcome: string, now: number, s: State) {
  const state = s.quote_states.find((row) => row.quote_id === attempt.quote_id);
  const reopen = state?.status === "PROCESSING" || state?.status === "CHECKOUT_READY";
  const over = { status: "ENDED", outcome, url: null, holds: "[]", check_at: null } as const;
  const ready = { status: "CHECKOUT_READY", paying_until: null, updated_at: now } as const;
  return [
    setAttempt(attempt, { ...over, ...NO_PAYER }),
    ...releaseCourtesy(attempt, s),
    ...(reopen && LIVE.has(attempt.status) ? [setQuoteState(attempt.quote_id, ready)] : []),
  ];
}

/** The customer's row is made with the first press of pay. */
export function setCustomer(s: State, email: string, set: Partial<CustomerRow>) {
  return s.customers.some((row) => row.email === email)
    ? update("customers", { email }, set)
    : insert("customers", { email, paid_orders: 0, ...set });
}

/** Lets the customer use the courtesy again. */
const releaseCourtesy = (attempt: AttemptRow, s: State) =>
  s.customers
    .filter((row) => row.courtesy === "RESERVED" && row.courtesy_attempt === attempt.id)
    .map(({ email }) => update("customers", { email }, { courtesy: null, courtesy_attempt: null }));
