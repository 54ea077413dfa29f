/** A question to its answer: a query engine over facts, no language model (contract §9). */
import type { Catalog } from "../domain/catalog/catalog.ts";
import { type Answer, DECLINE_REASONS, type DeclineReason, type Live } from "./answer.ts";
import { eachPart, help } from "./conversation.ts";
import { beansOf } from "./facts.ts";
import { DECLINE_SAYS, gatesOf, HEALTH_SAYS } from "./gates.ts";
import { understood } from "./languages.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { fold } from "./text.ts";

export type Engine = (question: string, live?: Live) => Answer;

/** Reads the catalog; the function it gives back is pure and quick. */
export function createEngine(catalog: Catalog): Engine {
  const lexicon = createLexicon(beansOf(catalog));
  return (question, live = {}) => reply(question, lexicon, live);
}

const decline = (reason: DeclineReason, before = ""): Answer => ({
  answer: `${before}${DECLINE_SAYS[reason]}`,
  facts: [],
  declined: reason,
});

function reply(question: string, lexicon: Lexicon, live: Live): Answer {
  const { text, says, declined: unread } = understood(question, lexicon.isSpelt);
  const foreign = says !== null;
  // The original too: a word of refusal may be one that was not translated.
  const gates = [...gatesOf(fold(question)), ...(foreign ? gatesOf(fold(text)) : [])];
  const whole = gates.find((gate) => gate.whole)?.gate;
  if (whole) return decline(whole as DeclineReason);
  if (unread) return decline("LANGUAGE", `${says} `);
  const ill = gates.some(({ gate }) => gate === "HEALTH");
  const found = eachPart(fold(text), { lexicon, live, foreign, ill });
  if (foreign)
    for (const { gate } of gates)
      if (gate !== "HEALTH" && gate !== "OFF_TOPIC") found.declines.add(gate);
  const { pieces, left } = found;
  const declined = DECLINE_REASONS.filter((reason) => found.declines.has(reason));
  const strong = pieces.filter(({ weak }) => !weak);
  const kept = strong.length > 0 || declined.length > 0 || ill ? strong : pieces;
  const said = kept.map((piece) => piece.text);
  if (ill) said.unshift(HEALTH_SAYS);
  said.unshift(...declined.map((reason) => DECLINE_SAYS[reason]));
  if (said.length === 0) said.push(left.length > 0 ? NOT_UNDERSTOOD : "", help(lexicon.beans));
  else if (left.length > 0 && !ill) said.push(NOT_ALL);
  if (foreign && kept.length > 0) said.unshift(says);
  const facts = kept.flatMap((one) => one.facts);
  return {
    answer: [...new Set(said)].join(" ").trim(),
    facts: [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()],
    ...(declined[0] && { declined: declined[0] }),
    ...(left.length > 0 && { not_answered: left }),
  };
}

const NOT_UNDERSTOOD = "I did not understand that.";
const NOT_ALL = "I did not understand a part of the question, so that part is not answered.";
