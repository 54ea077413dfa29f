/** The fact table: every bean's values, its recipes as numbers, its roast sentence as scales. */
import type { Catalog, Product } from "../catalog/catalog.ts";
import { display } from "../core/money.ts";
import type { Fact, Field } from "./ask.ts";
import { phrase, words } from "./text.ts";
import { ASKS, GRADED, TERMS } from "./vocabulary.ts";

export type Bean = ReturnType<typeof beanOf>;
export type Beans = readonly Bean[];
type Numbers = Readonly<Record<string, number>>;

export const beansOf = (catalog: Catalog): Bean[] => catalog.products.map(beanOf);

function beanOf(product: Product) {
  const { product_id: id, facts: said, name_to_use_with_humans: name, price_minor } = product;
  const values = {
    ...said,
    brewing: said.brewing.map(({ method, advice }) => `${method}: ${advice}`),
    decaf: String(product.decaf),
    choose_if: product.choose_if,
    price_minor: display(price_minor),
    availability: product.availability,
  } satisfies Record<Field, string | string[]>;
  const factsOf = ([field, some]: [string, string | string[]]) =>
    [field, [some].flat().map((value) => ({ product_id: id, field, value }))] as const;
  const facts = Object.fromEntries(Object.entries(values).map(factsOf)) as Record<Field, Fact[]>;
  facts.country.unshift(...facts.region);
  return {
    id,
    name,
    product,
    /** What the catalog says, each value as it stands there; the region with its country. */
    facts,
    /** Its place on the scales that are not of recipes; 1 to 5 where the roast sentence tells it. */
    numbers: known({
      price: price_minor,
      methods: said.brewing.length,
      notes: said.tasting_notes.length,
      // "Heirloom" is a name for many.
      varieties: said.varieties.some((name) => /heirloom|landrace|mixed/i.test(name))
        ? Number.NaN
        : said.varieties.length,
      acidity: levelBefore(said.roast, "acidity"),
      body: levelBefore(said.roast, "body"),
      roast: levelBefore(`${product.roast_level} roast, ${said.roast}`, "roast"),
    }),
    recipes: said.brewing.map(({ method, advice }, at) => ({
      method,
      /** The methods' common name, so that a V60 is found as a pour over. */
      family: familyOf(method),
      fact: facts.brewing[at]!,
      numbers: known(numbersOf(advice)),
    })),
  };
}

const known = (numbers: Numbers): Numbers =>
  Object.fromEntries(Object.entries(numbers).filter(([, value]) => !Number.isNaN(value)));

/** The words of a scale, each with its step; none of a scale of numbers alone. */
export const stepsOf = (scale: string): ReadonlyMap<string, number> =>
  new Map(GRADED.get(scale)?.map(([word, level]) => [word.replace(/[*~]/, ""), level]));

/** "with gentle acidity": the level of the one or two words before a noun. */
function levelBefore(text: string, noun: string): number {
  const steps = stepsOf(noun);
  const levels = words(text).flatMap((word, at, said) => {
    const before = [2, 1].map((length) => said.slice(Math.max(0, at - length), at).join(" "));
    const level = word === noun ? before.flatMap((one) => steps.get(one) ?? [])[0] : undefined;
    // "Very low acidity" is below "low acidity".
    const more = /^(?:very|extremely|almost)$/.test(said[at - 2] ?? "") && !steps.has(before[0]!);
    return level === undefined ? [] : level + (more ? Math.sign(level - 3) / 2 : 0);
  });
  return levels[0] ?? Number.NaN;
}

function familyOf(method: string): string {
  const said = phrase(method);
  return TERMS.find(({ kind, also }) => kind === "method" && also.includes(said))?.name ?? said;
}

const GRINDS = ["fine", "medium-fine", "medium", "medium-coarse", "coarse"];

/** g, g, °C, s; grind 1 (fine) to 5 (coarse). NaN where the advice does not say. */
function numbersOf(advice: string): Numbers {
  const number = (pattern: RegExp) => Number(pattern.exec(advice)?.[1] ?? Number.NaN);
  const dose = number(/(\d+(?:\.\d+)?) g\b/);
  const litres = number(/([\d.]+) (?:lit(?:re|er)s?|l)\b/) * 1000;
  const water = litres || number(/(?:to|with) ([\d.]+) (?:g|ml)\b/) || number(/, ([\d.]+) g out/);
  const ground = /ground (medium-fine|medium-coarse|medium|fine|coarse)/.exec(advice)?.[1];
  return {
    dose,
    water,
    ratio: water / dose,
    time: secondsOf(advice),
    temperature: number(/([\d.]+) ?°C/) || ((number(/([\d.]+) ?°F/) - 32) * 5) / 9,
    grind: GRINDS.indexOf(ground ?? "") + 1 || Number.NaN,
  };
}

/** The first time it tells; of "27 to 30 seconds" the middle. */
function secondsOf(advice: string): number {
  const found = /(\d+)(?: to (\d+))? (second|minute|hour)s?(?: (\d+) seconds)?/.exec(advice) ?? [];
  const [, first, last = first, unit, seconds = 0] = found;
  const factor = unit === "hour" ? 3600 : unit === "minute" ? 60 : 1;
  return ((Number(first) + Number(last)) / 2) * factor + Number(seconds);
}

/** Scales of how many of a field's values a bean has. */
export const COUNTS: ReadonlyMap<string, Field> = new Map([
  ["methods", "brewing"],
  ["notes", "tasting_notes"],
  ["varieties", "varieties"],
]);

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ...[...ASKS.keys()].map((key) => key.split("/").reverse() as [string, Field]),
  ...COUNTS,
]);

/** The field that tells a bean's place on a scale. */
export const fieldOf = (scale: string | { field: Field }): Field =>
  typeof scale === "string" ? (FIELDS.get(scale) ?? "brewing") : scale.field;
