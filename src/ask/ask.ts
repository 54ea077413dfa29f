/**
 * `ask`: questions about the coffees, answered from the catalog's facts, prices and the published
 * policy (contract §9). What is not in them cannot be said.
 */
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Answer, Live } from "./answer.ts";
import type { Engine } from "./engine.ts";

export type Ask = (question: string, live?: Live) => Promise<Answer>;

/** Loads its dictionaries with the first question, and reads the catalog anew when it has changed. */
export function createAsk(catalog: Catalog): Ask {
  let of: Catalog["products"] | undefined;
  let engine: Promise<Engine> | undefined;
  return async (question, live) => {
    if (!engine || of !== catalog.products) {
      of = catalog.products;
      engine = import("./engine.ts").then(({ createEngine }) => createEngine(catalog));
    }
    return (await engine)(question, live);
  };
}
