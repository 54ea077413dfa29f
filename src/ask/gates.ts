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
    pattern(`haggle|negotiat\\p{L}*|bargain\\p{L}*|(?:best|special|secret|lower|better) (?:price|deal|offer|rate)|
      (?:make|do|sell|give|get|cut) (?:it|them|that|one|me|us) .. (?:\\d+|half|cheaper|deal|discount)|cheaper (?:just )?for (?:me|us)|
      if you (?:make|do|give|sell|let|go|knock) .. (?:\\d+|cheaper|half)|
      (?:do|sell|make|let|give|have|get) .. for (?:only |just )?\\d+(?! (?:\\p{L}+ )?(?:people|persons|guests|friends|bags|addresses|minutes|days|weeks|months|years|cups|oz|ounces))|half (?:price|off)|price match|
      (?:match|beat) .. prices?|meet me (?:there|half ?way)|(?:accept|take|settle for) \\d+ (?:dollars?|bucks|instead|for)|
      (?:ill|id|i (?:will|would|can)) (?:only )?pay (?:you )?\\d+|(?:how|what) about \\d+ (?:dollars|bucks|each)|(?:lower|drop|reduce|knock) .. (?:price|off)|
      throw in|on the house|friends and family|discount just for me|(?:can|could|cant) (?:you|u) (?:go (?:a (?:bit|little) )?(?:down|lower)|do (?:any )?better)|
      or (?:im|i am) out|or (?:else )?i(?:ll)? (?:walk|leave|go elsewhere)`),
  ],
  [
    "altitude",
    pattern(`altitudes?|elevations?|masl|asl|above sea level|sea level|high grown|shb|shg|strictly hard bean|how high .. (?:grow\\p{L}*|grew|planted|farm|up)|
      (?:how many|what) (?:met(?:re|er)s|feet)|mountain grown|(?:what|which) height|altitud|altura|hohe|hoehe|(?:grow\\p{L}*|grew) .. (?:high|height|mountains?)`),
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

/** A search for any discount, which is hunting for deals. */
const DISCOUNT = pattern(
  `deals?|promos?|promotions?|promotional|promo ?codes?|coupons?|couponcodes?|(?<!gift )vouchers?|discounts?|discount ?codes?|markdowns?|clearance|
  freebies?|free (?:bags?|samples?|gifts?|coffee)|rebates?|black friday|cyber monday|(?:flash|any|a|on) sales?|sales? (?:going|now|today|coming|soon|on)|
  (?:\\d+|\\p{L}+) (?:percent|dollars|bucks) (?:off|discount)`,
);

/** Words of somebody who asks how a published discount works. */
const PUBLISHED = pattern(
  `firstbag|first (?:order|purchase|time|bag)|new (?:customers?|buyers?)|spend(?:ing)?|spent|worth|\\d{3,}|large(?:r)? orders?|
  how (?:do|does|is|are|can|would|much|will|long|often)|(?:appl|combin|stack|redeem|qualif|eligib|expir|calculat|add|count|includ|reduc|affect)\\p{L}*|
  used|two|more than|works?|enter|both|twice|again|together|valid|ends?|shipping|published`,
);

export interface Gates {
  declined: DeclineReason[];
  notGiven: NotGiven[];
}

/** Gates that a question's words run into, in the order above. */
export function gatesOf(words: readonly string[]): Gates {
  const text = ` ${words.join(" ")} `;
  const isHunting = DISCOUNT.test(text) && !PUBLISHED.test(text);
  const hit = GATES.flatMap(([gate, asked]) =>
    asked.test(text) || (isHunting && gate === "HAGGLING") ? [gate] : [],
  );
  const isNotGiven = (gate: DeclineReason | NotGiven): gate is NotGiven =>
    NOT_GIVEN.some((one) => one === gate);
  return {
    declined: hit.filter((gate): gate is DeclineReason => !isNotGiven(gate)),
    notGiven: hit.filter(isNotGiven),
  };
}
