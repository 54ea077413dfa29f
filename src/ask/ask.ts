/**
 * `ask`: questions about the coffees, answered from the catalog's facts and nothing else (contract §18
 * ask, contract §9). Retrieval, no language model: what is not in the catalog file cannot be said.
 */
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Answer } from "./answer.ts";
import { createLexicon } from "./lexicon.ts";
import { reply, type Search } from "./reply.ts";
import { createSearch } from "./search.ts";
import { settle } from "./settle.ts";
import { understand } from "./understand.ts";

export type Ask = (question: string) => Answer;

/** Reads the catalog once, for the first question; what it gives back is pure and quick. */
export function createAsk(catalog: Catalog): Ask {
  let read: { lexicon: ReturnType<typeof createLexicon>; search: Search } | undefined;
  return (question) => {
    read ??= { lexicon: createLexicon(catalog), search: createSearch(catalog) };
    const understood = understand(question, read.lexicon);
    return reply(catalog, settle(understood, catalog), read.search);
  };
}
