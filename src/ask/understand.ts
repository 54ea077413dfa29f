/** From a question to what was asked: a plain reading, nothing decided yet. */
import type { DeclineReason, Subject } from "./answer.ts";
import { DECLINE_REASONS } from "./answer.ts";
import type { Lexicon, Meaning } from "./lexicon.ts";
import { fold } from "./text.ts";
import { COMMON_WORDS } from "./vocabulary/common-words.ts";
import { DECLINE_PATTERNS } from "./vocabulary/decline-patterns.ts";
import { type Cue, NEGATIONS, SOFTENERS, YES_NO } from "./vocabulary/plain.ts";
import type { TopicName } from "./vocabulary/topics.ts";
import type { Trait } from "./vocabulary/traits.ts";
import type { Value } from "./vocabulary/values.ts";

export interface Reading {
  beans: string[];
  /** Beans named only to rule them out: "anything but the Colombia". */
  unwanted: string[];
  elsewhere: { place: string; near: readonly string[] }[];
  subjects: Subject[];
  traits: { trait: Trait; wanted: boolean }[];
  flavours: { flavour: string; wanted: boolean }[];
  methods: string[];
  values: { value: Value; wanted: boolean }[];
  /** True: without caffeine. False: with it. Undefined: not spoken of. */
  decaf: boolean | undefined;
  topics: TopicName[];
  declines: DeclineReason[];
  cues: Set<Cue>;
  yesNo: boolean;
  /** Words nobody here knows; candidates for a search over the facts. */
  unread: string[];
  /** Every word, folded. */
  words: string[];
}

interface Hit {
  meanings: readonly Meaning[];
  start: number;
}

/** Questions longer than this are cut: the door allows 500 characters (contract §9). */
const MOST_CHARACTERS = 500;
/** A bound on the dear part: looking up words with slips in them. */
const MOST_GUESSES = 12;

export function understand(question: string, lexicon: Lexicon): Reading {
  const folded = fold(question.slice(0, MOST_CHARACTERS));
  const words = folded === "" ? [] : folded.split(" ");
  const { hits, unread } = scan(words, lexicon);
  const reading: Reading = {
    beans: [],
    unwanted: [],
    elsewhere: [],
    subjects: [],
    traits: [],
    flavours: [],
    methods: [],
    values: [],
    decaf: undefined,
    topics: [],
    declines: [],
    cues: new Set(),
    yesNo: YES_NO.has(words[0] ?? ""),
    unread,
    words,
  };
  const from = varietiesFrom(hits, reading.yesNo);
  for (const hit of hits) note(reading, hit, hit.start >= from, isNegated(words, hit.start));
  reading.declines = declinesOf(folded, reading.declines);
  return reading;
}

function scan(words: readonly string[], lexicon: Lexicon): { hits: Hit[]; unread: string[] } {
  const hits: Hit[] = [];
  const unread: string[] = [];
  let guesses = 0;
  for (let start = 0; start < words.length; ) {
    const found = longestAt(words, start, lexicon);
    if (found) {
      hits.push({ meanings: found.meanings, start });
      start += found.length;
      continue;
    }
    const word = words[start]!;
    guesses += 1;
    const guess = guesses <= MOST_GUESSES ? lexicon.guess(word) : undefined;
    if (guess) hits.push({ meanings: guess, start });
    else if (!COMMON_WORDS.has(word) && !NEGATIONS.has(word)) unread.push(word);
    start += 1;
  }
  return { hits, unread };
}

function longestAt(words: readonly string[], start: number, lexicon: Lexicon) {
  for (let length = Math.min(lexicon.longest, words.length - start); length > 0; length -= 1) {
    const meanings = lexicon.exact(words.slice(start, start + length).join(" "));
    if (meanings) return { meanings, length };
  }
  return undefined;
}

/**
 * "Is the Colombia a Geisha?" asks for a variety; "the Colombia or the Geisha" and "is the Geisha
 * Ethiopian" name beans. Gives the place from which on a name that is also a variety means the
 * variety.
 */
function varietiesFrom(hits: readonly Hit[], yesNo: boolean): number {
  const first = hits.find(({ meanings }) => meanings[0]?.kind === "bean");
  const joined = hits.some(
    ({ meanings: [meaning] }) =>
      meaning?.kind === "cue" && /^(OR|AND|COMPARE|THAN)$/.test(meaning.cue),
  );
  return yesNo && !joined && first ? first.start + 1 : Number.POSITIVE_INFINITY;
}

function note(reading: Reading, hit: Hit, asValue: boolean, negated: boolean): void {
  const meaning = asValue ? hit.meanings.at(-1) : hit.meanings[0];
  const wanted = !negated;
  switch (meaning?.kind) {
    case "bean":
      add(wanted ? reading.beans : reading.unwanted, ...meaning.ids);
      break;
    case "elsewhere":
      if (reading.elsewhere.every(({ place }) => place !== meaning.place))
        reading.elsewhere.push(meaning);
      break;
    case "subject":
      add(reading.subjects, meaning.subject);
      break;
    case "decaf":
      reading.decaf = wanted;
      break;
    case "trait":
      if (reading.traits.every(({ trait }) => trait !== meaning.trait))
        reading.traits.push({ trait: meaning.trait, wanted });
      break;
    case "flavour":
      if (reading.flavours.every(({ flavour }) => flavour !== meaning.flavour))
        reading.flavours.push({ flavour: meaning.flavour, wanted });
      break;
    case "method":
      if (wanted) add(reading.methods, meaning.method);
      break;
    case "value":
      if (reading.values.every(({ value }) => value !== meaning.value))
        reading.values.push({ value: meaning.value, wanted });
      break;
    case "topic":
      add(reading.topics, meaning.topic);
      break;
    case "decline":
      add(reading.declines, meaning.reason);
      break;
    case "cue":
      reading.cues.add(meaning.cue);
      break;
  }
}

function add<T>(to: T[], ...items: readonly T[]): void {
  for (const item of items) if (!to.includes(item)) to.push(item);
}

/** "not too fruity", "less sweet", "without nuts"; but "isn't the Guji fruity?" asks for a yes. */
function isNegated(words: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= Math.max(0, at - 5); index -= 1) {
    const word = words[index]!;
    if (NEGATIONS.has(word)) return index > 0 || !YES_NO.has(word);
    if (word === "less" || word === "least") return true;
    // "no fruit or nuts", "anything but the Colombia"
    if (word === "but" && /^(anything|everything|all|any)$/.test(words[index - 1] ?? ""))
      return true;
    if (!SOFTENERS.has(word)) return false;
  }
  return false;
}

function declinesOf(folded: string, spotted: readonly DeclineReason[]): DeclineReason[] {
  return DECLINE_REASONS.filter(
    (reason) =>
      spotted.includes(reason) || DECLINE_PATTERNS[reason].some((pattern) => pattern.test(folded)),
  );
}
