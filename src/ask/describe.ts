/** One bean in sentences, each with the facts it rests on. */
import type { Product } from "../domain/catalog/catalog.ts";
import type { Fact, Field, Subject } from "./answer.ts";
import { join, lowerFirst, sentence } from "./text.ts";

/** A piece of an answer. */
export interface Piece {
  text: string;
  facts: Fact[];
}

export const nameOf = (product: Product): string => product.name_to_use_with_humans;

export const fact = (product: Product, field: Field, value: string): Fact => ({
  product_id: product.product_id,
  field,
  value,
});

export const piece = (text: string, facts: Fact[] = []): Piece => ({ text, facts });

/** How many brewing recipes one answer spells out. */
const MOST_RECIPES = 3;

/** What we know of one subject, as a sentence or two about the bean. */
export function describe(product: Product, subject: Subject): Piece {
  const name = nameOf(product);
  const { facts } = product;
  const facet = (field: Field) => fact(product, field, catalogValue(product, field));
  switch (subject) {
    case "origin":
      return piece(`${name} comes from ${facts.region}, ${facts.country}.`, [
        facet("country"),
        facet("region"),
      ]);
    case "process":
      return piece(processSentence(product), [facet("process")]);
    case "varieties": {
      const [word, verb] = facts.varieties.length > 1 ? ["varieties", "are"] : ["variety", "is"];
      const text = `The ${word} in ${name} ${verb} ${join(facts.varieties)}.`;
      return piece(text, [facet("varieties")]);
    }
    case "roast":
      return piece(`${name} is ${roastPhrase(product)}.`, [facet("roast")]);
    case "tasting_notes":
      return piece(`${name} tastes of ${join(facts.tasting_notes)}.`, [facet("tasting_notes")]);
    case "brewing":
      return describeBrewing(product);
    case "decaf":
      return piece(`${name} is ${product.decaf ? "a decaf" : "not a decaf"}.`, [facet("decaf")]);
    case "choose_if":
      return piece(sentence(`Choose ${name} if ${lowerFirst(product.choose_if)}`), [
        facet("choose_if"),
      ]);
  }
}

/** A fact as the catalog file has it, lists joined with commas. */
export function catalogValue(product: Product, field: Field): string {
  const { facts } = product;
  switch (field) {
    case "varieties":
    case "tasting_notes":
      return facts[field].join(", ");
    case "brewing":
      return facts.brewing.map(({ method, advice }) => `${method}: ${advice}`).join(" ");
    case "decaf":
      return product.decaf ? "yes" : "no";
    case "choose_if":
      return product.choose_if;
    default:
      return facts[field];
  }
}

/** "Washed" is what a coffee is; "Washed, then decaffeinated" is what was done to it. */
function processSentence(product: Product): string {
  const process = lowerFirst(product.facts.process);
  if (/^[\p{L}-]+$/u.test(process)) return `${nameOf(product)} is ${aOrAn(process)} coffee.`;
  return sentence(`The process of ${nameOf(product)}: ${process}`);
}

function roastPhrase({ facts, roast_level }: Product): string {
  const roast = lowerFirst(facts.roast).replace(/[.\s]+$/, "");
  if (!/\broast\b/.test(roast)) return `${aOrAn(lowerFirst(roast_level))} roast (${roast})`;
  return aOrAn(roast);
}

const aOrAn = (text: string) => `${/^[aeiou]/i.test(text) ? "an" : "a"} ${text}`;

export function recipe(product: Product, { method, advice }: { method: string; advice: string }) {
  const text = `${nameOf(product)}, ${lowerFirst(method)}: ${sentence(advice)}`;
  return piece(text, [fact(product, "brewing", `${method}: ${advice}`)]);
}

function describeBrewing(product: Product): Piece {
  const told = product.facts.brewing.slice(0, MOST_RECIPES);
  const rest = product.facts.brewing.slice(MOST_RECIPES).map(({ method }) => lowerFirst(method));
  const recipes = told.map(({ method, advice }) => `${method}: ${sentence(advice)}`).join(" ");
  const more = rest.length > 0 ? ` There is advice for ${join(rest)} too.` : "";
  return piece(
    `How to brew ${nameOf(product)}. ${recipes}${more}`,
    told.map(({ method, advice }) => fact(product, "brewing", `${method}: ${advice}`)),
  );
}

/** Everything that makes a bean what it is, in three sentences. */
export function overview(product: Product): Piece {
  const { facts } = product;
  const subjects: Subject[] = ["origin", "process", "varieties", "roast", "tasting_notes"];
  const made = `${lowerFirst(facts.process).replace(/[.\s]+$/, "")}; ${join(facts.varieties)}; `;
  const text =
    `${nameOf(product)} comes from ${facts.region}, ${facts.country}: ${made}` +
    `${roastPhrase(product)}. It tastes of ${join(facts.tasting_notes)}. ` +
    sentence(`Choose it if ${lowerFirst(product.choose_if)}`);
  return piece(
    text,
    [...subjects, "choose_if" as const].flatMap((subject) => describe(product, subject).facts),
  );
}
