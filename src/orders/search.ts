import { trackingKey } from "../core/fields.ts";
import type { ShipmentRow } from "../core/records.ts";
import type { Terms } from "../quotes/quote-answer.ts";

/** An order's number as letters and people say it: "1042", "(#1042)", "Your order #1042". */
const NUMBERED = /^\W*(?:your )?(?:order\W+)?(\d{1,9})\W*$/i;

/** Of what was pasted the name that one order has: that of its quote, as in its page's address, or its number. */
export const namedIn = (words: string) => ({
  quoteId: /qte_[0-9a-f]{32}/.exec(words)?.[0],
  number: NUMBERED.exec(words)?.[1],
});

/** What an order may be found by. */
export interface SearchedOrder {
  email: string;
  /** The quote's terms, as they are stored. */
  terms: string;
  rows: readonly Pick<ShipmentRow, "address" | "tracking_number">[];
}

/** Whether each of the words stands in what people wrote, and not in the names of fields around it. */
export function mentions(row: SearchedOrder, words: string): boolean {
  const { shipments } = JSON.parse(row.terms) as Terms;
  const changed = row.rows.map(({ address }) => JSON.parse(address ?? "{}") as object);
  const addresses = [...shipments.map(({ address }) => address), ...changed];
  const written = addresses.flatMap((address) => Object.values(address) as string[]);
  const numbers = row.rows.flatMap(({ tracking_number: number }) =>
    number === null ? [] : [number, trackingKey(number)],
  );
  const texts = [row.email, ...numbers, ...written].map(plain);
  return wordsOf(plain(words)).every((word) => texts.some((text) => text.includes(word)));
}

/** As somebody types it who heard it: in small letters, Latin ones without accents, with one kind of apostrophe. */
export const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replace(/[‘’ʼ`´]/g, "'");

/** As they were typed, the longest first: it is in the fewest orders. "Lovelace, Ada" is Ada Lovelace. */
export const wordsOf = (words: string): string[] =>
  words
    .toLowerCase()
    .split(/[ ,;]+/)
    .filter((word) => word !== "")
    .sort((a, b) => b.length - a.length);
