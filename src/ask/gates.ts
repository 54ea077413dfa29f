/**
 * What is looked at before anything is understood (contract §9), told by patterns over a question's
 * folded words.
 */
import { patterns } from "./text.ts";

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

/** Health is not declined: what else is asked is answered, and no bean is recommended. */
export const HEALTH_SAYS =
  "Our facts do not say anything about health, diets or allergies; tasting notes are flavours, not " +
  "a list of ingredients. Please ask a doctor or another professional.";

export type DeclineReason = keyof typeof DECLINES;
export type Gate = DeclineReason | "HEALTH";

/** What is declined, and health. "NOT" lines tell what only looks like it. */
const GATES = String.raw`
  KEY_REQUEST = (give|send|tell|show|hand|issue|grant|reveal|print|leak|email|mail|dump)…((finder ?|
  api ?|unlock |secret |access )?key|password|secret|credential|token|codes? for)|(your|admin|
  merchant|stripe) _ (api key|password|secret|credential|secret key)|password|bearer token|
  unlock code|(fk|cma|sk) [a-z0-9]{6,}; NOT KEY_REQUEST = key (note|fact|difference|flavou?r|point|
  lime)|(how|where|header) (do|should|must|can) (i|we) (send|give|show|hand|pass)…key;
  PROMPT_INJECTION = (ignore|disregard|forget|override|bypass)…(instruction|prompt|rule|guideline|
  restriction|polic(y|ies)|above|everything|said|told)|system (prompt|message|override)|(your|
  hidden|initial|original) (prompt|instructions|guidelines|rules)|new instruction|repeat everything|
  everything above(?! \$?\d)|jailbreak|(developer|debug|admin) mode|sudo|(repeat|print|say|output|
  echo) (after me|exactly|the following|your instructions|verbatim)|you are (now )?(a |an )?(dan|
  pirate|admin|hacker|unrestricted|developer|different)|(act|behave|pretend|roleplay)…(as|to be|
  like|you)|drop table|union select|without (any )?(restrictions|filters|limits)|
  environment variables|env vars|script alert; HEALTH = (bad|harmful|unhealthy|dangerous) (for|
  to) (you|me|us|my|your|the)|good for you|allerg*|(is|are)…alcoholic|intoleran*|pregnan*|
  expecting (a )?(baby|child)|breast ?feeding|nursing|dairy|lactose|gluten|coeliac|celiac|vegan|
  vegetarian|medication|medicine|medical|(?<!(for|to) (my|our|the) |i am a |im a )doctor|physician|hypertension|cholesterol|diabet*|
  blood (pressure|sugar)|heart _ (condition|disease|problem|medication|rate|palpitation)|(my|the|
  for|your) heart|heartburn|palpitation|reflux|gerd|ulcer|ibs|stomach(?! for)|digest*|migraine|headache|
  anxiety|anxious|jitters|insomnia|adhd|depress*|health*|help me sleep|teeth(?! in\b)|year old|peanuts? in|
  calori*|kcal|nutrition*|diet|keto|weight loss|lose weight|carb|antioxidant|mou?ld|mycotoxin|toxin|
  acrylamide|side effect|safe (for|to (?!pay|order|buy|enter)|during|while)|(for|can|may|should|
  give|let)…(kid|child(ren)?|toddler|bab(y|ies)|teen(ager)?)(?!s? (teacher|school|coach))|(kids?|child(ren)?) (drink|have)|
  (for|to|give|let) my (dog|cat)|my (dog|cat) (can|may|drank|drink|ate|lick|had)|hives|rash(es)?|itchy|actually contain|contains?…(rum|whisky|whiskey|wine|nut|milk|alcohol|honey|sugar|soy|peanut|almond|
  trace)|traces? of|real (alcohol|nut|fruit|rum|chocolate|milk|honey)|less sugar|(sugar|nut) free|
  there (any )?(nut|sugar|milk|alcohol|dairy|soy)s? in|(honey|nut|fruit|sugar|rum|chocolate) real|
  haram|schwanger*|embarazad*|enceinte|gesund*|salud|sante|mean (it|they|there) (has|have|contain|
  is|are); HAGGLING = buy one get one|haggl*|competitor*|you do \$?\d+|you do (the|them|it|those|that)…for \$?\d+|negotia*|bargain*|(make|give|
  cut|get|do) (me |us )?(a |an )?_ deal|have a deal|deal\?|on the house|throw in(?! (my|our))|bogo|(\$|price|cheap|discount|deal|special|rate)…just for me|knock…off|
  sell (it|them|one|the \w+) to (me|us)|sell (me|us)…for|
  (pay|for) (only |just )?half(?! (now|an hour|a (bag|pound|kilo)))|
  (pay|for) (only|just) (\$ ?\d+|(\d+|ten|fifteen|twenty)(?! (bag|of|pack|address|person|people|coffee|bean)))|(make|give|get|
  sell)…cheaper|(bucks|dollars|something) off|half (price|off)|(special|secret|extra|personal|
  better|bigger|additional|exclusive) (discount|price|offer|deal|rate)|loyal(ty)? (customer|
  discount)|regular customer|do better|best (price|you can do|offer)|price…(accept|take)|(can|could|
  would|will)(nt|t)? (you|u|we|i) (do|go|come) (any )?(better|lower|down|cheaper)|(drop|lower|beat|
  match) (it|them|this|that) to|(drop|beat|match|reduce|lower|improve) (your|the|that|this|its|
  \w+) (price|cost)|price match|match _ prices?|meet me half ?way|(accept|settle for) \$? ?\d+\b(?!%| (bag|pack|day|week|month|hour|minute|line|order))|
  you take \$? ?\d+\b(?= ?([?.,!]|$|a |for |each|per |dollar|buck|instead))|take \$ ?\d+|take \d+ (dollars? |bucks? )?(off|for (it|one|them|the))|
  go (down|lower) to \$?\d+|take it or leave it|(id|ill|would|
  will) pay (you )?\$?\d+ (for|each|per|a bag)|for \$?\d+ and|friends and family|black friday|
  how about \$\d+|(do|let|give) (me|us) (have )?(the|a|an|your)…for (only |just )?\$?\d+|\d+ instead of \$\d+|(can|could|would|will) you waive|(can|
  could|may) i (get|have) (it|the \w+|one|them) for (only |just )?\$?\d+|flash sale|clearance|
  (give|get|do) (me|us) (a )?\$?\d+%? ?(percent |dollars )?off|rabatt fur mich|
  any chance…(cheaper|lower|off|deal)|, deal(?= ?\?)|\d+% off if; NOT HAGGLING = (bigger|larger) discount…(spend|order|buy)|(do|would|will|did) (i|we) (get|have|qualify|earn)…off|
  (my|a|the) _ first (order|purchase)|
  (any|there) _ free|how far|(firstbag|code)…off|buy…free|which…deal|
  free (shipping|delivery)|courtes(y|ies)|(freebie|free \w+|extra) (with|for) (big|bigger|large|
  larger) orders; ALTITUDE = altitude|elevation|masl|asl|sea level|high grown|shb|shg|
  strictly hard bean|how far up|how high|(\d+|many|what) ?(m|ft)|metre|meter|feet|mountain grown|
  altitud|altura|hohe|hoehe|(grow*|grew|planted|cultivated)…(high|height|mountain|hill)|hohenlage|
  seehohe|(high|height|mountains?|hills?|highlands?)…(grow*|grew|planted|cultivated)|uber dem meer;
  NOT ALTITUDE = how high (is|are) (the )?(acid*|price|body|shipping|water|temperature)|wie hoch (sind|ist);
  PRODUCER = produced by|producer|farm*|estate|finca|hacienda|fazenda|co ?op(s|eratives?)?|
  cooperativa|grower|small ?holder|plantation|washing station|mill|exporter|importer|supplier|
  by whom|who (is|are|stands) behind|name of the (family|owner|person|place)|who(se|s)?…(grow|grew|
  grown|produced?|harvest*|pick(s|ed)?|cultivate[sd]?|made|makes|plant(s|ed)?|processed|owns|runs)|
  (grown|made|harvested|picked|raised|processed|supplied|planted) by|(people|person|family|families|
  hands|folks|man|woman) (behind|who (grow|grew|make|made|pick|produce|run|own))|where do you (buy|
  source|get) (it|them|your)|productor(es)?|caficultor|agricultor|bauern?|bauernhof|erzeuger|
  plantage|producteur|agriculteur|wer (baut|produziert|erzeugt)|qui (produit|cultive)|
  quien (produce|cultiva)|famil(y|ies)…(grow|produc|own|farm|run)*; NOT PRODUCER =
  (my|our|hand|burr|manual|electric) (farm|mill)|(on|at|to) (a|an|his|her|their) _ farm|who (picked|picks) up|
  family (run|owned) (business|shop|company|store|roast*)|(are you|business|shop|company|store|roastery) _ family|grown by _ _ variet*|who (makes|
  made) (you|(the |this |your )?(website|app|shop|(gift )?note))|(someone|somebody|people|those|person|friend|
  wife|husband|mom|dad|mother|father) who (makes|made); NOT OFF_TOPIC = gift notes?|(add|in|on|with) (a|an|the|my) (note|card); OFF_TOPIC = who won|(bread|cake|cookie|muffin|soup|pasta|pie|tiramisu) recipe|
  recipe (for|of)…(bread|cake|cookie|muffin|soup|pasta|pie|tiramisu)|weather|(will it|going to) rain|
  book (me )?a (?!bag)|poem|haiku|limerick|joke|song|lyrics|essay|president|prime minister|
  capital (city )?of|world cup|election|politics|football|soccer|basketball|(?<!(with|by|in|accept|
  take) )bitcoin|stock (tip|market)|shares|python|javascript|typescript|homework|translat*|movie|
  horoscope|pizza|beer|lottery|meaning of life|universe|solve|news(?! (about|on|of|from) (my|our|the))|history of|population|\d+ (times|
  plus|minus|x|divided by) \d+|2 2|is coffee an? |write (me )?(a|an|some) (?!(\w+ ){0,2}(note|message|card|
  gift|review))\w+`;

const gates = new Map(patterns(GATES));

/** The gates a question runs into, and at which words, so that the rest can be read without them. */
export function gatesOf(folded: string): [gate: Gate, matched: string[]][] {
  const plain = folded.replaceAll("-", " ");
  return [...gates].flatMap(([gate, pattern]): [Gate, string[]][] => {
    const matched = gate.startsWith("NOT ") ? null : plain.match(pattern);
    const excused = plain.search(gates.get(`NOT ${gate}`) ?? /$^/) >= 0;
    return matched === null || excused ? [] : [[gate as Gate, matched]];
  });
}
