/**
 * `ask`: questions about the coffees, answered from the catalog's facts, prices and the published
 * policy (contract §9). What is not in them cannot be said.
 */
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Answer, Live } from "./answer.ts";
import type { Engine } from "./engine.ts";

export type Ask = (question: string, live?: Live) => Promise<Answer>;

/** Loads its dictionaries and reads the catalog when the first question comes. */
export function createAsk(catalog: Catalog): Ask {
  let engine: Promise<Engine> | undefined;
  return async (question, live) => {
    engine ??= import("./engine.ts").then(({ createEngine }) => createEngine(catalog));
    return (await engine)(question, live);
  };
}
