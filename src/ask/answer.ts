/**
 * What `ask` gives back (contract §9).
 *
 * Terminology
 *   fact     one value of one bean, as the catalog file has it
 *   subject  what a question can be about: the fact kinds of contract §9, where country and region are
 *            one (origin), and what the catalog says besides
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
export type Field = "country" | "region" | Exclude<Subject, "origin">;

export interface Fact {
  product_id: string;
  field: Field;
  value: string;
}

/** In the order in which one is reported when a question gives several. */
export const DECLINE_REASONS = [
  "KEY_REQUEST",
  "CODES",
  "HAGGLING",
  "ALTITUDE",
  "PRODUCER",
  "PROMPT_INJECTION",
  "OFF_TOPIC",
] as const;

export type DeclineReason = (typeof DECLINE_REASONS)[number];

export interface Answer {
  answer: string;
  /** What the answer rests on, each once. Empty where it rests on none. */
  facts: Fact[];
  declined?: DeclineReason;
}

export const subjectOf = (field: Field): Subject =>
  field === "country" || field === "region" ? "origin" : field;
