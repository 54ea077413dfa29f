/** What a part of a question takes from those before it: wishes, bags, and what was asked. */
import { OF_ONE, ofBags } from "./amounts.ts";
import { type Beans, stepsOf } from "./facts.ts";
import { areCounted, fitting, isDefinite } from "./find.ts";
import { type Reading, wishing } from "./reading.ts";
import { personIn } from "./text.ts";
import type { Trait } from "./traits.ts";

/** "I like fruity coffee", "I brew with a V60": asks for nothing yet; "recipe for a V60" does. */
export function isWish(part: Reading): boolean {
  const { said, asks, wishes, bound, degree, question, money, named } = part;
  const told = said.some((word) => /^(?:i|we|my)$/.test(word));
  const idle = asks.every(
    ({ field, param }) =>
      field === "choose_if" ||
      (told && field === "brewing") ||
      (bound !== null && param === bound.scale),
  );
  const wishful = wishes.length > 0 || bound !== null || money !== null;
  return !question && idle && !degree && !named && wishful && !part.cues.has("COMPARE");
}

/** "I need two Huila.": bags that a question about their sum may follow. */
export const isOrder = ({ question, degree, bound, wishes, than }: Reading): boolean =>
  !(question || degree || bound || than >= 0) && wishes.length > 0 && areCounted(wishes);

/** It is asked with the wishes before it in mind. */
export function joins(wished: Reading, next: Reading): boolean {
  const { degree, cues, wishes, unread, asks } = next;
  if (isOrder(wished)) return isOrder(next) || (wishes.length === 0 && !degree);
  if (wished.wishes.length === 0) return true;
  if (wishes.some(isDefinite)) return degree?.form === "comp" || cues.has("SIMILAR");
  const more = asks.length > 0 || wishes.length > 0 || degree !== null;
  return !cues.has("IT") || (!more && unread.length === 0);
}

/** The wishes of two people that no bean fits both of. */
export function areApart(a: Reading, b: Reading, beans: Beans): boolean {
  const [first, second] = [personIn(a.text), personIn(b.text)];
  const isSame = first === second || (first.startsWith("my ") && /he$/.test(second));
  if (first === "" || second === "" || isSame || isOrder(a)) return false;
  const [ofA, ofB] = [fitting(beans, a.wishes, true), fitting(beans, b.wishes, true)];
  return !ofA.some((bean) => ofB.includes(bean));
}

export const together = (a: Reading, b: Reading): Reading => ({
  ...b,
  question: false,
  specific: a.specific || b.specific,
  ...wishing([
    // They stand before whatever is said later. "I hate nuts. Which should I avoid?" asks for nuts.
    ...a.wishes.map((wish) => ({ ...wish, at: -1, not: wish.not !== b.cues.has("AVOID") })),
    ...b.wishes,
  ]),
  // "I have $50. Which two bags can I get?"
  bound: b.bound ?? ofBags(a.bound, OF_ONE.test(a.text) ? null : b.bags),
  money: b.money ?? a.money,
  bags: b.bags ?? a.bags,
  shipped: a.shipped || b.shipped,
  items: [...a.items, ...b.items],
  unread: [...a.unread, ...b.unread],
  cues: new Set([...a.cues, ...b.cues]),
});

/** "I need two Huila. And a Guji. What is the total?" */
export const withOrder = (a: Reading, b: Reading): Reading => ({
  ...together(a, b),
  question: b.question,
  said: [...a.said, ...b.said],
  text: `${a.text} ${b.text}`,
  wishes: [...a.wishes, ...b.wishes.map((wish) => ({ ...wish, at: wish.at + a.said.length }))],
});

const ELLIPSIS = /^(?:(?:and|or|also|same|the same|likewise|what about|how about|what of|for) )+/;
const VERBS = /\b(?:is|are|does?|can|could|will|would|which|what|how|where|who|when|why|i|we)\b/;

/** "And the Guji?", "what about the decaf?", "same for an espresso?": asks again what was asked. */
export const isElliptic = ({ part, asks, degree, bound, wishes, money }: Reading): boolean =>
  ELLIPSIS.test(part) &&
  !VERBS.test(part.replace(ELLIPSIS, "")) &&
  !(asks.length > 0 || degree || bound || money !== null) &&
  wishes.length > 0;

const REFINES =
  /^(?:and |but |though )*(?:not|no|nothing|without|under|below|above|over|up to|at most|less than|more than|max)\b/;

/** "Anything nutty? Not the decaf though, and not above $20.": the question before, with these wishes, too. */
export const refined = (last: Reading | null, next: Reading): Reading =>
  last &&
  last.wishes.length + Number(last.bound !== null) > 0 &&
  !last.refers &&
  REFINES.test(next.part) &&
  !VERBS.test(next.part) &&
  next.asks.length === 0
    ? { ...together(last, next), question: last.question, yesNo: last.yesNo, unread: next.unread }
    : next;

/** After what was told: "possible?", "is that so?" */
export const CONFIRMS =
  /^(?:how|(?:is \w+ )?(?:possible|okay|ok|right|correct|true|so|fine)|(?:can|could) \w+ be done|(?:will|would|does) \w+ (?:work|apply|be applied|count)|(?:so )?(?:now what|what now|what happens(?: now| next| then)?|how does (?:that|it|this) work)|(?:so )?what (?:can|should|do|would|must|to) (?:(?:i|we|you|they) )?do(?: now| then| next| about it)?) ?[?]?$/;

const CONTRARY =
  /^(?:and |but )?(?:which|(?:name|list|show) (?:those|the ones|me those)(?: which| that)?) (?:ones? |of (?:them|your \w+) |coffees? )?(?:do not|dont|does not|doesnt|are not|arent|is not|isnt|cant|cannot|have none)(?: have (?:one|any|it))? ?[.?]?$/;

/** "Which have an espresso recipe, and which don't?": those that do not fit. */
export const contrary = (last: Reading, { part }: Reading): Reading | null =>
  CONTRARY.test(part) && last.wishes.length === 1
    ? {
        ...last,
        ...wishing(last.wishes.map((wish) => ({ ...wish, not: !wish.not, refers: false }))),
        part,
        asks: [],
        yesNo: false,
      }
    : null;

/** "The highest acidity, and which the lowest?": on the scale that was asked for before. */
export function onScale(last: Reading | null, part: Reading): Reading {
  const { scale, form } = last?.degree ?? {};
  const isNamed = part.items.some(({ ask, trait, form, at, end }) =>
    form ? end - at > 1 : ask || trait,
  );
  if (typeof scale !== "string" || form !== "sup" || part.than >= 0 || isNamed) return part;
  const word = part.said.findLast((one) => one.endsWith("est")) ?? "";
  const level = stepsOf(scale).get(word.replace(/iest$/, "y").replace(/est$/, "")) ?? 3;
  const by = part.cues.has("LEAST") ? -1 : part.cues.has("MOST") ? 1 : level - 3;
  if (by === 0) return part;
  const at = Math.max(0, part.said.indexOf(word));
  return { ...part, degree: { scale, dir: by < 0 ? -1 : 1, form, at }, specific: true };
}

/** Several of a kind stand for each other: a bean for a bean, a recipe for a recipe. */
const roleOf = ({ kind }: Trait): string => (/^(?:bean|origin|decaf)$/.test(kind) ? "bean" : kind);

/** The question before, with these wishes in place of those of their kind. */
export function resumed(last: Reading, next: Reading): Reading {
  const roles = new Set(next.wishes.map(({ trait }) => roleOf(trait)));
  const stays = ({ trait }: { trait?: Trait }) => !trait || !roles.has(roleOf(trait));
  const at = last.wishes.find((wish) => !stays(wish))?.at ?? -1;
  return {
    ...last,
    ...wishing([
      ...next.wishes.map((wish) => ({ ...wish, at })),
      ...last.wishes.filter((wish) => stays(wish) || wish.at > at),
    ]),
    items: [...last.items.filter(stays), ...next.items],
    unread: next.unread,
  };
}
