/** Which words mean what: the catalog's first, then the vocabulary's; a later one takes no word away. */
import { US_REGIONS } from "../core/us-regions.ts";
import { numberOf } from "./amounts.ts";
import type { Field } from "./ask.ts";
import type { Beans } from "./facts.ts";
import { countryNames, fold, phrase, spaced, words } from "./text.ts";
import { affirmed, levelTrait, type Trait, type Traits, traitsOf } from "./traits.ts";
import { ASKS, CUES, GRADED, HARMLESS, LISTS, SCALE_WORDS, TERMS } from "./vocabulary.ts";

/** A field that is asked for, and the scale that is meant. */
export type Ask = Readonly<{ field: Field; param: string | undefined }>;

/** By what beans can be set in an order: a number of theirs, or how much they have of a trait. */
export type Scale = string | Trait;

/** All that a word or phrase can mean; what it does mean is settled by its neighbours. */
export interface Concept {
  trait?: Trait;
  /** The other thing of that name: Geisha is a bean of ours and a variety. */
  other?: Trait;
  scale?: Scale;
  dir?: 1 | -1;
  form?: "comp" | "sup";
  ask?: Ask;
  cues?: string[];
}

type Add = (spoken: string | readonly string[], concept: Concept) => void;
export type Lexicon = ReturnType<typeof createLexicon>;

export function createLexicon(beans: Beans) {
  const phrases = new Map<string, Concept>();
  const add: Add = (spoken, concept) => {
    for (const said of new Set([spoken].flat().map(phrase))) {
      const old = phrases.get(said);
      const other = old?.trait && concept.trait ? { other: old.other ?? concept.trait } : {};
      const cues = [...(old?.cues ?? []), ...(concept.cues ?? [])];
      phrases.set(said, { ...concept, ...old, ...other, ...(cues[0] && { cues }) });
    }
  };
  const trait = traitsOf(beans);
  addNames(beans, trait, add);
  addTerms(beans, trait, add);
  addScales(beans, add);
  for (const [cue, lines] of CUES) add(lines, { cues: [cue] });
  for (const [key, lines] of ASKS) {
    const [field, param] = key.split("/") as [Field, string | undefined];
    add(lines, { ask: { field, param }, ...(param && { scale: param, dir: 1 }) });
  }
  add([...LISTS.get("neutral")!, ...Object.values(US_REGIONS)], {});
  for (const [word, concept] of texts(beans, trait)) if (!phrases.has(word)) add(word, concept);
  const negators = ["NOT", "EXCEPT"].flatMap((cue) => CUES.get(cue)!);
  const spelt = new Set([...[...phrases.keys()].flatMap(spaced), ...HARMLESS]);
  // "Malty" is no slip of Malta, where no coffee grows and no bean is from.
  const growing = TERMS.flatMap(({ kind, members }) => (kind === "origin" ? members : []));
  const isFar = (name: string) => !growing.includes(name) && !phrases.get(name)?.trait?.has.size;
  const far = countryNames("en").flatMap(([, name]) => (isFar(name) ? name : []));
  const fixed = new Set([...negators, ...far]);
  return {
    beans,
    /** All that beans have, each once: in common or alone. */
    traits: traitsIn(phrases),
    /** Single words worth correcting a slip to, by their first letter. */
    correctable: Map.groupBy(
      [...spelt, ...LISTS.get("policy")!].filter((word) => word.length > 3 && !fixed.has(word)),
      (word) => word[0]!,
    ),
    /** It means something by itself, or nothing at all. */
    // What somebody wants to give is no claim, where no description speaks of gifts.
    knows: (word: string) => HARMLESS.has(word) || phrases.has(word) || word === "gift",
    /** It stands in some phrase: no slip. */
    isSpelt: (word: string) => spelt.has(word),
    /** The longest phrase that begins at this word; none has more than six. */
    match(said: readonly string[], at: number) {
      for (let length = Math.min(6, said.length - at); length > 0; length -= 1) {
        const concept = phrases.get(said.slice(at, at + length).join(" "));
        if (concept) return { concept, length };
      }
      return null;
    },
  };
}

/** Of those that the same beans have one, but every recipe. */
function traitsIn(phrases: ReadonlyMap<string, Concept>): Trait[] {
  const all = [...phrases.values()].flatMap(({ trait, other }) => other ?? trait ?? []);
  const shared = all.filter(({ kind, has }) => has.size > 0 && !/bean|text|decaf|avail/.test(kind));
  const keyOf = ({ kind, has }: Trait) =>
    `${kind} ${kind === "method" ? [...has.values()].flat().map(({ value }) => value) : [...has.keys()]}`;
  return [...Map.groupBy(shared, keyOf).values()].map(([first]) => first!);
}

/** What an "-er" or "-est" is put to: "fruiti" of fruity, "simpl" of simple. */
const stemOf = (word: string): string =>
  word.endsWith("y") ? `${word.slice(0, -1)}i` : word.replace(/e$/, "");

/** Also "cheaper" and "cheapest", "fruitier" and "fruitiest", "hotter" and "hottest". */
function addForms(word: string, concept: Concept, add: Add, ends = [""]): void {
  const stem = stemOf(word);
  const said = (ending: string) =>
    ends.flatMap((end) => [stem, stem + stem.at(-1)].map((begun) => `${begun}${ending} ${end}`));
  add(said("er"), { ...concept, form: "comp" });
  add(said("est"), { ...concept, form: "sup" });
}

/** Words of a name that say nothing of which bean is meant. */
const GENERIC = /^(?:washed|natural|honey|decaf|anaerobic|wet|hulled|coffee|reserve|lot|.{1,2})$/;

function addNames(beans: Beans, trait: Traits, add: Add): void {
  const names = beans.flatMap(({ id, name, product }) =>
    [product.name, name, id].map((one) => fold(one).split(/[^\p{L}\d]+/u)),
  );
  // "Huila Washed" is a name, but "is the Huila washed?" asks.
  for (const name of names.filter((name) => !name.some((word) => GENERIC.test(word))))
    add(name.join(" "), { trait: trait("bean", name.join(" ")) });
  const countries = new Set(beans.flatMap(({ product }) => fold(product.facts.country).split(" ")));
  for (const word of new Set(names.flat())) {
    const called = trait("bean", word);
    // Antigua Bourbon is not the only Bourbon there is: then the word is no name.
    const variety = [...trait("varieties", word).has.keys()];
    if (GENERIC.test(word)) add(word, {});
    else if (!countries.has(word) && variety.every((id) => called.has.has(id)))
      add(word, { trait: called });
  }
}

const ENDS: Readonly<Record<string, readonly string[]>> = {
  process: ["", " process", " processed", " coffee"],
  varieties: ["", " variety", " varietal", " coffee"],
};

/** "Kenya" → "kenyan", "Panama" → "panamanian": every ending there is, since wrong ones are no words. */
function adjectives(place: string): string[] {
  const endings = ["", "n", "an", "ian", "anian", "ean", "ese", "i", "vian", "ish", "in"];
  return [place, place.replace(/[aeio]+$/, "")]
    .flatMap((base) => endings.map((end) => base + end))
    .filter((word) => word.length > 4 || word === place);
}

const alsoOf = (kind: string, name: string): readonly string[] =>
  TERMS.find((term) => term.kind === kind && term.name === name)?.also ?? [];

/** What no fact says of a kind: how much caffeine is left in a decaf, how long a natural has fermented. */
const OPEN: ReadonlyMap<string, readonly [kind: string, name: string]> = new Map([
  ["caffeine", ["decaf", "decaf"]],
  ["fermented", ["process", "natural"]],
  ["drip machine", ["method", "filter coffee"]],
]);

/** What the vocabulary names and what the catalog says, kind by kind. */
function addTerms(beans: Beans, trait: Traits, add: Add): void {
  const addTerm = (kind: string, name: string, also?: readonly string[]) => {
    const as = OPEN.get(name);
    const own = trait(kind, name);
    // Where no recipe is for a machine, what other filter coffee there is may be made with it.
    const found = as && kind === "method" && own.has.size === 0 ? trait(...as) : own;
    const { has } = found;
    // Where "milk chocolate" is told, the facts do not say whether it is "dark chocolate".
    const partly = also ? [] : words(name).flatMap((word) => [...trait(kind, word).has.keys()]);
    const open = as ? trait(...as).has.keys() : [];
    const unsure = new Set([...partly, ...open].filter((id) => found !== own || !has.has(id)));
    const measured = kind === "note" || name === "caffeine";
    const concept: Concept = {
      trait: { ...found, unsure, broad: name === "fruit" },
      ...(measured && { scale: found, dir: 1 }),
    };
    const spoken = kind === "origin" ? adjectives(phrase(name)) : (also ?? [name]);
    // "Honey" can be a note and a process: alone it means either.
    const { has: process } = trait("process", name);
    const both = { ...found, label: name, has: new Map([...process, ...has]) };
    const twin = kind === "note" && process.size > 0 && { trait: both, other: found };
    const said = spoken.flatMap((word) => (ENDS[kind] ?? [""]).map((end) => word + end));
    add(said, { ...concept, ...twin });
    if (kind === "note" && also) for (const word of also) addForms(word, concept, add);
    else if (kind === "note" && has.size > 0) add(`${name}y`, concept);
  };
  // "Chemex" is a Chemex where there is a recipe for one, else any pour over.
  for (const { method, family } of beans.flatMap(({ recipes }) => recipes))
    if (phrase(method) !== family) addTerm("method", phrase(method), [phrase(method)]);
  for (const { kind, name, also, members } of TERMS) {
    if (name !== "" && kind !== "text" && kind !== "place") addTerm(kind, name, also);
    for (const member of kind === "place" ? [] : members) addTerm(kind, member);
  }
  for (const { product } of beans) {
    const { tasting_notes: notes, process, varieties, country, region } = product.facts;
    for (const note of notes.flatMap((note) => [note, ...note.split(/[^\p{L}\d]+/u)].map(fold)))
      if (!LISTS.get("modifiers")!.includes(note)) addTerm("note", note);
    addTerm("process", process);
    for (const variety of varieties) addTerm("varieties", variety);
    for (const place of [country, region]) addTerm("origin", place);
  }
  for (const { kind, name, members } of TERMS) {
    const unsure = new Set(trait("origin", name).has.keys());
    for (const place of kind === "place" ? members : []) {
      // "Sumatra Gayo" is from Sumatra by its name.
      const { has } = trait("bean", place);
      add(adjectives(place), {
        trait: { ...trait("origin", place), ...(has.size > 0 && { has }), unsure },
      });
    }
  }
  for (const [, name] of countryNames("en"))
    if (name.length > 3) add(name, { trait: trait("origin", name) });
}

/** Words that tell a place on a scale, or more and less of it. */
function addScales(beans: Beans, add: Add): void {
  for (const [scale, degrees] of SCALE_WORDS)
    for (const [at, said] of degrees.entries())
      add(said, { scale, dir: at % 2 === 0 ? -1 : 1, form: at % 4 < 2 ? "sup" : "comp" });
  for (const [scale, steps] of GRADED)
    for (const [starred, level] of steps) {
      const word = starred.replace("*", "");
      if (word.startsWith("~")) continue;
      const place: Concept = { scale, ...(level !== 3 && { dir: level < 3 ? -1 : 1 }) };
      const nouns = LISTS.get(scale) ?? [];
      const trait = nouns[0] && levelTrait(beans, scale, level, word);
      const told = { ...place, ...(trait && { trait }) };
      const ends = nouns.flatMap((noun) => [noun, `in ${noun}`, `on ${noun}`]);
      const isAlone = starred !== word;
      add(
        ends.map((end) => `${word} ${end}`),
        told,
      );
      if (isAlone) add([word, `${word.replace(/y$/, "i")}ness`, `${word}ish`], told);
      addForms(word, place, add, isAlone ? ["", ...ends] : ends);
    }
}

/** Whatever else the merchant wrote: a word that is there is said of the bean, of others nothing is. */
function texts(beans: Beans, trait: Traits): [string, Concept][] {
  const prose = ["choose_if", "roast", "brewing"] as const;
  const all = beans.flatMap(({ facts }) => prose.flatMap((field) => facts[field]));
  return [...new Set(all.flatMap(({ value }) => affirmed(value)))].flatMap((word) => {
    if (word.length < 3 || HARMLESS.has(word) || numberOf(word) >= 0) return [];
    if (LISTS.get("unsearched")!.includes(word)) return [];
    const said = trait("text", word);
    const unsure = new Set(beans.flatMap(({ id }) => (said.has.has(id) ? [] : id)));
    const concept = { trait: { ...said, unsure } };
    return [word, ...alsoOf("text", word), `${stemOf(word)}est`].map(
      (spoken): [string, Concept] => [spoken, concept],
    );
  });
}
