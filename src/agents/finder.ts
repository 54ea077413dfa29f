/**
 * How a finder key is earned (contract §9): three good questions over at least two beans
 * and three different facts, one of them about the exclusive bean; the same question in other
 * words counts once; declined ones never.
 *
 * Terminology
 *   credit    what one answered question asked for: which beans, which subjects
 *   subject   the fact kinds of contract §9: origin (country and region together), process, varieties,
 *             roast, tasting notes, brewing; "three different facts" means three of these, so that
 *             the notes of three beans are one fact asked thrice
 *   counted   a credit that brought something: a subject of a bean that no earlier one had; what a
 *             question about every bean showed is not held against a later one about some
 */
import type { Answer, Field } from "../ask/ask.ts";
import { type Catalog, isExclusive } from "../catalog/catalog.ts";

/** Price and availability are none: what they are is no knowledge of coffee. */
export const SUBJECTS = [
  "origin",
  "process",
  "varieties",
  "roast",
  "tasting_notes",
  "brewing",
  "decaf",
  "choose_if",
] as const;

export type Subject = (typeof SUBJECTS)[number];

function subjectOf(field: Field): Subject | undefined {
  const place = field === "country" || field === "region";
  return SUBJECTS.find((subject) => subject === (place ? "origin" : field));
}

export const NEEDED = 3;
const NEEDED_BEANS = 2;
const NEEDED_SUBJECTS = 3;

export interface Credit {
  /** The same for the same question in any words: what was asked, sorted. */
  fingerprint: string;
  product_ids: string[];
  fields: Subject[];
}

export interface Progress {
  /** Good questions so far; shows `needed` only when the key is earned. */
  progress: number;
  needed: typeof NEEDED;
  earned: boolean;
  /** What is still missing, in a sentence. Absent when earned. */
  hint?: string;
}

/** What a question earns, judged by its answer. Null for a decline, for price and policy, and without a fact. */
export function credit(answer: Answer): Credit | null {
  const facts = answer.facts.filter(({ field }) => subjectOf(field) !== undefined);
  if (answer.declined !== undefined || facts.length === 0) return null;
  const product_ids = [...new Set(facts.map((fact) => fact.product_id))].sort();
  const subjects = new Set(facts.map((fact) => subjectOf(fact.field)));
  const fields = SUBJECTS.filter((subject) => subjects.has(subject));
  return { fingerprint: `${product_ids.join(",")}|${fields.join(",")}`, product_ids, fields };
}

/** Where an agent stands after these credits, oldest first. Never falls when one is added. */
export function progress(credits: readonly Credit[], catalog: Catalog): Progress {
  const counted = thatCount(credits, catalog);
  const missing = missingForKey(counted, catalog);
  if (missing.length === 0) return { progress: NEEDED, needed: NEEDED, earned: true };
  return {
    progress: Math.min(counted.length, NEEDED - 1),
    needed: NEEDED,
    earned: false,
    hint: `Still needed: ${missing.join("; ")}.`,
  };
}

function thatCount(credits: readonly Credit[], catalog: Catalog): Credit[] {
  const known = new Set<string>();
  const shownInPassing = new Set<string>();
  return credits.filter((one) => {
    const brings = one.product_ids.flatMap((id) => one.fields.map((field) => `${id}|${field}`));
    const wide = isWide(one, catalog);
    const fresh = brings.some((key) => !known.has(key) && !(wide && shownInPassing.has(key)));
    for (const key of brings) (wide ? shownInPassing : known).add(key);
    return fresh;
  });
}

function missingForKey(counted: readonly Credit[], catalog: Catalog): string[] {
  const beans = new Set(counted.flatMap(({ product_ids }) => product_ids));
  const subjects = new Set(counted.flatMap(({ fields }) => fields));
  const questions = NEEDED - counted.length;
  const missing: string[] = [];
  if (questions > 0) missing.push(`${plural(questions, "more good question")} about something new`);
  if (beans.size < NEEDED_BEANS) missing.push("a question about another coffee");
  if (subjects.size < NEEDED_SUBJECTS)
    missing.push(`${plural(NEEDED_SUBJECTS - subjects.size, "more kind")} of fact`);
  const rare = catalog.products.find(isExclusive);
  const isAbout = (one: Credit, productId: string) =>
    one.product_ids.includes(productId) && !isWide(one, catalog);
  if (rare && !counted.some((one) => isAbout(one, rare.product_id)))
    missing.push(`a question about ${rare.name_to_use_with_humans} itself`);
  return missing;
}

/** A question about every bean there is ("what do you sell?") is about none in particular. */
const isWide = ({ product_ids }: Credit, catalog: Catalog) =>
  product_ids.length >= catalog.products.length;

const COUNTS = ["no", "one", "two", "three"];

const plural = (count: number, thing: string) =>
  `${COUNTS[count]} ${thing}${count === 1 ? "" : "s"}`;
