import { type Catalog, isExclusive } from "../catalog/catalog.ts";
import type { Cart } from "../checkouts/cart.ts";
import { addressKey } from "../core/address.ts";
import { mergeBags } from "../core/bags.ts";
import { LIMITS } from "../core/policy.ts";
import { ERASED, type QuoteRow, type ShipmentRow } from "../core/records.ts";
import type { OutAddress, Terms } from "../quotes/quote-answer.ts";
import { currentAddress } from "./standing.ts";

/** A new checkout with the content of an order. */
export interface OrderAgain {
  cart: Cart;
  /** Null if the order went to several addresses, because a checkout has one. */
  address: OutAddress | null;
  /** What a checkout can't hold or the shop no longer sells, as the order's page says it. */
  leftOut: string[];
}

interface Bought {
  quote: Pick<QuoteRow, "buyer_email">;
  terms: Terms;
  ordered?: { shipments: readonly Pick<ShipmentRow, "address" | "position">[] } | undefined;
}

/** Null before there is an order, after its buyer was erased, and if nothing of it is sold any more. */
export function orderAgain({ quote, terms, ordered }: Bought, catalog: Catalog): OrderAgain | null {
  if (!ordered || quote.buyer_email === ERASED) return null;
  const { shipments } = terms;
  const leftOut: string[] = [];
  const lines = mergeBags(shipments.flatMap(({ items }) => items));
  const items = lines.flatMap(({ product_id, quantity, name }) => {
    const bean = catalog.find(product_id);
    if (!bean || isExclusive(bean)) leftOut.push(name);
    else if (quantity > MOST) leftOut.push(`${quantity - MOST} bags of ${name}`);
    return bean && !isExclusive(bean) ? [{ product_id, quantity: Math.min(quantity, MOST) }] : [];
  });
  if (items.length === 0) return null;
  const addresses = ordered.shipments.map((row) => currentAddress(row, shipments[row.position]!));
  const isOne = new Set(addresses.map(addressKey)).size === 1;
  if (!isOne) leftOut.push("the addresses");
  const [note, ...notes] = shipments.flatMap(({ gift_notes = [] }) => gift_notes);
  if (notes.length > 0) leftOut.push(notes.length === 1 ? "the second note" : "all notes but one");
  const cart = { items, ...(note !== undefined && { gift_note: note }) };
  return { cart, address: isOne ? addresses[0]! : null, leftOut };
}

const MOST = LIMITS.quantity_per_line;
