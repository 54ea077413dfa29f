/**
 * `ask`: questions about the coffees, answered from the catalog's facts and nothing else (contract §18
 * ask, contract §9). Retrieval, no language model: what is not in the catalog file cannot be said.
 */
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Answer } from "./answer.ts";
import { createLexicon } from "./lexicon.ts";
import { reply } from "./reply.ts";
import { createSearch } from "./search.ts";
import { settle } from "./settle.ts";
import { understand } from "./understand.ts";

export type Ask = (question: string) => Answer;

/** Reads the catalog once; the function it gives back is pure and quick. */
export function createAsk(catalog: Catalog): Ask {
  const lexicon = createLexicon(catalog);
  const search = createSearch(catalog);
  return (question) => reply(catalog, settle(understand(question, lexicon), catalog), search);
}
