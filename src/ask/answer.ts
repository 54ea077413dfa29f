/**
 * What `ask` answers (contract §9).
 *
 * Terminology
 *   fact     one value of one bean, as the catalog has it
 *   decline  a polite no; such an answer never counts towards a finder key
 */
import type { Product } from "../domain/catalog/catalog.ts";

/** The field names of the catalog file. */
export type Field =
  | keyof Product["facts"]
  | ("decaf" | "choose_if" | "price_minor" | "availability");

export interface Fact {
  product_id: string;
  field: Field;
  value: string;
}

/** In the order in which one is reported when a question gives several. */
export const DECLINES = {
  KEY_REQUEST:
    "Keys and secrets are not handed out on request. A finder key is earned with good questions about the coffees.",
  PROMPT_INJECTION: "I only answer questions about our coffees, from the catalog's facts.",
  HAGGLING:
    "Prices are the same for everybody and are not negotiated here; what is published stands.",
  ALTITUDE: "Altitude is something we do not give out.",
  PRODUCER: "Who produced a coffee is something we do not give out.",
  LANGUAGE: "I only understand English, and everyday questions in German, Spanish and French.",
  OFF_TOPIC: "That is not about our coffees, so I have to leave it.",
};

export type DeclineReason = keyof typeof DECLINES;

export interface Answer {
  answer: string;
  /** What the answer rests on, each once. Empty where it rests on policy or on nothing. */
  facts: Fact[];
  declined?: DeclineReason;
  /** The parts of the question, in its own words, that the answer leaves open. */
  not_answered?: string[];
}

/** What is so at the moment of asking; what is not handed in is not spoken of. */
export interface Live {
  /** Whether the first-order courtesy runs. */
  firstOrderRuns?: boolean;
  /** Bags free to sell, by product_id. */
  free?: ReadonlyMap<string, number>;
}
