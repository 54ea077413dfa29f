/** A question to its answer: a query engine over facts, no language model (contract §9). */
import type { Catalog } from "../domain/catalog/catalog.ts";
import { noForbiddenTopic } from "../domain/catalog/forbidden-topics.ts";
import { linesOf, sumOf } from "./amounts.ts";
import type { Answer, Live } from "./ask.ts";
import { correct, isEnglish, spelt } from "./correct.ts";
import { evaluate, type Setting } from "./evaluate.ts";
import { type Beans, beansOf } from "./facts.ts";
import { spoken } from "./find.ts";
import { inEnglish } from "./languages.ts";
import { createLexicon } from "./lexicon.ts";
import { HEALTH_SAYS, policyAnswer } from "./policy-answers.ts";
import { type Reading, read } from "./reading.ts";
import { type Statement, sentence } from "./say.ts";
import { fold, join, partsOf, tokenise } from "./text.ts";
import { DECLINES, type DeclineReason, gatesOf, isShared, isTopical } from "./topics.ts";

export type Engine = (question: string, live?: Live) => Answer;

/** Of these the whole question is left alone; beside the others, what else it asks is answered. */
const WHOLE = ["KEY_REQUEST", "PROMPT_INJECTION"] as const;
const NOT_ALL = "I did not understand a part of the question, so that part is not answered.";

/** Reads the catalog; the function it makes is pure and quick. */
export function createEngine(catalog: Catalog): Engine {
  const lexicon = createLexicon(beansOf(catalog));
  return (question, live = {}) => reply(question, { lexicon, live });
}

function reply(question: string, setting: Setting): Answer {
  const { text, says, declined: unread } = inEnglish(question, setting.lexicon.isSpelt);
  const foreign = says !== null;
  const folded = fold(text);
  // The original too: a word of refusal may be one that was not translated.
  const texts = foreign ? [fold(question), folded] : [folded];
  const gates = new Set(texts.flatMap(gatesOf).map(([gate]) => gate));
  const whole = WHOLE.find((gate) => gates.has(gate));
  if (whole) return { answer: DECLINES[whole], facts: [], declined: whole };
  if (unread) return { answer: `${says} ${DECLINES.LANGUAGE}`, facts: [], declined: "LANGUAGE" };
  const health = gates.has("HEALTH");
  const { statements, declines, left, missing } = answerParts(folded, setting, foreign, health);
  const declined = (Object.keys(DECLINES) as DeclineReason[]).filter(
    (reason) => declines.has(reason) || (foreign && reason !== "OFF_TOPIC" && gates.has(reason)),
  );
  const strong = statements.filter(({ weak }) => !weak);
  const kept = strong.length > 0 || declined.length > 0 || health ? strong : statements;
  const said = [
    ...(foreign && kept.length + missing.length > 0 ? [says] : []),
    ...(health ? [HEALTH_SAYS] : []),
    ...declined.map((reason) => DECLINES[reason]),
    ...kept.map((statement) => statement.text),
  ];
  const idle = said.length === 0;
  if (missing.length > 0 && !health) said.push(`I did not find ${join(missing)} among our facts.`);
  else if (left.length > 0 && !health) said.push(idle ? "I did not understand that." : NOT_ALL);
  if (idle && missing.length === 0) said.push(help(setting.lexicon.beans));
  return {
    answer: [...new Set(said)].join(" "),
    facts: [...new Set(kept.flatMap(({ facts }) => facts))],
    ...(declined[0] && { declined: declined[0] }),
    ...(left.length > 0 && { not_answered: left }),
  };
}

/**
 * Part by part: what is declined, what the policy answers, what is asked of the beans. Wishes that are
 * only stated wait for the question they belong to. Where something is about health, no bean is named.
 */
function answerParts(text: string, setting: Setting, foreign: boolean, health: boolean) {
  const { beans } = setting.lexicon;
  const statements: Statement[] = [];
  const declines = new Set<string>();
  /** Parts without an answer, in the asker's words. */
  const left: string[] = [];
  /** Words of them that are plain English, and nothing that our facts speak of. */
  const missing = new Set<string>();
  const leave = (typed: string, { unread }: Reading) => {
    const plain = unread.filter((run) => run.split(" ").every(isEnglish) && !noForbiddenTopic(run));
    for (const run of foreign && plain.length < unread.length ? [] : plain) missing.add(`“${run}”`);
    left.push(typed);
  };
  /** `topic`: the words that told what the policy answered just before. */
  let [before, wished, topic]: [Beans, Reading | null, string] = [[], null, ""];
  const take = (statement: Statement | null, reading: Reading, typed: string) => {
    const unread = foreign ? "" : reading.unread.join(" ");
    if (statement) statements.push(statement);
    if (statement?.about.length) before = statement.about;
    if (!statement || unread !== "") leave(statement ? unread : typed, reading);
  };
  const settle = () => {
    if (wished) take(evaluate(wished, setting, before), wished, wished.said.join(" "));
    wished = null;
  };
  for (const part of partsOf(spelt(text))) {
    const { gates, texts, reading: alone } = readPart(part, setting, foreign);
    let reading = alone;
    for (const gate of gates) declines.add(gate);
    if (gates.includes("OFF_TOPIC")) continue;
    const declined = gates.length > 0;
    const bare = reading.wishes.length === 0 && !reading.degree;
    if (wished && isOrder(wished) && (bare || isOrder(reading)))
      [reading, wished] = [{ ...together(wished, reading), question: reading.question }, null];
    const { cues, refers } = reading;
    // "I have $50, how many is that?"
    if (wished?.money && wished.wishes.length === 0) reading.money ??= wished.money;
    // "How long can they be?" after an answer of policy is not about the beans.
    const goesOn = topic !== "" && cues.has("IT") && !refers;
    if (goesOn) texts.push(part.replace(/\b(?:it|they|them|that|those)\b/, topic));
    const answers = texts.values().map((typed) => ofPolicy(typed, reading, setting));
    const policy = answers.find((says) => says !== null) ?? null;
    topic = policy?.about.length === 0 ? policy.words : "";
    const only =
      goesOn || health || (declined ? !asksOfBeans(reading) : policy && !asksMore(reading));
    if (policy) {
      // Those that no topic is told by.
      reading.unread = reading.unread.filter((run) => isLeftOpen(run, policy.words));
      take(policy, only ? reading : { ...reading, unread: [] }, part);
    } else if (goesOn || health) leave(part, reading);
    if (declined && refers) before = spoken(beans, reading.wishes);
    if (wished?.wishes.length === 0 && (policy || cues.has("COUNT"))) wished = null;
    if (only) continue;
    if (wished && !isOrder(wished) && joins(reading)) {
      wished = together(wished, reading);
      continue;
    }
    settle();
    if (isWish(reading) || isOrder(reading)) {
      wished = reading;
      continue;
    }
    // "Which of them", "both": of one bean after the other.
    if (before.length === 1 && /\b(?:them|they|both)\b/.test(part))
      before = [...new Set(statements.flatMap(({ about }) => about))];
    const answer =
      isUnderstood(reading) && !isStranger(reading) ? evaluate(reading, setting, before) : null;
    const said = answer ?? smallTalk(reading, beans);
    const open = reading.unread.length > 0 || statements.length === 0 || reading.question;
    if (said || (!declined && open)) take(said, reading, part);
  }
  settle();
  return { statements, declines, left, missing: [...missing] };
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

function ofPolicy(typed: string, reading: Reading, { lexicon, live }: Setting) {
  const { bags, money, asks, cues, wishes } = reading;
  const about = spoken(lexicon.beans, wishes);
  const lines = linesOf(reading, about);
  const priced = lines.length > 0 && asks.some(({ field }) => field === "price_minor");
  const text = typed.replace(/ ?[,.?!;:]+(?!\d)/g, "");
  if (priced && !/free|addresses|(?:shipping|delivery) to\b/.test(text) && !isShared(text))
    return null;
  const buys = cues.has("COUNT") || /\bwhat (?:can|could) (?:i|we) (?:get|buy|afford)\b/.test(text);
  if (money !== null && buys) return null;
  const amount = money ?? (lines.length > 0 && !cues.has("COUNT") ? sumOf(lines) : null);
  const says = policyAnswer({ text, amount, bags, live });
  return says && { ...sentence(says[0], about), words: says[1] };
}

/** Of what the policy answers: plain words that it is never told by. */
const isLeftOpen = (run: string, topic: string): boolean =>
  !topic.includes(run) && run.split(" ").every((word) => isEnglish(word) && !isTopical(word));

/** Beside what is declined: of a bean that is named, and more than where it grows. */
const asksOfBeans = ({ refers, specific, asks }: Reading): boolean =>
  refers && (specific || asks.some(({ field }) => field !== "country"));

/** Beside what the policy answers. */
function asksMore({ asks, wishes, question }: Reading): boolean {
  const others = wishes.filter(({ trait }) => trait.kind !== "availability");
  const sold = asks.length === 0 && others.length < wishes.length;
  if (sold && others.every(({ named }) => named)) return true;
  const told = asks.some(({ field }) => /process|varieties|tasting_notes/.test(field));
  return wishes.length > 0 && (!question || told);
}

/** Of what is none of our beans nothing is told: "is the Yirga washed?" */
const isStranger = ({ yesNo, said, unread }: Reading): boolean =>
  yesNo && unread.some((run) => RegExp(`^\\w+ (the )?${run}\\b`, "u").test(said.join(" ")));

/** A name alone with words beside it that say nothing to us is no reason for a description. */
const isUnderstood = ({ unread, specific, asks, named, cues }: Reading): boolean =>
  unread.length === 0 ||
  specific ||
  (named && cues.has("COMPARE")) ||
  asks.some(({ field }) => named || !/tasting_notes|roast|availability/.test(field));

/** "I like fruity coffee", "I brew with a V60": asks for nothing yet. */
function isWish({ said, asks, wishes, bound, degree, question, money, named }: Reading): boolean {
  const told = said.some((word) => /^(?:i|we|my)$/.test(word));
  const idle = asks.every(({ field }) => field === "choose_if" || (told && field === "brewing"));
  const wishful = wishes.length > 0 || bound !== null || money !== null;
  return !question && idle && !degree && !named && wishful;
}

/** "I need two Huila.": bags that a question about their sum may follow. */
const isOrder = ({ question, degree, bound, wishes }: Reading): boolean =>
  !(question || degree || bound) &&
  wishes.length > 0 &&
  wishes.every(({ refers, bags }) => refers && bags !== null);

/** It goes on with the wishes before it. */
function joins({ degree, yesNo, cues, wishes, bound, asks, unread, named }: Reading): boolean {
  const asksElse = asks.some(({ field }) => !/choose_if|availability/.test(field));
  if (asksElse || named || cues.has("COUNT")) return false;
  if (degree) return degree.form === "sup" && wishes.length === 0;
  if (wishes.length > 0) return !yesNo;
  const open = ["RECOMMEND", "LIST", "ELSE"].some((cue) => cues.has(cue));
  return open || bound !== null || (cues.has("IT") && unread.length === 0);
}

const together = (a: Reading, b: Reading): Reading => ({
  ...b,
  question: false,
  refers: a.refers || b.refers,
  wishes: [...a.wishes, ...b.wishes],
  bound: b.bound ?? a.bound,
  unread: [...a.unread, ...b.unread],
  cues: new Set([...a.cues, ...b.cues]),
});

function smallTalk({ cues, unread }: Reading, beans: Beans): Statement | null {
  const asks = help(beans);
  const talk = { GREETING: `Hello! ${asks}`, HELP: asks, THANKS: "You are welcome." };
  const [, says] = Object.entries(talk).find(([cue]) => cues.has(cue)) ?? [];
  return says === undefined || unread.length > 0 ? null : { ...sentence(says), weak: true };
}

const help = (beans: Beans): string =>
  "Ask me about the origin, process, variety, roast, notes, brewing or price of our " +
  `${beans.length} coffees, or about ordering and shipping.`;
