import { type Address, addressKey } from "../core/address.ts";
import { type Bags, mergeBags } from "../core/bags.ts";
import { sha256 } from "../core/hash.ts";
import { MINUTE_MS } from "../core/policy.ts";
import type { AttemptRow, OrderRow, QuoteRow } from "../core/records.ts";
import type { Terms } from "./quote-answer.ts";

/** A buyer who paid for the same bags this short a while ago has probably clicked twice. */
const JUST_NOW_MS = 30 * MINUTE_MS;

/**
 * What the buyer of a quote has paid for by another one of the same agent, or of the same cart: the
 * very same bags, or what was paid after this quote was made and so may have taken its place. Two
 * quotes are two approvals, and both can be paid; but agent and buyer of the second are told.
 */
export interface Bought {
  same: boolean;
  minutesAgo: number;
  quoteId: string;
  /** Null before there is one. */
  order: { id: string; called: string } | null;
  /** Of no order yet: its payment page is open, or it is paid and settles, which takes days. */
  paying: "OPEN" | "SETTLING" | null;
}

export interface BuyerHistory {
  /** The buyer's recent purchase by another quote. */
  bought: Bought | null;
  /** No order of the buyer came through this key. Orders through other keys stay private. */
  isFirstOrder: boolean;
}

/** Of one quote; of one that is being made, `created_at` is now. */
export type Purchase = Pick<
  QuoteRow,
  "id" | "agent_id" | "cart" | "customer" | "buyer_email" | "created_at"
> & { terms: Wish };

/** What goes where: of terms, or of a request. */
interface Wish {
  shipments: readonly { address: Address; items: readonly Bags[] }[];
}

export interface Purchases {
  /** Newest first. */
  orders: readonly OrderRow[];
  /** Payments of this customer that are open or settle. */
  paying: readonly AttemptRow[];
  /** The quotes of both. */
  quotes: readonly QuoteRow[];
}

/** The agent that asked for the quote, or the page it was made on: never an email alone. */
export const payerOf = ({ agent_id, cart }: Pick<QuoteRow, "agent_id" | "cart">): string | null =>
  agent_id ?? cart;

/** Orders that matter are younger than this, in milliseconds since the epoch. */
export const boughtSince = ({ created_at }: Purchase, now: number): number =>
  Math.min(created_at, now - JUST_NOW_MS);

/**
 * What is paid before what is only begun; of it the very same bags, or else the newest; null where
 * there is none. What a buyer has bought through others, or alone, is not told here, and what was canceled
 * can be bought again.
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
    // What is begun and not paid says little, but where it is the very same.
    const counts = (same && recent) || (since && stands.paying !== "OPEN");
    const minutesAgo = Math.max(0, Math.floor((now - at) / MINUTE_MS));
    return counts ? [{ same, minutesAgo, quoteId, ...stands }] : [];
  };
  const paid = orders
    .filter(({ status }) => status !== "CANCELED")
    .flatMap(({ id, number, paid_at, quote_id }) =>
      from(paid_at, quote_id, {
        order: { id, called: number === null ? id : `#${number}` },
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

/** One for the very same bags to the same addresses. */
export const wishOf = ({ shipments }: Wish): string =>
  sha256(
    JSON.stringify(
      shipments.map(({ address, items }) => [
        addressKey(address),
        mergeBags(items).map(({ product_id, quantity }) => [product_id, quantity]),
      ]),
    ),
  );

/** The quote that this one would be paid beside: one that is only begun ends with a press of pay here. */
export const paidBeside = (bought: Bought | null | undefined): string | null =>
  bought && bought.paying !== "OPEN" ? bought.quoteId : null;
