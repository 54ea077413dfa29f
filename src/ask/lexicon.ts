/**
 * The words `ask` understands, and what each means. Exact terms are found in a map, longest first;
 * a word left over is looked up with MiniSearch, which forgives slips and finishes shortened
 * words.
 */
import MiniSearch from "minisearch";
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { DeclineReason, Subject } from "./answer.ts";
import { beanTerms } from "./bean-terms.ts";
import { fold, slips } from "./text.ts";
import { COMMON_WORDS } from "./vocabulary/common-words.ts";
import { DECLINE_WORDS } from "./vocabulary/declines.ts";
import { DECAF_WORDS, METHOD_WORDS, SUBJECT_WORDS } from "./vocabulary/fields.ts";
import { FLAVOUR_FAMILIES } from "./vocabulary/flavours.ts";
import { CUES, type Cue } from "./vocabulary/plain.ts";
import { TOPICS, type TopicName } from "./vocabulary/topics.ts";
import { TRAITS, type Trait } from "./vocabulary/traits.ts";
import { VALUES, type Value } from "./vocabulary/values.ts";

export type Meaning =
  | { kind: "bean"; ids: readonly string[] }
  | { kind: "elsewhere"; place: string; near: readonly string[] }
  | { kind: "subject"; subject: Subject }
  | { kind: "decaf" }
  | { kind: "trait"; trait: Trait }
  | { kind: "flavour"; flavour: string }
  | { kind: "method"; method: string }
  | { kind: "value"; value: Value }
  | { kind: "topic"; topic: TopicName }
  | { kind: "decline"; reason: DeclineReason }
  | { kind: "cue"; cue: Cue };

export interface Lexicon {
  /** What a phrase of folded words means, taken exactly. */
  exact(phrase: string): readonly Meaning[] | undefined;
  /** What a single folded word most likely was meant to be. */
  guess(word: string): readonly Meaning[] | undefined;
  /** Words in the longest phrase. */
  longest: number;
}

export function createLexicon(catalog: Catalog): Lexicon {
  const terms = new Map<string, Meaning[]>();
  for (const [phrase, meaning] of [...beanTerms(catalog), ...vocabulary()]) {
    const term = fold(phrase);
    if (term === "") continue;
    const known = terms.get(term);
    if (!known) terms.set(term, [meaning]);
    // A word means one thing, the first; only a variety may also be a bean's name ("Geisha").
    else if (known[0]?.kind === "bean" && meaning.kind === "value") known.push(meaning);
  }
  const longest = Math.max(...[...terms.keys()].map((term) => term.split(" ").length));
  return { exact: (phrase) => terms.get(phrase), guess: guesser(terms), longest };
}

/** Every term of the vocabulary tables. Where two claim a word the earlier wins. */
function vocabulary(): [string, Meaning][] {
  const pairs: [string, Meaning][] = [];
  const put = (terms: readonly string[], meaning: Meaning) => {
    for (const term of terms) pairs.push([term, meaning]);
  };
  const entries = <K extends string, V>(table: Readonly<Record<K, V>>) =>
    Object.entries(table) as [K, V][];
  for (const [reason, asked] of entries(DECLINE_WORDS)) put(asked, { kind: "decline", reason });
  put(DECAF_WORDS, { kind: "decaf" });
  for (const [topic, { asked }] of entries(TOPICS)) put(asked, { kind: "topic", topic });
  for (const value of VALUES) put(value.said, { kind: "value", value });
  for (const [method, asked] of entries(METHOD_WORDS)) put(asked, { kind: "method", method });
  for (const trait of TRAITS) put(trait.asked, { kind: "trait", trait });
  for (const [subject, asked] of entries(SUBJECT_WORDS)) put(asked, { kind: "subject", subject });
  for (const flavours of Object.values(FLAVOUR_FAMILIES))
    for (const flavour of flavours) put([flavour], { kind: "flavour", flavour });
  for (const [cue, said] of entries(CUES)) put(said, { kind: "cue", cue });
  return pairs;
}

/** Shorter words have too many neighbours to guess among. */
const SHORTEST_GUESS = 4;

function guesser(terms: ReadonlyMap<string, readonly Meaning[]>) {
  const words = new MiniSearch<{ id: string; word: string }>({
    fields: ["word"],
    tokenize: (text) => [text],
    processTerm: (term) => term,
  });
  const single = [...terms].filter(([term, meanings]) => guessable(term, meanings));
  words.addAll(single.map(([term]) => ({ id: term, word: term })));
  // A shortened word is too little to refuse somebody for, or to send them elsewhere.
  const isAside = (term: string) => /^(decline|topic)$/.test(terms.get(term)?.[0]?.kind ?? "");
  return (word: string) => {
    if (word.length < SHORTEST_GUESS || COMMON_WORDS.has(word)) return undefined;
    const near = words
      .search(word, { fuzzy: word.length < 5 ? 1 : 2, prefix: true })
      .map(({ id }) => ({ term: String(id), cost: cost(word, String(id)) }))
      .filter(
        ({ term, cost }) => cost <= allowed(word) && !(term.startsWith(word) && isAside(term)),
      )
      .sort((a, b) => a.cost - b.cost || (a.term < b.term ? -1 : 1));
    return near[0] && terms.get(near[0].term);
  };
}

/** Cues are little words: guessing at them does more harm than good. */
const guessable = (term: string, meanings: readonly Meaning[]) =>
  !term.includes(" ") &&
  term.length >= SHORTEST_GUESS &&
  !COMMON_WORDS.has(term) &&
  meanings[0]?.kind !== "cue";

/** "choc" is chocolate, but "after" is no aftertaste. */
const MOST_UNTYPED = 4;

const allowed = (word: string) => (word.length < 7 ? 1 : 2);

/** Slips between what was typed and a term; a shortened word ("choc") is almost right. */
function cost(word: string, term: string): number {
  // People seldom get the first letter wrong, and "warmer" is no farmer.
  if (word[0] !== term[0]) return Number.POSITIVE_INFINITY;
  if (term.startsWith(word) && term.length - word.length <= MOST_UNTYPED)
    return 0.5 + (term.length - word.length) / 100;

  let alike = 1;
  while (alike < word.length && word[alike] === term[alike]) alike += 1;
  // Of two terms as far away the one that begins alike for longer: "procces" is no price.
  return slips(word, term, 2) - alike / 1000;
}
