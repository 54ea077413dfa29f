/** Which words mean what: the catalog's first, then the vocabulary's; a later one takes no word away. */
import type { Field } from "./answer.ts";
import { type Concept, coffeeWords, otherTexts } from "./coffee-words.ts";
import * as english from "./english.ts";
import type { Beans } from "./facts.ts";
import { words } from "./text.ts";
import type { ScaleName } from "./vocabulary.ts";

export type { Concept } from "./coffee-words.ts";
export type Lexicon = ReturnType<typeof createLexicon>;

export function createLexicon(beans: Beans) {
  const phrases = new Map<string, Concept>();
  const longest = new Map<string, number>();
  function add(phrase: string, concept: Concept): void {
    const said = words(phrase);
    const key = said.join(" ");
    const old = phrases.get(key);
    const other = old?.trait && concept.trait ? { other: old.other ?? concept.trait } : {};
    const cues = [...(old?.cues ?? []), ...(concept.cues ?? [])];
    phrases.set(key, { ...concept, ...old, ...other, ...(cues.length > 0 && { cues }) });
    longest.set(said[0]!, Math.max(longest.get(said[0]!) ?? 0, said.length));
  }
  for (const [phrase, concept] of coffeeWords(beans)) add(phrase, concept);
  for (const [cue, lines] of english.CUES) for (const line of lines) add(line, { cues: [cue] });
  for (const [key, lines] of english.ASKS) {
    const [field, param] = key.split("/") as [Field, ScaleName | undefined];
    const scale = param && { scale: param, dir: 1 as const };
    for (const line of lines) add(line, { ask: { field, param }, ...scale });
  }
  for (const phrase of english.NEUTRAL) add(phrase, {});
  for (const [word, concept] of otherTexts(beans)) if (!phrases.has(word)) add(word, concept);
  const all = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(" ")));
  const negators = new Set(
    ["NOT", "EXCEPT"].flatMap((cue) => english.CUES.get(cue)!).flatMap(words),
  );
  const isSpelt = (word: string) => english.HARMLESS.has(word) || all.has(word);
  const spelt = [...all, ...english.HARMLESS];
  return {
    beans,
    /** Single words worth correcting a slip to. */
    correctable: new Set(spelt.filter((word) => word.length > 3 && !negators.has(word))),
    /** It means something by itself, or nothing at all. */
    knows: (word: string) => english.HARMLESS.has(word) || phrases.has(word),
    /** It stands in some phrase: no slip. */
    isSpelt,
    /** The longest phrase that begins at this word. */
    match(said: readonly string[], at: number): { concept: Concept; length: number } | null {
      for (let length = longest.get(said[at] ?? "") ?? 0; length > 0; length -= 1) {
        const concept = phrases.get(said.slice(at, at + length).join(" "));
        if (concept) return { concept, length };
      }
      return null;
    },
  };
}
