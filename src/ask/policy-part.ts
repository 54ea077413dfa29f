/** What a part of a question asks of the policy, and what more it asks beside it. */
import { isExclusive } from "../catalog/catalog.ts";
import { display } from "../core/money.ts";
import { LIMITS } from "../core/policy.ts";
import { isCount, OF_ONE } from "./amounts.ts";
import type { Setting } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { methodsOf, spoken } from "./find.ts";
import { gatesOf } from "./gates.ts";
import { bagsUntil } from "./places.ts";
import { policyAnswer } from "./policy-answers.ts";
import { asksFor, type Reading } from "./reading.ts";
import { isCounted, type Line, linesOf, priceOf, sumOf } from "./sums.ts";
import { isAnswered } from "./topic-answers.ts";
import { SENT, SURE, topicOf } from "./topics.ts";

/** So likely must the topic of what is said by the way be; more where our facts lack it. */
const [LIKELY, CERTAIN] = [0.75, 0.9];
/** In so many pieces it is looked for. */
const PIECES = 6;

/** "A light roast, and a gift note with it", "under $22, delivered within two weeks": each by itself. */
export function withAsides(part: string, setting: Setting): string[] {
  const { lexicon, foreign } = setting;
  const mark = part.endsWith("?") ? "?" : "";
  const pieces = part.replace(/[?]$/, "").split(/,(?!\d)\s*(?:and )?|\band\b/);
  const isCondition = /^(?:is it \w+ that|(?:if|when|once)\b(?!.*\band\b))/.test(part);
  if (foreign || isCondition || pieces.length < 2 || pieces.length > PIECES) return [part];
  const found = pieces.flatMap((piece) => {
    const topic = topicOf(piece, lexicon, foreign);
    return topic && topic.chance > SURE && !topic.names.includes("several") ? { piece, topic } : [];
  });
  if (found.length === 0) return [part];
  const isSure = chanceOf(part, setting) >= SURE;
  const likely = isSure ? SURE : LIKELY;
  const sure = found.filter(
    ({ topic: { names, chance } }) => chance > (names.every(isAnswered) ? likely : CERTAIN),
  );
  const topicIn = (name = "") => (SENT.test(name) ? "sent" : name);
  const topics = new Set(sure.map(({ topic }) => topicIn(topic.names[0])));
  // "Does it ship free, and can I add a card?" asks of two topics; "free and by when" stays whole.
  if (isSure && (topics.size < 2 || !/\band\b/.test(part))) return [part];
  // "What do both cost with shipping, and with the code?" is one sum.
  const asides = sure.flatMap(({ piece, topic }) =>
    topic.ofBean || /^ *(?:with|using) (?:\w+ ){0,3}(?:code|firstbag|coupon|discount)/.test(piece)
      ? []
      : piece,
  );
  // What is declined is told by the whole of it.
  if (asides.length > 0 && gatesOf(part).length > 0) return [part];
  const rest = pieces.filter((piece) => !asides.includes(piece)).join(",");
  return asides.length === 0
    ? [part]
    : [rest, ...asides].flatMap((one) => (/\w/.test(one) ? `${one}${mark}` : []));
}

const chanceOf = (text: string, { lexicon, foreign }: Setting): number =>
  topicOf(text, lexicon, foreign)?.chance ?? 0;

/** By its own words it is surely about a topic. */
export const hasOwnTopic = (text: string, setting: Setting): boolean =>
  chanceOf(text, setting) > LIKELY;

/** "I read that shipping is $5", "one Huila each". */
const TELLS_FEE =
  /(?<!of )\beach\b|\b(?:shipping|delivery) (?:(?:\w+ ){0,2}(?:is|costs?) (?:\w+ ){0,2}\$?|(?:still |only )?\$)\d|\b(?:under|below) \$\d/;

const GENERALLY = /\b(?:always|ever|any|every|another|small|large|big|usually|normally)\b/;

/** "If I add another one": of how many bags is open. */
const UNTOLD = /\b(?:second|another|several|few|some|extra|(?<!how much )more)\b/;

/** It is asked what a sum of money buys. */
const BUYS =
  /\b(?:enough|budget|how many|most bags?)\b|^(?:i|we) (?:only )?(?:have|got) |\bwhat (?:can|could) (?:i|we) (?:get|buy|afford)\b/;

type Ordered = ReturnType<typeof orderedIn>;

/** "And what is the total?", "what would that cost me?" */
const IN_ALL =
  /\b(?:total|in all|(?:that|it|they|this|all) (?:cost|come to)|(?:do|would|will|must) (?:i|we) (?:have to )?(?:pay|owe)|how much (?:is|are|would|will) (?:that|it|they|this|all))\b/;

/**
 * The beans and bags of a part and what they come to, or those that were told before, also in full where
 * nothing but their sum is asked.
 */
export function orderedIn(
  reading: Reading,
  told: Readonly<{ before: Beans; lines: readonly Line[]; ordered: string }>,
  { lexicon, live }: Setting,
) {
  const { wishes, refers, bags, text, unread } = reading;
  const about = spoken(lexicon.beans, wishes);
  const lines = linesOf(reading, about.length > 0 ? about : told.before);
  const isOther = refers || bags !== null || GENERALLY.test(text);
  const before = isOther ? [] : told.lines;
  const isSum = lines.length === 0 && before.length > 0 && asksFor(reading, "price_minor");
  const query = { ...reading, text: `${told.ordered} ${text}`, live };
  const sums = [lines, before].find((some) => some.length > 0);
  return {
    about,
    lines,
    inAll: isSum && unread.length === 0 && IN_ALL.test(text) ? priceOf(before, query) : null,
    bought: keptOf(lines, reading),
    isSent: lines.length > 0 && /\b(?:ship|send|deliver|mail)/.test(text),
    ofOne: about.length > 0 || told.before.length === 1,
    amount: sums && !UNTOLD.test(text) ? sumOf(sums) : null,
  };
}

/** The bags that are kept in mind: none where more is wished that names no bean, "and one for me". */
function keptOf(lines: readonly Line[], { wishes, said, text, question }: Reading) {
  if (lines.length > 0 && wishes.every((wish) => wish.refers)) return { lines, ordered: text };
  const isMore = lines.length > 0 || (!question && (said.some(isCount) || /\bsame\b/.test(text)));
  return isMore ? { lines: [] } : {};
}

/** What policy answers; null where it is silent, or the beans are asked for. */
export function ofPolicy(text: string, reading: Reading, order: Ordered, setting: Setting) {
  const { lexicon, live, foreign } = setting;
  const { bags, money } = reading;
  const { about, lines, ofOne } = order;
  const priced = lines.length > 0 && asksFor(reading, "price_minor");
  if ((priced || isCounted(reading)) && !/free|addresses|(?:shipping|delivery) to\b/.test(text))
    return null;
  const until = /\bhow many\b.*(\bfree\b|\$\d+ (?:off|discount)\b)/.exec(text)?.[1];
  if (until) return { ...bagsUntil(until, about, lexicon.beans), topic: text, isSent: true };
  if (money !== null && BUYS.test(text)) return null;
  // "Three bags at $18 each."
  const ofEach = money !== null && OF_ONE.test(text) ? bags : null;
  const whole = TELLS_FEE.test(text) ? null : (money ?? order.amount);
  const amount = ofEach === null ? whole : ofEach * money!;
  const locked = lexicon.beans.filter(({ product }) => isExclusive(product));
  const isLocked = about.length > 0 && about.every((bean) => locked.includes(bean));
  const exclusive = locked.map(({ name }) => name);
  const topic = topicOf(text, lexicon, foreign);
  // "Can I get three bags of the Guji?" These are no bulk.
  const isFew = lines.length > 0 && lines.every(({ bags }) => bags <= LIMITS.quantity_per_line);
  const only = topic?.names.join();
  if (only === "bulk" && isFew && live.free) return null;
  // "How many bags of the Guji can one order have?"
  const isLimit = /^(?:lines|bulk|minimum)/.test(only ?? "") && /\bhow many\b/.test(text);
  if (isLimit && ofOne && live.free) return null;
  // "Who can buy the Huila?" That one needs no key.
  if (only === "finder" && about.length > 0 && !about.some((bean) => locked.includes(bean)))
    return null;
  const told =
    topic &&
    policyAnswer(topic, { text, amount, bags, isExclusive: isLocked, exclusive, live }, about);
  // It is not told whether what was spoken of before is all that is meant.
  const isCarried = money === null && lines.length === 0 && amount !== null;
  return told && isCarried && told.text.startsWith(display(amount))
    ? { ...told, verdict: undefined }
    : told;
}

/** Beside what is declined: of a bean that is named, and more than where it grows. */
export const asksOfBeans = ({ refers, specific, asks }: Reading): boolean =>
  refers && (specific || asks.some(({ field }) => field !== "country"));

/** Beside what the policy answers. */
export function asksMore(
  { asks, wishes: all, question, yesNo, bags, text, shipped, bound }: Reading,
  topic: string,
  isWished: boolean,
): boolean {
  // "How much would one be, with shipping to Ohio?"
  const priced = asksFor({ asks }, "price_minor");
  if (priced && bags !== null && isWished) return true;
  if (shipped && priced && (isWished || bags !== null || all.length > 0)) return true;
  const wishes = all.filter(
    ({ trait, typed }) => trait.kind !== "origin" || !topic.includes(typed),
  );
  const others = wishes.filter(({ trait }) => trait.kind !== "availability");
  const sold = asks.length === 0 && others.length < wishes.length;
  const keyed = others.length === 0 && topic.includes("key");
  if (sold && !keyed && others.every(({ named }) => named)) return true;
  // "Can I get 30 bags of the Guji?" So many may be sold, but there are not so many.
  const had = asksFor({ asks }, "availability");
  const isStock =
    bags !== null ||
    wishes.some((wish) => wish.bags !== null) ||
    /\b(?:in stock|available|sold out)\b/.test(text);
  if (had && isStock && wishes.some(({ refers }) => refers)) return true;
  const told = asks.some(({ field }) => /process|varieties|tasting_notes/.test(field));
  // "What do I set my kettle to for the Huila in a French press?"
  const named = wishes.some(({ refers }) => refers) && methodsOf(wishes).length > 0;
  const brews = named && !yesNo && asks.some(({ param }) => param);
  if (!question && bound?.scale === "price" && /\b(?:budget|spend)\b/.test(text)) return true;
  return wishes.length > 0 && (!question || told || brews);
}
