import { type Address, addressKey } from "../core/address.ts";
import { type Bags, mergeBags } from "../core/bags.ts";
import { sha256 } from "../core/hash.ts";
import type { QuoteId } from "../core/ids.ts";
import { MINUTE_MS } from "../core/policy.ts";
import type { AttemptRow, OrderRow, QuoteRow } from "../core/records.ts";
import type { Terms } from "./quote-answer.ts";

/** A second payment for the same bags within this time is probably a mistake. */
const JUST_NOW_MS = 30 * MINUTE_MS;

/**
 * The buyer's purchase by another quote of the same agent or cart: the same bags, or any order paid after
 * this quote was made, which may have replaced it. Both quotes can be paid; agent and buyer are warned.
 */
export interface Bought {
  same: boolean;
  /** Time of the payment, in milliseconds since the epoch. */
  at: number;
  minutesAgo: number;
  quoteId: QuoteId;
  /** Null while the payment is settling. */
  order: { id: string; called: string } | null;
}

export interface BuyerHistory {
  /** Canonical form of the buyer's email. */
  customer: string;
  /** The buyer's recent purchase by another quote. */
  bought: Bought | null;
  /** No order of the buyer came through this key. Orders through other keys stay private. */
  isFirstOrder: boolean;
}

/** The quote to compare. For a new one, `created_at` is now. */
export type Purchase = Pick<
  QuoteRow,
  "id" | "agent_id" | "cart" | "customer" | "buyer_email" | "created_at"
> & { terms: Wish };

/** Bags and addresses of terms or of a request. */
interface Wish {
  shipments: readonly { address: Address; items: readonly Bags[] }[];
}

export interface Purchases {
  /** Newest first. */
  orders: readonly OrderRow[];
  /** The customer's payments that are settling. */
  settling: readonly AttemptRow[];
  /** The quotes of both. */
  quotes: readonly QuoteRow[];
}

/** The quote's agent, or the page it was made on. An email address alone is no payer. */
const payerOf = ({ agent_id, cart }: Pick<QuoteRow, "agent_id" | "cart">): string | null =>
  agent_id ?? cart;

/** Older orders do not count, in milliseconds since the epoch. */
export const boughtSince = ({ created_at }: Purchase, now: number): number =>
  Math.min(created_at, now - JUST_NOW_MS);

/**
 * The purchase to warn about, or null. The same bags come first, then the newest. Purchases through other agents stay private, and a canceled order can be bought again.
 */
export function boughtAlready(
  quote: Purchase,
  { orders, settling, quotes }: Purchases,
  now: number,
): Bought | null {
  const payer = payerOf(quote);
  const wish = wishOf(quote.terms);
  const others = quotes.filter(
    (other) =>
      other.id !== quote.id &&
      payer !== null &&
      payerOf(other) === payer &&
      other.customer === quote.customer,
  );
  const from = (at: number, quoteId: QuoteId, order: Bought["order"]): Bought[] => {
    const other = others.find(({ id }) => id === quoteId);
    if (!other) return [];
    const same = wishOf(JSON.parse(other.terms) as Terms) === wish;
    const isSince = at > quote.created_at;
    const isRecent = order === null || at > now - JUST_NOW_MS;
    const minutesAgo = Math.max(0, Math.floor((now - at) / MINUTE_MS));
    return isSince || (same && isRecent) ? [{ same, at, minutesAgo, quoteId, order }] : [];
  };
  const paid = orders
    .filter(({ status }) => status !== "CANCELED")
    .flatMap(({ id, number, paid_at, quote_id }) =>
      from(paid_at, quote_id, { id, called: `#${number}` }),
    );
  const unsettled = settling.flatMap(({ created_at, quote_id }) =>
    from(created_at, quote_id, null),
  );
  const [bought = null] = [...paid, ...unsettled].sort((a, b) => Number(b.same) - Number(a.same));
  return bought;
}

/** Hash that is equal for the same bags to the same addresses. */
const wishOf = ({ shipments }: Wish): string =>
  sha256(
    JSON.stringify(
      shipments.map(({ address, items }) => [
        addressKey(address),
        mergeBags(items).map(({ product_id, quantity }) => [product_id, quantity]),
      ]),
    ),
  );
