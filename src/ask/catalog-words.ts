/** The catalog's own words: names, notes, processes, varieties, methods, and what else is written there. */
import * as english from "./english.ts";
import { type Beans, familyOf } from "./facts.ts";
import { type Add, forms } from "./graded-words.ts";
import { fold, list, titled, words } from "./text.ts";
import { affirms, contains, traitOf, valueTrait } from "./traits.ts";
import * as known from "./vocabulary.ts";

/** Words of a name that say nothing of which bean is meant. */
const GENERIC = /^(?:washed|natural|honey|decaf|anaerobic|wet|hulled|coffee|reserve|lot|.{1,2})$/;

export function names(beans: Beans, add: Add): void {
  const spoken = new Map(
    beans.map(({ id, product }) => [id, [product.name, product.name_to_use_with_humans, id]]),
  );
  const phrases = [...spoken.values()].flat().map((name) => fold(name).split(/[^\p{L}\d]+/u));
  const trait = (phrase: string) => {
    const named = (id: string) =>
      spoken.get(id)!.some((name) => contains(name, words(phrase).join(" ")));
    return traitOf("bean", titled(phrase), beans, ["choose_if"], (_, { id }) => named(id));
  };
  for (const said of phrases) {
    // "Huila Washed" is a name, but "is the Huila washed?" asks.
    if (!said.some((word) => GENERIC.test(word)))
      add(said.join(" "), { trait: trait(said.join(" ")) });
  }
  for (const word of new Set(phrases.flat())) {
    const one = trait(word);
    const variety = valueTrait("varieties", word, "", beans);
    const isCountry = beans.some(({ product }) => contains(product.facts.country, word));
    // Antigua Bourbon is not the only Bourbon there is: then the word is no name.
    const isName = [...variety.has.keys()].every((id) => one.has.has(id));
    if (GENERIC.test(word)) add(word, {});
    else if (!isCountry && isName) add(word, { trait: one });
  }
}

export function notes(beans: Beans, add: Add): void {
  const written = beans.flatMap(({ product }) => product.facts.tasting_notes);
  const own = written.map((value) => fold(value).split(/[^\p{L}\d]+/u));
  const phrases = new Set(
    [...own.map((said) => said.join(" ")), ...own.flat()].filter(
      (word) => !known.MODIFIERS.has(word),
    ),
  );
  const membersOf = (name: string): string[] =>
    known.FAMILIES.get(name)![1]!.flatMap((word) =>
      word.startsWith("@") ? membersOf(word.slice(1)) : [word],
    );
  for (const [name, [spoken = []]] of known.FAMILIES) {
    const members = membersOf(name).map((word) => words(word).join(" "));
    const called = spoken.map((word) => words(word).join(" "));
    // A family is also told in the merchant's sentences: "sweet and round".
    const trait = traitOf(
      "note",
      `${name} notes`,
      beans,
      ["tasting_notes", "roast", "choose_if"],
      (value, _, field) =>
        field === "tasting_notes"
          ? [...members, ...called].some((word) => contains(value, word))
          : called.some((word) => affirms(value, word)),
    );
    for (const word of spoken) {
      add(word, { trait: { ...trait, broad: name === "fruit" }, scale: trait, dir: 1 });
      forms(word, (form, degree) => add(form, { scale: trait, dir: 1, form: degree }));
    }
    for (const word of members) phrases.add(word);
  }
  for (const phrase of phrases) {
    const trait = valueTrait("tasting_notes", phrase, `${phrase} notes`, beans);
    const concept = { trait, scale: trait, dir: 1 } as const;
    // "Honey" can be a note and a process: alone it means either.
    const process = valueTrait("process", phrase, phrase, beans).has;
    const both = { ...trait, label: phrase, has: new Map([...process, ...trait.has]) };
    add(phrase, process.size > 0 ? { ...concept, trait: both, other: trait } : concept);
    if (!phrase.includes(" ") && trait.has.size > 0) add(`${phrase}y`, concept);
  }
}

export function values(beans: Beans, add: Add): void {
  const facts = beans.map(({ product }) => product.facts);
  const ends = {
    process: [" process", " processed", " coffee", ""],
    varieties: [" variety", " varietal", ""],
  };
  const terms = {
    process: [...facts.map(({ process }) => process), ...known.PROCESSES],
    varieties: [...facts.flatMap(({ varieties }) => varieties), ...known.VARIETIES],
  };
  for (const field of ["process", "varieties"] as const)
    for (const value of terms[field]) {
      const phrase = words(value).join(" ");
      const label = field === "varieties" ? `${titled(value)} variety` : value.toLowerCase();
      const trait = valueTrait(field, phrase, label, beans);
      for (const end of ends[field]) add(phrase + end, { trait });
    }
  add("wet process", { trait: valueTrait("process", "washed", "washed", beans) });
  add("dry process", { trait: valueTrait("process", "natural", "natural", beans) });
}

const DECAF = list(`decaf, decaffeinated, decaffeinate, low caffeine, remove the caffeine,
  take out the caffeine, caffeine removed`);
const SOLD = {
  WAITLIST: ["on the waitlist", "waitlist, waiting list, wait list, waitlisted"],
  EXCLUSIVE: ["exclusive", "exclusive, locked, rare, rarest"],
  STOCKED: ["sold from stock", "stocked"],
} as const;

/** How it is brewed, whether it is a decaf, how it is sold. */
export function sale(beans: Beans, add: Add): void {
  const own = beans.flatMap(({ recipes }) => recipes.map(({ family }) => family));
  for (const name of new Set([...known.METHODS.keys(), ...own])) {
    const trait = traitOf(
      "method",
      `${name} recipe`,
      beans,
      ["brewing"],
      (value) => familyOf(value.slice(0, value.indexOf(":"))) === name,
    );
    for (const spoken of [name, ...(known.METHODS.get(name) ?? [])]) add(spoken, { trait });
    add(`${name} recipe`, { trait, ask: { field: "brewing", param: undefined } });
  }
  const decaf = traitOf("decaf", "decaf", beans, ["decaf"], (value) => value === "true");
  const caffeine = traitOf("decaf", "caffeine", beans, ["decaf"], (value) => value === "false");
  for (const word of DECAF) add(word, { trait: decaf });
  add("caffeine", { trait: caffeine, scale: caffeine, dir: 1 });
  for (const [kind, [label, line]] of Object.entries(SOLD)) {
    const trait = traitOf(
      "availability",
      label,
      beans,
      ["availability"],
      (value) => value === kind,
    );
    for (const word of list(line)) add(word, { trait });
  }
}

/** Whatever else the merchant wrote: a word that is there is said of the bean, of others nothing is. */
export function texts(beans: Beans, add: Add): void {
  const prose = beans.flatMap(({ product: { choose_if, facts } }) => [
    choose_if,
    facts.roast,
    ...facts.brewing.map(({ advice }) => advice),
  ]);
  for (const word of new Set(prose.flatMap(words))) {
    if (
      word.length < 3 ||
      /\d/.test(word) ||
      english.HARMLESS.has(word) ||
      english.NUMBERS.has(word)
    )
      continue;
    const said = traitOf(
      "text",
      `“${word}” in its description`,
      beans,
      ["choose_if", "roast", "brewing"],
      (value) => affirms(value, word),
    );
    const trait = {
      ...said,
      unsure: new Set(beans.map(({ id }) => id).filter((id) => !said.has.has(id))),
    };
    for (const spoken of word === "milk" ? [word, ...known.MILK] : [word])
      if (said.has.size > 0) add(spoken, { trait });
  }
}
