import { setImmediate } from "node:timers/promises";
import { trackingKey } from "../core/fields.ts";
import type { OrderRow, ShipmentRow } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { orderCalled } from "./found-orders.ts";

const MOST_FOUND = 50;
/** Parts of names, streets and cities are searched in this many of the newest orders. */
export const SEARCHED_ORDERS = 5000;
/** Orders whose terms are read: the database also matches field names in the terms. */
const MOST_LIKE = 500;
/** Orders searched in one turn of the event loop: with 50 shipments each, some milliseconds. */
const SEARCHED_AT_ONCE = 25;

/** Finds orders by what the merchant pasted or typed, newest first. */
export async function searchOrders(
  store: Pick<Context["store"], "queries">,
  words: string,
): Promise<OrderRow[]> {
  const { queries } = store;
  const { quoteId, number } = namedIn(words);
  const exact = quoteId
    ? await queries.orderOfQuote(quoteId)
    : await orderCalled(store, number ?? words);
  if (exact) return [exact];
  const found = new Set(await queries.ordersOf(words, MOST_FOUND));
  const newest = await queries.newestOrders(SEARCHED_ORDERS);
  const wanted = [words, plain(words)].map((typed) => wordsOf(typed)[0] ?? typed);
  let read = 0;
  for (
    let at = 0;
    at < newest.length && found.size < MOST_FOUND && read < MOST_LIKE;
    at += SEARCHED_AT_ONCE
  ) {
    const among = newest.slice(at, at + SEARCHED_AT_ONCE);
    const [typed, accented] = await Promise.all(
      wanted.map((word, i) => queries.ordersLike(word, among, i === 1)),
    );
    const like = new Map([...typed!, ...accented!].map((row) => [row.id, row]));
    read += like.size;
    const shipments = Map.groupBy(
      await queries.shipmentsOfOrders([...like.keys()]),
      (row) => row.order_id,
    );
    for (const id of among) {
      const row = like.get(id);
      if (row && mentions({ ...row, rows: shipments.get(id) ?? [] }, words)) found.add(id);
    }
    // SQLite answers in the same turn of the event loop, so others get a turn between two steps.
    await setImmediate();
  }
  const rows = await queries.ordersByIds([...found].slice(0, MOST_FOUND));
  return rows.sort((a, b) => b.created_at - a.created_at);
}

/** An order's number as letters, slips and people say it: "1042", "(#1042)", "#1042-1", "Your order #1042". */
const NUMBERED = /^\W*(?:your )?(?:order\W+)?(\d{1,9})(?:-\d{1,2})?\W*$/i;

/** The quote id, as in a page's address, or the order number in a pasted text. */
const namedIn = (words: string) => ({
  quoteId: /qte_[0-9a-f]{32}/.exec(words)?.[0],
  number: NUMBERED.exec(words)?.[1],
});

interface SearchedOrder {
  email: string;
  /** The quote's terms, as they are stored. */
  terms: string;
  rows: readonly Pick<ShipmentRow, "address" | "tracking_number">[];
}

/** Whether each of the words is in the email, an address or a tracking number, not in a field's name. */
function mentions(row: SearchedOrder, words: string): boolean {
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

/** Lowercase, without accents on Latin letters, and with one kind of apostrophe. */
export const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replace(/[‘’ʼ`´]/g, "'");

/** The words, longest first: it is in the fewest orders. "Lovelace, Ada" finds Ada Lovelace. */
export const wordsOf = (words: string): string[] =>
  words
    .toLowerCase()
    .split(/[ ,;]+/)
    .filter((word) => word !== "")
    .sort((a, b) => b.length - a.length);
