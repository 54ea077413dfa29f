import { inOneLine, text, trimmed, whole } from "./fields.ts";
import { sum } from "./money.ts";
import { LIMITS } from "./policy.ts";
import type { StockRow } from "./records.ts";

export const ProductId = text({
  what: "product_id",
  most: LIMITS.id_characters,
  clean: trimmed,
  rules: [inOneLine],
}).describe("From the catalog.");

export const Quantity = whole({
  least: 1,
  most: LIMITS.quantity_per_line,
  of: "bags in one line",
}).describe("8 oz bags.");

export interface Bags {
  product_id: string;
  quantity: number;
}

/** Merges lines of the same bean into its first line (contract §3). */
export function mergeBags<L extends Bags>(lines: Iterable<L>): L[] {
  const merged = new Map<string, L>();
  for (const line of lines) {
    const known = merged.get(line.product_id);
    merged.set(
      line.product_id,
      known ? { ...known, quantity: known.quantity + line.quantity } : line,
    );
  }
  return [...merged.values()];
}

/** Bags that are not held; 0 for a bean without a stock row. */
export const freeBags = (row: Pick<StockRow, "on_hand" | "held"> | undefined): number =>
  Math.max(0, (row?.on_hand ?? 0) - (row?.held ?? 0));

/** Free bags of one bean. */
export const freeBagsOf = (stock: readonly StockRow[], productId: string): number =>
  freeBags(stock.find(({ product_id }) => product_id === productId));

/** Bags of one bean on hand, taken or not. */
export const onHand = (stock: readonly StockRow[], productId: string): number =>
  stock.find((row) => row.product_id === productId)?.on_hand ?? 0;

export const bagCount = (lines: readonly { quantity: number }[]): number =>
  sum(lines.map(({ quantity }) => quantity));

/** Bags of one bean in these lines. */
const bagsOf = (lines: readonly Bags[], productId: string): number =>
  bagCount(lines.filter(({ product_id }) => product_id === productId));

/** A bean with fewer bags than requested. */
export interface Short {
  product_id: string;
  requested: number;
  available: number;
}

/** Bags for which one buyer can join the waitlist; 0 if that many are in stock. */
export function waitlistBags({ requested, available }: Omit<Short, "product_id">): number {
  const most = Math.min(requested, LIMITS.waitlist_bags);
  return most > available ? most : 0;
}

/** Beans with fewer bags than requested. Bags held for the buyer (`own`) are available to them. */
export const shortOf = (
  wanted: readonly Bags[],
  stock: readonly StockRow[],
  own: readonly Bags[] = [],
): Short[] =>
  wanted
    .map(({ product_id, quantity: requested }) => {
      const available = freeBagsOf(stock, product_id) + bagsOf(own, product_id);
      return { product_id, requested, available };
    })
    .filter(({ available, requested }) => available < requested);

/** `bags(1)` → `1 bag`, `bags(3)` → `3 bags`. */
export const bags = (count: number): string => `${count} ${count === 1 ? "bag" : "bags"}`;

export const isOrAre = (count: number): string => (count === 1 ? "is" : "are");

/** In one line: `2 bags of Ethiopia Guji, 1 bag of Decaf`. */
export const bagList = (lines: readonly { quantity: number; name: string }[]): string =>
  lines.map(({ quantity, name }) => `${bags(quantity)} of ${name}`).join(", ");
