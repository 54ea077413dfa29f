/** Part by part: what is declined, what the shop's policy answers, what is asked of the beans. */
import type { DeclineReason, Live } from "./answer.ts";
import { correct, spelt } from "./correct.ts";
import { type Around, evaluate } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { isNamed, meant, refers } from "./find.ts";
import { gatesOf } from "./gates.ts";
import type { Lexicon } from "./lexicon.ts";
import { orderOf, sumOf } from "./lookup.ts";
import { partsOf } from "./parts.ts";
import { type Reading, read } from "./reading.ts";
import { type Piece, piece } from "./say.ts";
import { aboutShop } from "./shop.ts";
import { tokenise } from "./text.ts";

export interface Found {
  pieces: Piece[];
  declines: Set<DeclineReason>;
  /** Parts without an answer, in the asker's words. */
  left: string[];
}

interface Setting {
  lexicon: Lexicon;
  live: Live;
  foreign: boolean;
  /** Something in it is about health: then no bean is named. */
  ill: boolean;
}

/** Wishes that are only stated wait for the question they belong to. */
export function eachPart(text: string, { lexicon, live, foreign, ill }: Setting): Found {
  const found: Found = { pieces: [], declines: new Set(), left: [] };
  const around: Around = { beans: lexicon.beans, before: [], live };
  let wished: Reading | null = null;
  let policy = false;
  const take = (done: Piece | null) => {
    if (!done) return;
    found.pieces.push(done);
    if (done.about.length > 0) around.before = done.about;
  };
  const settle = (reading: Reading | null) => {
    wished = null;
    if (reading) take(evaluate(reading, around));
  };
  for (const part of partsOf(spelt(text))) {
    const asked = withoutDeclined(part, found.declines);
    const tokens = correct(tokenise(asked), lexicon, foreign);
    const reading = read(tokens, lexicon);
    const besides = aboutPolicy([asked, tokens.join(" ")], reading, around);
    const declined = asked !== part;
    if (declined && reading.wishes.some(refers))
      around.before = meant(lexicon.beans, reading.wishes);
    const strange = declined && found.declines.has("OFF_TOPIC");
    if (ill && (!besides || declined)) found.left.push(part);
    else if (!strange) take(besides);
    // "How long can they be?" after an answer of policy is not about the beans.
    const ofPolicy = policy && reading.cues.has("IT") && !reading.wishes.some(refers);
    policy = besides !== null && besides.about.length === 0;
    if (ofPolicy && !besides) found.left.push(part);
    if (
      ofPolicy ||
      ill ||
      strange ||
      (declined ? !asksOfBeans(reading) : besides && !asksMore(reading))
    )
      continue;
    if (wished && joins(reading)) wished = together(wished, reading);
    else if (isWish(reading)) {
      settle(wished);
      wished = reading;
    } else if (wished && reading.degree?.form === "sup" && reading.wishes.length === 0)
      settle(together(wished, reading));
    else {
      settle(wished);
      const done = isUnderstood(reading) ? evaluate(reading, around) : null;
      take(done ?? smallTalk(reading, lexicon.beans));
      if (done ? !foreign && reading.unread.length > 0 : !declined && isOpen(reading, found))
        found.left.push(done ? reading.unread.join(" ") : part);
    }
  }
  settle(wished);
  return found;
}

/** Notes what of a part is declined, and gives back the rest. */
function withoutDeclined(part: string, declines: Set<DeclineReason>): string {
  let rest = part;
  for (const { gate, matched } of gatesOf(part)) {
    if (gate !== "HEALTH") declines.add(gate);
    for (const words of matched) rest = rest.replace(words, " ");
  }
  return rest;
}

/** As it was typed first: no correction may turn one topic into another. */
function aboutPolicy(
  texts: readonly string[],
  reading: Reading,
  { beans, live }: Around,
): Piece | null {
  const { bags, money, asks, cues, wishes } = reading;
  const about = wishes.some(refers) ? meant(beans, wishes) : [];
  const lines = orderOf(reading, about);
  const priced = lines.length > 0 && asks.some(({ field }) => field === "price_minor");
  const counted = money !== null && cues.has("COUNT") && about.length === 1;
  const amount = money ?? (lines.length > 0 ? sumOf(lines) : null);
  for (const typed of texts) {
    const text = typed.replace(/ ?[,.?!;:]+(?!\d)/g, "");
    const says = aboutShop({ text, amount, bags, live });
    if (says !== null && !counted && (!priced || text.includes("free")))
      return piece(says, [], about);
  }
  return null;
}

const isBean = ({ wishes }: Reading): boolean => wishes.some(isNamed);
const isSpecific = ({ wishes, degree, bound }: Reading): boolean =>
  degree !== null ||
  bound !== null ||
  wishes.some(({ trait, not }) => not || trait.dimension !== "bean");

/** Beside what is declined: of a bean that is named, and more than where it grows. */
const asksOfBeans = (reading: Reading): boolean =>
  reading.wishes.some(refers) &&
  (isSpecific(reading) || reading.asks.some(({ field }) => field !== "country"));

/** Beside what the policy answers. */
const asksMore = ({ asks, wishes, question }: Reading): boolean =>
  (wishes.length > 0 &&
    (!question || asks.some(({ field }) => /process|varieties|tasting_notes/.test(field)))) ||
  wishes.some(({ trait }) => trait.dimension === "availability");

/** A name alone with words beside it that say nothing to us is no reason for a description. */
const isUnderstood = (reading: Reading): boolean =>
  reading.unread.length === 0 ||
  isSpecific(reading) ||
  reading.asks.some(({ field }) => isBean(reading) || !/tasting_notes|roast/.test(field));

const asksNothing = ({ asks }: Reading): boolean =>
  asks.every(({ field }) => field === "choose_if");
/** "I brew with a V60" asks for nothing either. */
const isTold = ({ said, asks }: Reading): boolean =>
  asks.every(({ field }) => field === "brewing") && said.some((word) => /^(?:i|we|my)$/.test(word));

const isWish = (reading: Reading): boolean =>
  !reading.question &&
  (asksNothing(reading) || isTold(reading)) &&
  !reading.degree &&
  !isBean(reading) &&
  (reading.wishes.length > 0 || reading.bound !== null);

const joins = (reading: Reading): boolean => {
  const { degree, yesNo, cues, wishes, bound } = reading;
  const open =
    wishes.length > 0 ||
    bound !== null ||
    ["RECOMMEND", "LIST", "ELSE"].some((cue) => cues.has(cue)) ||
    (cues.has("IT") && reading.unread.length === 0);
  return (
    asksNothing(reading) &&
    !degree &&
    !isBean(reading) &&
    (!yesNo || wishes.length === 0) &&
    !cues.has("COUNT") &&
    open
  );
};

const together = (a: Reading, b: Reading): Reading => ({
  ...b,
  question: false,
  wishes: [...a.wishes, ...b.wishes],
  bound: b.bound ?? a.bound,
  unread: [...a.unread, ...b.unread],
  cues: new Set([...a.cues, ...b.cues]),
});

/** A part that wants an answer and has none. */
const isOpen = ({ cues, unread, question }: Reading, { pieces }: Found): boolean =>
  !["GREETING", "THANKS", "HELP"].some((cue) => cues.has(cue)) &&
  (unread.length > 0 || pieces.length === 0 || question);

function smallTalk({ cues, unread }: Reading, beans: Beans): Piece | null {
  const { text } = help(beans);
  const says = cues.has("GREETING")
    ? `Hello! ${text}`
    : cues.has("THANKS")
      ? "You are welcome."
      : cues.has("HELP")
        ? text
        : null;
  return says === null || unread.length > 0 ? null : { ...piece(says), weak: true };
}

export const help = (beans: Beans): Piece =>
  piece(
    "Ask me about the origin, process, variety, roast, notes, brewing or price of our " +
      `${beans.length} coffees, or about ordering and shipping.`,
  );
