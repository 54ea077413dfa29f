/** Countries and regions: the catalog's, and those people name that no bean here comes from. */
import de from "i18n-iso-countries/langs/de.json" with { type: "json" };
import en from "i18n-iso-countries/langs/en.json" with { type: "json" };
import es from "i18n-iso-countries/langs/es.json" with { type: "json" };
import fr from "i18n-iso-countries/langs/fr.json" with { type: "json" };
import type { Words } from "./coffee-words.ts";
import type { Beans } from "./facts.ts";
import { titled, words } from "./text.ts";
import { type Trait, traitOf } from "./traits.ts";
import { PLACES, REGIONS } from "./vocabulary.ts";

const LANGUAGES = { de, en, es, fr };

/** Names of all countries, folded, with their code. */
export const countryNames = (language: keyof typeof LANGUAGES): [code: string, name: string][] =>
  Object.entries<string | string[]>(LANGUAGES[language].countries).flatMap(([code, names]) =>
    [names].flat().map((name): [string, string] => [code, words(name).join(" ")]),
  );

/** "Kenya" → "kenyan", "Panama" → "panamanian": every ending there is, since wrong ones are no words. */
function adjectives(country: string): string[] {
  const endings = ["", "n", "an", "ian", "anian", "ean", "ese", "i", "vian", "ish", "in"];
  return [country, country.replace(/[aeio]+$/, "")]
    .flatMap((base) => endings.map((end) => base + end))
    .filter((word) => word.length > 4 || word === country);
}

export function places(beans: Beans): Words {
  const folded = (place: string): string => words(place).join(" ");
  const from = (label: string, some: readonly string[]): Trait =>
    traitOf(beans, "origin", `from ${titled(label)}`, ["country", "region"], (_, { product }) =>
      [product.facts.region, product.facts.country].some((place) => some.includes(folded(place))),
    );
  const within = (part: string): string[] =>
    (REGIONS.get(part) ?? []).flatMap((name) =>
      name.startsWith("@") ? within(name.slice(1)) : folded(name),
    );
  const own = beans.flatMap(({ product: { facts } }) => [facts.country, facts.region]);
  const parts = [...REGIONS.keys()];
  const coffee = new Set([...own.map(folded), ...parts.flatMap(within), ...parts]);
  const named = (place: string, trait: Trait): Words =>
    (coffee.has(place) ? adjectives(place) : [place]).map((word) => [word, { trait }]);
  return [
    ...own.flatMap((place) => named(folded(place), from(place, [folded(place)]))),
    ...countryNames("en").flatMap(([, name]) =>
      name.length > 3 ? named(name, from(name, [name])) : [],
    ),
    ...parts.flatMap((part) => named(part, from(part, within(part)))),
    ...[...PLACES].map(([place, country]): Words[0] => {
      const unsure = new Set(from(country, [country]).has.keys());
      return [place, { trait: { ...from(place, [place]), unsure } }];
    }),
  ];
}
