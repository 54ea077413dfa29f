/** The numbers of a part: limits, sums of money, how many bags. */
import { NUMBERS } from "./vocabulary.ts";

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
export function amountsOf(said: readonly string[], cues: ReadonlySet<string>) {
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

const [TINY, ALL] = [1e-6, Number.POSITIVE_INFINITY];

/** How far below and above the number each lets go. */
const LIMITS: readonly [words: string, below: number, above: number][] = [
  ["over|above|more|beyond", -TINY, ALL],
  ["at least", TINY, ALL],
  ["under|below|less|cheaper", ALL, -TINY],
  ["up to|at most|max|within|budget", ALL, TINY],
  ["price of|exactly", TINY, TINY],
  ["around|about|roughly", 300, 300],
];
const LIMITING = new RegExp(`\\b(?:${LIMITS.map(([words]) => words).join("|")})\\b`, "g");

type Amount = Readonly<{ value: number; at: number; money: boolean; scale: string }>;

function boundOf(said: readonly string[], found: readonly Amount[]): Bound | null {
  const [low, high] = found;
  const first = found.find(({ money }) => money) ?? low;
  if (!first || !low) return null;
  const { scale, value, money, at } = first;
  if (high && /(?:between|from)$/.test(said[low.at - 1] ?? "") && high.at - low.at < 4)
    return { scale, least: low.value, most: high.value };
  const text = said.slice(Math.max(0, at - 4), at).join(" ");
  const last = [...text.matchAll(LIMITING)].at(-1);
  const sum = (money && /(?:for|with)$/.test(text)) || said.includes("budget");
  const word = last?.[0] ?? (sum ? "budget" : "");
  const [words, below = 0, above = 0] = LIMITS.find(([one]) => one.split("|").includes(word)) ?? [];
  if (!words || (!money && /exactly|about/.test(words))) return null;
  // "Not more than", "don't cost less than".
  const not = /\b(?:not?|nothing|none|never|without|(?:do|does|is|are|ca)nt)\b/.test(
    text.slice(0, last?.index ?? 0),
  );
  const [down, up] = !not ? [below, above] : above === ALL ? [ALL, -below] : [-above, ALL];
  return { scale, least: Math.max(0, value - down), most: value + up };
}
