import { type Address, addressKey } from "../core/address.ts";
import { type Bags, bagCount, bagList, mergeBags } from "../core/bags.ts";
import { sha256 } from "../core/hash.ts";
import type { QuoteId } from "../core/ids.ts";
import { DAY_MS, MINUTE_MS } from "../core/policy.ts";
import type { AttemptRow, QuoteRow } from "../core/records.ts";
import type { Terms } from "./quote-answer.ts";

/** Older purchases are not named. */
export const BOUGHT_MS = 30 * DAY_MS;

/** The buyer's recent purchase by another quote, which this one may repeat. Both can be paid. */
export interface Bought {
  /** The same bags to the same addresses. */
  same: boolean;
  /** Time at which its payment took the bags, in milliseconds since the epoch. */
  at: number;
  minutesAgo: number;
  quoteId: QuoteId;
  /** Such as "2 bags of Kenya Nyeri". */
  bags: string;
  /** Null while the payment is settling. */
  order: { id: string; called: string } | null;
}

export interface BuyerHistory {
  /** Canonical form of the buyer's email. */
  customer: string;
  /** The buyer's recent purchase through this key. */
  bought: Bought | null;
  /** No order of the buyer came through this key. Orders through other keys stay private. */
  isFirstOrder: boolean;
}

/** The quote to compare. */
export type Purchase = Pick<QuoteRow, "id" | "agent_id" | "customer" | "created_at"> & {
  terms: Wish;
};

/** Bags and addresses of terms or of a request. */
interface Wish {
  shipments: readonly { address: Address; items: readonly Bags[] }[];
}

/**
 * The customer's purchases that share at least half of this quote's bags: the same ones first, then those that
 * share most, then the newest.
 */
export function similarPurchases(
  { terms, id, customer }: Purchase,
  taken: readonly AttemptRow[],
  quotes: readonly QuoteRow[],
  now: number,
): Omit<Bought, "order">[] {
  const wanted = mergeBags(terms.shipments.flatMap(({ items }) => items));
  const wish = wishOf(customer, terms);
  return taken
    .flatMap(({ quote_id: quoteId, taken_at, created_at }) => {
      const quote = quotes.find((one) => one.id === quoteId);
      if (!quote || quoteId === id || quote.customer !== customer) return [];
      const at = taken_at ?? created_at;
      const other = JSON.parse(quote.terms) as Terms;
      const lines = mergeBags(other.shipments.flatMap(({ items }) => items));
      const shared = bagCount(
        wanted.map(({ product_id, quantity }) => {
          const line = lines.find((one) => one.product_id === product_id);
          return { quantity: Math.min(quantity, line?.quantity ?? 0) };
        }),
      );
      if (2 * shared < bagCount(wanted)) return [];
      const same = wishOf(customer, other) === wish;
      const minutesAgo = Math.max(0, Math.floor((now - at) / MINUTE_MS));
      return [{ same, at, minutesAgo, quoteId, bags: bagList(lines), shared }];
    })
    .sort((a, b) => Number(b.same) - Number(a.same) || b.shared - a.shared || b.at - a.at)
    .map(({ shared: _, ...bought }) => bought);
}

/** Hash that is equal for the same customer, bags and addresses. */
export const wishOf = (customer: string, { shipments }: Wish): string =>
  sha256(
    JSON.stringify([
      customer,
      shipments
        .map(({ address, items }) => [
          addressKey(address),
          mergeBags(items)
            .map(({ product_id, quantity }) => [product_id, quantity])
            .sort(),
        ])
        .sort(),
    ]),
  );
