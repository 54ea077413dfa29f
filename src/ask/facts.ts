/** The fact table: every bean's values, its recipes as numbers, its roast sentence as scales. */
import type { Catalog, Product } from "../domain/catalog/catalog.ts";
import { display } from "../domain/shared/money.ts";
import type { Fact, Field } from "./answer.ts";
import { words } from "./text.ts";
import { GRADED, METHODS } from "./vocabulary.ts";

export type Bean = ReturnType<typeof beanOf>;
export type Beans = readonly Bean[];

export const beansOf = (catalog: Catalog): Bean[] => catalog.products.map(beanOf);

function beanOf(product: Product) {
  const { product_id: id, facts: said, name_to_use_with_humans: name } = product;
  const facts = (field: Field, values: string | readonly string[]): readonly Fact[] =>
    [values].flat().map((value) => ({ product_id: id, field, value }));
  const brewing = said.brewing.map(({ method, advice }) => `${method}: ${advice}`);
  return {
    id,
    name,
    product,
    /** What the catalog says, each value as it stands there. */
    facts: {
      country: facts("country", said.country),
      region: facts("region", said.region),
      process: facts("process", said.process),
      varieties: facts("varieties", said.varieties),
      roast: facts("roast", said.roast),
      tasting_notes: facts("tasting_notes", said.tasting_notes),
      brewing: facts("brewing", brewing),
      decaf: facts("decaf", String(product.decaf)),
      choose_if: facts("choose_if", product.choose_if),
      price_minor: facts("price_minor", display(product.price_minor)),
      availability: facts("availability", product.availability),
    } satisfies Record<Field, readonly Fact[]>,
    recipes: said.brewing.map(({ method, advice }, at) => ({
      method,
      /** The methods' common name, so that a V60 is found as a pour over. */
      family: familyOf(method),
      fact: facts("brewing", brewing)[at]!,
      numbers: numbersOf(advice),
    })),
    /** 1 to 5 by the words of the roast; undefined where it has no such word. */
    acidity: levelBefore(said.roast, "acidity"),
    body: levelBefore(said.roast, "body"),
    roast: levelBefore(`${product.roast_level} roast`, "roast") ?? levelBefore(said.roast, "roast"),
  };
}

/** "with gentle acidity": the level of the one or two words before a noun. */
function levelBefore(text: string, noun: "acidity" | "body" | "roast"): number | undefined {
  const said = words(text);
  const at = said.indexOf(noun);
  const level = (length: number) => {
    const before = said.slice(Math.max(0, at - length), Math.max(0, at)).join(" ");
    return GRADED.get(noun)!.find(([word]) => word.replace("*", "") === before)?.[1];
  };
  return level(2) ?? level(1);
}

export function familyOf(method: string): string {
  const said = words(method).join(" ");
  return [...METHODS].find(([name, also]) => name === said || also.includes(said))?.[0] ?? said;
}

const GRINDS = ["fine", "medium-fine", "medium", "medium-coarse", "coarse"];

/** g, g, °C, s; grind 1 (fine) to 5 (coarse). Absent where the advice does not say. */
function numbersOf(advice: string) {
  const number = (pattern: RegExp) => Number(pattern.exec(advice)?.[1] ?? Number.NaN);
  const dose = number(/(\d+(?:\.\d+)?) g\b/);
  const litres = number(/([\d.]+) (?:lit(?:re|er)s?|l)\b/) * 1000;
  const water = litres || number(/(?:to|with) ([\d.]+) (?:g|ml)\b/) || number(/, ([\d.]+) g out/);
  const ground = /ground (medium-fine|medium-coarse|medium|fine|coarse)/.exec(advice)?.[1];
  const found = {
    dose,
    water,
    ratio: water / dose,
    time: secondsOf(advice),
    temperature: number(/([\d.]+) ?°C/) || ((number(/([\d.]+) ?°F/) - 32) * 5) / 9,
    grind: GRINDS.indexOf(ground ?? "") + 1 || Number.NaN,
  };
  const told = Object.entries(found).filter(([, value]) => !Number.isNaN(value));
  return Object.fromEntries(told) as Partial<typeof found>;
}

const UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

/** The first time it tells; of "27 to 30 seconds" the middle. */
function secondsOf(advice: string): number {
  const found = /(\d+)(?: to (\d+))? (second|minute|hour)s?(?: (\d+) seconds)?/.exec(advice) ?? [];
  const [, first, last = first, unit = "", seconds = 0] = found;
  return ((Number(first) + Number(last)) / 2) * (UNITS[unit] ?? Number.NaN) + Number(seconds);
}
