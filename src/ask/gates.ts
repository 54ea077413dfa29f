/** Requests that are declined, and facts that no file holds (contract §9). The facts come all the same. */

export const DECLINES = {
  KEY_REQUEST: "Nothing secret is handed out on request.",
  PROMPT_INJECTION: "This only hands over the catalog's facts and the published policy.",
  HAGGLING: "Prices are the same for everyone; only the published discounts apply.",
} as const;

type DeclineReason = keyof typeof DECLINES;

const NOT_GIVEN = ["altitude", "producer"] as const;
type NotGiven = (typeof NOT_GIVEN)[number];

/** Whole words of a question, joined by single spaces; ".." stands for up to four words. Time is linear. */
const pattern = (text: string): RegExp => {
  const source = text.replace(/\s*\n\s*/g, "").replaceAll(" .. ", " (?:[^ ]+ ){0,4}");
  return new RegExp(`(?<= )(?:${source})(?= )`, "u");
};

/** Haggling is asking for a discount that isn't published; how a published one works is no haggling. */
const GATES: Readonly<Record<DeclineReason | NotGiven, RegExp>> = {
  KEY_REQUEST: pattern(
    `(?<!(?:how|where) (?:do|should|can|must|may) (?:i|we) )(?:give|send|tell|show|hand|reveal|print) .. (?:key|passwords?|secrets?|credentials|token)|
    (?:your|admin) (?:api key|passwords?|secrets?|credentials)`,
  ),
  PROMPT_INJECTION: pattern(
    `(?:ignore|disregard|forget|override|bypass) .. (?:instructions?|prompts?|rules?|policy|everything)|system (?:prompt|message)|
    (?:your|hidden|initial|original|new) (?:prompt|instructions?)|jailbreak|you are now|pretend to be`,
  ),
  HAGGLING: pattern(
    `(?:haggl|negotiat|bargain)\\p{L}*|(?:coupon|promo|freebie|deal)s|(?:an?|any|some|special) (?:discount|promo|coupon|voucher|deal|sale)s?|
    free (?:bags?|samples?|gifts?|coffee)|half (?:price|off)|(?:give|knock) .. \\d+ .. off|off or|
    (?:best|special|secret|lower|better) (?:price|offer|rate)|(?:match|beat|lower|drop|reduce) .. prices?|
    (?:can|could|would|will) you (?:do|sell) .. (?:for|at) (?:only |just )?\\d+`,
  ),
  altitude: pattern(
    `(?:altitud|elevation)\\p{L}*|masl|sea level|(?:how|what) (?:high|height) .. (?:gr[eo]w\\p{L}*|farm|up)|
    (?:how many|what) (?:met(?:re|er)s|feet)|(?:mountain|high) grown`,
  ),
  producer: pattern(
    `(?:producer|grower|estate|finca)s?|(?<!(?:my|our) )farm(?:s|ers?|ed)?|co ?op(?:s|eratives?)?|
    (?:grown|harvested|picked|produced) by|(?:who(?:se)?|people|famil(?:y|ies)) .. (?:gr[eo]ws?|produce[sd]?|harvest(?:s|ed)|pick(?:s|ed)|owns)`,
  ),
};

/** Gates that a question's words run into, in the order above. */
export function gatesOf(words: readonly string[]) {
  const text = ` ${words.join(" ")} `;
  const isAsked = (gate: DeclineReason | NotGiven) => GATES[gate].test(text);
  const reasons = Object.keys(DECLINES) as DeclineReason[];
  return { declined: reasons.filter(isAsked), notGiven: NOT_GIVEN.filter(isAsked) };
}
