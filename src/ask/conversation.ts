/** Part by part: what is declined, what the policy answers, what is asked of the beans. */
import type { Live } from "./ask.ts";
import { correct, spelt } from "./correct.ts";
import { evaluate } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { spoken } from "./find.ts";
import type { Lexicon } from "./lexicon.ts";
import { linesOf, sumOf } from "./lookup.ts";
import { partsOf } from "./parts.ts";
import { policyAnswer } from "./policy-answers.ts";
import { type Reading, read, type Wish } from "./reading.ts";
import { type Statement, sentence } from "./say.ts";
import { tokenise } from "./text.ts";
import { type DeclineReason, gatesOf } from "./topics.ts";

type Setting = Readonly<{ lexicon: Lexicon; live: Live; foreign: boolean; health: boolean }>;

/**
 * Wishes that are only stated wait for the question they belong to. Where something is about health, no
 * bean is named.
 */
export function answerParts(text: string, { lexicon, live, foreign, health }: Setting) {
  const { beans } = lexicon;
  const statements: Statement[] = [];
  const declines = new Set<string>();
  /** Parts without an answer, in the asker's words. */
  const left: string[] = [];
  let [before, wished, afterPolicy]: [Beans, Reading | null, boolean] = [[], null, false];
  const take = (statement: Statement | null) => {
    if (statement) statements.push(statement);
    if (statement?.about.length) before = statement.about;
  };
  const settle = () => {
    if (wished) take(evaluate(wished, beans, before, live));
    wished = null;
  };
  for (const part of partsOf(spelt(text))) {
    const gates = gatesOf(part);
    for (const [gate] of gates) declines.add(gate);
    const asked = gates.flatMap(([, matched]) => matched).reduce(without, part);
    const tokens = correct(tokenise(asked), lexicon, foreign);
    const reading = read(tokens, lexicon);
    const { cues, wishes, unread } = reading;
    // "I have $50, how many is that?"
    if (wished?.money && wished.wishes.length === 0) reading.money ??= wished.money;
    const policy = aboutPolicy([asked, tokens.join(" ")], reading, beans, live);
    const declined = gates.length > 0;
    if (gates.some(([gate]) => gate === "OFF_TOPIC")) continue;
    if (policy) take(policy);
    if (health && !policy) left.push(part);
    if (health) continue;
    const named = wishes.some(({ refers }) => refers);
    if (declined && named) before = spoken(beans, wishes);
    if (wished?.wishes.length === 0 && (policy || cues.has("COUNT"))) wished = null;
    // "How long can they be?" after an answer of policy is not about the beans.
    const ofPolicy = afterPolicy && cues.has("IT") && !named;
    afterPolicy = policy !== null && policy.about.length === 0;
    if (ofPolicy && !policy) left.push(part);
    if (ofPolicy || (declined ? !asksOfBeans(reading) : policy && !asksMore(reading))) continue;
    if (wished && joins(reading)) {
      wished = together(wished, reading);
      continue;
    }
    settle();
    if (isWish(reading)) {
      wished = reading;
      continue;
    }
    const answer = isUnderstood(reading) ? evaluate(reading, beans, before, live) : null;
    const said = answer ?? smallTalk(reading, beans);
    take(said);
    if (answer && !foreign && unread.length > 0) left.push(unread.join(" "));
    const open = unread.length > 0 || statements.length === 0 || reading.question;
    if (!said && !declined && open) left.push(part);
  }
  settle();
  return { statements, declines: declines as ReadonlySet<DeclineReason>, left };
}

const without = (text: string, words: string): string => text.replace(words, " ");

/** As it was typed first: no correction may turn one topic into another. */
function aboutPolicy(texts: string[], reading: Reading, beans: Beans, live: Live) {
  const { bags, money, asks, cues, wishes } = reading;
  const about = spoken(beans, wishes);
  const lines = linesOf(reading, about);
  const priced = lines.length > 0 && asks.some(({ field }) => field === "price_minor");
  if (money !== null && cues.has("COUNT") && about.length === 1) return null;
  const amount = money ?? (lines.length > 0 ? sumOf(lines) : null);
  const [says] = texts.flatMap((typed) => {
    const text = typed.replace(/ ?[,.?!;:]+(?!\d)/g, "");
    return (
      (priced && !/free|address/.test(text) ? null : policyAnswer({ text, amount, bags, live })) ??
      []
    );
  });
  return says === undefined ? null : sentence(says, about);
}

const isBean = ({ wishes }: Reading): boolean => wishes.some(({ named }) => named);
const isSpecific = ({ wishes, degree, bound }: Reading): boolean =>
  degree !== null || bound !== null || wishes.some((wish) => wish.not || !wish.named);

/** Beside what is declined: of a bean that is named, and more than where it grows. */
const asksOfBeans = (reading: Reading): boolean =>
  reading.wishes.some(({ refers }) => refers) &&
  (isSpecific(reading) || reading.asks.some(({ field }) => field !== "country"));

const isAvailability = ({ trait }: Wish): boolean => trait.kind === "availability";

/** Beside what the policy answers. */
const asksMore = ({ asks, wishes, question }: Reading): boolean =>
  (wishes.length > 0 &&
    (!question || asks.some(({ field }) => /process|varieties|tasting_notes/.test(field)))) ||
  (asks.length === 0 &&
    wishes.some(isAvailability) &&
    wishes.every((one) => one.named || isAvailability(one)));

/** A name alone with words beside it that say nothing to us is no reason for a description. */
const isUnderstood = (reading: Reading): boolean =>
  reading.unread.length === 0 ||
  isSpecific(reading) ||
  reading.asks.some(({ field }) => isBean(reading) || !/tasting_notes|roast/.test(field));

/** "I like fruity coffee", "I brew with a V60": asks for nothing yet. */
function isWish(reading: Reading): boolean {
  const { said, asks, wishes, bound, degree, question, money } = reading;
  const told = said.some((word) => /^(?:i|we|my)$/.test(word));
  const idle = asks.every(({ field }) => field === "choose_if" || (told && field === "brewing"));
  const wishful = wishes.length > 0 || bound !== null || money !== null;
  return !question && idle && !degree && !isBean(reading) && wishful;
}

/** It goes on with the wishes before it. */
function joins(reading: Reading): boolean {
  const { degree, yesNo, cues, wishes, bound, asks, unread } = reading;
  const asksElse = asks.some(({ field }) => !/choose_if|availability/.test(field));
  if (asksElse || isBean(reading) || cues.has("COUNT")) return false;
  if (degree) return degree.form === "sup" && wishes.length === 0;
  if (wishes.length > 0) return !yesNo;
  const open = ["RECOMMEND", "LIST", "ELSE"].some((cue) => cues.has(cue));
  return open || bound !== null || (cues.has("IT") && unread.length === 0);
}

const together = (a: Reading, b: Reading): Reading => ({
  ...b,
  question: false,
  wishes: [...a.wishes, ...b.wishes],
  bound: b.bound ?? a.bound,
  unread: [...a.unread, ...b.unread],
  cues: new Set([...a.cues, ...b.cues]),
});

function smallTalk({ cues, unread }: Reading, beans: Beans): Statement | null {
  const talk = {
    GREETING: `Hello! ${help(beans)}`,
    HELP: help(beans),
    THANKS: "You are welcome.",
  };
  const [, says] = Object.entries(talk).find(([cue]) => cues.has(cue)) ?? [];
  return says === undefined || unread.length > 0 ? null : { ...sentence(says), weak: true };
}

export const help = (beans: Beans): string =>
  "Ask me about the origin, process, variety, roast, notes, brewing or price of our " +
  `${beans.length} coffees, or about ordering and shipping.`;
