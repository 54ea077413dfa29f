/** The numbers of a part: limits, sums of money, and how many bags. */
import { COUNTS } from "./facts.ts";
import { table } from "./text.ts";
import { LISTS } from "./vocabulary.ts";

type Place = Readonly<{ at: number; end: number }>;
/** `bags`: it is told of what so many come to; `words`: what it is called; `or`: instead of the wish before. */
export type Bound = Readonly<{
  scale: string;
  least: number;
  most: number;
  at: number;
  bags?: number;
  words?: string;
  or?: boolean;
}>;

const UNITS: readonly [RegExp, scale: string, factor: number][] = [
  [/^(?:degree|c|celsius)$/, "temperature", 1],
  [/^(?:minute|min)$/, "time", 60],
  [/^(?:second|sec)$/, "time", 1],
  [/^hour$/, "time", 3600],
  [/^(?:g|gram)$/, "dose", 1],
  [/^note$/, "notes", 1],
  [/^(?:way|method|recipe)$/, "methods", 1],
  [/^variet(?:y|al)$/, "varieties", 1],
  [/(?:)/, "price", 100],
];

/** "Between 90 and 93 degrees", "three or more ways", "four different notes". */
const UNIT_LATER = /^(?:and|to|or|more|fewer|less|different|tasting|flavou?r|brewing|brew)$/;

const NUMBERS = table(
  `one=1; single=1; two=2; three=3; four=4; five=5; six=6; seven=7; eight=8; nine=9; ten=10; eleven=11;
  twelve=12; dozen=12; fifteen=15; twenty=20; thirty=30; forty=40; fifty=50; sixty=60; seventy=70;
  eighty=80; ninety=90; hundred=100; thousand=1000`,
  Number,
);

/** Prices of several are added up. */
export const TOGETHER =
  /\b(?:total|(?:al)?together|combined|sum|add up|(?:two|three|[23]) different (?:bag|coffee|bean)|(?:which|what|any) (?:two|three|[23]) (?:\w+ )?(?:bag|coffee|bean) (?:can|could))\b/;

/** What is told is of one bag: "$18 each". */
export const OF_ONE = /\b(?:each|apiece|(?:per|a) bag)\b/;

/** It is asked what something costs, or whether it does. */
export const isCost = (text: string): boolean =>
  /\b(?:free|pay|paying|costs?|charged?|extra|more|fees?)\b/.test(text);

const SHIPPED =
  /\b(?:incl\w*|with|plus|and|after|counting) (?:the |all )?(?:shipping|delivery|postage)\b|\bshipping (?:is )?included\b|(?<!\bbe )\b(?:shipped|delivered)\b(?! (?:by|on|within|in|before)\b)/;
const UNSHIPPED =
  /\b(?:not?|without|before|except|excluding) (?:\w+ ){0,2}(?:ship|deliver|postage)|\b(?:ship|deliver)\w* aside\b/;

/** "If I buy two", "a card with two": bags, where no other noun follows. */
const TAKEN = /^(?:for|of|with|cost|buy|order|take|get|want|need)$/;

export const numberOf = (word: string): number =>
  NUMBERS.get(word) ?? (/\d/.test(word) ? Number(word.replace(/[$,%]/g, "")) : Number.NaN);

export const isCount = (word = ""): boolean => numberOf(word) > 0;

/** "under $23", "between 22 and 26", "below 94 degrees", "two bags"; sums in minor units. */
export function amountsOf(said: readonly string[], text: string) {
  // "Two coffees under $45 in total."
  const counted = TOGETHER.test(text) ? /\b(?:bag|pack|coffee)\b/ : /\b(?:bag|pack)\b/;
  const found = said.flatMap((word, at) => {
    const [number, next = "", before = ""] = [numberOf(word), said[at + 1], said[at - 1]];
    if (Number.isNaN(number) || LISTS.get("unmeasured")!.includes(next)) return [];
    // "The hundred dollars off."
    if (next === "dollar" && said[at + 2] === "off") return [];
    const isUnit = (one: string) => !UNIT_LATER.test(one) && Number.isNaN(numberOf(one));
    const unit = said.slice(at + 1).find(isUnit) ?? "";
    const [, scale, factor] = UNITS.find(([words]) => words.test(unit))!;
    const budget = scale === "price" && /^\d+$/.test(word) && /\bbudget\b/.test(text);
    const money = budget || /^\$|^\d+\.\d\d$/.test(word) || /^(?:dollar|buck|usd)$/.test(unit);
    const after = said.slice(at + 1, at + 4);
    const several = TOGETHER.test(text) && scale === "price" && !/^(?:all|other|the)$/.test(before);
    const bags = !money && number > 0 && (several || counted.test(after.join(" ")));
    // "More than one decaf" is no price.
    const measure = !bags && (money || /\d/.test(word) || scale !== "price");
    return [{ number, value: number * factor, at, money, before, scale, bags, measure }];
  });
  const paid = found.find(({ money }) => money);
  const measured = found.filter(({ measure }) => measure);
  const bound = boundOf(said, measured);
  const plain = found.find((one) => !one.money && one.scale === "price" && TAKEN.test(one.before));
  // "Under $30 for two friends" is the price of one bag.
  const bags = found.find((one) => one.bags) ?? (bound ? null : plain);
  // "Under $25, four bags": of one.
  const isSum =
    bound?.scale === "price" &&
    bags &&
    (bags.at < bound.at || TOGETHER.test(text) || (SPENDS.test(text) && !OF_ONE.test(text)));
  return {
    bound: ofBags(bound, isSum ? bags.number : null),
    bags: bags?.number ?? null,
    money: paid ? Math.round(paid.number * 100) : null,
    /** A price or a limit is meant with shipping, to one address. */
    shipped: SHIPPED.test(text) && !UNSHIPPED.test(text),
  };
}

/** A limit of what so many bags come to. */
export const ofBags = (bound: Bound | null, bags: number | null): Bound | null =>
  bound?.scale === "price" && bags ? { ...bound, bags } : bound;

/** "2 Huila", "two bags of the Huila". */
export function bagsBefore(said: readonly string[], at: number): number | null {
  const words = said.slice(Math.max(0, at - 4), at);
  // "If I order a Geisha and a Huila."
  if (/^an?$/.test(words.at(-1) ?? "") && /\b(?:order|buy|get|send|ship)\b/.test(said.join(" ")))
    return 1;
  const last = words.findLast((word) => !/^(?:bag|pack|each|of|the|your|a|x)$/.test(word));
  // "$600 of Brazil" counts no bags.
  const count = last?.startsWith("$") ? Number.NaN : numberOf(last ?? "");
  return count > 0 && count < 1000 ? count : null;
}

/** It tells a limit alone: "for less than $25", "three or more ways". */
export const isLimit = (said: readonly string[], { at, end }: Place): boolean =>
  (said[end] === "than" && isCount(said[end + 1])) ||
  (said[at - 1] === "not" && isCount(said[end])) ||
  (/^(?:or|and|dollar|buck)$/.test(said[at - 1] ?? "") && said.slice(at - 3, at - 1).some(isCount));

const [TINY, ALL] = [1e-6, Number.POSITIVE_INFINITY];

/** How far below and above the number each lets go. */
const LIMITS: readonly [words: string, below: number, above: number][] = [
  ["over|above|more|beyond|longer|higher|hotter", -TINY, ALL],
  ["at least|or more|or above|or over|and up|and above", TINY, ALL],
  ["under|below|less|fewer|cheaper|shorter|lower|cooler", ALL, -TINY],
  [
    "fit into|fit in|up to|stop at|cap at|capped at|at most|max|within|budget|or less|or fewer|or below|or under",
    ALL,
    TINY,
  ],
  ["price of|exactly|cost", TINY, TINY],
  ["around|about|roughly", 300, 300],
];
const LIMITING = new RegExp(`\\b(?:${LIMITS.map(([words]) => words).join("|")})\\b`, "g");

/** "$24 or more", "three notes or fewer", "$25 max". */
const TRAILING =
  /^(?:(?!(?:and|or)\b)\w+ ){0,2}((?:or|and) (?:more|above|over|up|less|fewer|below|under)(?! \$?\d)|max)\b/;

const TOLD_OF = /^(?:with|in|at|to|is|has|have|list|use|take|need|just|contain|for)$/;

const SPENDS = /\b(?:budget|spend|(?:i|we) (?:only )?(?:have|got))\b/;

/** "More than $20, but less than $25": within all that are told on the scale of the first. */
function boundOf(said: readonly string[], found: readonly Amount[]): Bound | null {
  const all = found.flatMap((_, i) => limitOf(said, found.slice(i), found[i - 1]?.at) ?? []);
  const [first] = all;
  if (!first) return null;
  const alike = all.filter(({ scale }) => scale === first.scale);
  const least = Math.max(...alike.map((one) => one.least));
  const most = Math.min(...alike.map((one) => one.most));
  // More than two ways are at least three.
  return COUNTS.has(first.scale)
    ? { ...first, least: Math.ceil(least), most: Math.floor(most) }
    : { ...first, least, most };
}

type Amount = Readonly<{ value: number; at: number; money: boolean; scale: string }>;
function limitOf(said: readonly string[], found: readonly Amount[], before = -1): Bound | null {
  const [low, high] = found;
  const first = found.find(({ money }) => money) ?? low;
  if (!first || !low) return null;
  const { scale, value, money, at } = first;
  if (high && /(?:between|from)$/.test(said[low.at - 1] ?? "") && high.at - low.at < 4)
    return { scale, least: low.value, most: high.value, at };
  const wordsBefore = (count: number) =>
    said
      .slice(Math.max(before + 1, at - count), at)
      .join(" ")
      .replace(/.*[,;:?]|pour over/g, "");
  const text = wordsBefore(5);
  // "Decaf or under $20", but "$20 or under".
  const or = /\bor \S+$/.test(text);
  const last = [...text.replace(/\bor (?=\S+$)/, "").matchAll(LIMITING)].at(-1);
  const after = TRAILING.exec(said.slice(at + 1, at + 5).join(" "));
  const spends = money && SPENDS.test(said.join(" "));
  // "Any at $24.50?"
  const priced = money && /\bat$/.test(text) ? "exactly" : undefined;
  const own =
    after?.[1] ?? last?.[0] ?? priced ?? (money && /(?:for|with)$/.test(text) ? "budget" : "");
  const isBudget = spends && !/^(?:at least|less|under|below|over|more|above)$/.test(own);
  const word = isBudget ? "budget" : own;
  const [words, below = 0, above = 0] = LIMITS.find(([one]) => one.split("|").includes(word)) ?? [];
  // "Which list three notes?", "brewed at 93 degrees", but "tell me two notes".
  const isDenied = /(?:\bnot?|nt)\b/.test(text);
  const isAlone = scale !== "price" && found.length === 1 && before < 0 && !isDenied;
  const isMeant =
    (COUNTS.has(scale) || said.includes("which")) &&
    (TOLD_OF.test(said[at - 1] ?? "") || /only|single/.test(said.join(" ")));
  if (isAlone && (word ? word === "exactly" : isMeant))
    return { scale, least: value, most: value, at };
  if (!words || (!money && /exactly|about/.test(words))) return null;
  // "Not more than", "don't cost less than", but no "not dark, under".
  const negated =
    /\b(?:not?|nothing|none|never|without|(?:do|does|is|are|ca)nt)(?: (?:cost|be|is|are|want|anything|to|pay|spend))* $/;
  const more = wordsBefore(8);
  const not = negated.test(more.slice(0, more.length - text.length + (last?.index ?? 0)));
  // About $70 is told less sharply than about $20.
  const slack = words.startsWith("around") ? Math.max(0, value / 10 - below) : 0;
  const [down, up] = !not
    ? [below + slack, above + slack]
    : above === ALL
      ? [ALL, -below]
      : [-above, ALL];
  return { scale, least: Math.max(0, value - down), most: value + up, at, or };
}
