/** Part by part: what is declined, what the shop's policy answers, what is asked of the beans. */
import type { DeclineReason, Live } from "./answer.ts";
import { correct, spelt } from "./correct.ts";
import { evaluate } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { isNamed, meant, refers } from "./find.ts";
import type { Lexicon } from "./lexicon.ts";
import { orderOf, sumOf } from "./lookup.ts";
import { partsOf } from "./parts.ts";
import { policyAnswer } from "./policy-answers.ts";
import { type Reading, read } from "./reading.ts";
import { plainly, type Statement } from "./say.ts";
import { tokenise } from "./text.ts";
import { gatesOf } from "./topics.ts";

interface Setting {
  lexicon: Lexicon;
  live: Live;
  foreign: boolean;
  /** Something in it is about health: then no bean is named. */
  health: boolean;
}

/** Wishes that are only stated wait for the question they belong to. */
export function eachPart(text: string, { lexicon, live, foreign, health }: Setting) {
  const { beans } = lexicon;
  const statements: Statement[] = [];
  const declines = new Set<DeclineReason>();
  /** Parts without an answer, in the asker's words. */
  const left: string[] = [];
  let [before, wished, afterPolicy]: [Beans, Reading | null, boolean] = [[], null, false];
  const take = (done: Statement | null) => {
    if (done) statements.push(done);
    if (done && done.about.length > 0) before = done.about;
  };
  const settle = () => {
    if (wished) take(evaluate(wished, { beans, before, live }));
    wished = null;
  };
  for (const part of partsOf(spelt(text))) {
    const asked = withoutDeclined(part, declines);
    const declined = asked !== part;
    const strange = declined && declines.has("OFF_TOPIC");
    const tokens = correct(tokenise(asked), lexicon, foreign);
    const reading = read(tokens, lexicon);
    // "I have $50, how many is that?"
    if (wished?.money && wished.wishes.length === 0) reading.money ??= wished.money;
    const named = reading.wishes.some(refers);
    const policy = aboutPolicy([asked, tokens.join(" ")], reading, beans, live);
    if (declined && named) before = meant(beans, reading.wishes);
    if (policy && !strange && !(health && declined)) take(policy);
    if (wished?.wishes.length === 0 && (policy || reading.cues.has("COUNT"))) wished = null;
    // "How long can they be?" after an answer of policy is not about the beans.
    const ofPolicy = afterPolicy && reading.cues.has("IT") && !named;
    afterPolicy = policy !== null && policy.about.length === 0;
    if (health ? !policy || declined : ofPolicy && !policy) left.push(part);
    if (ofPolicy || health || strange) continue;
    if (declined ? !asksOfBeans(reading) : policy && !asksMore(reading)) continue;
    if (wished && joins(reading)) {
      wished = together(wished, reading);
      continue;
    }
    settle();
    if (isWish(reading)) {
      wished = reading;
      continue;
    }
    const done = isUnderstood(reading) ? evaluate(reading, { beans, before, live }) : null;
    take(done ?? smallTalk(reading, beans));
    if (done && !foreign && reading.unread.length > 0) left.push(reading.unread.join(" "));
    if (!done && !declined && isOpen(reading, statements)) left.push(part);
  }
  settle();
  return { statements, declines, left };
}

/** Notes what of a part is declined, and returns the rest. */
function withoutDeclined(part: string, declines: Set<DeclineReason>): string {
  let rest = part;
  for (const [gate, matched] of gatesOf(part)) {
    if (gate !== "HEALTH") declines.add(gate);
    for (const words of matched) rest = rest.replace(words, " ");
  }
  return rest;
}

/** As it was typed first: no correction may turn one topic into another. */
function aboutPolicy(
  texts: string[],
  reading: Reading,
  beans: Beans,
  live: Live,
): Statement | null {
  const { bags, money, asks, cues, wishes } = reading;
  const about = wishes.some(refers) ? meant(beans, wishes) : [];
  const lines = orderOf(reading, about);
  const priced = lines.length > 0 && asks.some(({ field }) => field === "price_minor");
  if (money !== null && cues.has("COUNT") && about.length === 1) return null;
  const amount = money ?? (lines.length > 0 ? sumOf(lines) : null);
  for (const typed of texts) {
    const text = typed.replace(/ ?[,.?!;:]+(?!\d)/g, "");
    const says =
      priced && !text.includes("free") ? null : policyAnswer({ text, amount, bags, live });
    if (says !== null) return plainly(says, about);
  }
  return null;
}

const isBean = ({ wishes }: Reading): boolean => wishes.some(isNamed);
const isSpecific = ({ wishes, degree, bound }: Reading): boolean =>
  degree !== null ||
  bound !== null ||
  wishes.some(({ trait, not }) => not || trait.kind !== "bean");

/** Beside what is declined: of a bean that is named, and more than where it grows. */
const asksOfBeans = (reading: Reading): boolean =>
  reading.wishes.some(refers) &&
  (isSpecific(reading) || reading.asks.some(({ field }) => field !== "country"));

/** Beside what the policy answers. */
const asksMore = ({ asks, wishes, question }: Reading): boolean =>
  (wishes.length > 0 &&
    (!question || asks.some(({ field }) => /process|varieties|tasting_notes/.test(field)))) ||
  wishes.some(({ trait }) => trait.kind === "availability");

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
  if (
    asks.some(({ field }) => !/choose_if|availability/.test(field)) ||
    isBean(reading) ||
    cues.has("COUNT")
  )
    return false;
  if (degree) return degree.form === "sup" && wishes.length === 0;
  const open = ["RECOMMEND", "LIST", "ELSE"].some((cue) => cues.has(cue));
  return wishes.length > 0
    ? !yesNo
    : open || bound !== null || (cues.has("IT") && unread.length === 0);
}

const together = (a: Reading, b: Reading): Reading => ({
  ...b,
  question: false,
  wishes: [...a.wishes, ...b.wishes],
  bound: b.bound ?? a.bound,
  unread: [...a.unread, ...b.unread],
  cues: new Set([...a.cues, ...b.cues]),
});

/** A part that wants an answer and has none. */
const isOpen = ({ cues, unread, question }: Reading, statements: readonly Statement[]): boolean =>
  !["GREETING", "THANKS", "HELP"].some((cue) => cues.has(cue)) &&
  (unread.length > 0 || statements.length === 0 || question);

function smallTalk({ cues, unread }: Reading, beans: Beans): Statement | null {
  if (unread.length > 0) return null;
  const greets = cues.has("GREETING");
  const says = greets || cues.has("HELP") ? help(beans) : "You are welcome.";
  return greets || cues.has("HELP") || cues.has("THANKS")
    ? { ...plainly(greets ? `Hello! ${says}` : says), weak: true }
    : null;
}

export const help = (beans: Beans): string =>
  "Ask me about the origin, process, variety, roast, notes, brewing or price of our " +
  `${beans.length} coffees, or about ordering and shipping.`;
