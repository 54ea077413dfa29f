import { type Bags, onHand, type Short } from "../core/bags.ts";
import { update, type Write } from "../core/command.ts";
import type { AttemptId, QuoteId } from "../core/ids.ts";
import {
  type AttemptRow,
  type CustomerRow,
  newRow,
  type QuoteRow,
  type QuoteStateRow,
  type StockRow,
} from "../core/records.ts";
import type { StoredQuote } from "../db/queries/quotes.ts";
import type { Bought } from "./bought-already.ts";

/**
 * Status of a quote (contract §4).
 *
 * OPEN → CHECKOUT_READY (review link given out) → PROCESSING (bags taken, money on its way) → PAID.
 * OPEN | CHECKOUT_READY → EXPIRED | INVALIDATED. WAITLIST_OFFERED is terminal, priced for information.
 */
type QuoteStatus = QuoteStateRow["status"] | "EXPIRED";

/** The discount was used, the bags were sold, or its checkout is ordered or canceled: it can't be paid. */
export type LostReason = "COURTESY_USED" | "OUT_OF_STOCK" | "ORDERED_ALREADY" | "CANCELED";

/**
 * Why an authorized payment was released and nothing charged: the bags or the discount had gone, the quote
 * or another one of its purchase was ordered already, the buyer had just paid for the same elsewhere, the total
 * differed, the provider could not capture, or the page had been given up.
 */
const RELEASE_REASONS = [
  "OUT_OF_STOCK",
  "COURTESY_USED",
  "ORDERED_ALREADY",
  "BOUGHT_ALREADY",
  "TOTAL_MISMATCH",
  "CAPTURE_FAILED",
  "PAGE_CLOSED",
] as const;

export type ReleaseReason = (typeof RELEASE_REASONS)[number];

export const isReleaseReason = (outcome: string | null | undefined): outcome is ReleaseReason =>
  RELEASE_REASONS.some((reason) => reason === outcome);

/** PAID_TOO_LATE, PAID_TWICE and WRONG_AMOUNT follow a payment to refund. Later versions may add others. */
export type InvalidReason =
  | LostReason
  | "REPLACED"
  | "TOTAL_MISMATCH"
  | "ERASED"
  | "KEY_REVOKED"
  | "PAID_TOO_LATE"
  | "PAID_TWICE"
  | "WRONG_AMOUNT";

/**
 * Why the newest attempt led to no order: the card was declined, the bank refused a debit days later, the
 * payment arrived after its bags or discount had gone to others, or it was authorized and not charged.
 */
export type PaymentProblem = "DECLINED" | "BANK_REFUSED" | "TOO_LATE" | "NOT_CHARGED";

/** Why no payment page can open now, though the quote can still be paid. */
export type PaymentObstacle =
  | { kind: "unavailable" }
  /** Somebody else's payment or waitlist offer has it, and may give it back. */
  | { kind: "taken"; what: "COURTESY" | "BAGS" | "PAGE" };

/** The newest attempt to pay a quote. */
type LastAttempt = Pick<AttemptRow, "status" | "outcome" | "declined"> & {
  /** Failed refunds of this and every earlier attempt that the merchant still owes. */
  owed_minor?: number;
};

/** A stored quote with what happened around it since. */
export interface FoundQuote extends StoredQuote {
  lost?: LostReason | null;
  /** With too few bags left, if it is lost for that reason. */
  short?: readonly Short[];
  /** End of the waitlist offers that the quote needs to be paid; null or absent if it needs none. */
  offerEnds?: number | null;
  /** The buyer's purchase by another quote. */
  bought?: Bought | null;
  last?: LastAttempt | undefined;
  /** Number of the quote's order. */
  orderNumber?: number | null;
  /** The offer is on, and no order of the buyer came through this key. */
  firstOrder?: boolean;
}

export type Standing = ReturnType<typeof standing>;

/** Facts of a quote's state. Every text about a quote is built from these. */
export function standing(found: FoundQuote, now: number) {
  const { quote, state, last } = found;
  const status = quoteStatus(found, now);
  const payable = isPayable(status);
  const paying = isPaying(state);
  const ordered = state.order_id !== null;
  const released = isReleaseReason(last?.outcome) ? last.outcome : null;
  const refused = last?.outcome === "FAILED" ? "BANK_REFUSED" : last?.declined ? "DECLINED" : null;
  const problem: PaymentProblem | null =
    last?.outcome === "PAID_TOO_LATE" ? "TOO_LATE" : released ? "NOT_CHARGED" : refused;
  const reason = status === "INVALIDATED" ? reasonOf(found) : null;
  // Its own purchase has the order, or will: there is no other one to name.
  const isBought = ordered || status === "PROCESSING" || reason === "ORDERED_ALREADY";
  return {
    status,
    /** Why the quote is INVALIDATED; null for every other status. */
    reason,
    /** OPEN or CHECKOUT_READY. */
    payable,
    /** A payment has begun and its end is not known. */
    paying,
    problem,
    /** Why the newest payment was authorized and not charged. */
    released,
    /** PROCESSING only for seconds: the payment is authorized, the bags are taken. */
    isCapturing: last?.status === "CAPTURING",
    /** Failed refunds that the merchant still owes. */
    owedMinor: last?.owed_minor ?? 0,
    /** Beans that are short now, or were when the quote was made. */
    short: found.short ?? parsed<readonly Short[]>(state.short) ?? [],
    offerEnds: found.offerEnds ?? null,
    /** The buyer's purchase by another quote. */
    bought: isBought ? null : (found.bought ?? null),
    /** The newer quote of the same purchase. */
    replacedBy: ordered ? null : state.replaced_by,
    /** A quote without an agent was made on a page, whose link makes the next one. */
    hasAgent: quote.agent_id !== null,
    orderId: state.order_id,
    orderNumber: found.orderNumber ?? null,
    expiresAt: quote.expires_at,
    /** The agent may mention the first-order discount. */
    firstOrder: found.firstOrder ?? false,
  };
}

/** Why a quote cannot be paid. A late payment matters more than its cause. */
function reasonOf({ state, last, lost }: FoundQuote): InvalidReason {
  if (last?.outcome === "PAID_TOO_LATE") return "PAID_TOO_LATE";
  if (state.reason !== null) return state.reason as InvalidReason;
  if (state.replaced_by !== null) return "REPLACED";
  return lost ?? "KEY_REVOKED";
}

/**
 * What ends a wait for the order: the payment failed or settles in days, or the quote is over. Null while the
 * buyer may be about to pay. A waiting reader answers when this is another one than before.
 */
export function newsOf(s: Standing, last: { id: AttemptId } | undefined): string | null {
  if (s.status === "PROCESSING") return s.isCapturing ? null : s.status;
  if (s.status === "PAID") return s.status;
  if (isOver(s.status)) return `${s.status} ${s.reason}`;
  return s.problem && `${s.problem} ${last?.id}`;
}

const parsed = <T>(json: string | null): T | null =>
  json === null ? null : (JSON.parse(json) as T);

/**
 * A payment that starts in time is honored, so the quote does not expire meanwhile, and is not replaced
 * until its page is over.
 */
export function quoteStatus({ quote, state, revoked, lost }: FoundQuote, now: number): QuoteStatus {
  const { status } = state;
  if (!isPayable(status)) return status;
  if (!isPaying(state)) {
    if (revoked || state.replaced_by !== null) return "INVALIDATED";
    if (now >= quote.expires_at) return "EXPIRED";
  }
  return lost ? "INVALIDATED" : status;
}

export const isPayable = (status: QuoteStatus): boolean =>
  status === "OPEN" || status === "CHECKOUT_READY";

/** The purchase that a quote belongs to, which has at most one order. */
export const purchaseOf = ({ id, cart }: Pick<QuoteRow, "id" | "cart">): string => cart ?? id;

/** No order can follow. */
export const isOver = (status: QuoteStatus): boolean =>
  status === "EXPIRED" || status === "INVALIDATED" || status === "WAITLIST_OFFERED";

/** A payment has begun and its end is not known. */
export const isPaying = ({ paying_until }: Pick<QuoteStateRow, "paying_until">): boolean =>
  paying_until !== null;

export const firstState = (
  quote: Pick<QuoteRow, "id" | "agent_id" | "created_at">,
  short: QuoteStateRow["short"],
  linked = quote.agent_id === null,
): QuoteStateRow =>
  newRow("quote_states", {
    quote_id: quote.id,
    status: short !== null ? "WAITLIST_OFFERED" : linked ? "CHECKOUT_READY" : "OPEN",
    short,
    updated_at: quote.created_at,
  });

export const setQuoteState = (quote_id: QuoteId, set: Partial<QuoteStateRow>): Write =>
  update("quote_states", { quote_id }, set);

/** Stock and discount that a quote needs. */
interface Needs {
  quote: Pick<QuoteRow, "customer">;
  bags: readonly Bags[];
  firstOrder: boolean;
}

/** Why the quote can never be paid: a used discount or sold bags; null if it can. */
export function lostFor(
  needs: Needs,
  s: { customers: readonly CustomerRow[]; stock: readonly StockRow[] },
): LostReason | null {
  const { bags, firstOrder } = needs;
  if (firstOrder && !mayHaveFirstOrder(customerRow(needs, s))) return "COURTESY_USED";
  const sold = bags.some((bag) => onHand(s.stock, bag.product_id) < bag.quantity);
  return sold ? "OUT_OF_STOCK" : null;
}

export const customerRow = (
  { quote }: Pick<Needs, "quote">,
  { customers }: { customers: readonly CustomerRow[] },
) => customers.find((row) => row.email === quote.customer);

/** Never redeemed and never paid before, under any key or none (contract §2). */
export const mayHaveFirstOrder = (customer: CustomerRow | undefined): boolean =>
  !customer || (customer.paid_orders === 0 && customer.courtesy !== "REDEEMED");
