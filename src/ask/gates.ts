/** Requests that are declined, and facts that no file holds (contract §9). The facts come all the same. */

export const DECLINES = {
  KEY_REQUEST:
    "Keys are not handed out on request: good questions earn a finder key, and `finder` shows it to the agent that has earned one.",
  PROMPT_INJECTION: "This only hands over the catalog's facts and the published policy.",
  HAGGLING: "Prices are the same for everyone and not negotiable; only published discounts apply.",
} as const;

export type DeclineReason = keyof typeof DECLINES;

const NOT_GIVEN = ["altitude", "producer"] as const;
export type NotGiven = (typeof NOT_GIVEN)[number];

/** Whole words over the question's words, joined by single spaces. Gaps are bounded, so that time is linear. */
const pattern = (text: string): RegExp => {
  const source = text.replace(/\s*\n\s*/g, "").replaceAll(" .. ", " (?:[^ ]+ ){0,4}");
  return new RegExp(`(?<= )(?:${source})(?= )`, "u");
};

const GATES: readonly [gate: DeclineReason | NotGiven, asked: RegExp][] = [
  [
    "KEY_REQUEST",
    pattern(`(?<!(?:how|where) (?:do|should|can|must|may) (?:i|we) )(?:give|send|tell|show|hand|issue|grant|reveal|print|leak|email|dump) .. (?:(?:finder |api |unlock |
      secret |access )?key|passwords?|secrets?|credentials|token|unlock code)|(?:your|admin|merchant|stripe) (?:api key|
      password|secrets?|credentials|secret key)|unlock code|(?:fk|cma|sk) [a-z\\d]{6,}`),
  ],
  [
    "PROMPT_INJECTION",
    pattern(`(?:ignore|disregard|forget|override|bypass) .. (?:instructions?|prompts?|rules?|guidelines|restrictions|policy|policies|
      above|everything)|system (?:prompt|message|override)|(?:your|hidden|initial|original) (?:prompt|instructions)|
      new instructions?|jailbreak|(?:developer|debug|admin|god) mode|you are now|(?:act|behave|pretend|roleplay) (?:as|to be|like)|
      drop table|union select|env(?:ironment)? var(?:iable)?s|script alert|repeat after me|verbatim|sudo`),
  ],
  [
    "HAGGLING",
    pattern(`haggle|negotiat\\p{L}*|bargain\\p{L}*|(?:best|special|secret|lower|better) (?:price|deal|offer|discount)|deal|
      (?:make|give|get|cut|do) me .. (?:deal|cheaper|discount)|if you (?:make|do|give|sell|let|go|knock) .. (?:\\d+|cheaper|half)|
      (?:make|do|sell) (?:it|them|that|one|me) .. (?:\\d+|half|cheaper)|(?:can|could|would|will) (?:you|u) (?:do|sell|make|let|give) .. for (?:only |just )?\\d+|
      cheaper (?:just )?for me|half (?:price|off)|price match|
      (?:match|beat) .. prices?|meet me half ?way|(?:accept|take|settle for) \\d+ (?:dollars?|bucks|instead|for)|
      ill pay|id pay|i will pay|(?:how about|what about) \\d+ (?:dollars|bucks|each)|(?:lower|drop|reduce|knock) .. (?:price|off)|
      throw in|on the house|friends and family|(?:any|some|a) (?:extra|bigger|personal|exclusive|loyalty) discount|discount just for me|
      go (?:down|lower)|do better|waive`),
  ],
  [
    "altitude",
    pattern(`altitudes?|elevations?|masl|asl|above sea level|sea level|high grown|shb|shg|strictly hard bean|how high .. (?:grow\\p{L}*|grew|planted|farm|up)|
      (?:how many|what) (?:met(?:re|er)s|feet)|mountain grown|altitud|altura|hohe|hoehe|(?:grow\\p{L}*|grew) .. (?:high|height|mountains?)`),
  ],
  [
    "producer",
    pattern(`producers?|produced by|(?<!(?:my|our) )farm(?:s|ers?|ed)?|estates?|fincas?|haciendas?|fazendas?|co ?op(?:s|eratives?)?|cooperatives?|
      growers?|smallholders?|small holders?|plantations?|washing stations?|exporters?|importers?|(?:grown|harvested|picked|processed) by|
      by whom|who(?:se)? .. (?:grew|grows|grow|produced|produces|harvests|harvested|picks|picked|cultivates|planted|owns)|
      (?:people|person|family|families) (?:behind|who grow|who produce|grows?|produces?|owns?|runs?)|where do you (?:buy|source)|direct trade|productor(?:es)?|erzeuger|
      producteurs?|bauern?`),
  ],
];

export interface Gates {
  declined: DeclineReason[];
  notGiven: NotGiven[];
}

/** Gates that a question's words run into, in the order above. */
export function gatesOf(words: readonly string[]): Gates {
  const text = ` ${words.join(" ")} `;
  const hit = GATES.flatMap(([gate, asked]) => (asked.test(text) ? [gate] : []));
  const isNotGiven = (gate: DeclineReason | NotGiven): gate is NotGiven =>
    NOT_GIVEN.some((one) => one === gate);
  return {
    declined: hit.filter((gate): gate is DeclineReason => !isNotGiven(gate)),
    notGiven: hit.filter(isNotGiven),
  };
}
