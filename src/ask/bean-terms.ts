/** How people name the beans of a catalog, and the coffee places it has none from. */
import type { Catalog, Product } from "../domain/catalog/catalog.ts";
import type { Meaning } from "./lexicon.ts";
import { fold } from "./text.ts";
import { COMMON_WORDS } from "./vocabulary/common-words.ts";
import { DECAF_WORDS } from "./vocabulary/fields.ts";
import { CONTINENT_WORDS, CONTINENTS, COUNTRIES, REGIONS } from "./vocabulary/places.ts";
import { VALUES } from "./vocabulary/values.ts";

/** Words in a name that say what a bean is, not which: "Natural" alone must not mean one bean. */
const GENERIC = new Set([
  ...VALUES.filter(({ field }) => field !== "varieties").flatMap(({ said }) => said),
  ...DECAF_WORDS,
  ...COMMON_WORDS,
  ..."roast organic special reserve blend espresso".split(" "),
]);

export function beanTerms(catalog: Catalog): [string, Meaning][] {
  const ids = new Map<string, Set<string>>();
  const put = (term: string, id: string) => {
    const key = fold(term);
    if (key === "") return;
    ids.set(key, (ids.get(key) ?? new Set()).add(id));
  };
  for (const product of catalog.products)
    for (const term of termsOf(product)) put(term, product.product_id);
  const beans = [...ids].map(([term, found]): [string, Meaning] => [
    term,
    { kind: "bean", ids: [...found] },
  ]);
  // The catalog's own words first: a region it sells from may be a nickname elsewhere.
  return [...beans, ...placeTerms(catalog)];
}

function termsOf(product: Product): string[] {
  const { facts } = product;
  const names = [product.name, product.name_to_use_with_humans, product.product_id];
  const words = names
    .flatMap((name) => fold(name).split(" "))
    .filter((word) => word.length > 2 && !GENERIC.has(word) && !/^\d+$/.test(word));
  const nicknames = VALUES.filter(({ field, label }) => {
    return field === "varieties" && words.includes(fold(label));
  }).flatMap(({ said }) => said);
  return [
    ...names,
    ...words,
    ...nicknames,
    facts.country,
    facts.region,
    ...facts.region.split(","),
  ];
}

/**
 * Countries, their other names and continents: as beans where we have some, else as "elsewhere".
 */
function placeTerms(catalog: Catalog): [string, Meaning][] {
  const from = (countries: readonly string[]) =>
    catalog.products
      .filter(({ facts }) => countries.some((name) => fold(name) === fold(facts.country)))
      .map(({ product_id }) => product_id);
  const meaning = (place: string, countries: readonly string[]): Meaning => {
    const ids = from(countries);
    return ids.length > 0 ? { kind: "bean", ids } : { kind: "elsewhere", place, near: [] };
  };
  return [
    ...Object.entries(COUNTRIES).flatMap(([country, names]) =>
      [country, ...names].map((name): [string, Meaning] => [name, meaning(country, [country])]),
    ),
    ...Object.entries(REGIONS).flatMap(([country, names]) =>
      names.map((name): [string, Meaning] => [
        name,
        { kind: "elsewhere", place: capitals(name), near: from([country]) },
      ]),
    ),
    ...Object.entries(CONTINENTS).map(([name, countries]): [string, Meaning] => [
      name,
      meaning(capitals(name), countries),
    ]),
    ...Object.entries(CONTINENT_WORDS).map(([word, name]): [string, Meaning] => [
      word,
      meaning(capitals(name), CONTINENTS[name] ?? []),
    ]),
  ];
}

const capitals = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
