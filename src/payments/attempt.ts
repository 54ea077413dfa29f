import { holdsOf, releaseHolds } from "../catalog/holds.ts";
import type { Bags } from "../core/bags.ts";
import { type Decision, insert, lock, type State, update, type Write } from "../core/command.ts";
import type { AttemptId, OrderId } from "../core/ids.ts";
import {
  type AttemptRow,
  type CustomerRow,
  LIVE,
  type QuoteRow,
  type RefundRow,
} from "../core/records.ts";
import { setQuoteState } from "../quotes/standing.ts";
import type { ReportedCheckout } from "./reported-checkout.ts";

/** Commands about one attempt to pay, and the writes that they share. The states are in settle.ts. */

export interface AttemptCommand {
  now: number;
  attemptId: AttemptId;
  quote: QuoteRow;
  /** The quote's bags by bean, as `bagsByProduct` returns them. */
  bags: readonly Bags[];
  /** Whether the quote has the first-order courtesy. */
  firstOrder: boolean;
}

/**
 * News about a payment. Most are states of its session. "rejected" and "abandoned": no page was made.
 * "unknown": the provider does not know the session. "overdue": the status has lasted too long. "failed": a
 * debit. "refused": a call was answered, and the payment is still authorized.
 */
export type Report =
  | ("rejected" | "abandoned" | "unknown" | "overdue")
  | ("open" | "expired" | "processing" | "authorized" | "refused" | "paid" | "failed" | "canceled");

/** The report that a session's state is. */
export const reportOf = ({ payment, status, failed }: ReportedCheckout): Report => {
  if (payment !== "unpaid") return payment;
  if (failed) return "failed";
  return status === "expired" ? "expired" : "open";
};

/** Command that brings our rows to a report on one attempt. */
export interface Settle extends AttemptCommand {
  report: Report;
  /** State of the session; NO_SESSION for a report without one. */
  reported: ReportedCheckout;
  /** The attempt when the provider was asked. A report requested before a later change may be stale. */
  seen: Pick<AttemptRow, "status" | "answers" | "check_at" | "wish">;
  shipmentCount: number;
  /** "live", "test" or "sandbox". */
  mode: string;
  /** Detail of an incident for the merchant, if the attempt ends. */
  trouble?: string | undefined;
  /** Fresh ids; unused ones are dropped. */
  ids: {
    order: string;
    shipments: string[];
    events: string[];
    refund: string;
    /** The first may be of an incident that exists: it is told once. */
    incidents: string[];
  };
}

export const NO_SESSION: ReportedCheckout = {
  sessionId: "",
  attemptId: null,
  quoteHash: null,
  status: "open",
  payment: "unpaid",
  failed: false,
  declined: false,
  totalMinor: null,
  amountMinor: null,
  currency: "",
  paymentRef: null,
  method: null,
  refunds: [],
  disputes: [],
};

/** Request to the provider about an authorized payment. */
export interface SettleResult {
  orderId: OrderId | null;
  /**
   * The attempt as written, if its payment is to be captured or released now, as its status says. The reconciler
   * makes the call if this process can't.
   */
  calling: AttemptRow | null;
  /** Refund to request from the provider; its row is written. */
  refund: RefundRow | null;
  /** Open pages of the same quote or page, which must be closed. */
  expire: AttemptRow[];
}

/** Decision without calls to the provider. */
export const settled = ({ orders }: State, writes: Write[] = []): Decision<SettleResult> => ({
  reply: { orderId: orders[0]?.id ?? null, calling: null, refund: null, expire: [] },
  writes,
});

/** Rows that the end of an attempt may change. */
export const attemptReads = ({ quote, bags, attemptId }: AttemptCommand) => [
  lock("quote_states", { quote_id: quote.id }),
  lock("attempts", { quote_id: quote.id }),
  lock("customers", { email: quote.customer }),
  lock("stock", { product_id: bags.map((b) => b.product_id) }),
  lock("waitlist", { attempt_id: attemptId }),
];

export const setAttempt = ({ id }: Pick<AttemptRow, "id">, set: Partial<AttemptRow>) =>
  update("attempts", { id }, set);

/** Clears who pressed pay: it matters only while the payment is under way. */
export const NO_PAYER = { customer: null, wish: null } as const;

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

/** Tells the merchant, unless this incident is known. */
export const tell = (
  { ids, now, quote }: Settle,
  { incidents }: State,
  about: { kind: string; detail: string },
): Write[] => {
  const id = ids.incidents[0]!;
  const isKnown = incidents.some((row) => row.id === id);
  return isKnown ? [] : [insert("incidents", { id, subject: quote.id, created_at: now, ...about })];
};
