/** The places of a question: in the US, where shipments go, or elsewhere. */
import { isZipOf, US_REGIONS } from "../domain/shared/us-regions.ts";
import { isCost } from "./amounts.ts";
import { isEnglish } from "./correct.ts";
import type { Given, Told } from "./policy-answers.ts";
import { countryNames, join, list, phrase } from "./text.ts";
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

/** Whether we ship there, and the rule. */
export function destination({ text }: Given): Told {
  const rule =
    "We ship to addresses in the US only: its states, DC, the territories and military ones (APO, FPO, DPO).";
  const { states, abroad, home } = placesIn(text);
  const are = states.length > 1 ? "are US addresses" : "is a US address";
  // "Do you only ship to Ohio?", "is it free to Ohio?"
  const turned = /.\b(?:only|not|never|dont|doesnt|except|without)\b/.test(text);
  const isHome = turned || isCost(text) ? undefined : "yes";
  const isBox = /\b(?:po|locker)\b/.test(text);
  const is = abroad === home || isBox ? undefined : home ? isHome : turned ? undefined : "no";
  return { is, text: states.length > 0 ? `${join(states)} ${are}. ${rule}` : rule };
}
