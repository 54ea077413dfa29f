/** What a bean can have or lack, and what beans can be measured by: made from the catalog's facts. */
import { display } from "../domain/shared/money.ts";
import type { Fact, Field } from "./answer.ts";
import { type Bean, type Beans, factsOf } from "./facts.ts";
import { join, lowerFirst, words } from "./text.ts";
import { type ScaleName, scaleTerms } from "./vocabulary.ts";

export type Dimension =
  | ("bean" | "origin" | "note" | "process" | "varieties" | "roast")
  | ("acidity" | "body" | "method" | "decaf" | "availability" | "text");

export interface Trait {
  dimension: Dimension;
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

/** A bean comes from one country and has one roast: two of these wished for are alternatives. */
export const EXCLUSIVE: readonly Dimension[] = ["bean", "origin", "roast", "acidity", "body"];

/** Where the catalog tells of it. */
export const FIELD_OF: Readonly<Record<Dimension, Field>> = {
  bean: "tasting_notes",
  origin: "country",
  note: "tasting_notes",
  process: "process",
  varieties: "varieties",
  roast: "roast",
  acidity: "roast",
  body: "roast",
  method: "brewing",
  decaf: "decaf",
  availability: "availability",
  text: "choose_if",
};

type Shows = (value: string, bean: Bean, field: Field) => boolean;

/** The beans that have a value in these fields that shows it. */
export function traitOf(
  dimension: Dimension,
  label: string,
  beans: Beans,
  fields: readonly Field[],
  shows: Shows,
): Trait {
  const found = beans.map((bean): [string, Fact[]] => [
    bean.id,
    fields.flatMap((field) =>
      factsOf(bean, field).filter(({ value }) => shows(value, bean, field)),
    ),
  ]);
  return { dimension, label, has: new Map(found.filter(([, facts]) => facts.length > 0)) };
}

/** Folded once: a lexicon asks every text for every word. */
const folded = new Map<string, string>();
function spaced(text: string): string {
  const said = folded.get(text) ?? ` ${words(text).join(" ")} `;
  folded.set(text, said);
  return said;
}

/** Whether the words stand side by side in a text of the catalog. */
export const contains = (text: string, phrase: string): boolean =>
  spaced(text).includes(` ${phrase} `);

/** "Sweet" stands in the text, and not as "without sweetness". */
export const affirms = (text: string, phrase: string): boolean =>
  contains(text, phrase) &&
  contains(text.replace(/\b(?:without|no|not|never)\b[^,.;:]*/gi, ""), phrase);

/** The values that hold the phrase. One that holds only a word of it leaves the bean unsure. */
export function valueTrait(
  field: "tasting_notes" | "process" | "varieties",
  phrase: string,
  label: string,
  beans: Beans,
): Trait {
  const dimension = field === "tasting_notes" ? "note" : field;
  const parts = words(phrase);
  const trait = traitOf(dimension, label, beans, [field], (value) =>
    contains(value, parts.join(" ")),
  );
  const partly =
    parts.length < 2
      ? []
      : parts.map((part) =>
          traitOf(dimension, label, beans, [field], (value) => contains(value, part)),
        );
  const unsure = partly.flatMap(({ has }) => [...has.keys()]).filter((id) => !trait.has.has(id));
  return { ...trait, unsure: new Set(unsure) };
}

/** Low, medium or high on a scale that the roast sentence tells. */
export function levelTrait(
  scale: "acidity" | "body" | "roast",
  level: number,
  label: string,
  beans: Beans,
): Trait {
  const near = ({ [scale]: at = 0 }: Bean) =>
    at > 0 && (level < 3 ? at <= 2 : level > 3 ? at >= 4 : at === 3);
  const has = (bean: Bean) => (scale === "roast" ? bean.roast === level : near(bean));
  return {
    ...traitOf(scale, label, beans, ["roast"], (_, bean) => has(bean)),
    near: new Set(beans.filter(near).map(({ id }) => id)),
    unsure: new Set(beans.filter((bean) => bean[scale] === undefined).map(({ id }) => id)),
  };
}

export type Scale = ScaleName | Trait;

/** A bean's place on a scale, with what the catalog says there. */
export interface Measure {
  bean: Bean;
  value: number;
  said: string;
  facts: readonly Fact[];
}

/** One for each bean, but one for each recipe on the scales of recipes; none where nothing is said. */
export function measures(bean: Bean, scale: Scale, methods: readonly string[]): Measure[] {
  const { product, recipes } = bean;
  const measure = (value: number, said: string, facts: readonly Fact[]): Measure => ({
    bean,
    value,
    said,
    facts,
  });
  if (typeof scale !== "string") {
    const facts = scale.has.get(bean.id) ?? [];
    if (scale.dimension === "decaf")
      return [measure(facts.length, product.decaf ? "decaf" : "not decaf", factsOf(bean, "decaf"))];
    const said = join(facts.map(({ value }) => lowerFirst(value))) || `no ${scale.label}`;
    return [
      measure(
        facts.length,
        said,
        facts.length > 0 ? facts : factsOf(bean, FIELD_OF[scale.dimension]),
      ),
    ];
  }
  if (scale === "price")
    return [
      measure(product.price_minor, display(product.price_minor), factsOf(bean, "price_minor")),
    ];
  if (scale === "methods") {
    const said = join(recipes.map(({ method }) => lowerFirst(method)));
    return [measure(recipes.length, said, factsOf(bean, "brewing"))];
  }
  if (scale === "acidity" || scale === "body" || scale === "roast") {
    const value = bean[scale];
    const said = lowerFirst(scale === "roast" ? product.roast_level : product.facts.roast);
    return value === undefined ? [] : [measure(value, said, factsOf(bean, "roast"))];
  }
  return recipes.flatMap(({ family, fact, numbers: { [scale]: value } }) => {
    const meant = methods.length === 0 || methods.includes(family);
    return value !== undefined && meant ? [measure(value, lowerFirst(fact.value), [fact])] : [];
  });
}

/** Least, most, less or more of a scale, in words. */
export function scaleWords(scale: Scale, dir: 1 | -1, form: "comp" | "sup"): string {
  if (typeof scale === "string")
    return scaleTerms(scale)[(form === "sup" ? 0 : 2) + (dir > 0 ? 1 : 0)]!;
  const counted = scale.dimension === "note";
  const less = form === "sup" ? (counted ? "fewest" : "least") : counted ? "fewer" : "less";
  return `${dir > 0 ? (form === "sup" ? "most" : "more") : less} ${scale.label}`;
}
