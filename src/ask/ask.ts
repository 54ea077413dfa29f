/**
 * `ask`: questions about the coffees, answered from the catalog's facts, prices and the published
 * policy (contract §9). What is not in them cannot be said.
 *
 * Terminology
 *   fact     one value of one bean, as the catalog has it
 *   decline  a polite no; such an answer never counts towards a finder key
 */
import type { Catalog, Product } from "../catalog/catalog.ts";
import type { PaymentMode } from "../core/answer.ts";
import type { Engine } from "./engine.ts";
import type { DeclineReason } from "./gates.ts";

/** The field names of the catalog file. */
export type Field =
  | keyof Product["facts"]
  | ("decaf" | "choose_if" | "price_minor" | "availability");

export interface Fact {
  product_id: string;
  field: Field;
  value: string;
}

export interface Answer {
  answer: string;
  /** What the answer rests on, each once. Empty where it rests on policy or on nothing. */
  facts: Fact[];
  declined?: DeclineReason;
  /** The parts of the question, in its own words, that the answer leaves open. */
  not_answered?: string[];
  /** What of the policy is said, by the names of src/ask/topic-answers.ts. Not told to the asker. */
  policy?: string[];
}

/** What is so at the moment of asking; what is not handed in is not spoken of. */
export interface Live {
  /** Whether the first-order courtesy runs. */
  firstOrderRuns?: boolean;
  /** Bags free to sell, by product_id. */
  free?: ReadonlyMap<string, number>;
  /** Whether payments are real. */
  mode?: PaymentMode;
  /** How long a new quote is good. */
  quoteTtlMs?: number;
  /** "30 per minute per key", by what is limited. */
  rateLimits?: Readonly<Record<string, string>>;
}

export type Ask = (question: string, live?: Live) => Promise<Answer>;

/** Loads its dictionaries with the first question, and reads the catalog anew when it has changed. */
export function createAsk(catalog: Catalog): Ask {
  let of: Catalog["products"] | undefined;
  let engine: Engine | undefined;
  return async (question, live) => {
    const { createEngine } = await import("./engine.ts");
    if (!engine || of !== catalog.products) {
      engine = createEngine(catalog);
      of = catalog.products;
    }
    return engine(question, live);
  };
}
