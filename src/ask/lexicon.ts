/** Which words mean what: the catalog's first, then the vocabulary's; a later one takes no word away. */
import type { Field } from "./answer.ts";
import * as coffee from "./catalog-words.ts";
import type { Beans } from "./facts.ts";
import { addPlaces } from "./places.ts";
import { words } from "./text.ts";
import { ASKS, CUES, HARMLESS, LISTS } from "./vocabulary.ts";

export type Lexicon = ReturnType<typeof createLexicon>;

/** Words of the longest phrase that is looked for. */
const LONGEST = 6;

export function createLexicon(beans: Beans) {
  const phrases = new Map<string, coffee.Concept>();
  const add: coffee.Add = (spoken, concept) => {
    for (const said of [spoken].flat().map(words)) {
      const old = phrases.get(said.join(" "));
      const other = old?.trait && concept.trait ? { other: old.other ?? concept.trait } : {};
      const cues = [...(old?.cues ?? []), ...(concept.cues ?? [])];
      phrases.set(said.join(" "), { ...concept, ...old, ...other, ...(cues[0] && { cues }) });
    }
  };
  for (const addAll of coffee.ADDERS) addAll(beans, add);
  addPlaces(beans, add);
  for (const [cue, lines] of CUES) add(lines, { cues: [cue] });
  for (const [key, lines] of ASKS) {
    const [field, param] = key.split("/") as [Field, string | undefined];
    add(lines, { ask: { field, param }, ...(param && { scale: param, dir: 1 }) });
  }
  add(LISTS.get("neutral")!, {});
  coffee.addTexts(beans, (spoken, concept) => {
    for (const word of [spoken].flat()) if (!phrases.has(word)) add(word, concept);
  });
  const all = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(" ")));
  const negators = new Set(["NOT", "EXCEPT"].flatMap((cue) => CUES.get(cue)!).flatMap(words));
  const spelt = new Set([...all, ...HARMLESS]);
  return {
    beans,
    /** Single words worth correcting a slip to, by their first letter. */
    correctable: Map.groupBy(
      [...spelt, ...LISTS.get("policy")!].filter((word) => word.length > 3 && !negators.has(word)),
      (word) => word[0]!,
    ),
    /** It means something by itself, or nothing at all. */
    knows: (word: string) => HARMLESS.has(word) || phrases.has(word),
    /** It stands in some phrase: no slip. */
    isSpelt: (word: string) => spelt.has(word),
    /** The longest phrase that begins at this word. */
    match(said: readonly string[], at: number) {
      for (let length = Math.min(LONGEST, said.length - at); length > 0; length -= 1) {
        const concept = phrases.get(said.slice(at, at + length).join(" "));
        if (concept) return { concept, length };
      }
      return null;
    },
  };
}
