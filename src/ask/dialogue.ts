/** The parts of one question, each read after those before it: wishes, ellipses and "it" carry over. */
import { noForbiddenTopic } from "../catalog/forbidden-topics.ts";
import { TOGETHER } from "./amounts.ts";
import {
  areApart,
  CONFIRMS,
  contrary,
  isElliptic,
  isOrder,
  isWish,
  joins,
  onScale,
  refined,
  resumed,
  together,
  withOrder,
} from "./carry.ts";
import { correct, isEnglish } from "./correct.ts";
import { unspoken, withoutVerdict } from "./coverage.ts";
import { evaluate, OF_EACH, type Setting, scopeOf } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { methodsOf, spoken } from "./find.ts";
import { type Gate, gatesOf } from "./gates.ts";
import {
  asksMore,
  asksOfBeans,
  hasOwnTopic,
  ofPolicy,
  orderedIn,
  withAsides,
} from "./policy-part.ts";
import { asksFor, isStranger, type Reading, read } from "./reading.ts";
import { type Statement, sentence, smallTalk } from "./say.ts";
import { type Line, linesOf } from "./sums.ts";
import { partsOf, tokenise } from "./text.ts";

/** What has been said, and what is still in mind, after some parts of a question. */
type Talk = Readonly<typeof NOTHING>;

const NOTHING = {
  statements: [] as readonly Statement[],
  declines: new Set() as ReadonlySet<Gate>,
  /** Parts without an answer, in the asker's words. */
  left: [] as readonly string[],
  /** Words of them that are plain English, and nothing that our facts speak of; or that we know. */
  missing: [] as readonly string[],
  open: [] as readonly string[],
  /** What "it" is. */
  before: [] as Beans,
  /** Wishes that were stated; whether something has been answered by them. */
  wished: null as Reading | null,
  isTold: false,
  /** What was asked of the beans just before; the words that told what the policy answered. */
  last: null as Reading | null,
  topic: "",
  /** That was shipping, delivery or where we ship to. */
  isSent: false,
  /** The bags that were spoken of, and in which words. */
  lines: [] as readonly Line[],
  ordered: "",
};

/**
 * Part by part: what is declined, what the policy answers, what is asked of the beans. Wishes that are
 * only stated wait for the question they belong to, and hold for those after it. Where something is about
 * health, no bean is named.
 */
export function answerParts(text: string, setting: Setting): Talk {
  const parts = partsOf(text).flatMap((part) => withAsides(part, setting));
  const heard = parts.reduce((talk, part) => hear(talk, part, setting), NOTHING);
  const talk = settle(heard, setting);
  const isIdle = talk.statements.length + talk.declines.size + talk.left.length === 0;
  return isIdle ? { ...talk, left: [text] } : talk;
}

function hear(told: Talk, part: string, setting: Setting): Talk {
  const { gates, text, reading: own } = readPart(part, setting);
  const alone = (told.last && contrary(told.last, own)) ?? onScale(told.last, own);
  const declines = new Set([...told.declines, ...gates]);
  if (gates.has("OFF_TOPIC")) return { ...told, declines };
  const declined = gates.size > 0;
  const resumes = isElliptic(alone);
  const goesWith = told.last && resumes ? resumed(told.last, alone) : refined(told.last, alone);
  const { reading: heard, wished } = inMind(told, goesWith);
  // "How long can they be?" after an answer of policy is not about the beans.
  const it = (heard.cues.has("IT") || /\b(?:is|are) that\b/.test(part)) && !heard.refers;
  const goesOn = told.topic !== "" && it;
  // "Are they organic, and how fresh is it?" It has a topic of its own.
  const priced = asksFor(heard, "price_minor");
  const isOwn = goesOn && !priced && hasOwnTopic(text, setting);
  const byTopic = text.replace(/\b(?:it|they|them|that|those)\b/, told.topic);
  // "How long does it take, and what does it cost?"
  const ofCoffee = heard.refers || heard.specific || /\b(?:coffee|bean|bag)s?\b/.test(text);
  const takes = /\bhow long\b(?!.*\b(?:brew|steep|extract))/.test(text);
  const sent = priced ? "how much is shipping" : takes ? "how long does delivery take" : "";
  const meant = told.isSent && sent && !ofCoffee ? sent : goesOn && !isOwn ? byTopic : text;
  const order = orderedIn(heard, told, setting);
  if (order.inAll && !declined && !setting.health)
    return take({ ...told, declines, wished }, order.inAll, heard, setting);
  const found = ofPolicy(meant, heard, order, setting);
  // Beside wishes what our facts may lack is left out: what is not read is told as open. What is read
  // in full is asked of the beans, unless the policy is likelier than not.
  const isRead = heard.unread.length === 0 && found?.isLikely === false;
  const policy = heard.specific && (found?.isUnsure || isRead) ? null : found;
  const isDone = declined
    ? !asksOfBeans(heard)
    : policy && !asksMore(heard, policy.topic, wished !== null);
  const only = goesOn || setting.health || isDone;
  // Beside the policy the beans are asked for: they tell what is left open of the part.
  const isOpen = (run: string) => policy?.open?.some((word) => run.includes(word)) ?? true;
  const reading = { ...heard, unread: heard.unread.filter(isOpen) };
  const topic = policy?.about.length === 0 ? policy.topic : "";
  const isSent = policy?.isSent ?? order.isSent;
  let talk: Talk = { ...told, declines, wished, topic, isSent, ...order.bought };
  if (policy) {
    // "My grandson's birthday is on Saturday." Who tells something goes on to ask.
    const isAside = !(heard.question || policy.isLikely || policy.verdict);
    const open = only ? policy.open : [];
    // Its own open words are told, not those that are unread.
    talk = take(talk, { ...policy, isAside, open }, { ...heard, unread: [] }, setting);
  } else if ((goesOn && !CONFIRMS.test(part)) || setting.health)
    talk = leave(talk, part, reading, setting);
  if (declined && reading.refers)
    talk = { ...talk, before: spoken(setting.lexicon.beans, reading.wishes) };
  return only ? talk : askBeans(talk, reading, declined, setting);
}

/** With the sum and the bags that were told before: "I have $50, how many is that?" */
function inMind({ wished, isTold }: Talk, alone: Reading) {
  const money = alone.money ?? (wished?.wishes.length === 0 ? wished.money : null);
  const reading = { ...alone, money };
  return wished && isOrder(wished) && !isTold && joins(wished, reading)
    ? { reading: withOrder(wished, reading), wished: null }
    : { reading, wished };
}

function askBeans(last: Talk, heard: Reading, declined: boolean, setting: Setting): Talk {
  // "A decaf for her, and a dark one; one bag of each?" First they are told.
  const ofEach = OF_EACH.test(heard.part) || (isOfAll(last, heard) && TOGETHER.test(heard.text));
  const told = ofEach ? settle(last, setting) : last;
  const { beans } = setting.lexicon;
  const all = spokenOf(told, beans);
  const before = isOfAll(told, heard) ? all : told.before;
  const scoped = scopeOf(heard, beans, before).length < beans.length;
  // "Which grind for the AeroPress, and how long?"
  const goesOn = asksFor(heard, "brewing") && scoped && methodsOf(heard.wishes).length === 0;
  const methods = goesOn && told.last ? methodsOf(told.last.wishes) : [];
  const own = { ...heard, wishes: [...methods, ...heard.wishes] };
  const { wished } = told;
  const joined = wished && !scoped && joins(wished, own) && !areApart(wished, own, beans);
  const reading = joined ? together(wished, own) : own;
  const talk = joined ? { ...told, before } : settle({ ...told, before }, setting);
  // "A decaf for her and a light roast for me; one of each?" There are two light roasts.
  const sets = told.statements.filter(({ facts }) => facts.length > 0).length;
  const areTold = all.length > (told.before.length === 0 ? 0 : Math.max(sets, told.before.length));
  if (ofEach && areTold) return take(talk, sentence(SEVERAL_FIT), heard, setting);
  if (isWish(own) || isOrder(own)) return { ...talk, wished: reading, isTold: false };
  const isRead = isUnderstood(reading) && !isStranger(reading);
  const confirms = talk.statements.length > 0 && CONFIRMS.test(reading.part);
  const answer = isRead && !confirms ? evaluate(reading, setting, talk.before) : null;
  // "Two Guji to Denver": where they go makes no other sum.
  const isGoal = (run: string) => RegExp(`\\b(?:to|in|from) ${run}\\b`, "u").test(reading.text);
  const sums = answer && reading.unread.some(isGoal) && linesOf(reading, beans).length > 0;
  const rest = sums ? reading.unread.filter((run) => !isGoal(run)) : reading.unread;
  const said = confirms ? null : (answer ?? smallTalk(reading, beans));
  const asks = reading.unread.length > 0 || (reading.question && !confirms);
  const heardAll = { ...talk, isTold: true, last: reading };
  return said || (!declined && asks)
    ? take(heardAll, said, { ...reading, unread: rest }, setting)
    : heardAll;
}

const SEVERAL_FIT = "More than one fits, so that no sum is told: name the bags.";

/** "Which of them", "both", "and which is lighter?": of all that were told, one after the other. */
const isOfAll = ({ before }: Talk, { degree, part }: Reading): boolean =>
  before.length === 1 &&
  ((degree?.form === "comp" && /\bwhich\b/.test(part)) ||
    /\b(?:them|they|both|either|the two|difference|which one)\b/.test(part));

const spokenOf = ({ statements }: Talk, beans: Beans): Beans =>
  beans.filter(({ id }) =>
    statements.some(({ facts }) => facts.some(({ product_id }) => product_id === id)),
  );

/** Wishes that no question followed are one themselves. */
function settle(talk: Talk, setting: Setting): Talk {
  const { wished, isTold, before } = talk;
  const told = { ...talk, isTold: true };
  if (!wished || isTold) return told;
  return take(told, evaluate(wished, setting, before), wished, setting);
}

/** Adds what is said to a part, and what of it is left open. */
function take(talk: Talk, statement: Statement | null, reading: Reading, setting: Setting): Talk {
  const { foreign } = setting;
  const unread = foreign ? "" : reading.unread.join(" ");
  // "The Guji sounds amazing. How do I brew it?"
  const before = reading.refers ? spoken(setting.lexicon.beans, reading.wishes) : talk.before;
  if (!statement) return leave({ ...talk, before }, reading.part, reading, setting);
  const unknown = [...reading.unread, ...(statement.open ?? [])];
  const beside = (!foreign && statement.open) || unspoken(reading, statement);
  // A word that is not known in another language may be a small one: but of that no yes is said.
  const strange = foreign && unknown.length > 0 && statement.verdict?.is === "yes";
  const isOpen = unread !== "" || beside.length > 0 || strange;
  const told = {
    ...talk,
    statements: [...talk.statements, (isOpen ? withoutVerdict(statement) : statement) ?? []].flat(),
    before: statement.about.length > 0 ? statement.about : before,
  };
  const { left, open, ...rest } = unread === "" ? told : leave(told, unread, reading, setting);
  return {
    ...rest,
    left: [...left, ...beside],
    open: foreign ? open : [...open, ...quoted(beside)],
  };
}

/** A part that has no answer, or the words of it that are not understood. */
function leave(talk: Talk, typed: string, { unread }: Reading, { foreign }: Setting): Talk {
  const plain = unread.filter((run) => run.split(" ").every(isEnglish));
  const missing = !foreign || plain.length === unread.length ? quoted(plain) : [];
  return { ...talk, left: [...talk.left, typed], missing: [...talk.missing, ...missing] };
}

const quoted = (runs: readonly string[]): string[] =>
  runs.flatMap((run) => (noForbiddenTopic(run) || /\bproduced\b/.test(run) ? [] : `“${run}”`));

/** A part without the words that run into a gate, as it was typed and corrected, and what it says. */
function readPart(part: string, { lexicon, foreign }: Setting) {
  const gates = gatesOf(part);
  const matched = gates.flatMap(([, some]) => some);
  const asked = matched.reduce((rest, words) => rest.replace(words, " "), part);
  const tokens = correct(tokenise(asked), lexicon, foreign);
  const text = tokens.join(" ").replace(/ ?[,.?!;:]+(?!\d)/g, "");
  return {
    gates: new Set(gates.map(([gate]) => gate)),
    text,
    reading: read(part, tokens, lexicon),
  };
}

/** A name alone with words beside it that say nothing to us is no reason for a description. */
const isUnderstood = ({ unread, specific, asks, named, cues, degree, said }: Reading): boolean =>
  unread.length === 0 ||
  (named && cues.has("COMPARE")) ||
  // "The shortest description" is no time.
  (specific && !(degree && unread.some((run) => run.split(" ").includes(said[degree.at + 1]!)))) ||
  asks.some(({ field }) => named || !/tasting_notes|roast|availability|country/.test(field));
