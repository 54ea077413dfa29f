/** The fact table: every bean's values, its recipes as numbers, its roast sentence as scales. */
import type { Catalog, Product } from "../domain/catalog/catalog.ts";
import { display } from "../domain/shared/money.ts";
import type { Fact, Field } from "./answer.ts";
import { words } from "./text.ts";
import { LEVELS, METHODS } from "./vocabulary.ts";

export interface Recipe {
  method: string;
  /** The methods' common name, so that a V60 is found as a pour over. */
  family: string;
  fact: Fact;
  /** g, g, °C, s; grind 1 (fine) to 5 (coarse). Absent where the advice does not say. */
  numbers: Partial<Record<"dose" | "water" | "temperature" | "time" | "grind" | "ratio", number>>;
}

export interface Bean {
  id: string;
  name: string;
  product: Product;
  recipes: Recipe[];
  /** By field, made when first asked for. */
  facts: Partial<Record<Field, readonly Fact[]>>;
  /** 1 to 5 by the words of the roast; undefined where it has no such word. */
  acidity: number | undefined;
  body: number | undefined;
  roast: number | undefined;
}

export type Beans = readonly Bean[];

export const beansOf = (catalog: Catalog): Bean[] =>
  catalog.products.map((product) => ({
    id: product.product_id,
    name: product.name_to_use_with_humans,
    product,
    facts: {},
    recipes: product.facts.brewing.map(({ method, advice }) => ({
      method,
      family: familyOf(method),
      fact: { product_id: product.product_id, field: "brewing", value: `${method}: ${advice}` },
      numbers: numbersOf(advice),
    })),
    acidity: levelBefore(product.facts.roast, "acidity"),
    body: levelBefore(product.facts.roast, "body"),
    roast:
      levelBefore(`${product.roast_level} roast`, "roast") ??
      levelBefore(product.facts.roast, "roast"),
  }));

/** "with gentle acidity": the level of the one or two words before a noun. */
function levelBefore(text: string, noun: string): number | undefined {
  const said = words(text);
  const at = said.indexOf(noun);
  const levels = LEVELS.get(noun)!;
  return (
    levels.get(said.slice(Math.max(0, at - 2), Math.max(0, at)).join(" ")) ??
    levels.get(said[at - 1] ?? "")
  );
}

export function familyOf(method: string): string {
  const said = words(method).join(" ");
  return [...METHODS].find(([name, also]) => name === said || also.includes(said))?.[0] ?? said;
}

const GRINDS = ["fine", "medium-fine", "medium", "medium-coarse", "coarse"];

function numbersOf(advice: string): Recipe["numbers"] {
  const number = (pattern: RegExp) => Number(pattern.exec(advice)?.[1] ?? Number.NaN);
  const dose = number(/(\d+(?:\.\d+)?) g\b/);
  const litres = number(/([\d.]+) (?:lit(?:re|er)s?|l)\b/) * 1000;
  const water = litres || number(/(?:to|with) ([\d.]+) (?:g|ml)\b/) || number(/, ([\d.]+) g out/);
  const ground = /ground (medium-fine|medium-coarse|medium|fine|coarse)/.exec(advice)?.[1];
  const found: Recipe["numbers"] = {
    dose,
    water,
    ratio: water / dose,
    time: secondsOf(advice),
    temperature: number(/([\d.]+) ?°C/) || ((number(/([\d.]+) ?°F/) - 32) * 5) / 9,
    grind: GRINDS.indexOf(ground ?? "") + 1 || Number.NaN,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => !Number.isNaN(value)));
}

const UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

/** The first time it tells; of "27 to 30 seconds" the middle. */
function secondsOf(advice: string): number {
  const found = /(\d+)(?: to (\d+))? (second|minute|hour)s?(?: (\d+) seconds)?/.exec(advice);
  if (!found) return Number.NaN;
  const [, first, last = first, unit = "", seconds = 0] = found;
  return ((Number(first) + Number(last)) / 2) * UNITS[unit]! + Number(seconds);
}

/** What the catalog says of the bean in one field, each value as it stands there. */
export const factsOf = (bean: Bean, field: Field): readonly Fact[] =>
  (bean.facts[field] ??= madeFacts(bean, field));

function madeFacts(bean: Bean, field: Field): Fact[] {
  const { facts, ...product } = bean.product;
  if (field === "brewing") return bean.recipes.map(({ fact }) => fact);
  const values =
    field === "price_minor"
      ? display(product.price_minor)
      : field === "choose_if" || field === "availability" || field === "decaf"
        ? String(product[field])
        : facts[field];
  return [values].flat().map((value) => ({ product_id: bean.id, field, value }));
}
