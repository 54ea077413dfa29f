/** Countries and regions: the catalog's, and those people name that no bean here comes from. */
import de from "i18n-iso-countries/langs/de.json" with { type: "json" };
import en from "i18n-iso-countries/langs/en.json" with { type: "json" };
import es from "i18n-iso-countries/langs/es.json" with { type: "json" };
import fr from "i18n-iso-countries/langs/fr.json" with { type: "json" };
import type { Add } from "./catalog-words.ts";
import type { Beans } from "./facts.ts";
import { phrase, titled } from "./text.ts";
import { type Trait, traitOf } from "./traits.ts";
import { PLACES, REGIONS } from "./vocabulary.ts";

const LANGUAGES = { de, en, es, fr };

/** Names of all countries, folded, with their code. */
export const countryNames = (language: keyof typeof LANGUAGES): [code: string, name: string][] =>
  Object.entries<string | string[]>(LANGUAGES[language].countries).flatMap(([code, names]) =>
    [names].flat().map((name): [string, string] => [code, phrase(name)]),
  );

/** "Kenya" → "kenyan", "Panama" → "panamanian": every ending there is, since wrong ones are no words. */
function adjectives(country: string): string[] {
  const endings = ["", "n", "an", "ian", "anian", "ean", "ese", "i", "vian", "ish", "in"];
  return [country, country.replace(/[aeio]+$/, "")]
    .flatMap((base) => endings.map((end) => base + end))
    .filter((word) => word.length > 4 || word === country);
}

export function addPlaces(beans: Beans, add: Add): void {
  const from = (label: string, some: readonly string[]): Trait =>
    traitOf(beans, "origin", `from ${titled(label)}`, ["country", "region"], (value) =>
      some.includes(phrase(value)),
    );
  const within = (part: string): string[] =>
    (REGIONS.get(part) ?? []).flatMap((name) =>
      name.startsWith("@") ? within(name.slice(1)) : name,
    );
  const own = beans.flatMap(({ product: { facts } }) => [facts.country, facts.region].map(phrase));
  const regions = [...REGIONS.keys()];
  const coffee = new Set([...own, ...regions, ...regions.flatMap(within)]);
  const abroad = countryNames("en").flatMap(([, name]) => (name.length > 3 ? [name] : []));
  for (const place of [...own, ...abroad])
    add(coffee.has(place) ? adjectives(place) : place, { trait: from(place, [place]) });
  for (const part of regions) add(adjectives(part), { trait: from(part, within(part)) });
  for (const [country, some] of PLACES)
    for (const place of some) {
      const unsure = new Set(from(country, [country]).has.keys());
      add(place, { trait: { ...from(place, [place]), unsure } });
    }
}
