import { type OverShare, onHand } from "../catalog/hold-share.ts";
import type { Bags } from "../core/bags.ts";
import { update, type Write } from "../core/command.ts";
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
 * Where a quote stands (contract §4).
 *
 * OPEN → CHECKOUT_READY (review link given out) → PROCESSING (delayed method, not settled) → PAID.
 * OPEN | CHECKOUT_READY → EXPIRED | INVALIDATED. WAITLIST_OFFERED is terminal, priced for information.
 */
export type QuoteStatus = QuoteStateRow["status"] | "EXPIRED";

/** What a quote needs was redeemed or sold elsewhere: it can never be paid. */
export type LostReason = "COURTESY_USED" | "OUT_OF_STOCK";

/** A stored quote, and what has happened around it since. */
export interface FoundQuote extends StoredQuote {
  lost?: LostReason | null;
  /** What one buyer may not hold unpaid now; without it, what was so when it was made (contract §5). */
  overShare?: readonly OverShare[];
  /** Until when the waitlist holds bags that it cannot be paid without; null or absent where it can be. */
  offerEnds?: number | null;
  /** What the buyer has paid for by another quote; without it, what was so when it was made. */
  bought?: Bought | null;
}

/** The status now. A payment begun in time is honoured, so it does not expire under the buyer. */
export function quoteStatus({ quote, state, revoked, lost }: FoundQuote, now: number): QuoteStatus {
  const { status } = state;
  if (!isPayable(status) || isPaying(state)) return status;
  if (revoked) return "INVALIDATED";
  if (now >= quote.expires_at) return "EXPIRED";
  return lost ? "INVALIDATED" : status;
}

/** Payable as far as is known, and no payment has begun. */
export const mayBePaid = (found: FoundQuote, now: number): boolean =>
  isPayable(quoteStatus(found, now)) && !isPaying(found.state);

/** Why it is INVALIDATED; null for a revoked key. A payment that came too late is told first. */
export const invalidReason = (
  { state, lost }: FoundQuote,
  last?: Pick<AttemptRow, "outcome">,
): string | null =>
  last?.outcome === "PAID_TOO_LATE" ? last.outcome : (state.reason ?? lost ?? null);

export const isPayable = (status: QuoteStatus): boolean =>
  status === "OPEN" || status === "CHECKOUT_READY";

/** A payment is under way, and its end is not known yet. */
export const isPaying = ({ paying_until }: Pick<QuoteStateRow, "paying_until">): boolean =>
  paying_until !== null;

export const firstState = (
  quote: Pick<QuoteRow, "id" | "agent_id" | "created_at">,
  { short, over_share, bought }: Pick<QuoteStateRow, "short" | "over_share" | "bought">,
  linked = quote.agent_id === null,
): QuoteStateRow =>
  newRow("quote_states", {
    quote_id: quote.id,
    status: short !== null ? "WAITLIST_OFFERED" : linked ? "CHECKOUT_READY" : "OPEN",
    short,
    over_share,
    bought,
    updated_at: quote.created_at,
  });

export const setQuoteState = (quote_id: string, set: Partial<QuoteStateRow>): Write =>
  update("quote_states", { quote_id }, set);

/** A purchase that a quote needs room for. */
interface Needs {
  quote: Pick<QuoteRow, "customer">;
  bags: readonly Bags[];
  firstOrder: boolean;
}

/** The part of it that can never come back: a redeemed courtesy or sold bags. */
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
