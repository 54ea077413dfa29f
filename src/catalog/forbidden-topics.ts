import type { TextRule } from "../core/fields.ts";

/**
 * What a catalog may not speak of: altitude and producer are in no file, table, answer or log
 * (contract §1). Unknown keys are refused by the schema; this reads the sentences,
 * since a summary pasted from an importer's sheet is where such things slip in.
 */
const words = (...alternatives: string[]) => new RegExp(`\\b(?:${alternatives.join("|")})\\b`, "i");

const FORBIDDEN_TOPICS: readonly { what: string; pattern: RegExp }[] = [
  {
    what: "altitude",
    pattern: words(
      "altitudes?|elevations?|above sea level|high[- ]grown",
      "m\\.?\\s?a\\.?\\s?s\\.?\\s?l",
      "(?<![\\d.,])\\d[\\d.,]{2,}\\s?(?:m|metres?|meters?|ft|feet)",
    ),
  },
  {
    what: "a producer",
    pattern: words(
      "producers?|farm(?:s|ers?|ed)?|estates?|fincas?|haciendas?|fazendas?|plantations?",
      "co-?operativ(?:e|a)s?|co-?ops?|growers?|grown by|smallholders?|washing stations?",
    ),
  },
];

/** Names the first thing that a text should keep to itself. */
export const noForbiddenTopic: TextRule = (value) => {
  for (const { what, pattern } of FORBIDDEN_TOPICS) {
    const found = pattern.exec(value);
    if (found) return `"${found[0]}" speaks of ${what}, which the catalog does not hold`;
  }
  return null;
};
