import { correct, isEnglish, spelt } from "../ask/correct.ts";
import { createLexicon } from "../ask/lexicon.ts";
import { fold, singular, tokenise } from "../ask/text.ts";
import { featuresOf, type Read, readWords } from "../ask/topic-features.ts";
import type { GeneratedFile } from "./generated-files.ts";

/** Each example question with its topic: a line "# topic" stands before the questions of that topic. */
const EXAMPLES = "resources/questions.txt";

const EPOCHS = 24;
const RATE = 1;
const BIAS_RATE = 0.02;
/** As if a weight had moved before: so the first example that has it does not settle it. */
const FIRST_STEP = 0.3;
/** So much of each example is left out each time, so that no single word settles what it is about. */
const LEFT_OUT = 0.4;
/** So unsure each example is of its own topic. */
const DOUBT = 0.04;
/** Of the beans people ask in more ways than any example shows. */
const FOR_BEANS = 0.8;
/** A feature that stands in one or two examples tells of those, not of their topic. */
const LEAST_EXAMPLES = 3;
/** A word in no dictionary and in fewer examples is a name. */
const LEAST_KNOWN = 3;
/** Weights are told in steps of a tenth; small ones are left out. */
const SCALE = 10;
const LEAST_STEP = 8;
const [FIRST, ZERO] = [35, 80];

/** The model of what questions are about (src/ask/topics.ts), trained on the examples. */
export function topicModel(read: (path: string) => string): GeneratedFile {
  const examples = examplesOf(read(EXAMPLES));
  if (examples.length === 0) throw new Error(`${EXAMPLES} has no examples`);
  const topics = [...new Set(examples.map(({ topic }) => topic))].sort();
  const counts = new Map<string, number>();
  for (const { features } of examples)
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const kept = [...counts]
    .flatMap(([feature, n]) => (n >= LEAST_EXAMPLES || !/[ *]/.test(feature) ? feature : []))
    .sort();
  const at = new Map(kept.map((feature, index) => [feature, index]));
  const { weights, bias } = trained(
    examples.map(({ topic, features, seed }) => ({
      topic: topics.indexOf(topic),
      features: features.flatMap((feature) => at.get(feature) ?? []),
      seed,
    })),
    topics.length,
    kept.length,
  );
  const lines = kept.map((feature, index) => {
    const signs = topics.flatMap((_, topic) => {
      const step = Math.round(weights[index * topics.length + topic]! * SCALE);
      const shown = Math.max(FIRST - ZERO, Math.min(126 - ZERO, step));
      return Math.abs(shown) < LEAST_STEP ? [] : String.fromCharCode(FIRST + topic, ZERO + shown);
    });
    return `${feature} ${signs.join("")}`;
  });
  bias[topics.indexOf("none")]! += FOR_BEANS;
  const model = {
    topics,
    bias: [...bias].map((one) => Math.round(one * 100) / 100),
    first: FIRST,
    zero: ZERO,
    scale: SCALE,
    weights: lines.join("\n"),
  };
  return { path: "src/ask/topics.json", content: `${JSON.stringify(model)}\n` };
}

/** No shop's beans: a bean, a place, a note and a method stand as what they are. */
const KINDS = { bean: "BEAN", origin: "PLACE", note: "NOTE", method: "METHOD" };

function examplesOf(text: string) {
  const lexicon = createLexicon([]);
  let topic = "";
  const lines = text.split("\n").flatMap((line) => {
    if (line.startsWith("# ")) topic = line.slice(2);
    if (line === "" || line.startsWith("#")) return [];
    const pieces = line.split(/\{(\w+)\}/).map((piece, at) => {
      if (at % 2 === 1) return piece;
      return correct(tokenise(spelt(fold(piece))), lexicon, false).join(" ");
    });
    return { topic, seed: hashOf(line), pieces };
  });
  const counts = new Map<string, number>();
  for (const { pieces } of lines)
    for (const word of new Set(pieces.join(" ").split(" ").map(singular)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const isKnown = (word: string) => isEnglish(word) || (counts.get(word) ?? 0) >= LEAST_KNOWN;
  return lines.map(({ topic, seed, pieces }) => {
    const read = pieces.flatMap((piece, at): Read[] =>
      at % 2 === 1
        ? [{ word: piece, as: KINDS[piece as keyof typeof KINDS] }]
        : readWords(piece, lexicon, isKnown),
    );
    return { topic, seed, features: featuresOf(read) };
  });
}

/** Every bit of a number tells in every bit of what comes out. */
function mixed(number: number): number {
  const half = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (whole ^ (whole >>> 16)) >>> 0;
}

const hashOf = (text: string): number =>
  [...text].reduce((hash, sign) => mixed(Math.imul(hash, 31) + sign.charCodeAt(0)), 7);

type Example = Readonly<{ topic: number; features: readonly number[]; seed: number }>;

/**
 * The same on every machine. When an example comes, and what is left out of it, is drawn from itself:
 * so a new one does not change the draws of all others.
 */
function trained(examples: readonly Example[], topics: number, features: number) {
  const weights = new Float32Array(features * topics);
  const seen = new Float32Array(features * topics).fill(FIRST_STEP);
  const bias = new Float32Array(topics);
  const odds = new Float64Array(topics);
  const [meanWeights, meanBias] = [weights.slice(), bias.slice()];
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    const drawn = examples.map((one) => ({ ...one, draw: mixed(one.seed ^ mixed(epoch)) }));
    for (const { topic: told, features: all, draw } of drawn.sort((a, b) => a.draw - b.draw)) {
      const some = all.filter((_, i) => mixed(draw + i) >= LEFT_OUT * 2 ** 32);
      const shown = some.length > 0 ? some : all;
      const share = 1 / Math.sqrt(shown.length || 1);
      odds.set(bias);
      for (const feature of shown)
        for (let topic = 0; topic < topics; topic += 1)
          odds[topic]! += weights[feature * topics + topic]! * share;
      const most = Math.max(...odds);
      let total = 0;
      for (let topic = 0; topic < topics; topic += 1) {
        odds[topic] = Math.exp(odds[topic]! - most);
        total += odds[topic]!;
      }
      for (let topic = 0; topic < topics; topic += 1) {
        const error = odds[topic]! / total - (topic === told ? 1 - DOUBT : DOUBT / topics);
        if (Math.abs(error) < 1e-4) continue;
        bias[topic]! -= BIAS_RATE * error;
        for (const feature of shown) {
          const weight = feature * topics + topic;
          seen[weight]! += (error * share) ** 2;
          weights[weight]! -= (RATE * error * share) / Math.sqrt(seen[weight]!);
        }
      }
    }
    // The mean over the later half, so that the last examples do not count for more than others.
    if (epoch < EPOCHS / 2) continue;
    for (const [mean, of] of [
      [meanWeights, weights],
      [meanBias, bias],
    ] as const)
      for (let i = 0; i < of.length; i += 1) mean[i]! += of[i]! / (EPOCHS / 2);
  }
  return { weights: meanWeights, bias: meanBias };
}
