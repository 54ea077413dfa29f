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
 * How long the provider may take to make the page. Longer than any call with all its retries, and
 * short: the page's address is not known to anybody yet, so giving up does no harm.
 */
export const GIVE_UP_MS = 2 * MINUTE_MS;

/** What becomes of one attempt to pay a quote. */
export interface AttemptCommand {
  now: number;
  attemptId: string;
  quote: QuoteRow;
  /** Of the quote, by bean, as `bagsByProduct` gives them. */
  bags: readonly Bags[];
}

/** What stands around every attempt to pay a quote. */
export const saleReads = ({ quote, bags }: Pick<AttemptCommand, "quote" | "bags">) => [
  lock("quote_states", { quote_id: quote.id }),
  lock("attempts", { quote_id: quote.id }),
  lock("customers", { email: quote.customer }),
  lock("stock", { product_id: bags.map((b) => b.product_id) }),
];

/** The rows that the end of an attempt may change. */
export const attemptReads = (c: AttemptCommand) => [
  ...saleReads(c),
  lock("waitlist", { attempt_id: c.attemptId }),
];

export interface EndAttempt extends AttemptCommand {
  /**
   * REJECTED: the provider refused to make the page. ABANDONED: it never said that it did. UNKNOWN: it made
   * the page and knows of none.
   */
  outcome: "REJECTED" | "ABANDONED" | "UNKNOWN";
  incidentId: string;
  /** What went wrong, where the merchant must know of it. */
  trouble: string | undefined;
}

/**
 * An attempt whose page is not known, here or at the provider: everything that it kept goes back. A page
 * that was made all the same, its answer lost, is an address that was never given to anybody; what is
 * paid there is a late payment.
 */
export const endAttempt = writeRule<EndAttempt>({
  reads: attemptReads,
  writes(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    if (!attempt || !LIVE.has(attempt.status)) return [];
    const pageWasMade = attempt.status !== "CREATING";
    if (pageWasMade !== (c.outcome === "UNKNOWN")) return [];
    const writes = ending(attempt, c.outcome, c.now, s);
    if (c.trouble === undefined) return writes;
    const about = { subject: c.quote.id, detail: c.trouble, created_at: c.now };
    const told = insert("incidents", { id: c.incidentId, kind: "PROVIDER_REJECTED", ...about });
    return [...writes, told];
  },
});

/**
 * Whether its bags and courtesy may go to somebody else. A hold that would end later than any hold can
 * began before the clock was set back, so it counts as over.
 */
export const isHoldOver = (
  { status, hold_until }: Pick<AttemptRow, "status" | "hold_until">,
  now: number,
): boolean => {
  const length = status === "PROCESSING" ? TIMES.processing_hold_ms : TIMES.unpaid_hold_ms;
  return !isUnderWay(hold_until, length, now);
};

/**
 * When an attempt's hold ends though the provider cannot be asked. Its page is to be closed with the
 * hold; where that cannot be done it may have been paid in time, so it has until its own end.
 */
export const holdEndsAt = (attempt: Pick<AttemptRow, "status" | "hold_until" | "expires_at">) =>
  isUnpaid(attempt) ? Math.max(attempt.hold_until, attempt.expires_at) : attempt.hold_until;

/**
 * Past its time, or canceled by the buyer, and the provider has not said that its page is closed: others
 * may have the bags and the courtesy. What is paid there all the same is a late payment (contract §5).
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
      ...courtesyBack(attempt, s),
      ...releaseHolds(held, c.now, s),
    ];
  },
});

export const setAttempt = ({ id }: Pick<AttemptRow, "id">, set: Partial<AttemptRow>) =>
  update("attempts", { id }, set);

/** Who pressed pay matters only while something is held; then it is forgotten. */
export const FORGOTTEN = { customer: null, wish: null, address: null } as const;

/** An attempt ends unpaid: stock and courtesy come back, and the quote can be paid anew. */
export const ending = (attempt: AttemptRow, outcome: string, now: number, s: State) => [
  ...closing(attempt, outcome, now, s),
  ...releaseHolds(holdsOf(attempt), now, s),
];

/** The same but for the bags, for who hands them on in the same step. */
export function closing(attempt: AttemptRow, outcome: string, now: number, s: State) {
  const state = s.quote_states.find((row) => row.quote_id === attempt.quote_id);
  const reopen = state?.status === "PROCESSING" || state?.status === "CHECKOUT_READY";
  const over = { status: "ENDED", outcome, url: null, holds: "[]", check_at: null } as const;
  const ready = { status: "CHECKOUT_READY", paying_until: null, updated_at: now } as const;
  return [
    setAttempt(attempt, { ...over, ...FORGOTTEN }),
    ...courtesyBack(attempt, s),
    ...(reopen && LIVE.has(attempt.status) ? [setQuoteState(attempt.quote_id, ready)] : []),
  ];
}

/** A customer is known from the first press of pay on. */
export function setCustomer(s: State, email: string, set: Partial<CustomerRow>) {
  return s.customers.some((row) => row.email === email)
    ? update("customers", { email }, set)
    : insert("customers", { email, paid_orders: 0, ...set });
}

/** The same customer may use the courtesy again. */
const courtesyBack = (attempt: AttemptRow, s: State) =>
  s.customers
    .filter((row) => row.courtesy === "RESERVED" && row.courtesy_attempt === attempt.id)
    .map(({ email }) => update("customers", { email }, { courtesy: null, courtesy_attempt: null }));
