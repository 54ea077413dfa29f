/** Words about coffee: the catalog's names, notes, values, places and prose, and what is said of any. */
import type { Field } from "./answer.ts";
import { HARMLESS } from "./english.ts";
import { type Beans, familyOf } from "./facts.ts";
import { places } from "./places.ts";
import { fold, list, titled, words } from "./text.ts";
import {
  affirms,
  contains,
  levelTrait,
  type Scale,
  type Trait,
  traitOf,
  valueTrait,
} from "./traits.ts";
import * as known from "./vocabulary.ts";

/** All that a word or phrase can mean; what it does mean is settled by its neighbours. */
export interface Concept {
  trait?: Trait;
  /** The other thing of that name: Geisha is a bean of ours and a variety. */
  other?: Trait;
  scale?: Scale;
  dir?: 1 | -1;
  form?: "comp" | "sup";
  ask?: { field: Field; param: known.ScaleName | undefined };
  cues?: string[];
}

export type Words = [phrase: string, concept: Concept][];

/** The first that says a word means something has the first word. */
export const coffeeWords = (beans: Beans): Words =>
  [names, notes, values, graded, methods, sale, places].flatMap((from) => from(beans));

const split = (text: string): string[] => fold(text).split(/[^\p{L}\d]+/u);

/** "cheap" → cheaper, cheapest; "fruity" → fruitier, fruitiest; "hot" → hotter, hottest. */
function forms(word: string, concept: Concept): Words {
  const stem = word.endsWith("y") ? `${word.slice(0, -1)}i` : word.replace(/e$/, "");
  return [stem, `${stem}${stem.at(-1)}`].flatMap(
    (base): Words => [
      [`${base}er`, { ...concept, form: "comp" }],
      [`${base}est`, { ...concept, form: "sup" }],
    ],
  );
}

/** Words of a name that say nothing of which bean is meant. */
const GENERIC = /^(?:washed|natural|honey|decaf|anaerobic|wet|hulled|coffee|reserve|lot|.{1,2})$/;

function names(beans: Beans): Words {
  const phrases = beans.flatMap(({ id, name, product }) => [product.name, name, id].map(split));
  const trait = (phrase: string) =>
    traitOf(beans, "bean", titled(phrase), ["choose_if"], (_, { id, name, product }) =>
      [product.name, name, id].some((text) => contains(text, words(phrase).join(" "))),
    );
  // "Huila Washed" is a name, but "is the Huila washed?" asks.
  const whole = phrases.filter((said) => !said.some((word) => GENERIC.test(word)));
  return [
    ...whole.map((said) => said.join(" ")).map((said): Words[0] => [said, { trait: trait(said) }]),
    ...[...new Set(phrases.flat())].flatMap((word): Words => {
      if (GENERIC.test(word)) return [[word, {}]];
      const one = trait(word);
      // Antigua Bourbon is not the only Bourbon there is: then the word is no name.
      const variety = [...valueTrait(beans, "varieties", word, "").has.keys()];
      const isCountry = beans.some(({ product }) => contains(product.facts.country, word));
      return isCountry || variety.some((id) => !one.has.has(id)) ? [] : [[word, { trait: one }]];
    }),
  ];
}

function notes(beans: Beans): Words {
  const own = beans.flatMap(({ product }) => product.facts.tasting_notes.map(split));
  const phrases = new Set(
    [...own.map((said) => said.join(" ")), ...own.flat()].filter(
      (word) => !known.MODIFIERS.has(word),
    ),
  );
  const membersOf = (name: string): string[] =>
    known.FAMILIES.get(name)![1]!.flatMap((word) =>
      word.startsWith("@") ? membersOf(word.slice(1)) : [word],
    );
  const families = [...known.FAMILIES].flatMap(([name, [spoken = []]]): Words => {
    const members = [...membersOf(name), ...spoken].map((word) => words(word).join(" "));
    for (const word of membersOf(name)) phrases.add(word);
    const called = spoken.map((word) => words(word).join(" "));
    // A family is also told in the merchant's sentences: "sweet and round".
    const trait = traitOf(
      beans,
      "note",
      `${name} notes`,
      ["tasting_notes", "roast", "choose_if"],
      (value, _, field) =>
        field === "tasting_notes"
          ? members.some((word) => contains(value, word))
          : called.some((word) => affirms(value, word)),
    );
    const concept = { scale: trait, dir: 1 } as const;
    const wished = { ...concept, trait: { ...trait, broad: name === "fruit" } };
    return spoken.flatMap((word): Words => [[word, wished], ...forms(word, concept)]);
  });
  const single = [...phrases].flatMap((phrase): Words => {
    const trait = valueTrait(beans, "tasting_notes", phrase, `${phrase} notes`);
    const concept = { trait, scale: trait, dir: 1 } as const;
    // "Honey" can be a note and a process: alone it means either.
    const process = valueTrait(beans, "process", phrase, phrase).has;
    const both = { ...trait, label: phrase, has: new Map([...process, ...trait.has]) };
    const said = process.size > 0 ? { ...concept, trait: both, other: trait } : concept;
    const adjective = !phrase.includes(" ") && trait.has.size > 0;
    return [[phrase, said], ...(adjective ? [[`${phrase}y`, concept] as Words[0]] : [])];
  });
  return [...families, ...single];
}

function values(beans: Beans): Words {
  const facts = beans.map(({ product }) => product.facts);
  const processes = [...facts.map(({ process }) => process), ...known.PROCESSES];
  const varieties = [...facts.flatMap((one) => one.varieties), ...known.VARIETIES];
  const process = (value: string, phrase = words(value).join(" ")) => ({
    trait: valueTrait(beans, "process", phrase, value.toLowerCase()),
  });
  const ends = ["", " process", " processed", " coffee"];
  return [
    ...processes.flatMap((value) => ends.map((end): Words[0] => [value + end, process(value)])),
    ...varieties.flatMap((value): Words => {
      const trait = valueTrait(beans, "varieties", value, `${titled(value)} variety`);
      return ["", " variety", " varietal"].map((end) => [value + end, { trait }]);
    }),
    ["wet process", process("washed")],
    ["dry process", process("natural")],
  ];
}

function graded(beans: Beans): Words {
  const nouns: Record<string, string[]> = {
    acidity: ["acidity", "acid"],
    body: ["body", "bodied"],
    roast: ["roast", "roasted", "roasting"],
  };
  const amounts = (["coffee", "water"] as const).flatMap((word): Words => {
    const scale = word === "coffee" ? "dose" : "water";
    return [
      [`more ${word}`, { scale, dir: 1, form: "comp" }],
      [`less ${word}`, { scale, dir: -1, form: "comp" }],
      [`most ${word}`, { scale, dir: 1, form: "sup" }],
      [`least ${word}`, { scale, dir: -1, form: "sup" }],
    ];
  });
  const steps = [...known.GRADED].flatMap(([name, all]) =>
    all.flatMap(([starred, level]): Words => {
      const scale = name as "acidity" | "body" | "roast";
      const word = starred.replace("*", "");
      const place = { scale, dir: level < 3 ? -1 : 1 } as const;
      if (!nouns[scale]) return [[word, place], ...forms(word, place)];
      const concept = { ...place, trait: levelTrait(beans, scale, level, word) };
      return [
        ...nouns[scale].map((noun): Words[0] => [`${word} ${noun}`, concept]),
        ...(starred === word ? [] : ([[word, concept], ...forms(word, place)] as Words)),
      ];
    }),
  );
  const naming = (["body", "bodied", "roasted"] as const).map((word): Words[0] => [
    word,
    { scale: word === "roasted" ? "roast" : "body", dir: 1 },
  ]);
  return [...amounts, ...steps, ...naming];
}

function methods(beans: Beans): Words {
  const own = beans.flatMap(({ recipes }) => recipes.map(({ method }) => words(method).join(" ")));
  const named = (name: string, spoken: string[], exact: boolean): Words => {
    const trait = traitOf(beans, "method", `${name} recipe`, ["brewing"], (value) => {
      const method = value.slice(0, value.indexOf(":"));
      return (exact ? words(method).join(" ") : familyOf(method)) === name;
    });
    const recipe: Concept = { trait, ask: { field: "brewing", param: undefined } };
    return [
      [`${name} recipe`, recipe],
      ...[name, ...spoken].map((word): Words[0] => [word, { trait }]),
    ];
  };
  return [
    // "Chemex" is a Chemex where there is a recipe for one, else any pour over.
    ...[...new Set(own)].flatMap((name) => named(name, [], !known.METHODS.has(name))),
    ...[...known.METHODS].flatMap(([name, also]) => named(name, also, false)),
  ];
}

const SOLD = {
  "on the waitlist": ["WAITLIST", "waitlist, waiting list, wait list, waitlisted"],
  exclusive: ["EXCLUSIVE", "exclusive, locked, rare, rarest"],
  "sold from stock": ["STOCKED", "stocked"],
} as const;

/** Whether it is a decaf, how it is sold. */
function sale(beans: Beans): Words {
  const is = (field: "decaf" | "availability", label: string, kind: string) =>
    traitOf(beans, field, label, [field], (value) => value === kind);
  const caffeine = is("decaf", "caffeine", "false");
  const decaf = { trait: is("decaf", "decaf", "true") };
  return [
    ["caffeine", { trait: caffeine, scale: caffeine, dir: 1 }],
    ...list(`decaf, decaffeinated, decaffeinate, low caffeine, remove the caffeine,
      take out the caffeine, caffeine removed`).map((word): Words[0] => [word, decaf]),
    ...Object.entries(SOLD).flatMap(([label, [kind, line]]) =>
      list(line).map((word): Words[0] => [word, { trait: is("availability", label, kind) }]),
    ),
  ];
}

/** Whatever else the merchant wrote: a word that is there is said of the bean, of others nothing is. */
export function otherTexts(beans: Beans): Words {
  const prose = beans.flatMap(({ product: { choose_if, facts } }) => [
    choose_if,
    facts.roast,
    ...facts.brewing.map(({ advice }) => advice),
  ]);
  return [...new Set(prose.flatMap(words))].flatMap((word): Words => {
    if (word.length < 3 || /\d/.test(word) || HARMLESS.has(word)) return [];
    const label = `“${word}” in its description`;
    const said = traitOf(beans, "text", label, ["choose_if", "roast", "brewing"], (value) =>
      affirms(value, word),
    );
    if (said.has.size === 0) return [];
    const unsure = new Set(beans.map(({ id }) => id).filter((id) => !said.has.has(id)));
    const spoken = word === "milk" ? known.MILK : [word];
    return spoken.map((one) => [one, { trait: { ...said, unsure } }]);
  });
}
