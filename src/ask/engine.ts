/** A question to its answer: a query engine over facts, no language model (contract §9). */
import type { Catalog } from "../domain/catalog/catalog.ts";
import { type Answer, DECLINE_REASONS, type DeclineReason, type Live } from "./answer.ts";
import { eachPart, type Found, help } from "./conversation.ts";
import { type Beans, beansOf } from "./facts.ts";
import { DECLINE_SAYS, gatesOf, HEALTH_SAYS } from "./gates.ts";
import { IN_ENGLISH, otherLanguage, translate } from "./languages.ts";
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
  const { text, language } = translate(question, lexicon.isSpelt);
  // The original too: a word of refusal may be one that was not translated.
  const gates = [...gatesOf(fold(question)), ...(language === null ? [] : gatesOf(fold(text)))];
  const whole = gates.find((gate) => gate.whole && gate.gate !== "HEALTH")?.gate;
  if (whole !== undefined && whole !== "HEALTH") return decline(whole);
  const foreign = otherLanguage(question);
  if (foreign !== null) return decline("LANGUAGE", `${foreign} `);
  const ill = gates.some(({ gate }) => gate === "HEALTH");
  const found = eachPart(fold(text), { lexicon, live, foreign: language !== null, ill });
  if (language !== null)
    for (const { gate } of gates)
      if (gate !== "HEALTH" && gate !== "OFF_TOPIC") found.declines.add(gate);
  return answerOf(found, lexicon.beans, ill, language === null ? [] : [IN_ENGLISH[language]]);
}

const NOT_ALL = "I did not understand a part of the question, so that part is not answered.";

function answerOf(
  { pieces, declines, left }: Found,
  beans: Beans,
  ill: boolean,
  prefix: string[],
): Answer {
  const strong = pieces.filter(({ weak }) => !weak);
  const declined = DECLINE_REASONS.filter((reason) => declines.has(reason));
  const kept = strong.length > 0 || declined.length > 0 || ill ? strong : pieces;
  const said = kept.filter(({ text }, at) => kept.findIndex((one) => one.text === text) === at);
  const refused = [
    ...(ill ? [HEALTH_SAYS] : []),
    ...declined.map((reason) => DECLINE_SAYS[reason]),
  ];
  const sentences = [...refused, ...said.map(({ text }) => text)];
  const rest =
    sentences.length === 0
      ? `${left.length > 0 ? "I did not understand that. " : ""}${help(beans).text}`
      : left.length > 0 && !ill
        ? NOT_ALL
        : null;
  const facts = said.flatMap((one) => one.facts);
  return {
    answer: [
      ...(said.length > 0 ? prefix : []),
      ...sentences,
      ...(rest === null ? [] : [rest]),
    ].join(" "),
    facts: [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()],
    ...(declined[0] && { declined: declined[0] }),
    ...(left.length > 0 && { not_answered: left }),
  };
}
