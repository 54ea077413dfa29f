import { type Bags, shortOf } from "../core/bags.ts";
import type { Match } from "../core/command.ts";
import type { QuoteRow, StockRow, WaitlistRow } from "../core/records.ts";

/**
 * Owner of the waitlist offers that a quote may use (contract §7): the same agent, for the same buyer. For
 * a buyer without an agent, only a cart from the page of the place uses its bags, because anybody can type
 * an email address.
 */
type OfferOwner = Pick<QuoteRow, "agent_id" | "customer" | "cart">;

const PREFIX = "waitlist:";

/** The `cart` of a quote that was made on the page of this entry. */
export const cartOfEntry = (entryId: string): string => `${PREFIX}${entryId}`;

/** Rows that `ownOffers` filters. */
export function ownOfferRows({ agent_id, customer, cart }: OfferOwner): Match<"waitlist">[] {
  if (agent_id !== null) return [{ agent_id, customer, status: "OFFERED" }];
  if (!cart?.startsWith(PREFIX)) return [];
  return [{ id: cart.slice(PREFIX.length), agent_id: null, customer, status: "OFFERED" }];
}

export const ownOffers = (quote: OfferOwner, entries: readonly WaitlistRow[]): WaitlistRow[] =>
  entries.filter(
    (entry) =>
      entry.status === "OFFERED" &&
      entry.agent_id === quote.agent_id &&
      entry.customer === quote.customer &&
      (entry.agent_id !== null || quote.cart === cartOfEntry(entry.id)),
  );

/** End of the first offer that the wanted bags need; null if free stock is enough. */
export function offerEnds(
  wanted: readonly Bags[],
  { stock, offers }: { stock: readonly StockRow[]; offers: readonly WaitlistRow[] },
): number | null {
  if (offers.length === 0) return null;
  const short = shortOf(wanted, stock);
  const ends = offers.flatMap(({ product_id, offer_expires_at }) =>
    short.some((one) => one.product_id === product_id) ? offer_expires_at! : [],
  );
  return ends.length > 0 ? Math.min(...ends) : null;
}
