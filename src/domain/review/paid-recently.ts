import type { Terms } from "../quote/quote-answer.ts";
import { addressKey } from "../shared/address.ts";
import type { OrderRow, QuoteRow } from "../shared/records.ts";
import type { ReviewedQuote } from "./review.ts";

const MINUTE_MS = 60_000;

/** A buyer who paid for the same bags this short a while ago has probably clicked twice. */
const JUST_NOW_MS = 30 * MINUTE_MS;

/** Orders that matter here are younger than this, in milliseconds since the epoch. */
export const recentlySince = (now: number): number => now - JUST_NOW_MS;

/**
 * Whole minutes since this buyer paid for the same bags to the same addresses; null where they did
 * not. Two quotes of the same content are two approvals; but the page says so before the second
 * one. Only orders of the same key count: what a buyer has bought through others, or alone, is not
 * told here.
 */
export function minutesSinceSamePaid(
  { quote, terms }: Pick<ReviewedQuote, "quote" | "terms">,
  recent: { orders: readonly OrderRow[]; quotes: readonly QuoteRow[] },
  now: number,
): number | null {
  if (quote.agent_id === null) return null;
  const same = recent.quotes.filter(
    (other) =>
      other.agent_id === quote.agent_id &&
      other.customer === quote.customer &&
      contentOf(JSON.parse(other.terms) as Terms) === contentOf(terms),
  );
  const order = recent.orders.find(({ quote_id }) => same.some(({ id }) => id === quote_id));
  return order ? Math.max(0, Math.floor((now - order.paid_at) / MINUTE_MS)) : null;
}

const contentOf = ({ shipments }: Terms): string =>
  JSON.stringify(
    shipments.map(({ address, items }) => [
      addressKey(address),
      items.map(({ product_id, quantity }) => [product_id, quantity]),
    ]),
  );
