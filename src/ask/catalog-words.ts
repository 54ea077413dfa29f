/** Which words mean what over this catalog: its names, notes, values and prose, and words of any coffee. */
import type { Field } from "./answer.ts";
import { type Bean, type Beans, familyOf } from "./facts.ts";
import { fold, phrase, titled, words } from "./text.ts";
import * as traits from "./traits.ts";
import * as known from "./vocabulary.ts";

/** A field that is asked for, and the scale that is meant. */
export type Ask = Readonly<{ field: Field; param: string | undefined }>;

/** All that a word or phrase can mean; what it does mean is settled by its neighbours. */
export interface Concept {
  trait?: traits.Trait;
  /** The other thing of that name: Geisha is a bean of ours and a variety. */
  other?: traits.Trait;
  scale?: traits.Scale;
  dir?: 1 | -1;
  form?: "comp" | "sup";
  ask?: Ask;
  cues?: string[];
}

/** The first that says a word means something has the first word. */
export type Add = (spoken: string | readonly string[], concept: Concept) => void;

/** Also "cheaper" and "cheapest", "fruitier" and "fruitiest", "hotter" and "hottest". */
function addForms(word: string, concept: Concept, add: Add): void {
  const stem = word.endsWith("y") ? `${word.slice(0, -1)}i` : word.replace(/e$/, "");
  add([`${stem}er`, `${stem}${stem.at(-1)}er`], { ...concept, form: "comp" });
  add([`${stem}est`, `${stem}${stem.at(-1)}est`], { ...concept, form: "sup" });
}

/** Words of a name that say nothing of which bean is meant. */
const GENERIC = /^(?:washed|natural|honey|decaf|anaerobic|wet|hulled|coffee|reserve|lot|.{1,2})$/;

function addNames(beans: Beans, add: Add): void {
  const namesOf = ({ id, name, product }: Bean) => [product.name, name, id].map(fold);
  const called = (part: string) =>
    traits.traitOf(beans, "bean", titled(part), ["choose_if"], (_, bean) =>
      namesOf(bean).some((name) => traits.contains(name, phrase(part))),
    );
  const names = beans.flatMap(namesOf).map((name) => name.split(/[^\p{L}\d]+/u));
  // "Huila Washed" is a name, but "is the Huila washed?" asks.
  for (const said of names.filter((name) => !name.some((word) => GENERIC.test(word))))
    add(said.join(" "), { trait: called(said.join(" ")) });
  for (const word of new Set(names.flat())) {
    const trait = called(word);
    // Antigua Bourbon is not the only Bourbon there is: then the word is no name.
    const variety = [...traits.valueTrait(beans, "varieties", word, "").has.keys()];
    const isCountry = beans.some(({ product }) => traits.contains(product.facts.country, word));
    if (GENERIC.test(word)) add(word, {});
    else if (!isCountry && variety.every((id) => trait.has.has(id))) add(word, { trait });
  }
}

const membersOf = (name: string): string[] =>
  known.FAMILIES.get(name)![1]!.flatMap((word) =>
    word.startsWith("@") ? membersOf(word.slice(1)) : word,
  );

function addNotes(beans: Beans, add: Add): void {
  const own = beans.flatMap(({ product }) => product.facts.tasting_notes.map(fold));
  const notes = new Set([...own, ...own.flatMap((note) => note.split(/[^\p{L}\d]+/u))]);
  for (const [name, [spoken = []]] of known.FAMILIES) {
    for (const word of membersOf(name)) notes.add(word);
    const members = [...membersOf(name), ...spoken].map(phrase);
    // A family is also told in the merchant's sentences: "sweet and round".
    const fields = ["tasting_notes", "roast", "choose_if"] as const;
    const family = traits.traitOf(beans, "note", `${name} notes`, fields, (value, _, field) =>
      field === "tasting_notes"
        ? members.some((word) => traits.contains(value, word))
        : spoken.some((word) => traits.affirms(value, phrase(word))),
    );
    const concept = { scale: family, dir: 1 } as const;
    add(spoken, { ...concept, trait: { ...family, broad: name === "fruit" } });
    for (const word of spoken) addForms(word, concept, add);
  }
  for (const note of notes) {
    if (known.LISTS.get("modifiers")!.includes(note)) continue;
    const trait = traits.valueTrait(beans, "note", note, `${note} notes`);
    const concept = { trait, scale: trait, dir: 1 } as const;
    // "Honey" can be a note and a process: alone it means either.
    const process = traits.valueTrait(beans, "process", note, note).has;
    const both = { ...trait, label: note, has: new Map([...process, ...trait.has]) };
    add(note, process.size > 0 ? { ...concept, trait: both, other: trait } : concept);
    if (!note.includes(" ") && trait.has.size > 0) add(`${note}y`, concept);
  }
}

const ENDS = ["", " process", " processed", " coffee", " variety", " varietal"];

function addValues(beans: Beans, add: Add): void {
  for (const kind of ["process", "varieties"] as const) {
    const own = beans.flatMap(({ facts }) => facts[kind].map(({ value }) => value));
    for (const value of [...own, ...known.LISTS.get(kind)!]) {
      const label = kind === "process" ? value.toLowerCase() : `${titled(value)} variety`;
      const trait = traits.valueTrait(beans, kind, value, label);
      for (const end of ENDS) add(value + end, { trait });
    }
  }
}

/** Words that tell a place on a scale, or more and less of it. */
function addScales(beans: Beans, add: Add): void {
  for (const [at, amount] of ["least", "most", "less", "more"].entries()) {
    const degree = { dir: at % 2 === 0 ? -1 : 1, form: at < 2 ? "sup" : "comp" } as const;
    add(`${amount} coffee`, { scale: "dose", ...degree });
    for (const scale of ["water", "time"]) add(`${amount} ${scale}`, { scale, ...degree });
  }
  for (const [scale, steps] of known.GRADED)
    for (const [starred, level] of steps) {
      const word = starred.replace("*", "");
      const place: Concept = { scale, ...(level !== 3 && { dir: level < 3 ? -1 : 1 }) };
      const nouns = known.LISTS.get(scale) ?? [];
      const trait = nouns[0] && traits.levelTrait(beans, scale, level, word);
      const told = { ...place, ...(trait && { trait }) };
      for (const noun of nouns) add(`${word} ${noun}`, told);
      if (starred === word) continue;
      add(word, told);
      addForms(word, place, add);
    }
  add(known.LISTS.get("body")!, { scale: "body", dir: 1 });
  add("roasted", { scale: "roast", dir: 1 });
}

function addMethods(beans: Beans, add: Add): void {
  const named = (name: string, spoken: readonly string[], nameOf: (method: string) => string) => {
    const trait = traits.traitOf(beans, "method", `${name} recipe`, ["brewing"], (value) => {
      return nameOf(value.slice(0, value.indexOf(":"))) === name;
    });
    add(`${name} recipe`, { trait, ask: { field: "brewing", param: undefined } });
    add([name, ...spoken], { trait });
  };
  // "Chemex" is a Chemex where there is a recipe for one, else any pour over.
  for (const { method } of beans.flatMap(({ recipes }) => recipes))
    if (!known.METHODS.has(phrase(method))) named(phrase(method), [], phrase);
  for (const [name, also] of known.METHODS) named(name, also, familyOf);
}

/** Whether it is a decaf, how it is sold, other names for processes. */
function addOther(beans: Beans, add: Add): void {
  for (const [key, spoken] of known.OTHER_NAMES) {
    const [field, value = "", label = ""] = key.split("/") as ["decaf" | "process", string, string];
    const shows = (text: string) => traits.contains(text, phrase(value));
    const trait = traits.traitOf(beans, field, label, [field], shows);
    add(spoken, { trait, ...(label === "caffeine" && { scale: trait, dir: 1 }) });
  }
}

export const ADDERS = [addNames, addNotes, addValues, addScales, addMethods, addOther];

/** Whatever else the merchant wrote: a word that is there is said of the bean, of others nothing is. */
export function addTexts(beans: Beans, add: Add): void {
  const prose = ["choose_if", "roast", "brewing"] as const;
  const all = beans.flatMap(({ facts }) => prose.flatMap((field) => facts[field]));
  for (const word of new Set(all.flatMap(({ value }) => words(value)))) {
    if (word.length < 3 || /\d/.test(word) || known.HARMLESS.has(word) || known.NUMBERS.has(word))
      continue;
    const label = `“${word}” in its description`;
    const trait = traits.traitOf(beans, "text", label, prose, (is) => traits.affirms(is, word));
    const unsure = new Set(beans.flatMap(({ id }) => (trait.has.has(id) ? [] : id)));
    if (trait.has.size > 0)
      add(word === "milk" ? known.LISTS.get("milk")! : word, { trait: { ...trait, unsure } });
  }
}
