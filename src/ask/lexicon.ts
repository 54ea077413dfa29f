/** Which words mean what: the catalog's first, then the vocabulary's; a later one takes no word away. */
import type { Field } from "./answer.ts";
import { names, notes, sale, texts, values } from "./catalog-words.ts";
import * as english from "./english.ts";
import type { Beans } from "./facts.ts";
import { type Add, type Concept, levels, scales } from "./graded-words.ts";
import { placeTraits } from "./places.ts";
import { words } from "./text.ts";
import type { ScaleName } from "./vocabulary.ts";

export type { Concept } from "./graded-words.ts";

export interface Lexicon {
  beans: Beans;
  /** The longest phrase that begins at this word. */
  match(said: readonly string[], at: number): { concept: Concept; length: number } | null;
  /** Single words worth correcting a slip to. */
  correctable: ReadonlySet<string>;
  /** It means something by itself, or nothing at all. */
  knows(word: string): boolean;
  /** It stands in some phrase: no slip. */
  isSpelt(word: string): boolean;
}

export function createLexicon(beans: Beans): Lexicon {
  const phrases = new Map<string, Concept>();
  const longest = new Map<string, number>();
  const add: Add = (phrase, concept) => {
    const said = words(phrase);
    const key = said.join(" ");
    const old = phrases.get(key);
    const other = old?.trait && concept.trait ? { other: old.other ?? concept.trait } : {};
    const cues = [...(old?.cues ?? []), ...(concept.cues ?? [])];
    phrases.set(key, { ...concept, ...old, ...other, ...(cues.length > 0 && { cues }) });
    longest.set(said[0]!, Math.max(longest.get(said[0]!) ?? 0, said.length));
  };
  for (const from of [names, notes, values, levels, scales, sale]) from(beans, add);
  for (const [phrase, trait] of placeTraits(beans)) add(phrase, { trait });
  for (const [cue, lines] of english.CUES) for (const line of lines) add(line, { cues: [cue] });
  for (const [key, lines] of english.ASKS) {
    const [field, param] = key.split("/") as [Field, ScaleName | undefined];
    const scale = param && { scale: param, dir: 1 as const };
    for (const line of lines) add(line, { ask: { field, param }, ...scale });
  }
  for (const phrase of english.NEUTRAL) add(phrase, {});
  const unknown: Add = (phrase, concept) => {
    if (!phrases.has(phrase)) add(phrase, concept);
  };
  texts(beans, unknown);
  const all = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(" ")));
  const negators = new Set(
    ["NOT", "EXCEPT"].flatMap((cue) => english.CUES.get(cue)!).flatMap(words),
  );
  const correctable = [...all, ...english.HARMLESS];
  return {
    beans,
    correctable: new Set(correctable.filter((word) => word.length > 3 && !negators.has(word))),
    knows: (word) => english.HARMLESS.has(word) || phrases.has(word),
    isSpelt: (word) => english.HARMLESS.has(word) || all.has(word),
    match(said, at) {
      for (let length = longest.get(said[at] ?? "") ?? 0; length > 0; length -= 1) {
        const concept = phrases.get(said.slice(at, at + length).join(" "));
        if (concept) return { concept, length };
      }
      return null;
    },
  };
}
