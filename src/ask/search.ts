/** The last resort: a plain search over every fact, for words the vocabulary does not hold. */
import MiniSearch from "minisearch";
import type { Catalog } from "../domain/catalog/catalog.ts";
import { SUBJECTS, type Subject } from "./answer.ts";
import { describe, recipe } from "./describe.ts";
import type { Search } from "./reply.ts";
import { fold } from "./text.ts";

/** How many facts one answer shows. */
const MOST_FOUND = 2;

export function createSearch(catalog: Catalog): Search {
  const pieces = catalog.products.flatMap((product) => [
    ...SUBJECTS.filter((subject) => searched(subject)).map((subject) => describe(product, subject)),
    ...product.facts.brewing.map((advice) => recipe(product, advice)),
  ]);
  const index = new MiniSearch<{ id: number; text: string }>({
    fields: ["text"],
    tokenize: (text) => fold(text).split(" "),
    processTerm: (term) => (term.length < 3 ? null : term),
  });
  index.addAll(
    pieces.map(({ facts }, id) => ({ id, text: facts.map(({ value }) => value).join(" ") })),
  );
  return (words) => {
    if (words.length === 0) return [];
    const found = index.search(words.join(" "), {
      fuzzy: (term) => (term.length > 5 ? 1 : false),
      prefix: (term) => term.length > 4,
    });
    return found.slice(0, MOST_FOUND).flatMap(({ id }) => pieces[Number(id)] ?? []);
  };
}

/** Recipes are searched one by one; decaf is a yes or no. */
const searched = (subject: Subject) => subject !== "brewing" && subject !== "decaf";
