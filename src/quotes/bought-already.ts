import { type Address, addressKey } from "../core/address.ts";
import { type Bags, mergeBags } from "../core/bags.ts";
import { sha256 } from "../core/hash.ts";
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
  minutesAgo: number;
  quoteId: string;
  /** Null before there is one. */
  order: { id: string; called: string } | null;
  /** Without an order: its payment page is open, or the payment takes days to settle. */
  paying: "OPEN" | "SETTLING" | null;
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
  /** The customer's payments that are open or settling. */
  paying: readonly AttemptRow[];
  /** The quotes of both. */
  quotes: readonly QuoteRow[];
}

/** The quote's agent, or the page it was made on. An email address alone is no payer. */
export const payerOf = ({ agent_id, cart }: Pick<QuoteRow, "agent_id" | "cart">): string | null =>
  agent_id ?? cart;

/** Older orders do not count, in milliseconds since the epoch. */
export const boughtSince = ({ created_at }: Purchase, now: number): number =>
  Math.min(created_at, now - JUST_NOW_MS);

/**
 * The purchase to warn about, or null. Paid ones come before open payments, then the same bags, then the
 * newest. Purchases through other agents stay private, and a canceled order can be bought again.
 */
export function boughtAlready(
  quote: Purchase,
  { orders, paying, quotes }: Purchases,
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
  const from = (
    at: number,
    quoteId: string,
    stands: Pick<Bought, "order" | "paying">,
  ): Bought[] => {
    const other = others.find(({ id }) => id === quoteId);
    if (!other) return [];
    const same = wishOf(JSON.parse(other.terms) as Terms) === wish;
    const since = at > quote.created_at;
    const recent = stands.order === null || at > now - JUST_NOW_MS;
    // An open payment counts only for the same bags.
    const counts = (same && recent) || (since && stands.paying !== "OPEN");
    const minutesAgo = Math.max(0, Math.floor((now - at) / MINUTE_MS));
    return counts ? [{ same, minutesAgo, quoteId, ...stands }] : [];
  };
  const paid = orders
    .filter(({ status }) => status !== "CANCELED")
    .flatMap(({ id, number, paid_at, quote_id }) =>
      from(paid_at, quote_id, {
        order: { id, called: `#${number}` },
        paying: null,
      }),
    );
  const unpaid = paying
    .filter(({ status, hold_until }) => status === "PROCESSING" || hold_until > now)
    .flatMap(({ status, created_at, quote_id }) =>
      from(created_at, quote_id, {
        order: null,
        paying: status === "PROCESSING" ? "SETTLING" : "OPEN",
      }),
    );
  const rank = ({ same, paying: by }: Bought) => (by === "OPEN" ? 2 : same ? 0 : 1);
  const [bought = null] = [...paid, ...unpaid].sort((a, b) => rank(a) - rank(b));
  return bought;
}

/** Hash that is equal for the same bags to the same addresses. */
export const wishOf = ({ shipments }: Wish): string =>
  sha256(
    JSON.stringify(
      shipments.map(({ address, items }) => [
        addressKey(address),
        mergeBags(items).map(({ product_id, quantity }) => [product_id, quantity]),
      ]),
    ),
  );

/** The quote that this one would duplicate. An open payment does not count: paying here closes it. */
export const paidBeside = (bought: Bought | null | undefined): string | null =>
  bought && bought.paying !== "OPEN" ? bought.quoteId : null;
