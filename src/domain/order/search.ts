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

/** Whether the words stand in what people wrote, and not in the names of fields around it. */
export function mentions(row: SearchedOrder, words: string): boolean {
  const { shipments } = JSON.parse(row.terms) as Terms;
  const changed = row.address === null ? {} : (JSON.parse(row.address) as object);
  const addresses = [...shipments.map(({ address }) => address), changed];
  const written = addresses.flatMap((address) => Object.values(address) as string[]);
  const sought = words.toLowerCase();
  return [row.email, row.tracking_number ?? "", ...written].some((text) =>
    text.toLowerCase().includes(sought),
  );
}
