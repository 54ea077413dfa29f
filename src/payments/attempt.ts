import { holdsOf, releaseHolds } from "../catalog/holds.ts";
import type { Bags } from "../core/bags.ts";
import { insert, lock, type State, update, type Write, writeRule } from "../core/command.ts";
import type { AttemptId } from "../core/ids.ts";
import { MINUTE_MS } from "../core/policy.ts";
import {
  type AttemptRow,
  type CustomerRow,
  isUnpaid,
  LIVE,
  type QuoteRow,
} from "../core/records.ts";
import { setQuoteState } from "../quotes/standing.ts";

/**
 * Time that the provider may take to make the page: longer than a call with all its retries. Nobody knows
 * the page's address yet, so giving up does no harm.
 */
export const GIVE_UP_MS = 2 * MINUTE_MS;

export interface AttemptCommand {
  now: number;
  attemptId: AttemptId;
  quote: QuoteRow;
  /** The quote's bags by bean, as `bagsByProduct` returns them. */
  bags: readonly Bags[];
}

/** Rows that the end of an attempt may change. */
export const attemptReads = ({ quote, bags, attemptId }: AttemptCommand) => [
  lock("quote_states", { quote_id: quote.id }),
  lock("attempts", { quote_id: quote.id }),
  lock("customers", { email: quote.customer }),
  lock("stock", { product_id: bags.map((b) => b.product_id) }),
  lock("waitlist", { attempt_id: attemptId }),
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
    // A captured payment keeps its bags, whatever the provider knows.
    if (!attempt || !LIVE.has(attempt.status) || attempt.status === "CAPTURING") return [];
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

/** Whether the attempt's time is over: its page closes, or its bags are released. */
export const isOverdue = ({ hold_until }: Pick<AttemptRow, "hold_until">, now: number): boolean =>
  hold_until <= now;

/**
 * End of the bags that an attempt keeps while the provider does not answer. Only 0.2.0 kept bags for open
 * pages. One that could not be closed may have been paid in time, so they last until the page's own end.
 */
const bagsKeptUntil = (attempt: AttemptRow): number =>
  isUnpaid(attempt) ? Math.max(attempt.hold_until, attempt.expires_at) : attempt.hold_until;

/**
 * Releases the bags and the courtesy of a delayed payment that is past its time, before the provider
 * confirms its end. A payment there counts as late (contract §5). A captured payment always keeps its bags.
 */
export const releaseOverdue = writeRule<AttemptCommand>({
  reads: attemptReads,
  writes(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    if (!attempt || !(isUnpaid(attempt) || attempt.status === "PROCESSING")) return [];
    if (attempt.holds === "[]" || bagsKeptUntil(attempt) > c.now) return [];
    return [setAttempt(attempt, { holds: "[]" }), ...giveBack(attempt, s)];
  },
});

export const setAttempt = ({ id }: Pick<AttemptRow, "id">, set: Partial<AttemptRow>) =>
  update("attempts", { id }, set);

/** Clears who pressed pay: it matters only while the payment is under way. */
export const NO_PAYER = { customer: null, payer: null, wish: null, address: null } as const;

/** Fields of an attempt that takes nothing and whose page is not needed any more. */
export const NOTHING_TAKEN = { url: null, holds: "[]", ...NO_PAYER } as const;

/** Ends an attempt unpaid: releases stock and courtesy, and opens the quote for a new payment. */
export const endUnpaid = (attempt: AttemptRow, outcome: string, now: number, s: State): Write[] => [
  setAttempt(attempt, { status: "ENDED", outcome, check_at: null, ...NOTHING_TAKEN }),
  ...giveBack(attempt, s),
  ...reopenQuote(attempt, now, s),
];

/** Returns the bags, offers and courtesy that an attempt has taken. */
export const giveBack = (attempt: AttemptRow, s: State): Write[] => [
  ...releaseCourtesy(attempt, s),
  ...releaseHolds(holdsOf(attempt), s),
];

/** Makes the quote payable again after its live attempt. */
export function reopenQuote(attempt: AttemptRow, now: number, s: State): Write[] {
  const state = s.quote_states.find((row) => row.quote_id === attempt.quote_id);
  const reopen = state?.status === "PROCESSING" || state?.status === "CHECKOUT_READY";
  const ready = { status: "CHECKOUT_READY", paying_until: null, updated_at: now } as const;
  return reopen && LIVE.has(attempt.status) ? [setQuoteState(attempt.quote_id, ready)] : [];
}

/** The customer's row is made with the first payment. */
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
