/** Countries and regions: the catalog's, and those people name that no bean here comes from. */
import de from "i18n-iso-countries/langs/de.json" with { type: "json" };
import en from "i18n-iso-countries/langs/en.json" with { type: "json" };
import es from "i18n-iso-countries/langs/es.json" with { type: "json" };
import fr from "i18n-iso-countries/langs/fr.json" with { type: "json" };
import type { Beans } from "./facts.ts";
import { titled, words } from "./text.ts";
import { contains, type Trait, traitOf } from "./traits.ts";
import { PLACES, REGIONS } from "./vocabulary.ts";

const LANGUAGES = { de, en, es, fr };
const folded = (place: string): string => words(place).join(" ");
const isPlace = (place: string, names: readonly string[]): boolean =>
  names.some((name) => contains(place, name) && folded(place) === name);

/** Names of all countries in a language, folded, with their code. */
export const countryNames = (language: keyof typeof LANGUAGES): [code: string, name: string][] =>
  Object.entries<string | string[]>(LANGUAGES[language].countries).flatMap(([code, names]) =>
    [names].flat().map((name): [string, string] => [code, folded(name)]),
  );

/** "Kenya" → "kenyan", "Panama" → "panamanian": every ending there is, since wrong ones are no words. */
function adjectives(country: string): string[] {
  const endings = ["", "n", "an", "ian", "anian", "ean", "ese", "i", "vian", "ish", "in"];
  return [country, country.replace(/[aeio]+$/, "")]
    .flatMap((base) => endings.map((end) => base + end))
    .filter((word) => word.length > 4 || word === country);
}

export function placeTraits(beans: Beans): [phrase: string, trait: Trait][] {
  const from = (label: string, places: readonly string[]): Trait =>
    traitOf(
      "origin",
      `from ${titled(label)}`,
      beans,
      ["region", "country"],
      (_, { product: { facts } }) =>
        [facts.region, facts.country].some((place) => isPlace(place, places)),
    );
  const within = (part: string): string[] =>
    (REGIONS.get(part) ?? []).flatMap((name) =>
      name.startsWith("@") ? within(name.slice(1)) : folded(name),
    );
  const own = beans.flatMap(({ product: { facts } }) => [facts.country, facts.region]);
  const coffee = new Set([...own.map(folded), ...[...REGIONS.keys()].flatMap(within)]);
  const named = (phrase: string, trait: Trait): [string, Trait][] =>
    (coffee.has(phrase) || REGIONS.has(phrase) ? adjectives(phrase) : [phrase]).map((word) => [
      word,
      trait,
    ]);
  const abroad = countryNames("en").filter(([, name]) => name.length > 3);
  return [
    ...own.flatMap((place) => named(folded(place), from(place, [folded(place)]))),
    ...abroad.flatMap(([, name]) => named(name, from(name, [name]))),
    ...[...REGIONS.keys()].flatMap((part) => named(part, from(part, within(part)))),
    ...[...PLACES].flatMap(([place, country]): [string, Trait][] => {
      const unsure = new Set(from(country, [folded(country)]).has.keys());
      return [[place, { ...from(place, [place]), unsure }]];
    }),
  ];
}
