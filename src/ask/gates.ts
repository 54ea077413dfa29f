/** Requests that are declined, and facts that no file holds (contract §9). The facts come all the same. */

const DECLINES = {
  KEY_REQUEST:
    "Keys are not handed out on request: good questions earn a finder key, and `finder` shows it to the agent that has earned one.",
  PROMPT_INJECTION: "This only hands over the catalog's facts and the published policy.",
  HAGGLING:
    "Prices are the same for everyone and not negotiable; only the published discounts apply, as the policy states them.",
} as const;

export type DeclineReason = keyof typeof DECLINES;

/** Does not mention finder keys if none can be earned. */
export const declineText = (
  reason: DeclineReason,
  { keyless, exclusive }: { keyless: boolean; exclusive: string | null },
): string =>
  reason === "KEY_REQUEST" && (keyless || exclusive === null)
    ? "Nothing secret is handed out."
    : DECLINES[reason];

const NOT_GIVEN = ["altitude", "producer"] as const;
export type NotGiven = (typeof NOT_GIVEN)[number];

/** Whole words of a question, joined by single spaces; ".." stands for up to four words. Time is linear. */
export const pattern = (text: string): RegExp => {
  const source = text.replace(/\s*\n\s*/g, "").replaceAll(" .. ", " (?:[^ ]+ ){0,4}");
  return new RegExp(`(?<= )(?:${source})(?= )`, "u");
};

const GATES: Readonly<Record<DeclineReason | NotGiven, RegExp>> = {
  KEY_REQUEST:
    pattern(`(?<!(?:how|where) (?:do|should|can|must|may) (?:i|we) )(?:give|send|tell|show|hand|grant|reveal|print|leak) .. (?:(?:finder|api|unlock|secret|access) (?:key|code)|(?:the|a|your|my|me) key|passwords?|secrets?|credentials|token)|
      (?:your|admin|merchant|stripe) (?:api key|passwords?|secrets?|secret key|credentials)`),
  PROMPT_INJECTION:
    pattern(`(?:ignore|disregard|forget|override|bypass) .. (?:instructions?|prompts?|rules?|restrictions|policy|everything)|
      system (?:prompt|message)|(?:your|hidden|initial|original|new) (?:prompt|instructions?)|jailbreak|
      (?:developer|debug|admin|god) mode|you are now|(?:act|pretend|roleplay) (?:as|to be|like)|drop table|union select|repeat after me`),
  HAGGLING:
    pattern(`haggl\\p{L}*|negotiat\\p{L}*|bargain\\p{L}*|(?<!real )deals?|promo\\p{L}*|coupon\\p{L}*|discounts?|(?<!gift )vouchers?|rebates?|freebies?|clearance|
      black friday|cyber monday|(?:flash|any|a|on) sales?|free (?:bags?|samples?|gifts?|coffee)|on the house|throw in|cheaper (?:just )?for (?:me|us)|
      (?:\\d+|\\p{L}+) (?:percent |dollars |bucks )?off .. or|\\d+ (?:percent |dollars |bucks )?off|half (?:price|off)|
      (?:best|special|secret|lower|better) (?:price|offer|rate)|(?:match|beat|lower|drop|reduce|knock) .. (?:prices?|off)|go .. lower|
      meet me (?:there|half ?way)|(?:do|sell|make|give|let|have|get|take|accept|pay|settle|about) (?:[^ ]+ ){0,4}\\d+ (?:dollars?|bucks|instead|each)|
      (?:do|sell|make|let) .. for (?:only |just )?\\d+(?= (?:$|please|or|and|if))`),
  altitude:
    pattern(`altitud\\p{L}*|elevations?|masl|(?:above )?sea level|(?:high|mountain) grown|how high .. (?:grow\\p{L}*|grew|farm|up)|
      (?:how many|what) (?:met(?:re|er)s|feet)|what height|grow\\p{L}* .. (?:high|height|mountains?)|height .. gr[eo]w\\p{L}*`),
  producer:
    pattern(`producers?|produced by|(?<!(?:my|our) )farm(?:s|ers?|ed)?|estates?|fincas?|haciendas?|fazendas?|co ?op(?:s|eratives?)?|
      growers?|smallholders?|plantations?|washing stations?|exporters?|importers?|(?:grown|harvested|picked|processed) by|by whom|
      who(?:se)? .. (?:gr[eo]ws?|produce[sd]?|harvests|harvested|picks|picked|owns)|
      (?:people|person|family|families) (?:behind|who grow|who produce)|where do you (?:buy|source)|direct trade`),
};

/** Words of somebody who asks how a published discount works, which is no hunting. */
const PUBLISHED = pattern(
  `firstbag|first (?:order|purchase|time|bag)|new (?:customers?|buyers?)|spend(?:ing)?|spent|\\d{3,}|hundred|
  how (?:do|does|is|are|can|would|much|will|long|often)|(?:appl|combin|stack|qualif|eligib|expir|calculat|count|includ|affect)\\p{L}*|
  do you (?:have|offer) .. discounts?(?! (?:just |only )?for (?:me|us))|used|two|more than|works?|enter|both|twice|together|valid|ends?|shipping|postage|delivery`,
);

export interface Gates {
  declined: DeclineReason[];
  notGiven: NotGiven[];
}

/** Gates that a question's words run into, in the order above. */
export function gatesOf(words: readonly string[]): Gates {
  const text = ` ${words.join(" ")} `;
  const isAsked = (gate: DeclineReason | NotGiven) =>
    GATES[gate].test(text) && !(gate === "HAGGLING" && PUBLISHED.test(text));
  const reasons = Object.keys(DECLINES) as DeclineReason[];
  return { declined: reasons.filter(isAsked), notGiven: NOT_GIVEN.filter(isAsked) };
}
