/**
 * How a finder key is earned (contract §9): three good questions over at least two beans and three kinds
 * of facts, one of them about the exclusive bean. A question is good when it asks for a pair of a bean and
 * a kind of fact that no earlier question asked for.
 */
import type { Reading } from "../ask/ask.ts";
import type { Pair } from "../ask/beans.ts";
import { type Catalog, isExclusive } from "../catalog/catalog.ts";
import { isForm, words } from "../catalog/words.ts";

export const NEEDED = 3;
const NEEDED_BEANS = 2;
const NEEDED_KINDS = 3;

export interface Credit {
  /** The same for the same pairs in any words. */
  fingerprint: string;
  pairs: Pair[];
}

export interface Progress {
  /** Good questions so far; shows `needed` only when the key is earned. */
  progress: number;
  needed: typeof NEEDED;
  earned: boolean;
  /** A sentence on what is still needed; empty when earned. */
  missing: string;
}

const PRICE_WORDS = words(
  "price cost cheap expensive discount courtesy coupon firstbag dollar pay",
);

/** Pairs that a question asks for, or why it earns nothing. A value counts for the few beans that have it. */
export function earned(
  { meaning: { named, kinds, values, isMostlyUnknown }, declined, notGiven, said }: Reading,
  { products }: Pick<Catalog, "products">,
): { pairs: readonly Pair[]; unearned?: string } {
  const nothing = (unearned: string) => ({ pairs: [], unearned });
  if (declined.length > 0) return nothing("declined questions never count");
  if (notGiven.length > 0) return nothing("what is not given out never counts");
  if (said.some((word) => PRICE_WORDS.some((own) => isForm(word, own))))
    return nothing("questions about prices and discounts never count");
  if (isMostlyUnknown) return nothing("most of its words are unknown");
  const beans = new Set((named.length > 0 ? named : values).map(({ product_id }) => product_id));
  if (beans.size >= products.length || beans.size > products.length / 2 + 1)
    return nothing("a question about every coffee is about none: name one or two");
  const asked = new Set([...kinds, ...values.map(({ kind }) => kind)]);
  const pairs =
    named.length > 0
      ? [...beans].flatMap((product_id) => [...asked].map((kind) => ({ product_id, kind })))
      : values;
  if (pairs.length === 0)
    return nothing("name a coffee and a kind of fact, such as its process or its tasting notes");
  return { pairs };
}

const keyOf = ({ product_id, kind }: Pair): string => `${product_id}|${kind}`;

/** Credit that a question earns by its pairs, or null. */
export function credit(pairs: readonly Pair[]): Credit | null {
  if (pairs.length === 0) return null;
  const sorted = [...new Map(pairs.map((pair) => [keyOf(pair), pair])).entries()].sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  return {
    fingerprint: sorted.map(([key]) => key).join(","),
    pairs: sorted.map(([, pair]) => pair),
  };
}

export const storedCredit = (text: string): Credit => JSON.parse(text);

/** Progress after these credits, oldest first. Adding a credit never lowers it. */
export function progress(
  credits: readonly Credit[],
  { products }: Pick<Catalog, "products">,
): Progress {
  const known = new Set<string>();
  const counted = credits.filter(({ pairs }) => {
    const isNew = pairs.some((pair) => !known.has(keyOf(pair)));
    for (const pair of pairs) known.add(keyOf(pair));
    return isNew;
  });
  const pairs = counted.flatMap((one) => one.pairs);
  const beans = new Set(pairs.map(({ product_id }) => product_id));
  const kinds = new Set(pairs.map(({ kind }) => kind));
  const exclusive = products.find(isExclusive);
  const missing = [
    ...amount(NEEDED - counted.length, "more good question"),
    ...(beans.size < NEEDED_BEANS ? ["a question about another coffee"] : []),
    ...amount(NEEDED_KINDS - kinds.size, "more kind of fact", "more kinds of fact"),
    ...(exclusive && !beans.has(exclusive.product_id)
      ? [`a question about ${exclusive.name_to_use_with_humans}`]
      : []),
  ];
  if (missing.length === 0) return { progress: NEEDED, needed: NEEDED, earned: true, missing: "" };
  return {
    progress: Math.min(counted.length, NEEDED - 1),
    needed: NEEDED,
    earned: false,
    missing: `Still needed: ${missing.join("; ")}.`,
  };
}

const COUNTS = ["no", "one", "two", "three"];

const amount = (count: number, one: string, many = `${one}s`): string[] =>
  count > 0 ? [`${COUNTS[count]} ${count === 1 ? one : many}`] : [];
