import type { Terms } from "../quote/quote-answer.ts";

/** What an order may be found by: one row a shipment. */
export interface SearchedOrder {
  email: string;
  /** The quote's terms, as they are stored. */
  terms: string;
  /** JSON of a changed address. */
  address: string | null;
  tracking_number: string | null;
}

/** Whether each of the words stands in what people wrote, and not in the names of fields around it. */
export function mentions(row: SearchedOrder, words: string): boolean {
  const { shipments } = JSON.parse(row.terms) as Terms;
  const changed = row.address === null ? {} : (JSON.parse(row.address) as object);
  const addresses = [...shipments.map(({ address }) => address), changed];
  const written = addresses.flatMap((address) => Object.values(address) as string[]);
  const texts = [row.email, row.tracking_number ?? "", ...written].map((text) =>
    text.toLowerCase(),
  );
  return wordsOf(words).every((word) => texts.some((text) => text.includes(word)));
}

/** The longest first: it is in the fewest orders. */
export const wordsOf = (words: string): string[] =>
  words
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "")
    .sort((a, b) => b.length - a.length);
