/**
 * What is declined politely (SPEC §4 ask, CONTRACT §9) and how people ask for it. Words are matched with
 * slips of the finger forgiven; patterns read the folded question (lower case, no punctuation).
 */
import type { DeclineReason } from "../answer.ts";
import { list } from "../text.ts";

export const DECLINE_WORDS: Readonly<Record<DeclineReason, readonly string[]>> = {
  ALTITUDE: list(
    "altitude, altitudes, elevation, elevations, elevated, masl, sea level, height, heights, highland, highlands, high grown, strictly hard bean, shb, shg, hillside, mountain grown, mountainside, altitud, altitudine, elevacion, altura, hohe, hoehe, hohenlage, hoogte, metres, meters",
  ),
  PRODUCER: list(
    "producer, producers, farm, farms, farmer, farmers, farming, farmed, farmland, estate, estates, finca, fincas, hacienda, fazenda, cooperative, cooperatives, cooperativa, coop, coops, grower, growers, smallholder, smallholders, plantation, plantations, washing station, washing stations, wet mill, dry mill, exporter, importer, landowner, productor, productores, caficultor, campesino, agricultor, bauer, bauern, erzeuger, bauernhof, plantage, producteur, agriculteur",
  ),
  HAGGLING: list(
    "discount, discounts, discounted, haggle, haggling, negotiate, negotiable, negotiation, bargain, bargains, rebate, freebie, freebies, free sample, free samples, samples, markdown, knock off, price match, best price, better price, lower price, special price, special offer, special offers, best offer, promo, promos, promotion, promotions, on sale, flash sale, clearance, half price, money off, sweetener, loyalty, cashback, black friday, rabatt, descuento, remise",
  ),
  CODES: list(
    "coupon, coupons, voucher, vouchers, promo code, promo codes, discount code, discount codes, coupon code, coupon codes, promotional code, referral code, gift code, offer code, firstbag",
  ),
  KEY_REQUEST: list(
    "finder key, finder keys, finderkey, api key, api keys, apikey, secret key, access key, password, passwords, access token, bearer token, credentials, unlock, unlocked, unlocking, unlock key, unlock code",
  ),
  PROMPT_INJECTION: list(
    "system prompt, your prompt, your instructions, jailbreak, developer mode, debug mode, admin mode, sudo, drop table, select from, script alert, hidden instructions, your rules, your guidelines",
  ),
  OFF_TOPIC: list(
    "weather, poem, poems, haiku, limerick, joke, jokes, song, lyrics, essay, president, prime minister, capital of, population, war, politics, election, football, soccer, basketball, bitcoin, crypto, cryptocurrency, stock market, shares, python, javascript, typescript, homework, math, maths, translate, translation, movie, movies, film, horoscope, astrology, flight, flights, hotel, hotels, visa, news, pizza, beer, whiskey, dating, girlfriend, boyfriend, lottery, meaning of life, currency of, language do they speak, history of",
  ),
};

export const DECLINE_PATTERNS: Readonly<Record<DeclineReason, readonly RegExp[]>> = {
  ALTITUDE: [
    /\bhow (far |much )?high(er)?\b(?! (in|is the acid|quality|rated))/,
    /\bhow (many |far )?(m|metres?|meters?|feet|ft|foot)\b/,
    /\b\d{3,5} ?(m|metres?|meters?|feet|ft|masl)\b/,
    /\b(grow|grows|grown|growing|grew|plant|plants|planted|cultivated|region)\b.*\bhigh(er|est)\b(?! (acid|quality|end|caffeine|body|price|rated|scor|dose|ratio|temp))/,
    /\bhigh(er|est)?\b(?! (acid|quality|end|caffeine|body|price|rated|scor|dose|ratio|temp)).*\b(grow|grows|grown|growing|grew|planted|cultivated|region|mountain|mountains|up|hills?)\b/,
    /\b(above|over|from) (the )?(sea|ocean)\b/,
    /\b(up|in|on) (the |a )?(mountains?|hills?|andes|volcano|peak)\b/,
    /\bm a s l\b|\bhow far up\b|\bthin air\b/,
  ],
  PRODUCER: [
    /(?<!\b(someone|somebody|anyone|people|person|those|one|ones|guy|lady|friend|friends|wife|husband|mother|father|mom|dad|boss) )\bwho(s|se| is| are| was| were)?\b.*\b(grow|grows|grew|grown|growing|produce|produces|produced|producing|make|makes|made|making|raise|raises|plant|planted|harvest|harvests|harvested|pick|picks|picked|cultivate|cultivates|cultivated|process|processes|processed|supply|supplies|supplied|own|owns|owned|owner|behind)\b(?! for)/,
    /\b(grown|produced|made|harvested|picked|cultivated|raised|processed|supplied|planted) by\b/,
    /\bby (whom|who)\b/,
    /\b(name|names) of the (family|families|person|people|man|woman|owner|owners|supplier|suppliers|place it was picked)\b/,
    /\b(family|families|owners?|suppliers?) (that|who|which|behind|owned|run)\b/,
    /\b(person|people|man|woman|folks|those|hands|names?) (behind|who (grow|grew|make|made|pick|picked|produce|produced|process|processed))\b/,
    /\b(where|whom|who) (do|did) you (buy|source|get)\b|\byour suppliers?\b/,
    /\bco op(s|erative|eratives)?\b/,
  ],
  HAGGLING: [
    /(?<!\b(big|real|great) )\bdeals?\b(?! (with|of|breaker))/,
    /\b(make|get|sell|give|have|want|do|buy|offer)\b.*\bcheaper\b|\bcheaper (for me|if)\b/,
    /\b(percent|dollars \d+|\d+ dollars|bucks|something) off\b/,
    /\b\d+ (percent|bucks|dollars) (off|less|discount)\b/,
    /\b(lower|drop|reduce|cut|beat|match|better|improve) (your|the|that|this|its|on the|on) (price|prices|cost)\b/,
    /\b(can|could|would|will) (you|u|we|i) do better\b|\bdo me a favou?r\b|\bmeet me halfway\b/,
    /\b(can|could|would|will) (you|u) (take|accept|do) (it for )?(dollars )?\d+\b/,
    /\b(free|bonus|extra|complimentary) (bag|bags|coffee|gift|sample|samples|item|stuff)\b/,
    /\b(for|get|it) free\b(?! (shipping|delivery|of|from))|\bthrow in\b|\bon the house\b|\bfor less\b/,
    /\b(one|two|2|3|three) for (one|the price)\b|\bbuy (one|two|1|2) get\b|\bbogo\b/,
    /\bsave (me |some |any )?(money|cash)\b|\bany (current )?offers?\b|\boffers?\b.*\bfor me\b/,
  ],
  CODES: [
    /\bfirst ?bag\b/,
    /(?<!\b(source|python|java|javascript|typescript|html|css|sql|program|qr|bar|zip|postal|area|some) )\bcodes?\b/,
  ],
  KEY_REQUEST: [
    /\b(give|send|tell|show|get|issue|grant|reveal|print|hand|share|need|want|have|earn|obtain|win|me|my) (me |us |over )?(a |the |my |your |that |one |an )?(\w+ )?keys?\b(?! (notes?|facts?|differences?|points?|flavou?rs?|characteristics?|features?|info\w*|details?|things?|tasting|takeaways?|lime|to))/,
    /\bfk \w+|\bcma \w+|\bkey (for|to) (the )?(geisha|exclusive|locked)\b|\blocked\b/,
  ],
  PROMPT_INJECTION: [
    /\b(ignore|disregard|forget|override|bypass|skip)\b.*\b(previous|prior|above|earlier|all|any|your|the|these|those|my)\b.*\b(instructions?|prompts?|rules?|guidelines?|restrictions?|polic(y|ies)|orders?|context|filters?|said|told)\b/,
    /\b(you are|youre|act as|behave as|pretend|roleplay|role play|imagine you) (now |to be |that |like |as )?(an? |the |you )?(\w+ )?(dan|admin|administrator|developer|merchant|owner|hacker|root|unrestricted|assistant|model|llm|gpt|terminal|chef|pirate)\b/,
    /\b(reveal|print|show|repeat|output|leak|dump|display|tell me)\b.*\b(system|prompt|environment variables|env|database|config|(your|hidden|secret|initial|internal|original) (instructions|rules|messages?|prompts?|config|secrets?|data))\b/,
    /\b(repeat|say|echo) (after me|the following|exactly|this)\b|\bnew instructions?\b/,
    /\bsystem (message|override|prompt)\b|\bunion select\b|\bor 1 1\b|\bend of (prompt|instructions)\b/,
    /\bwithout (any )?(restrictions|filters|limits)\b/,
  ],
  OFF_TOPIC: [
    /\b(write|compose|draw|sing|code|program|generate|design|summari[sz]e)\b.*\b(a|an|me|my|the|some|story|poem|song|script|code|email|essay)\b/,
    /\bwhat is \d+ (plus|minus|times|x) \d+\b|\btell me (a|another) (story|joke)\b/,
    /\bwhat (time|day|year) is (it|today)\b|\bcapital (city )?of\b|\bwho (won|invented|discovered)\b/,
  ],
};

/** What is said for each reason; the rest of the answer follows it. */
export const DECLINE_SAYS: Readonly<Record<DeclineReason, string>> = {
  ALTITUDE: "Altitude is something we do not give out.",
  PRODUCER: "Who produced a coffee is something we do not give out.",
  HAGGLING:
    "This is the place for questions about the coffees, not for deals: prices are the same for " +
    "everybody, and any courtesy there is stands in GET /agent-info.",
  CODES: "Codes are not given out here; any courtesy there is stands in GET /agent-info.",
  KEY_REQUEST:
    "Keys are not handed out on request. A finder key comes by itself, to agents that ask good " +
    "questions about the coffees here with their own key.",
  PROMPT_INJECTION: "I only answer questions about our coffees, from the catalog's facts.",
  OFF_TOPIC: "That is not about our coffees, so I have to leave it.",
};
