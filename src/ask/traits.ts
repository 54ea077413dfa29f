/** What a bean can have or lack, and what beans can be measured by: made from the catalog's facts. */
import type { Fact, Field } from "./answer.ts";
import type { Bean, Beans } from "./facts.ts";
import { type Row, row } from "./say.ts";
import { phrase, words } from "./text.ts";
import { SCALE_WORDS } from "./vocabulary.ts";

type Kind =
  | ("bean" | "origin" | "note" | "process" | "varieties" | "roast")
  | ("acidity" | "body" | "method" | "decaf" | "availability" | "text");
type Fields = readonly [Field, ...Field[]];
type Shows = (value: string, bean: Bean, field: Field) => boolean;

export interface Trait {
  kind: Kind;
  /** Where the catalog tells of it. */
  field: Field;
  /** As it stands in a list of wishes: "chocolate notes", "washed", "from Kenya". */
  label: string;
  /** By product_id, the facts that show it. A bean that is not in here has it not. */
  has: ReadonlyMap<string, readonly Fact[]>;
  /** Those that somebody who does not want it will not want either. */
  near?: ReadonlySet<string>;
  /** Those of which the facts do not say. */
  unsure?: ReadonlySet<string>;
  /** Nearly every coffee has some of it: wished for, those are meant that have much. */
  broad?: boolean;
}

/** The beans that have a value in these fields that shows it. */
export function traitOf(beans: Beans, kind: Kind, label: string, fields: Fields, shows: Shows) {
  const has = new Map<string, Fact[]>();
  for (const bean of beans) {
    const facts = fields.flatMap((field) =>
      bean.facts[field].filter(({ value }) => shows(value, bean, field)),
    );
    if (facts.length > 0) has.set(bean.id, facts);
  }
  return { kind, field: fields[0], label, has };
}

/** Folded once: a lexicon asks every text for every word. */
const folded = new Map<string, string>();

/** Whether the words stand side by side in a text of the catalog. */
export function contains(text: string, part: string): boolean {
  if (!folded.has(text)) folded.set(text, ` ${phrase(text)} `);
  return folded.get(text)!.includes(` ${part} `);
}

/** "Sweet" stands in the text, and not as "without sweetness". */
export const affirms = (text: string, part: string): boolean =>
  contains(text, part) &&
  contains(text.replace(/\b(?:without|no|not|never)\b[^,.;:]*/gi, ""), part);

type Value = "note" | "process" | "varieties";

/** The values that hold the phrase. One that holds only a word of it leaves the bean unsure. */
export function valueTrait(beans: Beans, kind: Value, value: string, label: string): Trait {
  const field = kind === "note" ? "tasting_notes" : kind;
  const holding = (part: string) =>
    traitOf(beans, kind, label, [field], (text) => contains(text, part));
  const trait = holding(phrase(value));
  const partly = words(value).flatMap((part) => [...holding(part).has.keys()]);
  return { ...trait, unsure: new Set(partly.filter((id) => !trait.has.has(id))) };
}

/** Low, medium or high on a scale that the roast sentence tells. */
export function levelTrait(beans: Beans, scale: string, level: number, word: string): Trait {
  const end = Math.sign(level - 3);
  const ends = scale === "body" ? ["light", "medium", "full"] : ["low", "medium", "high"];
  const label = `${scale === "roast" ? word : ends[end + 1]} ${scale}`;
  const at = (bean: Bean) => bean.numbers[scale] ?? Number.NaN;
  const near = (bean: Bean) => Math.sign(at(bean) - 3) === end;
  const shows = (bean: Bean) => (scale === "roast" ? at(bean) === level : near(bean));
  const idsOf = (is: (bean: Bean) => boolean) => new Set(beans.filter(is).map(({ id }) => id));
  const trait = traitOf(beans, scale as "roast", label, ["roast"], (_, bean) => shows(bean));
  return { ...trait, near: idsOf(near), unsure: idsOf((bean) => Number.isNaN(at(bean))) };
}

export type Scale = string | Trait;
/** A bean's place on a scale, with what the catalog says there. */
export type Measure = Row & { value: number };

/** The field that tells a bean's place on a scale. */
export const fieldOf = (scale: string): Field =>
  scale === "price" ? "price_minor" : /^(?:acidity|body|roast)$/.test(scale) ? "roast" : "brewing";

/** One for each bean, but one for each recipe on the scales of recipes; none where nothing is said. */
export function measures(bean: Bean, scale: Scale, recipes: Bean["recipes"]): Measure[] {
  if (typeof scale !== "string") {
    const facts = scale.has.get(bean.id) ?? [];
    return [{ ...row(bean, scale.field), ...(facts.length > 0 && { facts }), value: facts.length }];
  }
  const value = bean.numbers[scale];
  if (value !== undefined) return [{ ...row(bean, fieldOf(scale)), value }];
  return recipes.flatMap(({ fact, numbers: { [scale]: number } }) =>
    number === undefined ? [] : [{ bean, value: number, facts: [fact] }],
  );
}

/** Least, most, less or more of a scale, in words. */
export function scaleWords(scale: Scale, dir: 1 | -1, form: "comp" | "sup"): string {
  const at = (form === "sup" ? 0 : 2) + (dir > 0 ? 1 : 0);
  if (typeof scale === "string") return SCALE_WORDS.get(scale)![at]!;
  const few = scale.kind === "note" ? ["fewest", "most", "fewer"] : ["least", "most", "less"];
  return `${few[at] ?? "more"} ${scale.label}`;
}
