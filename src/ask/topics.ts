/**
 * What a part of a question is about besides the beans. A linear model of words and pairs of neighbours
 * tells it, trained on example questions (resources/questions.txt) by `npm run generate`.
 */
import { isEnglish } from "./correct.ts";
import type { Lexicon } from "./lexicon.ts";
import { singular } from "./text.ts";
import { featuresOf, type Read, readWords } from "./topic-features.ts";
import model from "./topics.json" with { type: "json" };
import { HARMLESS } from "./vocabulary.ts";

/** "refund 3+9-": to each feature its topics, each followed by its weight, in steps. */
const WEIGHTS = new Map(
  model.weights.split("\n").map((line) => {
    const at = line.lastIndexOf(" ");
    const signs = Int16Array.from(
      [...line.slice(at + 1)],
      (sign, i) => sign.charCodeAt(0) - (i % 2 === 0 ? model.first : model.zero),
    );
    return [line.slice(0, at), signs] as const;
  }),
);

/** How much a word speaks for the one of these topics that it speaks for most. */
function weightOf(word: string, of: Likely): number {
  const pairs = WEIGHTS.get(word) ?? [];
  const steps = of.map(({ topic }) => {
    for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === topic) return pairs[i + 1]!;
    return 0;
  });
  return Math.max(0, ...steps) / model.scale;
}

/** The topics that are likely at all, the likeliest first. */
function guess(read: readonly Read[]) {
  const weights = featuresOf(read).flatMap((feature) => WEIGHTS.get(feature) ?? []);
  const sums = Float64Array.from(model.bias);
  const share = 1 / (Math.sqrt(weights.length || 1) * model.scale);
  for (const pairs of weights)
    for (let i = 0; i < pairs.length; i += 2) sums[pairs[i]!]! += pairs[i + 1]! * share;
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - most));
  const all = odds.reduce((a, b) => a + b, 0);
  return model.topics
    .flatMap((name, topic) => {
      const chance = odds[topic]! / all;
      return chance < ALSO ? [] : { topic, name, chance };
    })
    .sort((a, b) => b.chance - a.chance);
}

type Likely = ReturnType<typeof guess>;

/** Topics that are less likely than this are left out. */
const ALSO = 0.12;
/** Below SURE the next topic is told as well where it is LIKELY; below ENOUGH together nothing is told. */
export const SURE = 0.45;
const LIKELY = 0.15;
const ENOUGH = 0.3;

function toldOf([first, second]: Likely): Likely {
  if (!first || first.name === "none") return [];
  const isToo = first.chance < SURE && second && second.name !== "none" && second.chance >= LIKELY;
  const told = isToo ? [first, second] : [first];
  return told.reduce((sum, { chance }) => sum + chance, 0) < ENOUGH ? [] : told;
}

/** Of a topic that is as likely as this no word is about another one. */
const CERTAIN = 0.7;
/** A word of a topic speaks for it by so much. */
const SPEAKS = 0.4;
/** A word is about another topic that is likely, too, where it speaks for that one by so much more. */
const ELSEWHERE = 1;
/** These are asked with a place. */
export const SENT = /^(?:shipping|delivery|destination)$/;

export type Topic = NonNullable<ReturnType<typeof topicOf>>;

/**
 * The topics of policy that a part of a question is about, and by which words. `open`: what is also about
 * another topic, places that the topic has nothing to do with, or plain English that no example has.
 */
export function topicOf(text: string, lexicon: Lexicon, foreign: boolean) {
  const isKnown = (word: string) => WEIGHTS.has(word) || isEnglish(word);
  // In another language a word that was not translated is left out: it is no name.
  const read = readWords(text, lexicon, isKnown).filter(({ as }) => !foreign || as !== "NAME");
  const likely = guess(read);
  const told = toldOf(likely);
  if (told.length === 0) return null;
  const also = likely.filter((one) => one.name !== "none" && !told.includes(one));
  const isSent = told.some(({ name }) => SENT.test(name));
  const evidence = read.map(({ word, as }) => ({
    word,
    as,
    own: weightOf(as, told),
    other: weightOf(as, also),
  }));
  const isOurs = (place: string) =>
    lexicon.match(place.split(" ").map(singular), 0)?.concept.trait?.has.size;
  const isOpen = ({ word, as, own, other }: (typeof evidence)[number]) => {
    if (/^(?:STATE|PLACE)$/.test(as)) return own === 0 && !isSent && !isOurs(word);
    if (as !== singular(word) || word.length < 3 || HARMLESS.has(as)) return false;
    if (WEIGHTS.has(as)) return told[0]!.chance < CERTAIN && other - own > ELSEWHERE;
    return isEnglish(word) && !lexicon.isSpelt(as) && !word.endsWith("ly");
  };
  const own = evidence.filter((one) => one.own > SPEAKS && !HARMLESS.has(one.as));
  return {
    names: told.map(({ name }) => name),
    chance: told[0]!.chance,
    ofBean: read.some(({ as }) => as === "BEAN"),
    words: own.map(({ word }) => word).join(" "),
    open: evidence.filter(isOpen).map(({ word }) => word),
  };
}
