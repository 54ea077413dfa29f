import type { TextRule } from "../core/fields.ts";

/**
 * Topics that a catalog must not mention: altitude and producer (contract §1). The schema refuses unknown
 * keys; this reads the texts, because a summary may be pasted from an importer's sheet.
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

/** Names the first forbidden topic of a text. */
export const noForbiddenTopic: TextRule = (value) => {
  for (const { what, pattern } of FORBIDDEN_TOPICS) {
    const found = pattern.exec(value);
    if (found) return `"${found[0]}" mentions ${what}, which the catalog must not`;
  }
  return null;
};
