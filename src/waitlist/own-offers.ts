import { type Bags, shortOf } from "../core/bags.ts";
import type { Match } from "../core/command.ts";
import type { QuoteRow, StockRow, WaitlistRow } from "../core/records.ts";

/**
 * Whose waitlist offers a quote may use (contract §7): those of the same agent for the same buyer. A
 * buyer without an agent has a page for each place in a queue, and only a cart from that page uses its
 * bags: an email address alone, which anybody can type, opens nothing.
 */
type OfferOwner = Pick<QuoteRow, "agent_id" | "customer" | "cart">;

const PREFIX = "waitlist:";

/** What a quote's `cart` says that was made from the page of this entry. */
export const cartOfEntry = (entryId: string): string => `${PREFIX}${entryId}`;

/** The rows that `ownOffers` looks through: none or one match. */
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

/** Until when these offers hold bags that cannot be had without them; null where stock alone does. */
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
