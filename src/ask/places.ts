/** The places of a question: in the US, where shipments go, or elsewhere. */
import { isZipOf, US_REGIONS } from "../domain/shared/us-regions.ts";
import { isEnglish } from "./correct.ts";
import { countryNames, list, phrase } from "./text.ts";
import { HARMLESS } from "./vocabulary.ts";

const MILITARY = list("apo, fpo, dpo");
const HOME = list("military, army, usa, the us, united states, america, american").map(phrase);
const ABROAD = [
  ...list(`uk, england, scotland, wales, europe, eu, london, international, internationally, abroad,
    overseas, worldwide, asia, africa`),
  ...countryNames("en").flatMap(([code, name]) =>
    /^(?:US|PR)$/.test(code) || name.length < 4 ? [] : name,
  ),
];

const STATES = Object.entries(US_REGIONS).map(
  ([code, name]) => [code, name, phrase(name).replace("u s ", "us ")] as const,
);

/** The states that are named, and whether a place in the US or elsewhere is. */
export function placesIn(text: string) {
  const said = phrase(text);
  const isIn = (name: string) => ` ${said} `.includes(` ${name} `);
  // "San Juan, PR"; but "in" and "me" are words.
  const last = said.split(" ").at(-1) ?? "";
  const code = HARMLESS.has(last) || isEnglish(last) ? "" : last.toUpperCase();
  const zip = /(?<![$\d])\d{5}\b/.exec(text)?.[0];
  const states = STATES.flatMap(([region, name, words]) =>
    isIn(words) || region === code || (zip && isZipOf(region, zip)) ? name : [],
  );
  const isMilitary = MILITARY.some(isIn);
  // "A US base in Germany" has an address of its own.
  const abroad = states.length === 0 && !isMilitary && ABROAD.some(isIn);
  return { states, abroad, home: states.length > 0 || isMilitary || HOME.some(isIn) };
}
