/** Whether an answer speaks of all that its question does. */
import { numberOf } from "./amounts.ts";
import { fieldOf } from "./facts.ts";
import type { Scale } from "./lexicon.ts";
import type { Item } from "./phrases.ts";
import type { Reading } from "./reading.ts";
import { inFull, type Statement } from "./say.ts";
import { STATES } from "./topic-features.ts";
import type { Trait } from "./traits.ts";
import { LISTS } from "./vocabulary.ts";

/** What only some answers are about. */
const TOLD: Readonly<Record<string, RegExp>> = {
  COUNT: /\d+ (?:of our|×|in all)|\bbuys\b/,
  SIMILAR: /most like|in common|nearest|the same/i,
  OPPOSITE: /least like|no |not /i,
  APART: /alone/,
  SECOND: /second/i,
  THIRD: /third/i,
};

/** The same, where it is asked whether. */
const WHETHER: typeof TOLD = { THAN: /first|level|than/i, ONLY: /only|^no/i };

/** A number by itself: 6 is not in 65, but $22 is in $22.00. */
const isIn = (told: string, number: string): boolean =>
  RegExp(`\\D${number.replace(/[$.]/g, "\\$&")}(?:\\.00)?(?!\\.?\\d)`).test(` ${told} `);

const UNIT = /^(?:bag|g|gram|l|lit(?:re|er)|minute|second|hour|degree|c|oz|ounce|cup|shot)$/;

/** Yes and no, and what alone speaks against "all", are said only where nothing is left open. */
export function withoutVerdict(statement: Statement): Statement | null {
  const { verdict, ...rest } = statement;
  if (!verdict || verdict.is === "unsaid") return statement;
  return verdict.ofAll ? null : rest;
}

/** Of what was understood, the words that the answer says nothing to. */
export function unspoken(part: Reading, statement: Statement): string[] {
  const { facts, about } = statement;
  if (facts.length === 0) return [];
  const { asks, wishes, said, degree, cues } = part;
  const text = inFull(statement);
  const claims = statement.verdict !== undefined && statement.verdict.is !== "unsaid";
  const told = text.toLowerCase();
  const fields = new Set(facts.map(({ field }) => field));
  const ids = [...about.map(({ id }) => id), ...facts.map((fact) => fact.product_id)];
  // Of "the Huila or the Guji" one is told.
  const either = cues.has("ONLY") || wishes.some(({ refers, or }) => refers && or);
  const isShown = (trait: Trait | undefined) =>
    trait !== undefined &&
    ([trait.label, trait.denied ?? trait.label].some((one) => told.includes(one.toLowerCase())) ||
      facts.some((fact) => trait.has.get(fact.product_id)?.includes(fact)) ||
      (/bean|origin|decaf/.test(trait.kind) && ids.some((id) => trait.has.has(id))) ||
      (trait.kind !== "bean" && fields.has(trait.field)));
  const isRanked = (scale: Scale | undefined) =>
    typeof scale === "string" && fields.has(fieldOf(scale));
  const isTold = ({ trait, other, scale, ask, except, not, cues: own, typed, at }: Item) => {
    // "Two Guji to Hawaii."
    if (STATES.has(typed) && !wishes.some((wish) => wish.at === at)) return true;
    const asked = ask && asks.includes(ask);
    const needed = trait || scale || (asked && !/choose_if|availability/.test(ask.field));
    const meant = except || own?.includes("RESET") || (ask && not && !asked);
    const names = /^(?:bean|origin)$/.test(trait?.kind ?? "");
    const left = needed && !meant && !(names && (either || not));
    const shown = isShown(trait) || isShown(other) || isRanked(scale);
    return !left || shown || (ask !== undefined && fields.has(ask.field));
  };
  // "Is the decaf nice?": facts do not judge.
  const judges = part.yesNo && !degree && asks.length === 0 && wishes.every(({ refers }) => refers);
  // "How many bags are left?" tells of however many; "something like peanuts" is like no bean.
  const isNeedless = (cue: string) =>
    (cue === "COUNT" && fields.has("availability")) || (cue === "SIMILAR" && !part.refers);
  const isOther = (cue: string) =>
    (judges && /^(?:RECOMMEND|BACK)$/.test(cue)) ||
    (!degree && TOLD[cue]?.test(text) === false && !isNeedless(cue)) ||
    (!part.bound &&
      WHETHER[cue]?.test(text) === false &&
      (claims || (cue === "THAN" && part.yesNo)));
  const left = part.items.filter((item) => !isTold(item) || item.cues?.some(isOther));
  const isNumber = (word: string, at: number) =>
    /^\$?\d\d|^\$\d/.test(word) || (/^\d/.test(word) && UNIT.test(said[at + 1] ?? ""));
  // A limit uses its own number, but counts no bags.
  const isOpen = (at: number) => said[at + 1] === "bag" || !part.bound;
  const numbers = said.filter((word, at) => isNumber(word, at) && !isIn(told, word) && isOpen(at));
  const open = [...(part.bound ? [] : turning(part, claims)), ...numbers];
  return [...left.map(({ typed }) => typed), ...new Set(open)];
}

/** Words that turn what is asked and that no phrase holds: "twice", "by noon", "two" of no bags. */
function turning(part: Reading, claims: boolean): string[] {
  const { items, said, unread, wishes, bags, degree } = part;
  const counts = [{ bags }, ...wishes].every((one) => one.bags === null);
  // "Too light for espresso", but "too acidic".
  const brewed = wishes.some(({ trait }) => trait.kind === "method");
  const isMeant = (word: string) =>
    word === "too" ? brewed : LISTS.get("turns")!.includes(word) || (counts && numberOf(word) > 1);
  return said.filter((word, at) => {
    const held = items.some((item) => item.at <= at && at < item.end) || said[at + 1] === "how";
    const asked = claims || (word === "shipping" && degree?.form === "comp");
    return asked && !held && !unread.includes(word) && isMeant(word);
  });
}
