/** A question to its answer: a query engine over facts, no language model (contract §9). */
import type { Catalog } from "../catalog/catalog.ts";
import type { Answer, Live } from "./ask.ts";
import { spelt } from "./correct.ts";
import { withoutVerdict } from "./coverage.ts";
import { answerParts } from "./dialogue.ts";
import { beansOf } from "./facts.ts";
import { DECLINES, type DeclineReason, gatesOf, HEALTH_SAYS } from "./gates.ts";
import { inEnglish } from "./languages.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { help, inFull } from "./say.ts";
import { fold, join, TWO_CLAIMS } from "./text.ts";

export type Engine = (question: string, live?: Live) => Answer;

/** Of these the whole question is left alone; beside the others, what else it asks is answered. */
const WHOLE = ["KEY_REQUEST", "PROMPT_INJECTION"] as const;
const NOT_ALL = "I did not understand a part of the question, so that part is not answered.";

/** Reads the catalog; the function it makes is pure and quick. */
export function createEngine(catalog: Catalog): Engine {
  const lexicon = createLexicon(beansOf(catalog));
  return (question, live = {}) => reply(question, lexicon, live);
}

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?]) (?=[\p{Lu}\d$“])/u);

/** What one says in full, another need not say again. */
const isWhole = (one: string, at: number, all: readonly string[]): boolean =>
  !all.some((other, i) => (i < at || one !== other) && other.includes(one));

/** Nor any sentence of it, with or without its title. */
function isNew(one: string, at: number, all: readonly string[]): boolean {
  const bare = one.includes("(") ? one : one.replace(/^(?!Yes|No)[\p{L} ]+: /u, "");
  return !all.slice(0, at).some((other) => other.includes(bare));
}

function reply(question: string, lexicon: Lexicon, live: Live): Answer {
  const { text, says, declined: unread } = inEnglish(question, lexicon.isSpelt);
  const foreign = says !== null;
  const folded = fold(text);
  // The original too: a word of refusal may be one that was not translated.
  const texts = foreign ? [fold(question), folded] : [folded];
  const gates = new Set(texts.flatMap(gatesOf).map(([gate]) => gate));
  const whole = WHOLE.find((gate) => gates.has(gate));
  if (whole) return { answer: DECLINES[whole], facts: [], declined: whole };
  if (unread) return { answer: `${says} ${DECLINES.LANGUAGE}`, facts: [], declined: "LANGUAGE" };
  const health = gates.has("HEALTH");
  const { statements, declines, left, missing, open } = answerParts(spelt(folded), {
    lexicon,
    live,
    foreign,
    health,
  });
  const declined = (Object.keys(DECLINES) as DeclineReason[]).filter(
    (reason) => declines.has(reason) || (foreign && reason !== "OFF_TOPIC" && gates.has(reason)),
  );
  // Of two claims in one question a yes would be open.
  const areTwo = folded.search(TWO_CLAIMS) >= 0;
  const told = statements.flatMap((one) => (areTwo ? (withoutVerdict(one) ?? []) : one));
  const isLikely = told.some((one) => one.isLikely);
  const strong = told.filter(({ weak, isAside }) => !weak && !(isAside && isLikely));
  const isSaid = strong.length > 0 || declined.length > 0 || missing.length > 0 || health;
  const kept = isSaid ? strong : told;
  const said = [
    ...(foreign && kept.length + missing.length > 0 ? [says] : []),
    ...(health ? [HEALTH_SAYS] : []),
    ...declined.map((reason) => DECLINES[reason]),
    ...kept.map(inFull),
  ];
  const idle = said.length === 0;
  if (open.length > 0 && !health)
    said.push(`I did not understand the part about ${join([...new Set(open)])}.`);
  if (missing.length > 0 && !health)
    said.push(`I did not find ${join([...new Set(missing)])} among our facts.`);
  else if (left.length > open.length && !health)
    said.push(idle ? "I did not understand that." : NOT_ALL);
  if (idle && missing.length === 0) said.push(help(lexicon.beans));
  const policy = [...new Set(kept.flatMap((one) => one.policy ?? []))];
  return {
    answer: said.filter(isWhole).flatMap(sentencesOf).filter(isNew).join(" "),
    facts: [...new Set(kept.flatMap(({ facts }) => facts))],
    ...(declined[0] && { declined: declined[0] }),
    ...(policy.length > 0 && { policy }),
    ...(left.length > 0 && { not_answered: foreign ? [question] : [...left] }),
  };
}
