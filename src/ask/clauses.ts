/** A part of a question word by word: what each phrase can mean, and whether it is wished or not. */
import type { Concept, Lexicon } from "./lexicon.ts";
import { NUMBERS } from "./vocabulary.ts";

/** A phrase that means something, with its place among the words. */
export type Item = Concept & { at: number; end: number; not: boolean };

const VERB =
  /^(?:is|are|was|were|does|do|did|isnt|arent|doesnt|dont|wasnt|can|could|cant|will|would|has|have)$/;

/** "Don't you have …?" asks; "don't recommend …" tells. */
export const opensQuestion = (word: string, next = ""): boolean =>
  VERB.test(word) && (!/^(?:dont|cant)$/.test(word) || /^(?:you|they|we|the|your|any)$/.test(next));

/** Polarity holds by clause: from a negator to a mark, a "but" or a new wish. */
export function phrasesOf(said: readonly string[], lexicon: Lexicon) {
  const items: Item[] = [];
  const unread: string[] = [];
  let [not, except, notAt, clause] = [false, false, -9, 0];
  for (let at = 0, length = 1; at < said.length; at += length) {
    const word = said[at]!;
    const found = lexicon.match(said, at);
    length = found?.length ?? 1;
    const is = (cue: string) => found?.concept.cues?.includes(cue) ?? false;
    if (/^[^\p{L}\d$]/u.test(word)) {
      not &&= word === "," && listGoesOn(said, at);
      clause = items.length;
      continue;
    }
    if (is("BACK")) for (const item of items.slice(clause)) item.not = true;
    else if (is("NOT") || is("EXCEPT")) {
      // "Isn't the Guji washed?" asks whether it is.
      if (at > 0 || !opensQuestion(word, said[1])) [not, notAt] = [true, at + length];
      except = is("EXCEPT");
    } else if (except && /^(?:with|that|for|under|is|are|in|goes)$/.test(word)) not = false;
    else if (is("RESET") && at - notAt > 1) {
      not = false;
      if (word !== "and") clause = items.length;
    }
    // "Caffeine free" is without it.
    if (word === "free" && items.at(-1)?.end === at) items.at(-1)!.not = true;
    if (found) items.push({ ...found.concept, at, end: at + length, not });
    else if (!lexicon.knows(word) && Number.isNaN(numberOf(word))) unread.push(word);
    // "Non-decaf" ends with its word.
    if (said[at - 1] === "non" && found) not = false;
  }
  return { items, unread, cues: new Set(items.flatMap(({ cues }) => cues ?? [])) };
}

/** "no nuts, berries or chocolate": the comma does not end what is not wished. */
const listGoesOn = (said: readonly string[], comma: number): boolean =>
  /^(?:(?!(?:[.?!;]|but|something|anything|just|i|and) )\S+ ){0,4}n?or /.test(
    `${said.slice(comma + 1, comma + 6).join(" ")} `,
  );

export type Bound = Readonly<{ scale: string; least: number; most: number }>;

const UNITS: readonly [RegExp, scale: string, factor: number][] = [
  [/^(?:degree|c|celsius)$/, "temperature", 1],
  [/^(?:minute|min)$/, "time", 60],
  [/^(?:second|sec)$/, "time", 1],
  [/^hour$/, "time", 3600],
  [/(?:)/, "price", 100],
];

export const numberOf = (word: string): number =>
  NUMBERS.get(word) ?? (/\d/.test(word) ? Number(word.replace(/[$,%]/g, "")) : Number.NaN);

/** "under $23", "between 22 and 26", "below 94 degrees", "two bags"; sums in minor units. */
export function numbersOf(said: readonly string[], cues: ReadonlySet<string>) {
  const found = said.flatMap((word, at) => {
    const [number, next = "", before = ""] = [numberOf(word), said[at + 1], said[at - 1]];
    const money = word.startsWith("$") || /^(?:dollar|buck|usd)$/.test(next);
    const [, scale, factor] = UNITS.find(([unit]) => unit.test(next))!;
    const ofBags = /\b(?:bag|pack)\b/.test(said.slice(at + 1, at + 4).join(" "));
    const bags = !money && number > 0 && ofBags;
    // "More than one decaf" is no price.
    const measure = !bags && (money || /\d/.test(word) || scale !== "price");
    const one = { number, value: number * factor, at, money, before, scale, bags, measure };
    return Number.isNaN(number) ? [] : [one];
  });
  const paid = found.find(({ money }) => money);
  const measured = found.filter(({ measure }) => measure);
  const bound = boundOf(said, measured);
  const plain = found.find(
    ({ money, before }) => !money && /^(?:for|of|with|cost)$/.test(before) && !cues.has("COUNT"),
  );
  const bags = found.find((one) => one.bags) ?? (bound ? null : plain);
  return { bound, bags: bags?.number ?? null, money: paid ? Math.round(paid.number * 100) : null };
}

const LIMITING =
  /\b(?:over|above|no more|more|at least|beyond|under|below|less|cheaper|up to|at most|max|within|budget|price of|exactly|around|about|roughly|(?:for|with)$)/g;

type Amount = Readonly<{ value: number; at: number; money: boolean; scale: string }>;

function boundOf(said: readonly string[], found: readonly Amount[]): Bound | null {
  const [low, high] = found;
  const first = found.find(({ money }) => money) ?? low;
  if (!first || !low) return null;
  const { scale, value, money, at } = first;
  if (high && /(?:between|from)$/.test(said[low.at - 1] ?? "") && high.at - low.at < 4)
    return { scale, least: low.value, most: high.value };
  const text = said.slice(Math.max(0, at - 4), at).join(" ");
  const word = text.match(LIMITING)?.at(-1) ?? (said.includes("budget") ? "budget" : "");
  const is = (pattern: RegExp) => pattern.test(word);
  if (word === "" || (is(/^(?:for|with|price of|exactly)$/) && !money)) return null;
  if (is(/^(?:over|above|more|at least|beyond)/))
    return { scale, least: value + 1e-6, most: Number.POSITIVE_INFINITY };
  if (is(/price of|exactly/)) return { scale, least: value, most: value };
  if (is(/around|about|roughly/))
    return scale === "price" ? { scale, least: value * 0.85, most: value * 1.15 } : null;
  return { scale, least: 0, most: is(/under|below|less|cheaper/) ? value - 1e-6 : value };
}
