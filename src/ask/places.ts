/** The places of a question: in the US, where shipments go, or elsewhere. */

import { display } from "../core/money.ts";
import { DELIVERY_DAYS, SHIPPING, SPEND } from "../core/policy.ts";
import { isZipOf, US_REGIONS } from "../core/us-regions.ts";
import { shippingMinor } from "../quotes/pricing.ts";
import { isCost, numberOf } from "./amounts.ts";
import { isEnglish } from "./correct.ts";
import type { Beans } from "./facts.ts";
import type { Given, Told } from "./policy-answers.ts";
import { rows, type Statement, say } from "./say.ts";
import { isShared } from "./sums.ts";
import { countryNames, join, list, phrase, table } from "./text.ts";
import { published } from "./topic-answers.ts";
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

const GOAL =
  /^(?:can|could|may|do|will|would) (?:i|we|you|they) (?:\w+ )?(?:order|buy|get|send|ship)\b.*? to (.+)/;

/** "Can I order one bag to Alaska?" */
export function isSentTo(text: string): boolean {
  const { states, abroad } = placesIn(GOAL.exec(text)?.[1] ?? "");
  return states.length > 0 || abroad;
}

export const NO_DATE = "No date is promised.";
const BY_A_DAY =
  /\b(?:guarant\w*|promise|(?:in|on) time|(?:by|before|until) (?!the order|i\b|we\b|you\b|my\b|it\b|\w+ing\b(?<!thanksgiving))\w+)\b/;
const DAYS = table("day=1; week=7; month=30", Number);

/** How long it takes, and whether a time that is told is enough. */
export function delivery({ text }: Given): Told {
  const [, number = "", unit = ""] =
    /^(?!.*\b(?:roast|instead|later|delay)).*?\b(\w+) (day|week|month)s?\b(?! ago)/.exec(text) ??
    [];
  const count = /^an?$|^next$/.test(number) && unit !== "day" ? 1 : numberOf(number);
  const days = count * (DAYS.get(unit) ?? 0);
  const { earliest, latest } = DELIVERY_DAYS;
  const enough = days < earliest ? "too few" : days < latest ? "not surely enough" : "enough";
  const told =
    days > 0
      ? ` ${days} ${days === 1 ? "day is" : "days are"} ${enough} for what is expected.`
      : "";
  const date = told || BY_A_DAY.test(text) ? ` ${NO_DATE}` : "";
  return { text: `${published("delivery")}${told}${date}` };
}

/** What it costs to send what is told of. */
export function shipping({ text, amount }: Given): Told {
  const rule = published("shipping");
  if (amount === null || isShared(text)) return { text: rule };
  const free = shippingMinor(amount) === 0;
  const fee = free ? "free" : `for ${display(SHIPPING.per_address_minor)}`;
  const short = free ? "" : ` ${display(SHIPPING.free_from_minor - amount)} more ships free.`;
  const said = `${display(amount)} of coffee to one address ships ${fee}.${short}`;
  // "Do I pay shipping?" is not "is it free?".
  const asked = /\bfree\b/.test(text) && !/\bpay|\bor\b|^(?:what|how)\b/.test(text);
  const is = !asked ? undefined : free ? "yes" : "no";
  return { is, text: `${said} ${rule}` };
}

/** From how many bags on they ship free to one address, or have the courtesy of larger orders. */
export function bagsUntil(until: string, some: Beans, all: Beans): Statement {
  const beans = some.length > 0 ? some : all;
  const isFree = until === "free";
  const from = isFree ? SHIPPING.free_from_minor : SPEND.per_minor;
  const bags = beans.map(
    ({ product, name }) => `${Math.ceil(from / product.price_minor)} × ${name}`,
  );
  const head = isFree ? "To one address ship free" : `${display(SPEND.off_minor)} off for`;
  return say(`${head} ${join(bags)}`, rows(beans, "price_minor"));
}
