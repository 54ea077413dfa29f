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

/** "refund 3+9-": to each feature its topics, with a weight, as pairs of signs. */
const WEIGHTS = new Map(
  model.weights.split("\n").map((line) => {
    const at = line.lastIndexOf(" ");
    const signs = [...line.slice(at + 1)].map((sign) => sign.charCodeAt(0));
    const of = signs.flatMap((topic, i) =>
      i % 2 === 0
        ? [[topic - model.first, (signs[i + 1]! - model.zero) / model.scale] as const]
        : [],
    );
    return [line.slice(0, at), of] as const;
  }),
);

const weightsOf = (feature: string) => WEIGHTS.get(feature) ?? [];

/** All topics by how likely each is, the likeliest first. */
function guess(read: readonly Read[]) {
  const features = featuresOf(read).filter((feature) => WEIGHTS.has(feature));
  const sums = Float64Array.from(model.bias);
  const share = 1 / Math.sqrt(features.length || 1);
  for (const feature of features)
    for (const [topic, weight] of weightsOf(feature)) sums[topic]! += weight * share;
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - most));
  const all = odds.reduce((a, b) => a + b, 0);
  return [...odds]
    .map((odd, topic) => ({ topic, name: model.topics[topic]!, chance: odd / all }))
    .sort((a, b) => b.chance - a.chance);
}

export type Topic = NonNullable<ReturnType<typeof topicOf>>;

/** Where one topic is not sure, the next likely one is told, too; together they are to be likely enough. */
const SURE = 0.5;
const LIKELY = 0.2;
const ENOUGH = 0.3;
/** A word speaks for a topic, and for another one than is told, which the whole question speaks for, too. */
const SPEAKS = 0.4;
const ELSEWHERE = 1;
const ALSO = 0.12;

/**
 * The topics of policy that a part of a question is about, and by which words. `open`: what is also about
 * another topic, or plain English that no example has.
 */
export function topicOf(text: string, lexicon: Lexicon, foreign: boolean) {
  const isKnown = (word: string) => WEIGHTS.has(word) || isEnglish(word);
  const all = readWords(text, lexicon, isKnown);
  // What was not translated is no name.
  const read = foreign ? all.filter(({ as }) => as !== "NAME") : all;
  const likely = guess(read).filter(({ chance }) => chance >= ALSO);
  const [first, second] = likely;
  if (!first || first.name === "none") return null;
  const isToo = first.chance < SURE && second && second.name !== "none" && second.chance >= LIKELY;
  const told = isToo ? [first, second] : [first];
  if (told.reduce((all, { chance }) => all + chance, 0) < ENOUGH) return null;
  const also = likely.filter((one) => one.name !== "none" && !told.includes(one));
  const evidence = read.map(({ word, as }) => {
    const weights = new Map(weightsOf(as));
    const most = (of: typeof told) =>
      Math.max(0, ...of.map(({ topic }) => weights.get(topic) ?? 0));
    return { word, as, own: most(told), other: most(also) };
  });
  const isSent = told.some(({ name }) => /^(?:shipping|delivery|destination)$/.test(name));
  const isOurs = (place: string) =>
    lexicon.match(place.split(" ").map(singular), 0)?.concept.trait?.has.size;
  const isOpen = ({ word, as, own, other }: (typeof evidence)[number]) => {
    if (/^(?:STATE|PLACE)$/.test(as)) return own === 0 && !isSent && !isOurs(word);
    if (as !== singular(word) || word.length < 3 || HARMLESS.has(as)) return false;
    if (WEIGHTS.has(as)) return other - own > ELSEWHERE;
    return isEnglish(word) && !lexicon.isSpelt(as);
  };
  return {
    names: told.map(({ name }) => name),
    words: evidence
      .flatMap(({ word, as, own }) => (own > SPEAKS && !HARMLESS.has(as) ? word : []))
      .join(" "),
    open: evidence.filter(isOpen).map(({ word }) => word),
  };
}
