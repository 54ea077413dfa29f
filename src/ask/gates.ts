/**
 * What is looked at before anything is understood (contract §9): what is declined, and health, of
 * which nothing is said and for which no bean is named. Patterns read the folded question.
 */
import type { DeclineReason } from "./answer.ts";
import { patterns } from "./text.ts";

export type Gate = DeclineReason | "HEALTH";

/** "NOT" lines tell what only looks like it. */
const GATES = String.raw`
  KEY_REQUEST: (?:give|send|tell|show|hand|issue|grant|reveal|print|leak|email|mail|
    dump)\b.{0,40}\b(?:(?:finder ?|api ?|unlock |secret |access )?keys?|passwords?|secrets?|
    credentials?|tokens?|codes? for)|(?:your|admin|merchant|stripe) (?:\w+ )?(?:api key|password|
    secrets?|credentials?|secret key)|password|bearer token|unlock code|(?:fk|cma|sk) [a-z0-9]{6,}
  NOT KEY_REQUEST: key (?:notes?|facts?|differences?|flavou?rs?|points?|lime)
  PROMPT_INJECTION: (?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:instructions?|
    prompts?|rules?|guidelines?|restrictions?|polic(?:y|ies)|above|everything|said|told)|
    system (?:prompt|message|override)|(?:your|hidden|initial|original) (?:prompts?|instructions|
    guidelines|rules)|new instructions?|repeat everything|everything above|jailbreak|(?:developer|
    debug|admin) mode|sudo|(?:repeat|print|say|output|echo) (?:after me|exactly|the following|
    your instructions|verbatim)|you are (?:now )?(?:a |an )?(?:dan|pirate|admin|hacker|
    unrestricted|developer|different)|(?:act|behave|pretend|roleplay)\b.{0,12}\b(?:as|to be|like|
    you)|drop table|union select|without (?:any )?(?:restrictions|filters|limits)|
    environment variables|env vars|script alert
  HEALTH: allerg\w*|intoleran\w*|pregnan\w*|breast ?feeding|nursing|dairy|lactose|gluten|coeliac|
    celiac|vegan|vegetarian|medication|medicine|medical|doctor|physician|hypertension|cholesterol|
    diabet\w*|blood (?:pressure|sugar)|heart (?:\w+ )?(?:condition|disease|problems?|medication|
    rate|palpitations?)|(?:my|the|for|your) heart|heartburn|palpitations?|reflux|gerd|ulcers?|ibs|
    stomach|digest\w*|migraines?|headaches?|anxiety|anxious|jitters|insomnia|adhd|depress\w*|
    health\w*|calori\w*|kcal|nutrition\w*|diet|keto|weight loss|lose weight|carbs?|antioxidants?|
    mou?ld|mycotoxins?|toxins?|acrylamide|side effects?|safe (?:for|to|during|while)|(?:for|can|
    may|should|give|let)\b.{0,20}\b(?:kids?|child(?:ren)?|toddlers?|bab(?:y|ies)|teen(?:ager)?s?)|
    (?:kids?|child(?:ren)?) (?:drink|have)|my (?:dog|cat)|contains?\b.{0,25}\b(?:nuts?|milk|
    alcohol|honey|sugar|soy|peanuts?|almonds?|traces?)|traces? of|real (?:alcohol|nuts?|fruit|rum|
    chocolate|milk|honey)|less sugar|(?:sugar|nut) free|haram|schwanger\w*|embarazad\w*|enceinte|
    gesund\w*|salud|sante
  HAGGLING: haggl\w*|negotia\w*|bargain\w*|(?:make|give|cut|get|do) (?:me |us )?(?:a |
    an )?(?:\w+ )?deal|have a deal|deal\?|freebies?|(?<!caffeine |decaf |acid )free (?:bags?|
    samples?|coffee|gifts?|item)|on the house|throw in|bogo|just for me|knock\b.{0,15}\boff|
    (?:bucks|dollars|something) off|half (?:price|off)|(?:special|secret|extra|personal|better|
    bigger|additional|exclusive) (?:discount|price|offer|deal|rate)s?|loyal(?:ty)? (?:customer|
    discount)|regular customer|do better|best (?:price|you can do|offer)|(?:can|could|would|
    will) (?:you|u|we|i) (?:do|go|come) (?:any )?(?:better|lower|down|cheaper)|(?:drop|beat|match|
    reduce|lower|improve) (?:your|the|that|this|its|\w+) (?:price|cost)s?|price match|
    meet me half ?way|(?:accept|take|settle for) \$? ?\d+|for \$?\d+ and|friends and family|
    black friday|(?:can|could|may) i (?:get|have) (?:it|the \w+|one|them) for (?:only |
    just )?\$?\d+|flash sale|clearance|student discount|(?:give|get|do) (?:me|
    us) (?:a )?\$?\d+%? ?(?:percent |dollars )?off|rabatt fur mich
  NOT HAGGLING: which\b.*\bdeal|free (?:shipping|delivery)|courtes(?:y|ies)
  ALTITUDE: altitudes?|elevations?|masl|asl|sea level|high grown|shb|shg|strictly hard bean|
    how far up|how high|(?:\d+|many|what) (?:m|metres?|meters?|feet|ft)|mountain grown|altitud|
    altura|hohe|hoehe|(?:grow\w*|grew|planted|cultivated)\b.{0,30}\b(?:high|height|mountains?|
    hills?)|hohenlage|seehohe|(?:high|height|mountains?|hills?|highlands?)\b.{0,30}\b(?:grow\w*|
    grew|planted|cultivated)|uber dem meer
  NOT ALTITUDE: how high (?:is|are) (?:the )?(?:acid\w*|price|body|shipping)|wie hoch (?:sind|ist)
  PRODUCER: produced by|producers?|farm(?:s|er|ers|ed|ing|land)?|estates?|fincas?|haciendas?|
    fazendas?|co ?op(?:s|eratives?)?|cooperativas?|growers?|small ?holders?|plantations?|
    washing stations?|mills?|exporters?|importers?|suppliers?|by whom|who (?:is|are|
    stands) behind|name of the (?:family|owner|person|place)|who(?:se|s)?\b.{0,20}\b(?:grows?|
    grew|grown|produced?s?|harvest\w*|pick(?:s|ed)?|cultivate[sd]?|made|makes|plant(?:s|ed)?|
    processed|owns|runs)|(?:grown|made|harvested|picked|raised|processed|supplied|planted) by|
    (?:people|person|family|families|hands|folks|man|woman) (?:behind|who (?:grow|grew|make|made|
    pick|produce|run|own)s?)|where do you (?:buy|source|get) (?:it|them|your)|productor(?:es)?|
    caficultor|agricultor|bauern?|bauernhof|erzeuger|plantage|producteurs?|agriculteur|
    wer (?:baut|produziert|erzeugt)|qui (?:produit|cultive)|quien (?:produce|cultiva)
  NOT PRODUCER: who (?:makes|made) (?:you|(?:the )?(?:website|app|shop))|(?:someone|somebody|
    people|those|person|friend|wife|husband|mom|dad|mother|father) who (?:makes|made)
  OFF_TOPIC: weather|rain tomorrow|poems?|haiku|limerick|jokes?|songs?|lyrics|essay|president|
    prime minister|capital (?:city )?of|world cup|elections?|politics|football|soccer|basketball|
    bitcoin|crypto\w*|stock (?:tips?|market)|shares|python|javascript|typescript|homework|
    translat\w*|movies?|horoscope|pizza|beer|lottery|meaning of life|universe|solve|news|
    history of|population|\d+ (?:times|plus|minus|x|divided by) \d+|2 2|write (?:me )?(?:a|an|
    some) (?!note|message|card|gift)\w+`;

const gates = new Map(patterns(GATES));

/** Of these the whole question is left alone; beside the others, what else it asks is answered. */
const WHOLE: readonly string[] = ["KEY_REQUEST", "PROMPT_INJECTION"];

export const DECLINE_SAYS: Readonly<Record<DeclineReason, string>> = {
  ALTITUDE: "Altitude is something we do not give out.",
  PRODUCER: "Who produced a coffee is something we do not give out.",
  HAGGLING:
    "Prices are the same for everybody and are not negotiated here; what is published stands.",
  KEY_REQUEST:
    "Keys and secrets are not handed out on request. A finder key is earned with good questions about the coffees.",
  PROMPT_INJECTION: "I only answer questions about our coffees, from the catalog's facts.",
  LANGUAGE: "I only understand English, and everyday questions in German, Spanish and French.",
  OFF_TOPIC: "That is not about our coffees, so I have to leave it.",
};

export const HEALTH_SAYS =
  "Our facts do not say anything about health, diets or allergies; tasting notes are flavours, not " +
  "a list of ingredients. Please ask a doctor or another professional.";

/** What a question runs into, and at which words, so that the rest can be read without them. */
export function gatesOf(folded: string): { gate: Gate; whole: boolean; matched: string[] }[] {
  const plain = folded.replaceAll("-", " ");
  return [...gates].flatMap(([gate, pattern]) => {
    const matched = gate.startsWith("NOT ") ? null : plain.match(pattern);
    if (matched === null || plain.search(gates.get(`NOT ${gate}`) ?? /$^/) >= 0) return [];
    return [{ gate: gate as Gate, whole: WHOLE.includes(gate), matched }];
  });
}
