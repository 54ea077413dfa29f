/** What a bean can have or lack, and what beans can be measured by: made from the catalog's facts. */
import type { Fact, Field } from "./answer.ts";
import type { Bean, Beans } from "./facts.ts";
import { type Row, row } from "./say.ts";
import { lowerFirst, words } from "./text.ts";
import { type ScaleName, scaleTerms } from "./vocabulary.ts";

export interface Trait {
  dimension:
    | ("bean" | "origin" | "note" | "process" | "varieties" | "roast")
    | ("acidity" | "body" | "method" | "decaf" | "availability" | "text");
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

type Shows = (value: string, bean: Bean, field: Field) => boolean;

/** The beans that have a value in these fields that shows it. */
export function traitOf(
  beans: Beans,
  dimension: Trait["dimension"],
  label: string,
  fields: readonly [Field, ...Field[]],
  shows: Shows,
): Trait {
  const found = beans.map((bean): [string, Fact[]] => [
    bean.id,
    fields.flatMap((field) => bean.facts[field].filter(({ value }) => shows(value, bean, field))),
  ]);
  const has = new Map(found.filter(([, facts]) => facts.length > 0));
  return { dimension, field: fields[0], label, has };
}

/** Folded once: a lexicon asks every text for every word. */
const folded = new Map<string, string>();
const spaced = (text: string): string => {
  if (!folded.has(text)) folded.set(text, ` ${words(text).join(" ")} `);
  return folded.get(text)!;
};

/** Whether the words stand side by side in a text of the catalog. */
export const contains = (text: string, phrase: string): boolean =>
  spaced(text).includes(` ${phrase} `);

/** "Sweet" stands in the text, and not as "without sweetness". */
export const affirms = (text: string, phrase: string): boolean =>
  contains(text, phrase) &&
  contains(text.replace(/\b(?:without|no|not|never)\b[^,.;:]*/gi, ""), phrase);

/** The values that hold the phrase. One that holds only a word of it leaves the bean unsure. */
export function valueTrait(
  beans: Beans,
  field: "tasting_notes" | "process" | "varieties",
  phrase: string,
  label: string,
): Trait {
  const dimension = field === "tasting_notes" ? "note" : field;
  const holding = (part: string) =>
    traitOf(beans, dimension, label, [field], (value) => contains(value, part));
  const parts = words(phrase);
  const trait = holding(parts.join(" "));
  const partly = parts.length < 2 ? [] : parts.flatMap((part) => [...holding(part).has.keys()]);
  return { ...trait, unsure: new Set(partly.filter((id) => !trait.has.has(id))) };
}

const ENDS = { acidity: ["low", "medium", "high"], body: ["light", "medium", "full"] };

/** Low, medium or high on a scale that the roast sentence tells. */
export function levelTrait(
  beans: Beans,
  scale: "acidity" | "body" | "roast",
  level: number,
  word: string,
): Trait {
  const end = Math.sign(level - 3);
  const near = ({ [scale]: at = 0 }: Bean) => at > 0 && Math.sign(at - 3) === end;
  const has = (bean: Bean) => (scale === "roast" ? bean.roast === level : near(bean));
  const label = `${scale === "roast" ? word : ENDS[scale][end + 1]} ${scale}`;
  const silent = beans.filter((bean) => bean[scale] === undefined);
  return {
    ...traitOf(beans, scale, label, ["roast"], (_, bean) => has(bean)),
    near: new Set(beans.filter(near).map(({ id }) => id)),
    unsure: new Set(silent.map(({ id }) => id)),
  };
}

export type Scale = ScaleName | Trait;
/** A bean's place on a scale, with what the catalog says there. */
export type Measure = Row & { value: number };

/** One for each bean, but one for each recipe on the scales of recipes; none where nothing is said. */
export function measures(bean: Bean, scale: Scale, recipes: Bean["recipes"]): Measure[] {
  if (typeof scale !== "string") {
    const facts = scale.has.get(bean.id) ?? [];
    const own = row(bean, scale.field);
    const said = facts.map(({ value }) => lowerFirst(value)).join(", ") || `no ${scale.label}`;
    if (facts.length === 0 || scale.dimension === "decaf")
      return [{ ...own, value: facts.length, said: scale.dimension === "decaf" ? own.said : said }];
    return [{ bean, value: facts.length, said, facts }];
  }
  if (scale === "price") return [{ ...row(bean, "price_minor"), value: bean.product.price_minor }];
  if (scale === "methods") return [{ ...row(bean, "brewing"), value: bean.recipes.length }];
  if (scale === "acidity" || scale === "body" || scale === "roast") {
    const value = bean[scale];
    return value === undefined ? [] : [{ ...row(bean, "roast"), value }];
  }
  return recipes.flatMap(({ fact, numbers: { [scale]: value } }) => {
    const said = lowerFirst(fact.value).replace(/\.$/, "");
    return value === undefined ? [] : [{ bean, value, said, facts: [fact] }];
  });
}

/** Least, most, less or more of a scale, in words. */
export function scaleWords(scale: Scale, dir: 1 | -1, form: "comp" | "sup"): string {
  const at = (form === "sup" ? 0 : 2) + (dir > 0 ? 1 : 0);
  if (typeof scale === "string") return scaleTerms(scale)[at]!;
  const few = scale.dimension === "note" ? ["fewest", "most", "fewer"] : ["least", "most", "less"];
  return `${few[at] ?? "more"} ${scale.label}`;
}
