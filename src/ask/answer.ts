/**
 * What `ask` gives back (contract §9).
 *
 * Terminology
 *   fact     one value of one bean, as the catalog file has it
 *   subject  a kind of fact that a good question can be about: country and region are one (origin);
 *            price and availability are none
 *   decline  a polite no; such an answer never counts towards a finder key
 */
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

/** The field names of the catalog file; only origin is two of them. */
export type Field =
  | "country"
  | "region"
  | Exclude<Subject, "origin">
  | "price_minor"
  | "availability";

export interface Fact {
  product_id: string;
  field: Field;
  value: string;
}

/** In the order in which one is reported when a question gives several. */
export const DECLINE_REASONS = [
  "KEY_REQUEST",
  "PROMPT_INJECTION",
  "HAGGLING",
  "ALTITUDE",
  "PRODUCER",
  "LANGUAGE",
  "OFF_TOPIC",
] as const;

export type DeclineReason = (typeof DECLINE_REASONS)[number];

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

export function subjectOf(field: Field): Subject | null {
  if (field === "country" || field === "region") return "origin";
  return field === "price_minor" || field === "availability" ? null : field;
}
