/** The parts of one question, each read after those before it: wishes, ellipses and "it" carry over. */
import { noForbiddenTopic } from "../domain/catalog/forbidden-topics.ts";
import { isEachSent, linesOf, shippingFree, sumOf } from "./amounts.ts";
import { isElliptic, isOrder, isWish, joins, resumed, together, withOrder } from "./carry.ts";
import { correct, isEnglish } from "./correct.ts";
import { unspoken, withoutVerdict } from "./coverage.ts";
import { evaluate, type Setting, scopeOf } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { methodsOf, spoken } from "./find.ts";
import { policyAnswer } from "./policy-answers.ts";
import { type Reading, read } from "./reading.ts";
import { help, type Statement, sentence } from "./say.ts";
import { partsOf, tokenise } from "./text.ts";
import { gatesOf, isShared, isTopical } from "./topics.ts";

type Manner = Readonly<{ foreign: boolean; health: boolean }>;

/**
 * Part by part: what is declined, what the policy answers, what is asked of the beans. Wishes that are
 * only stated wait for the question they belong to, and hold for those after it. Where something is about
 * health, no bean is named.
 */
export function answerParts(text: string, setting: Setting, { foreign, health }: Manner) {
  const { beans } = setting.lexicon;
  const statements: Statement[] = [];
  const declines = new Set<string>();
  /** Parts without an answer, in the asker's words. */
  const left: string[] = [];
  /** Words of them that are plain English, and nothing that our facts speak of; or that we know. */
  const [missing, open] = [new Set<string>(), new Set<string>()];
  const quote = (runs: readonly string[], to: Set<string>) => {
    for (const run of runs) if (!noForbiddenTopic(run)) to.add(`“${run}”`);
  };
  const leave = (typed: string, { unread }: Reading) => {
    const plain = unread.filter((run) => run.split(" ").every(isEnglish));
    if (!foreign || plain.length === unread.length) quote(plain, missing);
    left.push(typed);
  };
  let before: Beans = [];
  /** Wishes that were stated, and whether something has been answered by them. */
  let wished: Reading | null = null;
  let isTold = false;
  /** What was asked of the beans just before; the words that told what the policy answered. */
  let last: Reading | null = null;
  let topic = "";
  const take = (statement: Statement | null, reading: Reading, typed: string) => {
    const unread = foreign ? "" : reading.unread.join(" ");
    const beside = statement && statement.topic === undefined ? unspoken(reading, statement) : [];
    // A word that is not known in another language may be a small one: but of that no yes is said.
    const strange = foreign && reading.unread.length > 0 && statement?.verdict?.is === "yes";
    const isOpen = unread !== "" || beside.length > 0 || strange;
    const told = statement && isOpen ? withoutVerdict(statement) : statement;
    if (told) statements.push(told);
    if (statement?.about.length) before = statement.about;
    if (!statement || unread !== "") leave(statement ? unread : typed, reading);
    left.push(...beside);
    if (!foreign) quote(beside, open);
  };
  const settle = () => {
    if (wished && !isTold) take(evaluate(wished, setting, before), wished, wished.text);
    isTold = true;
  };
  const askBeans = (part: string, heard: Reading, declined: boolean, resumes: boolean) => {
    let reading = heard;
    // "Which of them", "both", "and which is lighter?": of all that were told, one after the other.
    const which = reading.degree?.form === "comp" && /\bwhich\b/.test(part);
    if (before.length === 1 && (which || /\b(?:them|they|both)\b/.test(part))) {
      const told = new Set(statements.flatMap(({ facts }) => facts.map((fact) => fact.product_id)));
      before = beans.filter(({ id }) => told.has(id));
    }
    const scoped = scopeOf(reading, beans, before).length < beans.length;
    // "Which grind for the AeroPress, and how long?"
    const methods = last && scoped && !resumes ? methodsOf(last.wishes) : [];
    const brews = reading.asks.some(({ field }) => field === "brewing");
    if (brews && methodsOf(reading.wishes).length === 0)
      reading = { ...reading, wishes: [...methods, ...reading.wishes] };
    const joined: boolean = wished !== null && !resumes && !scoped && joins(wished, reading);
    if (isWish(reading) || isOrder(reading)) {
      if (!joined) settle();
      [wished, isTold] = [joined ? together(wished!, reading) : reading, false];
      return;
    }
    if (joined) [reading, isTold] = [together(wished!, reading), true];
    else settle();
    const answer =
      isUnderstood(reading) && !isStranger(reading) ? evaluate(reading, setting, before) : null;
    const said = answer ?? smallTalk(reading, beans);
    const asks = reading.unread.length > 0 || reading.question;
    if (said || (!declined && asks)) take(said, reading, part);
    last = reading;
  };
  const hear = (part: string) => {
    const { gates, texts, reading: alone } = readPart(part, setting, foreign);
    for (const gate of gates) declines.add(gate);
    if (gates.includes("OFF_TOPIC")) return;
    const declined = gates.length > 0;
    const resumes: boolean = last !== null && isElliptic(alone, part);
    let reading: Reading = resumes ? resumed(last!, alone) : alone;
    // "I have $50, how many is that?"
    if (wished?.wishes.length === 0) reading.money ??= wished.money;
    if (wished && isOrder(wished) && !isTold && joins(wished, reading))
      [reading, wished] = [withOrder(wished, reading), null];
    const { cues, refers } = reading;
    // "How long can they be?" after an answer of policy is not about the beans.
    const it = (cues.has("IT") || /\b(?:is|are) that\b/.test(part)) && !refers;
    const goesOn = topic !== "" && (it || isElliptic(alone, part));
    if (goesOn)
      texts.push(part.replace(/\b(?:it|they|them|that|those)\b/, topic), `${topic} ${part}`);
    const policy = ofPolicy(texts, reading, setting);
    topic = policy?.about.length === 0 ? policy.topic : "";
    const told = declined ? !asksOfBeans(reading) : policy && !asksMore(reading, policy.topic);
    const only = goesOn || health || told;
    if (policy) {
      // Those that no topic is told by.
      reading.unread = reading.unread.filter((run) => isLeftOpen(run, policy.topic));
      take(policy, only ? reading : { ...reading, unread: [] }, part);
    } else if (goesOn || health) leave(part, reading);
    if (declined && refers) before = spoken(beans, reading.wishes);
    if (only) return;
    askBeans(part, reading, declined, resumes);
  };
  for (const part of partsOf(text)) hear(part);
  settle();
  if (statements.length + declines.size + left.length === 0) left.push(text);
  return { statements, declines, left, missing: [...missing], open: [...open] };
}

/** A part without the words that run into a gate, as it was typed and corrected, and what it says. */
function readPart(part: string, { lexicon }: Setting, foreign: boolean) {
  const gates = gatesOf(part);
  const matched = gates.flatMap(([, some]) => some);
  const asked = matched.reduce((rest, words) => rest.replace(words, " "), part);
  const tokens = correct(tokenise(asked), lexicon, foreign);
  // As it was typed first: no correction may turn one topic into another.
  const texts = [asked, tokens.join(" ")];
  return { gates: gates.map(([gate]) => gate), texts, reading: read(tokens, lexicon) };
}

/** "I read that shipping is $5", "one Huila each". */
const TELLS_FEE =
  /(?<!of )\beach\b|\b(?:shipping|delivery) (?:\w+ ){0,2}(?:is|costs?) (?:\w+ ){0,2}\$?\d/;

/** What policy answers to the first of these texts that it answers at all. */
function ofPolicy(typed: readonly string[], reading: Reading, { lexicon, live }: Setting) {
  const { bags, money, asks, cues, wishes } = reading;
  const about = spoken(lexicon.beans, wishes);
  const lines = linesOf(reading, about);
  const priced = lines.length > 0 && asks.some(({ field }) => field === "price_minor");
  const each = isEachSent(lines, reading.said);
  const answerTo = (text: string) => {
    const single = priced && !isShared(text);
    if ((each || single) && !/free|addresses|(?:shipping|delivery) to\b/.test(text)) return null;
    const free = cues.has("COUNT") && /\bfree\b/.test(text) && shippingFree(about, lexicon.beans);
    if (free) return { ...free, topic: text };
    const buys =
      cues.has("COUNT") || /\bwhat (?:can|could) (?:i|we) (?:get|buy|afford)\b/.test(text);
    if (money !== null && (buys || /\benough\b/.test(text))) return null;
    const sum = lines.length > 0 ? sumOf(lines) : null;
    const amount = TELLS_FEE.test(text) ? null : (money ?? sum);
    const isExclusive =
      reading.named && about.some(({ product }) => product.availability === "EXCLUSIVE");
    return policyAnswer({ text, amount, bags, isExclusive, live }, about);
  };
  // Without their marks most are the same.
  const texts = new Set(typed.map((text) => text.replace(/ ?[,.?!;:]+(?!\d)/g, "")));
  const answers = texts.values().map(answerTo);
  return answers.find((says) => says !== null) ?? null;
}

/** Of what the policy answers: plain words that it is never told by. */
const isLeftOpen = (run: string, topic: string): boolean =>
  !topic.includes(run) && run.split(" ").every((word) => isEnglish(word) && !isTopical(word));

/** Beside what is declined: of a bean that is named, and more than where it grows. */
const asksOfBeans = ({ refers, specific, asks }: Reading): boolean =>
  refers && (specific || asks.some(({ field }) => field !== "country"));

/** Beside what the policy answers. */
function asksMore({ asks, wishes: all, question }: Reading, topic: string): boolean {
  const wishes = all.filter(
    ({ trait, typed }) => trait.kind !== "origin" || !topic.includes(typed),
  );
  const others = wishes.filter(({ trait }) => trait.kind !== "availability");
  const sold = asks.length === 0 && others.length < wishes.length;
  const keyed = others.length === 0 && topic.includes("key");
  if (sold && !keyed && others.every(({ named }) => named)) return true;
  const told = asks.some(({ field }) => /process|varieties|tasting_notes/.test(field));
  return wishes.length > 0 && (!question || told);
}

/** Of what is none of our beans nothing is told: "is the Yirga washed?" */
const isStranger = ({ yesNo, text, unread }: Reading): boolean =>
  yesNo && unread.some((run) => RegExp(`^\\w+ (the )?${run}\\b`, "u").test(text));

/** A name alone with words beside it that say nothing to us is no reason for a description. */
const isUnderstood = ({ unread, specific, asks, named, cues, degree, said }: Reading): boolean =>
  unread.length === 0 ||
  // "The shortest description" is no time.
  (specific && !(degree && unread.some((run) => run.split(" ").includes(said[degree.at + 1]!)))) ||
  (named && cues.has("COMPARE")) ||
  asks.some(({ field }) => named || !/tasting_notes|roast|availability|country/.test(field));

function smallTalk({ cues, unread }: Reading, beans: Beans): Statement | null {
  const asks = help(beans);
  const talk = { GREETING: `Hello! ${asks}`, HELP: asks, THANKS: "You are welcome." };
  const [, says] = Object.entries(talk).find(([cue]) => cues.has(cue)) ?? [];
  return says === undefined || unread.length > 0 ? null : { ...sentence(says), weak: true };
}
