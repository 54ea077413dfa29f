/** What beans have and lack: an index of all that the catalog says, by kind and term. */
import type { Fact, Field } from "./ask.ts";
import type { Bean, Beans } from "./facts.ts";
import { phrase, titled, words } from "./text.ts";
import { TERMS } from "./vocabulary.ts";

export interface Trait {
  kind: string;
  /** Where the catalog tells of it. */
  field: Field;
  /** As it stands in a list of wishes: "chocolate notes", "washed", "from Kenya". */
  label: string;
  /** The same, where it is not wanted. */
  denied?: string;
  /** By product_id, the facts that show it. A bean that is not in here has it not. */
  has: ReadonlyMap<string, readonly Fact[]>;
  /** Those that somebody who does not want it will not want either. */
  near?: ReadonlySet<string>;
  /** Those of which the facts do not say. */
  unsure?: ReadonlySet<string>;
  /** Nearly every coffee has some of it: wished for, those are meant that have much. */
  broad?: boolean;
}

const whole = (value: string): string[] => [phrase(value)];
/** Every run of words: "red apple", "red", "apple". */
const runs = (value: string): string[] =>
  words(value).flatMap((_, at, said) =>
    said.slice(at).map((_word, more) => said.slice(at, at + more + 1).join(" ")),
  );

/** Processes that are called by another one's name, and are not that: "pulped natural". */
const OTHER_PROCESSES = TERMS.flatMap(({ kind, members }) =>
  members.filter((one) => kind === "process" && members.some((end) => one.endsWith(` ${end}`))),
);
const processes = (value: string): string[] => {
  const others = OTHER_PROCESSES.filter((other) => phrase(value).includes(other));
  return runs(value).filter((one) => !others.some((other) => other.endsWith(` ${one}`)));
};

/** Words of the merchant's sentences: "sweet" is said, but not in "without sweetness". */
export const affirmed = (prose: string): string[] =>
  words(prose.replace(/\b(?:without|no|not|never)\b[^,.;:]*/gi, ""));

/** Where the catalog tells of each kind, and in which terms. */
const TOLD: readonly [kind: string, field: Field, termsOf: (value: string) => string[]][] = [
  ["note", "tasting_notes", runs],
  ["note", "roast", affirmed],
  ["note", "choose_if", affirmed],
  ["process", "process", processes],
  ["varieties", "varieties", runs],
  ["method", "brewing", (recipe) => whole(recipe.slice(0, recipe.indexOf(":")))],
  ["origin", "country", whole],
  ["decaf", "decaf", (is) => [is === "true" ? "decaf" : "caffeine"]],
  ["availability", "availability", whole],
  ["text", "choose_if", affirmed],
  ["text", "roast", affirmed],
  ["text", "brewing", affirmed],
];

const LABELS: Readonly<Record<string, (name: string) => string>> = {
  note: (name) => `${name} notes`,
  process: (name) => name.toLowerCase(),
  varieties: (name) => `${titled(name)} variety`,
  method: (name) => `${name} recipe`,
  origin: (name) => `from ${titled(name)}`,
  bean: titled,
  text: (word) => `“${word}” in its description`,
};

/** What a term is called, or belongs to, by kind/term. */
const NAMES = Map.groupBy(
  TERMS.flatMap(({ kind, also: [name = "", ...also], members }) =>
    [...also, ...members.map(phrase)].map((term) => ({ key: `${kind}/${term}`, name })),
  ).filter(({ name }) => name !== ""),
  ({ key }) => key,
);

/** A term, and all that it belongs to: "blueberry", "berry", "fruit". */
const wider = (kind: string, term: string, from = ""): string[] => [
  term,
  ...(NAMES.get(`${kind}/${term}`) ?? []).flatMap(({ name }) =>
    name === from ? [] : wider(kind, name, term),
  ),
];

export type Traits = ReturnType<typeof traitsOf>;

export function traitsOf(beans: Beans) {
  const index = new Map<string, Map<string, Fact[]>>();
  const add = (kind: string, term: string, fact: Fact) => {
    const has = index.get(`${kind}/${term}`) ?? new Map<string, Fact[]>();
    const facts = new Set(has.get(fact.product_id)).add(fact);
    index.set(`${kind}/${term}`, has.set(fact.product_id, [...facts]));
  };
  for (const { id, name, product, facts } of beans) {
    for (const [kind, field, termsOf] of TOLD)
      for (const fact of facts[field])
        for (const term of termsOf(fact.value).flatMap((one) => wider(kind, one)))
          add(kind, term, fact);
    for (const part of [product.name, name, id].flatMap(runs))
      add("bean", part, facts.choose_if[0]!);
  }
  /** The trait of this name; has none where the catalog does not tell of it. */
  return (kind: string, name: string): Trait => {
    const [, field = "choose_if"] = TOLD.find(([told]) => told === kind) ?? [];
    const has = index.get(`${kind}/${phrase(name)}`) ?? new Map<string, Fact[]>();
    return { kind, field, label: LABELS[kind]?.(name) ?? name, has };
  };
}

/** Without what only comes near it. */
export const exactly = (trait: Trait): Trait => ({ ...trait, near: new Set() });

/** Low, medium or high on a scale that the roast sentence tells. */
export function levelTrait(beans: Beans, scale: string, level: number, word: string): Trait {
  const end = Math.sign(level - 3);
  const at = (bean: Bean) => bean.numbers[scale] ?? Number.NaN;
  const ofEnd = beans.filter((bean) => Math.sign(at(bean) - 3) === end);
  // "No acidity" is told of none: those come next to it that have least.
  const least = ofEnd.filter((bean) => word === "no" && at(bean) <= 1);
  const alike = least.length > 0 ? least : ofEnd;
  const low = alike.some((bean) => at(bean) === 2) ? "low or mild" : "low";
  const ends = scale === "body" ? ["light", "medium", "full"] : [low, "medium", "high"];
  // "A tea-like body" is meant in this very word.
  const said = scale === "body" && !/^(?:light|full|heavy|medium|low|high|strong)$/.test(word);
  const literal = alike.filter(
    ({ facts }) =>
      said && facts.roast.some(({ value }) => phrase(value).includes(`${word} ${scale}`)),
  );
  const some = literal.length > 0 ? literal : alike;
  const label = `${scale === "roast" || literal.length > 0 ? word : ends[end + 1]} ${scale}`;
  const shown = scale === "roast" ? beans.filter((bean) => at(bean) === level) : some;
  // "I can't stand acidity": nor what is in the middle.
  const isAny = /^(?:acid(?:ity|ic)?|sour)$/.test(word);
  const near = isAny ? beans.filter((bean) => at(bean) >= 3) : alike;
  const denied = isAny ? { denied: `more than mild ${scale}` } : {};
  const idsOf = (some: Beans) => new Set(some.map(({ id }) => id));
  const unsure = idsOf(beans.filter((bean) => Number.isNaN(at(bean))));
  const has = new Map(shown.map(({ id, facts }) => [id, facts.roast] as const));
  return { kind: scale, field: "roast", label, ...denied, has, near: idsOf(near), unsure };
}
