/**
 * What a question is about besides the beans, told by patterns over its folded words: what is looked at
 * before anything is understood (contract §9), and the topics of the published policy.
 */
import { patterns } from "./text.ts";
import { LISTS } from "./vocabulary.ts";

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
  KEY_REQUEST = (give|send|tell|show|hand|issue|grant|reveal|print|leak|email|mail|dump)…((finder ?|
  api ?|unlock |secret |access )?key|password|secret|credential|token|codes? for)|(your|admin|
  merchant|stripe) _ (api key|password|secret|credential|secret key)|password|bearer token|
  unlock code|(fk|cma|sk) [a-z0-9]{6,}; NOT KEY_REQUEST = key (note|fact|difference|flavou?r|point|
  lime); PROMPT_INJECTION = (ignore|disregard|forget|override|bypass)…(instruction|prompt|rule|
  guideline|restriction|polic(y|ies)|above|everything|said|told)|system (prompt|message|override)|
  (your|hidden|initial|original) (prompt|instructions|guidelines|rules)|new instruction|
  repeat everything|everything above|jailbreak|(developer|debug|admin) mode|sudo|(repeat|print|say|
  output|echo) (after me|exactly|the following|your instructions|verbatim)|you are (now )?(a |
  an )?(dan|pirate|admin|hacker|unrestricted|developer|different)|(act|behave|pretend|roleplay)…(as|
  to be|like|you)|drop table|union select|without (any )?(restrictions|filters|limits)|
  environment variables|env vars|script alert; HEALTH = (bad|harmful|unhealthy|dangerous) (for|
  to) (you|me|us|my|your|the)|good for you|allerg*|(is|are)…alcoholic|intoleran*|pregnan*|
  expecting (a )?(baby|child)|breast ?feeding|nursing|dairy|lactose|gluten|coeliac|celiac|vegan|
  vegetarian|medication|medicine|medical|doctor|physician|hypertension|cholesterol|diabet*|
  blood (pressure|sugar)|heart _ (condition|disease|problem|medication|rate|palpitation)|(my|the|
  for|your) heart|heartburn|palpitation|reflux|gerd|ulcer|ibs|stomach|digest*|migraine|headache|
  anxiety|anxious|jitters|insomnia|adhd|depress*|health*|help me sleep|teeth|year old|peanuts? in|
  calori*|kcal|nutrition*|diet|keto|weight loss|lose weight|carb|antioxidant|mou?ld|mycotoxin|toxin|
  acrylamide|side effect|safe (for|to|during|while)|(for|can|may|should|give|let)…(kid|child(ren)?|
  toddler|bab(y|ies)|teen(ager)?)|(kids?|child(ren)?) (drink|have)|my (dog|cat)|contains?…(nut|milk|
  alcohol|honey|sugar|soy|peanut|almond|trace)|traces? of|real (alcohol|nut|fruit|rum|chocolate|
  milk|honey)|less sugar|(sugar|nut) free|there (any )?(nut|sugar|milk|alcohol|dairy|soy)s? in|
  (honey|nut|fruit|sugar|rum|chocolate) real|haram|schwanger*|embarazad*|enceinte|gesund*|salud|
  sante|mean (it|they|there) (has|have|contain|is|are); HAGGLING = buy one get one|haggl*|
  competitor*|you do \$?\d+|negotia*|bargain*|(make|give|cut|get|do) (me |us )?(a |an )?_ deal|
  have a deal|deal\?|freebie|(?<!caffeine |decaf |acid )free (bag|sample|coffee|gift|item)|
  on the house|throw in|bogo|just for me|knock…off|sell (it|them|one|the \w+) to (me|us)|sell (me|
  us)…for|(pay|for) (only|just|half)|(make|give|get|sell)…cheaper|(bucks|dollars|something) off|
  half (price|off)|(special|secret|extra|personal|better|bigger|additional|exclusive) (discount|
  price|offer|deal|rate)|loyal(ty)? (customer|discount)|regular customer|do better|best (price|
  you can do|offer)|price…(accept|take)|(can|could|would|will) (you|u|we|i) (do|go|
  come) (any )?(better|lower|down|cheaper)|(drop|beat|match|reduce|lower|improve) (your|the|that|
  this|its|\w+) (price|cost)|price match|meet me half ?way|(accept|take|settle for) \$? ?\d+|
  for \$?\d+ and|friends and family|black friday|(can|could|may) i (get|have) (it|the \w+|one|
  them) for (only |just )?\$?\d+|flash sale|clearance|student discount|(give|get|do) (me|
  us) (a )?\$?\d+%? ?(percent |dollars )?off|rabatt fur mich|any chance…(cheaper|lower|off|deal);
  NOT HAGGLING = half a (bag|pound|kilo)|free bag…(when|if|for every|with)|buy…free|which…deal|
  free (shipping|delivery)|courtes(y|ies); ALTITUDE = altitude|elevation|masl|asl|sea level|
  high grown|shb|shg|strictly hard bean|how far up|how high|(\d+|many|what) ?(m|ft)|metre|meter|
  feet|mountain grown|altitud|altura|hohe|hoehe|(grow*|grew|planted|cultivated)…(high|height|
  mountain|hill)|hohenlage|seehohe|(high|height|mountains?|hills?|highlands?)…(grow*|grew|planted|
  cultivated)|uber dem meer; NOT ALTITUDE = how high (is|are) (the )?(acid*|price|body|shipping)|
  wie hoch (sind|ist); PRODUCER = produced by|producer|farm*|estate|finca|hacienda|fazenda|co ?op(s|
  eratives?)?|cooperativa|grower|small ?holder|plantation|washing station|mill|exporter|importer|
  supplier|by whom|who (is|are|stands) behind|name of the (family|owner|person|place)|who(se|
  s)?…(grow|grew|grown|produced?|harvest*|pick(s|ed)?|cultivate[sd]?|made|makes|plant(s|ed)?|
  processed|owns|runs)|(grown|made|harvested|picked|raised|processed|supplied|planted) by|(people|
  person|family|families|hands|folks|man|woman) (behind|who (grow|grew|make|made|pick|produce|run|
  own))|where do you (buy|source|get) (it|them|your)|productor(es)?|caficultor|agricultor|bauern?|
  bauernhof|erzeuger|plantage|producteur|agriculteur|wer (baut|produziert|erzeugt)|qui (produit|
  cultive)|quien (produce|cultiva)|famil(y|ies)…(grow|produc|own|farm|run)*;
  NOT PRODUCER = who (makes|made) (you|(the |this |your )?(website|app|shop))|(someone|somebody|
  people|those|person|friend|wife|husband|mom|dad|mother|father) who (makes|made);
  OFF_TOPIC = weather|rain tomorrow|poem|haiku|limerick|joke|song|lyrics|essay|president|
  prime minister|capital (city )?of|world cup|election|politics|football|soccer|basketball|
  (?<!(with|by|in|accept|take) )bitcoin|stock (tip|market)|shares|python|javascript|typescript|
  homework|translat*|movie|horoscope|pizza|beer|lottery|meaning of life|universe|solve|news|
  history of|population|\d+ (times|plus|minus|x|divided by) \d+|2 2|is coffee an? |write (me )?(a|
  an|some) (?!note|message|card|gift)\w+`;

/**
 * What answers a topic (sentences of the policy, or "?" for what our facts lack), and the words it is
 * told by; more particular ones first. SEND stands for the words of sending.
 */
const TOPICS = String.raw`
  ? = (need|want|require)…(my|our) (phone|e ?mail|address)|(what|how)…(do|use|keep|store|share|
  sell)…(my|our|customer) (e ?mail|data|address|details)|privacy|personal (data|information)|(share|
  sell|store|keep)…(my|our) (e ?mail|data|details)|(with|without|add|take) (some |
  any )?sugar(?! notes)|anonymous*|subscri*|membership|(SEND|order|get|buy|delivered)…((every|each|
  per) (week|month|\d+ weeks)|monthly); gift = (character|letter|word)s?…note(?!s? of)|(address|
  recipient|person|people|friend)…own (note|card)|(gift|send|birthday|sister|brother|
  friend)…with a (card|note|message); tax = tax(es)?|vat|customs|duty; currency = (pay|prices?|
  charg*|bill)…(euro|eur|pound|gbp|peso|yen|franc|cad); approval = charged (before|when|after|at|
  until|right)|when…charged|when (do|must|will|should) (i|we) (have to |need to )?pay;
  approval, ? = credit( card)?|debit( card)?|cash|paypal|bitcoin|crypto*|apple pay|google pay|
  klarna|visa|mastercard|amex|american express|invoice; approval = payment|by card|pay(s|
  ing)? (with|by|in|on|after|before|using|via|cash)|(accept|take)…card|with (my|a) card;
  ?, gift_notes = gift ?wrap*|wrap(ped|ping)?|ribbon|gift box(es)?|gift (card|certificate);
  gift = (?<!tasting )notes?…(bag|address|recipient|letter|character)|(?<!tasting )notes? (may|can|
  could|should) (i|we) (add|write|include|put|send)|gift (note|message|tag|card|option)|grusskarte|
  hand ?written|greeting card|note (for|to|in)|birthday|(include|add|write|put) (a |an )?_ (message|
  note)|(each|every) bag…note|with an? (message|note)(?! of)|(send|ship|order)…as an? (gift|
  present)|(write|on|add|include)…card; shipping = (free|no) (shipping|delivery|postage)|(shipping|
  delivery|postage) _ free|ships? free|pay (for )?(shipping|delivery|postage);
  No, courtesies, spend = (combine|stack|add up|together|both)…(discount|courtes\w+|code|offer)|
  (discounts?|courtes\w+|codes?|offers?|firstbag)…(combined?|stack|add up|with the (\$|other|
  spend))|perk|loyalty|reward|cash ?back|referral|free bag|buy \d+…free|(discount|firstbag|code|
  off)…(work|apply|good|valid|count|use)…shipping; discounts = discount*|coupon|(?<!better |
  best )deal|sales(?! tax)|voucher|promo*|courtes(y|ies)|firstbag|new customer|% off|code|(first|
  1st) (order|purchase|bag|time)|(special|current) offer|the offers|specials|on sale|any offer|
  \d+ off|off a \$|(save|off|get) if (i|we) (spend|order|buy)|what if (i|we) spend|get…off|what (do|
  would|will) (i|we) save|spend(ing)? (more|over|\$)|get off; several = (max*|limit|most|
  how many)…(address*|recipient); bulk = supply|we (are|run|own) a (cafe|restaurant|shop|office)|
  bulk|wholesale|for (my |an? )?(cafe|office|restaurant|company|business)|maximum|max number|limit|
  (how many|most) bags(?!.*\b(left|stock|available|exist|made|in all))|\d{3,} bags|(large|biggest|
  largest|huge) (order|quantit)*|(most|maximum) _ (can|could) (i|we|you) order;
  minimum = smallest (amount|order|quantity)|minimum( order)?|(single|just one|only one) bag;
  date, waiting = when…(is|are|will be|be|comes?) (back|available|in stock)|restock*|back in stock|
  when (will|is|does)…(back|available|stock); waiting, queue, date = offered…bags|bags…offered|
  wait(ing)? ?list rules?|(lose|keep|miss|hold)…(my|the|our) (spot|place|turn)|ahead of me|
  in (the queue|line)|(how|when|where|can|join*|leave|off|cost|promise|what is (a|
  the))…wait(ing)? ?list|how long…the (wait|queue)|wait(ing)? ?list…(how|when|work|promise|date|
  long)|(runs?|sells?) out(?!.*instead)|(place|spot|position) (in|on) the (queue|list)|
  waitlist (place|spot); finder = questions?…key(?! note)|(share|how long|last|valid|
  expire)…key(?! note)|key…(last|share|valid|expire)|finder key|(get|earn|ask)…key|unlock*|
  access to the|why…(locked|exclusive|cant); refunds = (charged|billed|paid|pay)…(twice|double)|
  (double|twice) (charged|billed)|refund*|money back|return|returning (it|a|the|my)|(send|
  give) (it )?back|exchange|i (do not|dont) like it; ?, cancellation = add…to (an|my|the) order|
  (change|modify|edit|amend|swap)…(order*|address); cancellation, refunds = cancel*;
  substitutions = (send|get|give|ship)…(something|another|other|else)…(instead|out|gone)|
  runs? out…(something else|instead)|substitut*|replace(d|ment)?s?…(out|sold|gone|something|
  another); problem = (says|marked) delivered|(came|arrived) (open|wet|empty|crushed)|(wrong|
  damaged|broken|missing|stale|spoiled|torn(?! between)|ripped|leak*|lost)\b|contact|support|
  customer service|phone|email (you|address)(?!.*(use|share|store|keep|sell))|complain*|(never|
  didnt|hasnt|not) (receive|received|arrive|arrived|come|came|got|(show|turn)(ed)? up)|feedback|
  talk to a human|(get|be) in touch|reach you; sizes = (same|different|several|one|other) sizes?|
  (whole|beans) or ground|(already|come) ground|half a (bag|pound|kilo)|(small|large|bigg|
  half)(er)? bag|bags? (bigger|larger|smaller|heavier)|capsule|pods?|nespresso|keurig|k cup|
  instant coffee|(sell|sold|have|come|comes|buy|coffee|get|is it) (it |
  (the )?\w+ )?(pre ?)?ground(?!s)|ground or|pre ?ground|(can|could|do|will|would) you grind|
  grind (it|them|the beans|my|for me)|whole ?bean|bag size|(what|which|other) size|sizes? of|
  how (big|heavy|large)|weigh*|kilo|ounce(?!s? of)|how (many|much)…(in|per) (a|one|each|the)? ?bag|
  (\d+|one|two|a|half) (kg|kilo|oz|ounce|pound|lb|g bag); several = (\d+|two|several|multiple|
  different|more than one|many|three|four|five|six|ten|both) _ (address*|recipient|places|
  destinations)|(SEND)…(\d+|two|several|many|three|four|five|six|ten|both) _ (people|friends|
  employee*|colleague*|client*|customers|guest*)|(to|for) (my|me|us|him|her|them|the|our)…and…(to|
  for) (my|me|us|him|her|them|the|our|a|another)|each (to|for)|to _ _ and (one|1|a|another|
  the other) _ (goes )?(to|for); delivery = (SEND)…(next (week|month)|later)|delay*|postpone*|
  how many (days|weeks)|(deliver*|ship*|it|order) _ (take|within|in|up to|longer|less)…(days?|
  weeks?)|how (fast|soon|quick*)…(SEND|arrive|be|get|have)|how long…(SEND|arrive)|
  how long (does it take|will it (take|be)|until|till|to get it)(?!.*\b(brew|steep|press))|
  (SEND) (time|date)|when…(arrive|get (it|my)|come|SEND)|arrive*|takes? forever|faster|sooner|
  (SEND)…weekend|(SEND)…(specific|certain|particular|chosen|fixed) (date|day|time)|(have|need|want|
  get|got|expect|arrive|here|there|come|SEND)…(by|on) ((mon|tues|wednes|thurs|fri|satur|sun)day|
  tomorrow|christmas|next)|same day|next day|overnight|lead time|express|(SEND)…(today|tomorrow|
  tonight|week); ? = (SEND)…from\b|from where…(SEND); tracking = track*|where is (my|the) (order|
  package|parcel|bag|shipment)|(order|parcel) status|status of (my|an|the) order|(see|view|find|
  check|show|open|look at)…(my|the|our) order|(link|page) (to|of|for|about) (my|the|our) order|
  order (link|page); shipping = (how much|costs?|price|fee|expensive)…(SEND)|(ship*|deliver*|
  postage)…(cost|price|fee|expensive); ?, destination = po box(es)?; destination = (can|could|may|
  will|would) (my|our|someone|somebody) _ _ in .*(get|have|order|buy|receive)|(SEND)…(to|in|
  international*|abroad|overseas|worldwide)\b.*|where…(SEND)|international (shipping|delivery)|
  to an address in .*|(do|can|will) you (ship|deliver)(?! (free|whole))( to .*)?|(lives?|living|
  located) in .*|(friend|sister|brother|mother|father|mum|mom|dad|someone|somebody) in .*(order|
  buy); shipping = (SEND)( cost|
  price|fee)?; quotes = (price|total|term)s?…quote|quote…(change|fix*|lock*)|reserve|(put|set) (it |
  one |a bag )?aside|hold (it|one|a bag|some bags)\b|quotes?…(valid|expire|last|good|hold|reserve)|
  how long…(quote|to pay); tax, shipping = (hidden|extra|additional) (fee|cost|charge)|surcharge;
  approval = charge (my|the|our)|(place|make|how (do|can|does|would|to)\b.*) (an |the |my )?(order|
  buying|purchase|checkout)(ing)?|how (do|does|can|will|would|should) (i|we|they|agents?|an? \w+|
  my \w+) (order|buy|pay|checkout)|who (pays|approves)|quote|how (does|is) (ordering|paying|buying)|
  checkout|charged|after (i|we) (pay|order)|can (my|an) _ (agent|assistant|bot) (pay|order|buy)|
  (can|will|could|do) you (just |please )?(pay|order|buy); account = become a customer|account|
  sign ?up|log ?in|register|api|openapi|mcp|documentation|developer; ? = who roasts|where (do|are|
  is) _ _ roast*|yourselves|roasted by|(your|best) roaster*; delivery = roast(ed)? to order;
  delivery, ? = when do you roast|roast(ed|ing)? (date|day|on|when|fresh*)|fresh*|how old|(when|
  how soon|how long)…roasted; ? = half caf*; blends = blend|blended|single origin|sampler|
  variety pack; ?, sells = (sell|have|carry|offer|got) (any )?_ (mug|tea|chai|hot chocolate|syrup|
  filter)(?! (note|like|flavou?r|coffee))|equipment|machine should|grinder(?! setting)|kettle|
  paper filter|merch*|t ?shirt|matcha|brewing guide|booklet; language = speak|which language;
  us = who are you|are you (a |an )?(bot|human|ai|robot|real|person)|your name|what are you|(which|
  what) model|trained you|about (you|your (shop|company))|who (made|built) (you|this);
  currency = currency|are _ prices in|currencies|dollars or; ? = what (does|do) (\w+ ){1,3}mean|
  what (is|are) (a |an |the )?(washed|natural|honey|anaerobic|wet hulled|heirloom|light roast|
  espresso|cold brew|pour over)( process*| coffees?)?$|difference between (washed|natural|honey|
  light|medium|dark|arabica) _ and (washed|natural|honey|light|medium|dark|robusta); ? = (should|do|
  can) i (store|keep)|keep (it|them|the)|lasts? (for|long)|how long…(last|keep|good)|best (before|
  by)|how many (cups|servings|shots|brews)|harvest*|crop|popular|best ?sell*|sells best|most sold|
  others (buy|like)|customers? _ (like|love|prefer|buy|favou?rite)|bitter*|after ?taste|pair(s|
  ings?)?|goes? (well )?with (?!milk|cream)|(more|most|higher|highest|stronger|how much|amount of|
  level of|content of|lots? of|little|high in)…caffeine|decaf…(contain|have|any|some)…caffeine|
  any caffeine (in|left)|caffeine…(more|higher|most|content|level|amount)|clean*|where…(i|
  we) (start|begin)|in (store|person)|opening hour|open (on|today|now)|pick (it |them |
  my order )?up|shop i can|where (are|is) (you|your (shop|company))|(taste|try) (it |them )?before|
  (completely|totally|entirely|fully|100%?)…(free|caffeine)`;

const SEND = "ship(?:s|ped|ping|ment)?|deliver(?:s|ed|y|ies)?|postage|send|mail";
/** What is said about policy at all. */
const topical = new Set([...TOPICS.match(/[a-z]{3,}/g)!, ...LISTS.get("buying")!]);
const gates = new Map(patterns(GATES));
const topics = patterns(TOPICS.replaceAll("SEND", SEND));
const several = new Map(topics).get("several")!;
/** "One to me and one to my brother": no sum for one address is meant. */
export const isShared = (text: string): boolean => text.search(several) >= 0;

/** The gates a question runs into, and at which words, so that the rest can be read without them. */
export function gatesOf(folded: string): [gate: Gate, matched: string[]][] {
  const plain = folded.replaceAll("-", " ");
  return [...gates].flatMap(([gate, pattern]): [Gate, string[]][] => {
    const matched = gate.startsWith("NOT ") ? null : plain.match(pattern);
    const excused = plain.search(gates.get(`NOT ${gate}`) ?? /$^/) >= 0;
    return matched === null || excused ? [] : [[gate as Gate, matched]];
  });
}

/** A word that some topic is told by, or one that begins with such a word. */
export const isTopical = (word: string): boolean =>
  topical.has(word) || [5, 6, 7, 8].some((length) => topical.has(word.slice(0, length)));

/** The topic of policy that a part of a question is about, and by which words. */
export function topicOf(text: string): [topic: string, words: string] | null {
  for (const [topic, pattern] of topics) {
    const [words] = text.match(pattern) ?? [];
    if (words !== undefined) return [topic, words];
  }
  return null;
}
