/**
 * What a question is about besides the beans, told by patterns over its folded words: what is looked at
 * before anything is understood (contract §9), and the topics of the published policy.
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

export type DeclineReason = keyof typeof DECLINES;
export type Gate = DeclineReason | "HEALTH";

/** What is declined, and health. "NOT" lines tell what only looks like it. */
const GATES = String.raw`
  KEY_REQUEST = (give|send|tell|show|hand|issue|grant|reveal|print|leak|email|mail|
  dump)\b.{0,40}\b((finder ?|api ?|unlock |secret |access )?keys?|passwords?|secrets?|credentials?|
  tokens?|codes? for)|(your|admin|merchant|stripe) (\w+ )?(api key|password|secrets?|credentials?|
  secret key)|password|bearer token|unlock code|(fk|cma|sk) [a-z0-9]{6,};
  NOT KEY_REQUEST = key (notes?|facts?|differences?|flavou?rs?|points?|lime);
  PROMPT_INJECTION = (ignore|disregard|forget|override|bypass)\b.{0,30}\b(instructions?|prompts?|
  rules?|guidelines?|restrictions?|polic(y|ies)|above|everything|said|told)|system (prompt|message|
  override)|(your|hidden|initial|original) (prompts?|instructions|guidelines|rules)|
  new instructions?|repeat everything|everything above|jailbreak|(developer|debug|admin) mode|sudo|
  (repeat|print|say|output|echo) (after me|exactly|the following|your instructions|verbatim)|
  you are (now )?(a |an )?(dan|pirate|admin|hacker|unrestricted|developer|different)|(act|behave|
  pretend|roleplay)\b.{0,12}\b(as|to be|like|you)|drop table|union select|
  without (any )?(restrictions|filters|limits)|environment variables|env vars|script alert;
  HEALTH = allerg\w*|intoleran\w*|pregnan\w*|breast ?feeding|nursing|dairy|lactose|gluten|coeliac|
  celiac|vegan|vegetarian|medication|medicine|medical|doctor|physician|hypertension|cholesterol|
  diabet\w*|blood (pressure|sugar)|heart (\w+ )?(condition|disease|problems?|medication|rate|
  palpitations?)|(my|the|for|your) heart|heartburn|palpitations?|reflux|gerd|ulcers?|ibs|stomach|
  digest\w*|migraines?|headaches?|anxiety|anxious|jitters|insomnia|adhd|depress\w*|health\w*|
  calori\w*|kcal|nutrition\w*|diet|keto|weight loss|lose weight|carbs?|antioxidants?|mou?ld|
  mycotoxins?|toxins?|acrylamide|side effects?|safe (for|to|during|while)|(for|can|may|should|give|
  let)\b.{0,20}\b(kids?|child(ren)?|toddlers?|bab(y|ies)|teen(ager)?s?)|(kids?|child(ren)?) (drink|
  have)|my (dog|cat)|contains?\b.{0,25}\b(nuts?|milk|alcohol|honey|sugar|soy|peanuts?|almonds?|
  traces?)|traces? of|real (alcohol|nuts?|fruit|rum|chocolate|milk|honey)|less sugar|(sugar|
  nut) free|haram|schwanger\w*|embarazad\w*|enceinte|gesund\w*|salud|sante|mean (it|they|
  there) (has|have|contains?|is|are); HAGGLING = haggl\w*|negotia\w*|bargain\w*|(make|give|cut|get|
  do) (me |us )?(a |an )?(\w+ )?deal|have a deal|deal\?|freebies?|(?<!caffeine |decaf |
  acid )free (bags?|samples?|coffee|gifts?|item)|on the house|throw in|bogo|just for me|
  knock\b.{0,15}\boff|sell (it|them|one|the \w+) to (me|us)|sell (me|us)\b.{0,25}\bfor|(pay|
  for) (only|just|half)|(make|give|get|sell)\b.{0,15}\bcheaper|(bucks|dollars|something) off|
  half (price|off)|(special|secret|extra|personal|better|bigger|additional|exclusive) (discount|
  price|offer|deal|rate)s?|loyal(ty)? (customer|discount)|regular customer|do better|best (price|
  you can do|offer)|(can|could|would|will) (you|u|we|i) (do|go|come) (any )?(better|lower|down|
  cheaper)|(drop|beat|match|reduce|lower|improve) (your|the|that|this|its|\w+) (price|cost)s?|
  price match|meet me half ?way|(accept|take|settle for) \$? ?\d+|for \$?\d+ and|friends and family|
  black friday|(can|could|may) i (get|have) (it|the \w+|one|them) for (only |just )?\$?\d+|
  flash sale|clearance|student discount|(give|get|do) (me|us) (a )?\$?\d+%? ?(percent |
  dollars )?off|rabatt fur mich|any chance\b.{0,20}\b(cheaper|lower|off|deal);
  NOT HAGGLING = which\b.*\bdeal|free (shipping|delivery)|courtes(y|ies); ALTITUDE = altitudes?|
  elevations?|masl|asl|sea level|high grown|shb|shg|strictly hard bean|how far up|how high|(\d+|
  many|what) ?(m|metres?|meters?|feet|ft)|mountain grown|altitud|altura|hohe|hoehe|(grow\w*|grew|
  planted|cultivated)\b.{0,30}\b(high|height|mountains?|hills?)|hohenlage|seehohe|(high|height|
  mountains?|hills?|highlands?)\b.{0,30}\b(grow\w*|grew|planted|cultivated)|uber dem meer;
  NOT ALTITUDE = how high (is|are) (the )?(acid\w*|price|body|shipping)|wie hoch (sind|ist);
  PRODUCER = produced by|producers?|farm(s|er|ers|ed|ing|land)?|estates?|fincas?|haciendas?|
  fazendas?|co ?op(s|eratives?)?|cooperativas?|growers?|small ?holders?|plantations?|
  washing stations?|mills?|exporters?|importers?|suppliers?|by whom|who (is|are|stands) behind|
  name of the (family|owner|person|place)|who(se|s)?\b.{0,20}\b(grows?|grew|grown|produced?s?|
  harvest\w*|pick(s|ed)?|cultivate[sd]?|made|makes|plant(s|ed)?|processed|owns|runs)|(grown|made|
  harvested|picked|raised|processed|supplied|planted) by|(people|person|family|families|hands|folks|
  man|woman) (behind|who (grow|grew|make|made|pick|produce|run|own)s?)|where do you (buy|source|
  get) (it|them|your)|productor(es)?|caficultor|agricultor|bauern?|bauernhof|erzeuger|plantage|
  producteurs?|agriculteur|wer (baut|produziert|erzeugt)|qui (produit|cultive)|quien (produce|
  cultiva)|famil(y|ies)\b.{0,20}\b(grow|produc|own|farm|run)\w*; NOT PRODUCER = who (makes|
  made) (you|(the |this |your )?(website|app|shop))|(someone|somebody|people|those|person|friend|
  wife|husband|mom|dad|mother|father) who (makes|made); OFF_TOPIC = weather|rain tomorrow|poems?|
  haiku|limerick|jokes?|songs?|lyrics|essay|president|prime minister|capital (city )?of|world cup|
  elections?|politics|football|soccer|basketball|bitcoin|crypto\w*|stock (tips?|market)|shares|
  python|javascript|typescript|homework|translat\w*|movies?|horoscope|pizza|beer|lottery|
  meaning of life|universe|solve|news|history of|population|\d+ (times|plus|minus|x|divided by) \d+|
  2 2|write (me )?(a|an|some) (?!note|message|card|gift)\w+`;

/**
 * What answers a topic (sentences of the policy, or "?" for what our facts lack), and the words it is
 * told by; more particular ones first. SEND stands for the words of sending.
 */
const TOPICS = String.raw`
  approval, ? = credit|debit|paypal|apple pay|google pay|klarna|visa|mastercard|amex|payments?|
  invoice|by card|pay(s|ing)? (with|by|in|using|via|cash)|(accept|take)\b.*\bcards?|with (my|
  a) card; ?, gift_notes = gift ?wrap\w*|wrap(ped|ping)?|ribbon|gift box(es)?|gift (card|
  certificate)s?; Yes, gift_notes = gift (note|message|tag)s?|hand ?written|greeting card|note (for|
  to|in)|birthday|(include|add|write|put) (a |an )?(\w+ )?(message|note)|(each|
  every) bag\b.*\bnotes?|with an? (message|note)(?! of)|(send|ship|order)\b.*\bas an? (gift|
  present)|(write|on|add|include)\b.{0,25}\bcard; shipping = (free|no) (shipping|delivery|postage)|
  (shipping|delivery|postage) (\w+ )?free|ships? free|pay (for )?(shipping|delivery|postage);
  No, courtesies, spend = (combine|stack|add up|together|both)\b.*\b(discounts?|courtes\w+|codes?|
  offers?)|(discounts?|courtes\w+|codes?|offers?|firstbag)\b.*\b(combined?|stack|add up|with the)|
  perks?|loyalty|rewards?|cash ?back|referral; discounts = discount\w*|coupons?|vouchers?|promo\w*|
  courtes(y|ies)|firstbag|new customers?|% off|codes?|(first|1st) (order|purchase|bag|time)|
  special offers?|specials|on sale|any offers?|\d+ off|off a \$|(save|off|get|what) if (i|
  we) (spend|order|buy)|what (do|would|will) (i|we) save|spend (more|over|\$)|get off; bulk = bulk|
  wholesale|for my (cafe|office|restaurant|company|business)|wedding|maximum|max number|limits?|
  how many bags (can|may)|\d{3,} bags|(large|biggest|largest|huge) (order|quantit)\w*|(most|
  maximum) (\w+ )?(can|could) (i|we|you) order; minimum = minimum( order)?|(single|just one|
  only one) bag; date, waiting = restock\w*|back in stock|when (will|is|does)\b.*\b(back|available|
  stock); waiting, date = (how|when|join|promise|what is (a|the))\b.*\bwait(ing)? ?list|
  wait(ing)? ?list\b.*\b(how|when|work|promise|date|long)|(runs?|sells?) out; finder = finder key|
  (get|earn|ask)\b.*\bkey|unlock\w*|access to the|why\b.*\b(locked|exclusive|cant);
  refunds = refund\w*|money back|returns?|returning|(send|give) (it )?back|return it|exchange|
  i (do not|dont) like it; ?, cancellation = (change|modify|edit|amend|swap)\b.*\b(order\w*|
  address); cancellation, refunds = cancel\w*; problem = (wrong|damaged|broken|missing|stale|
  spoiled|torn|lost)\b|contact|support|customer service|phone|email (you|address)|complain\w*|
  feedback|talk to a human|(get|be) in touch|reach you; several = (two|several|multiple|different|
  more than one|many|2|3|three|both) (\w+ )?(address\w*|people|friends|recipients?|places|
  destinations); delivery = how (fast|soon|quick\w*)\b.*\b(SEND|arrive|be|get|have)|
  how long\b.*\b(SEND|arrive)|how long (does it take|will it (take|be)|until|till|
  to get it)(?!.*\b(brew|steep|press))|(SEND) (times?|date)|when\b.*\b(arrive|get (it|my)|come|
  SEND)|arrive\w*|takes? forever|by ((mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|christmas|
  next)|weekends?|same day|next day|overnight|lead time|express|(SEND)\b.*\b(today|tomorrow|tonight|
  week); tracking = track\w*|where is (my|the) (order|package|parcel|bag|shipment)|(order|
  parcel) status|status of (my|an|the) order; shipping = (how much|costs?|price|fee|
  expensive)\b.*\b(SEND)|(ship\w*|deliver\w*|postage)\b.*\b(costs?|price|fee|expensive);
  destination = (SEND)\b.*\b(to|in|international\w*|abroad|overseas|worldwide|nach|a|en|au|aux)\b.*|
  where\b.*\b(SEND)|international (shipping|delivery)|to an address in .*|(do|can|will) you (ship|
  deliver)(?! free)|(lives?|living|located) in .*; shipping = (SEND)( cost|price| fee)?s?;
  substitutions = substitut\w*|replace(ment)?s?\b.*\b(out|sold); tax = tax(es)?|vat|customs|duty;
  quotes = quotes?\b.*\b(valid|expires?|last|good)|how long\b.*\bquotes?; approval = (place|make|
  how (do|can|does|would|to)\b.*) (an )?(order|buying|purchase|checkout)(ing)?|how (do|does|can|
  will|would|should) (i|we|they|agents?|an? \w+|my \w+) (order|buy|pay|checkout)|who (pays|
  approves)|quotes?|how (does|is) (ordering|paying|buying)|checkout|charged|after (i|we) (pay|
  order)|can (my|an) (agent|assistant|bot) (pay|order|buy)|(can|will|could|do) you (just |
  please )?(pay|order|buy); account = account|sign ?up|log ?in|register|apis?|openapi|mcp|
  documentation|developers?; ? = who roasts|yourselves|roasted by|(your|best) roaster\w*;
  ? = subscri\w*|membership; sizes = (sell|sold|have|come|comes|buy|coffee|get|is it) (it |
  \w+ )?(pre ?)?ground|ground or|pre ?ground|(can|could|do|will|would) you grind|grind (it|them|
  the beans|my|for me)|whole ?beans?|bag sizes?|(what|which|other) sizes?|sizes? of|how (big|heavy|
  large)|weigh\w*|kilos?|ounces?|how (many|much)\b.*\b(in|per) (a|one|each|the)? ?bag|(\d+|one|two|
  a|half|how many) (kg|kilos?|oz|ounces?|pounds?|lbs?|g bags?); delivery, ? = when do you roast|
  roast(ed|ing)? (date|day|on|when|fresh\w*|to order)|fresh\w*|how old|when (is|was|are|were) (it|
  they|\w+) roasted; blends = blends?|blended|single origins?|samplers?|samples?|sample pack|
  variety pack; ?, sells = (sell|have|carry|offer|got) (any )?(mugs?|teas?|chai|hot chocolate|
  syrups?|filters?)|equipment|grinders?|kettles?|paper filters?|merch\w*|t ?shirts?|matcha|
  brewing guide|booklet; us = who are you|are you (a |an )?(bot|human|ai|robot|real|person)|
  your name|what are you|(which|what) model|trained you|about (you|your (shop|company))|who (made|
  built) (you|this); currency = currency|currencies|dollars or; ? = what (does|do) (\w+ ){1,3}mean|
  what (is|are) (a |an |the )?(washed|natural|honey|anaerobic|wet hulled|heirloom|light roast|
  espresso|cold brew|pour over)( process\w*| coffees?)?$|difference between (washed|natural|honey|
  light|medium|dark|arabica) (\w+ )?and (washed|natural|honey|light|medium|dark|robusta);
  ? = store (it|them|the|my|beans|coffee)|(should|do|can) i (store|keep)|storing|storage|freez(e|er|
  ing)|shelf life|keep (it|them|the)|lasts? (for|long)|go (bad|stale)|expir\w*|how long\b.*\b(last|
  keep|good)|best (before|by)|how many (cups|servings|shots|brews)|harvest\w*|crop|picked|vintage|
  organic\w*|bio|fair ?trade|rainforest|utz|certifi\w*|kosher|halal|demeter|biodynamic|
  bird friendly|shade grown|pesticides?|gmo|sustainab\w*|ethic\w*|direct trade|carbon|eco|
  environment\w*|fairly|(fair|living) wage|child labou?r|(cupping )?scores?|sca|q grade|points|
  ratings?|rated|reviews?|award\w*|prizes?|won|competitions?|grade|popular|best ?sell\w*|sells best|
  most sold|others (buy|like)|trending|bitter\w*|astringen\w*|after ?taste|customers? (\w+ )?(like|
  love|prefer|buy|favou?rites?)|pair(s|ings?)?|food|cake|cheese ?cake|croissants?|cookies?|cheese|
  dessert|goes? (well )?with (?!milk)|terroir|soil|climate|rain\w*|volcanic|shade|sunshine|latitude|
  micro ?lots?|lot number|moisture|density|screen size|ph|tds|agtron|hardness|brix|defects?|arabica|
  robusta|species|liberica|pronounc\w*|mean(s|ing)? (of|by)|(milligram|mg)s?|packag\w*|recycl\w*|
  compost\w*|(more|most|higher|highest|stronger|how much|amount of|level of|
  content of)\b.*\bcaffeine|caffeine\b.*\b(more|higher|most|content|level|amount)|biodegrad\w*|
  plastic|zip ?lock|valve|beginners?|new to|i (start|begin)|starters?|novices?|connoisseurs?|
  privacy|personal data|what data|gdpr|visit|in store|opening hours?|open (on|today|now)|pick ?up|
  showroom|cafe|in person|store location|located|your address|burnt|company|shop i can|where (are|
  is) (you|your (shop|company))|(taste|try) (it |them )?before|(completely|totally|entirely|
  100%?)\b.{0,15}\b(free|caffeine)`;

const SEND = "ship(?:s|ped|ping|ment)?|deliver(?:s|ed|y|ies)?|postage|send|mail";
const gates = new Map(patterns(GATES));
const topics = patterns(TOPICS.replaceAll("SEND", SEND));

/** The gates a question runs into, and at which words, so that the rest can be read without them. */
export function gatesOf(folded: string): [gate: Gate, matched: string[]][] {
  const plain = folded.replaceAll("-", " ");
  return [...gates].flatMap(([gate, pattern]): [Gate, string[]][] => {
    const matched = gate.startsWith("NOT ") ? null : plain.match(pattern);
    const excused = plain.search(gates.get(`NOT ${gate}`) ?? /$^/) >= 0;
    return matched === null || excused ? [] : [[gate as Gate, matched]];
  });
}

/** The topic of policy that a part of a question is about, and by which words. */
export function topicOf(text: string): [topic: string, words: string] | null {
  for (const [topic, pattern] of topics) {
    const [words] = text.match(pattern) ?? [];
    if (words !== undefined) return [topic, words];
  }
  return null;
}
