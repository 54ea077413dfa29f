/** Whether an answer speaks of all that its question does. */
import { fieldOf } from "./facts.ts";
import type { Item } from "./phrases.ts";
import type { Reading } from "./reading.ts";
import type { Statement } from "./say.ts";
import { SCALE_WORDS } from "./vocabulary.ts";

/** What only some answers are about. */
const TOLD: Readonly<Record<string, RegExp>> = {
  COUNT: /\d+ (?:of our|×|in all)|\bbuys\b/,
  SIMILAR: /most like|in common|nearest/i,
  SECOND: /second/i,
  THIRD: /third/i,
};

const UNIT = /^(?:bag|g|gram|l|lit(?:re|er)|minute|second|hour|degree|c|oz|ounce|cup|shot)$/;

/** "Yes: …" is said only where nothing of the question is left open, and what speaks against "all" too. */
export function withoutVerdict(statement: Statement): Statement | null {
  if (/^(?:Yes|No), (?:not )?all\b/.test(statement.text)) return null;
  return {
    ...statement,
    text: statement.text.replace(/^(?:Yes|No|It is)(?:, only)?(?: \(.*?\))?[:.] /, ""),
  };
}

/** Of what was understood, the words that the answer says nothing to. */
export function unspoken(
  { items, asks, wishes, said, bound, degree, cues: all, yesNo }: Reading,
  { text, facts, about }: Statement,
): string[] {
  if (facts.length === 0) return [];
  const told = text.toLowerCase();
  const fields = new Set(facts.map(({ field }) => field));
  const ids = new Set([...about.map(({ id }) => id), ...facts.map((fact) => fact.product_id)]);
  // Of "the Huila or the Guji" one is told.
  const either = all.has("ONLY") || wishes.some(({ named, or }) => named && or);
  const asksFor = ({ ask }: Item) =>
    ask && asks.includes(ask) && !/choose_if|availability/.test(ask.field);
  const isTold = ({ trait, other, scale, ask, except, not, cues }: Item) =>
    except ||
    cues?.includes("RESET") ||
    (trait?.kind === "bean" && (either || not)) ||
    (ask && not && !asks.includes(ask)) ||
    [trait, other].some(
      (one) =>
        one &&
        (told.includes(one.label.toLowerCase()) ||
          facts.some((fact) => one.has.get(fact.product_id)?.includes(fact)) ||
          [...ids].some((id) => /bean|origin|decaf/.test(one.kind) && one.has.has(id)) ||
          (one.kind !== "bean" && fields.has(one.field))),
    ) ||
    (ask && fields.has(ask.field)) ||
    (typeof scale === "string" &&
      (fields.has(fieldOf(scale)) ||
        SCALE_WORDS.get(scale)?.some((words) => told.includes(words))));
  const numbers = said.filter(
    (word, at) =>
      !bound &&
      (/^\$?\d\d|^\$\d/.test(word) || (/^\d/.test(word) && UNIT.test(said[at + 1] ?? ""))) &&
      said[at - 1] !== "top" &&
      !told.includes(word),
  );
  // "Is the decaf nice?": facts do not judge.
  const judges = yesNo && wishes.every(({ refers }) => refers) && asks.length === 0 && !degree;
  const left = items.filter(
    (item) =>
      ((item.trait || item.scale || asksFor(item)) && !isTold(item)) ||
      (judges && item.cues?.includes("RECOMMEND")) ||
      (!degree && item.cues?.some((cue) => TOLD[cue] && !TOLD[cue].test(text))),
  );
  return [...left.map(({ typed }) => typed), ...numbers];
}
