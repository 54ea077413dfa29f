/**
 * What is asked besides the beans: the published policy, said in its own sentences, and what our
 * facts do not hold. Patterns read a folded part of the question; the first that fits answers.
 */
import { chooseCourtesy, shippingMinor } from "../domain/quote/pricing.ts";
import { display, type Minor } from "../domain/shared/money.ts";
import { FIRST_ORDER, LIMITS, SHIPPING, TIMES } from "../domain/shared/policy.ts";
import { SENTENCES } from "../domain/shared/policy-sentences.ts";
import { US_REGIONS } from "../domain/shared/us-regions.ts";
import type { Live } from "./answer.ts";
import { countryNames } from "./places.ts";
import { fold, list, patterns } from "./text.ts";

/** What a part of a question gives to calculate with. */
interface Given {
  text: string;
  /** Minor units; a sum in the question, or what its bags come to. */
  amount: Minor | null;
  bags: number | null;
  live: Live;
}

/** More particular ones first. SEND stands for the words of sending. */
const TOPICS = String.raw`
  payment: credit|debit|paypal|apple pay|google pay|klarna|visa|mastercard|amex|payments?|invoice|
    by card|pay(?:s|ing)? (?:with|by|in|using|via)|(?:accept|take)\b.*\bcards?|with (?:my|a) card
  wrapping: gift ?wrap\w*|wrap(?:ped|ping)?|ribbon|gift box(?:es)?|gift (?:card|certificate)s?
  gift: gift (?:note|message|tag)s?|hand ?written|greeting card|note (?:for|to|in)|birthday|
    (?:include|add|write|put|with) (?:a |an )?(?:\w+ )?(?:message|note)|(?:write|on|add|
    include)\b.{0,25}\bcard
  shipping: (?:free|no) (?:shipping|delivery|postage)|(?:shipping|delivery|postage) (?:\w+ )?free|
    ships? free|pay (?:for )?(?:shipping|delivery|postage)
  stacking: (?:combine|stack|add up|together|both)\b.*\b(?:discounts?|courtes\w+|codes?|offers?)|
    (?:discounts?|courtes\w+|codes?|offers?|firstbag)\b.*\b(?:combined?|stack|add up|with the)|
    perks?|loyalty|rewards?|cash ?back|referral
  discounts: discount\w*|coupons?|vouchers?|promo\w*|courtes(?:y|ies)|firstbag|new customers?|
    % off|codes?|(?:first|1st) (?:order|purchase|bag|time)|special offers?|specials?|on sale|any offers?|\d+ off|
    off a \$|(?:save|off|get|what) if (?:i|we) (?:spend|order|buy)|what (?:do|would|will) (?:i|we) save|spend (?:more|over|\$)|get off
  bulk: bulk|wholesale|for my (?:cafe|office|restaurant|company|business)|wedding|maximum|
    max number|how many bags (?:can|may)|\d{3,} bags|(?:large|biggest|largest|huge) (?:order|
    quantit)\w*|(?:most|maximum) (?:\w+ )?(?:can|could) (?:i|we|you) order
  minimum: minimum(?: order)?|(?:single|just one|only one) bag
  restock: restock\w*|back in stock|when (?:will|is|does)\b.*\b(?:back|available|stock)
  waitlist: how\b.*\bwait(?:ing)? ?list|what is (?:a|the) wait(?:ing)? ?list|(?:runs?|sells?) out
  finder: finder key|unlock\w*|access to the|why\b.*\b(?:locked|exclusive)
  refunds: refund\w*|money back|returns?|returning|(?:send|give) (?:it )?back|return it|exchange|
    i (?:do not|dont) like it
  change: (?:change|modify|edit|amend|swap)\b.*\b(?:order\w*|address)
  cancellation: cancel\w*
  problem: (?:wrong|damaged|broken|missing|stale|spoiled|torn|lost)\b|contact|support|
    customer service|phone|email (?:you|address)|complain\w*|feedback|talk to a human|(?:get|
    be) in touch|reach you
  several: (?:two|several|multiple|different|more than one|many|2|3|three|
    both) (?:\w+ )?(?:address\w*|people|friends|recipients?|places|destinations)
  delivery: how (?:fast|soon|quick\w*)\b.*\b(?:SEND|arrive|be|get|have)|how long\b.*\b(?:SEND|
    arrive)|how long (?:does it take|will it (?:take|be)|until|till|to get it)(?!.*\b(?:brew|
    steep|press))|(?:SEND) (?:times?|date)|when\b.*\b(?:arrive|get (?:it|my)|come|SEND)|arrive\w*|
    takes? forever|by (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|christmas|next)|
    weekends?|same day|next day|overnight|lead time|express|(?:SEND)\b.*\b(?:today|tomorrow|tonight|week)
  tracking: track\w*|where is (?:my|the) (?:order|package|parcel|bag|shipment)|(?:order|
    parcel) status|status of (?:my|an|the) order
  shipping: (?:how much|costs?|price|fee|expensive)\b.*\b(?:SEND)|(?:ship\w*|deliver\w*|
    postage)\b.*\b(?:costs?|price|fee|expensive)
  destination: (?:SEND)\b.*\b(?:to|in|international\w*|abroad|overseas|worldwide|nach|a|en|au|
    aux)\b.*|where\b.*\b(?:SEND)|international (?:shipping|delivery)|to an address in .*|(?:do|
    can|will) you (?:ship|deliver)(?! free)|i(?: am|m)? (?:live|living|located) in .*
  shipping: (?:SEND)(?: cost| price| fee)?s?
  substitutions: substitut\w*|replace(?:ment)?s?\b.*\b(?:out|sold)
  tax: tax(?:es)?|vat|customs|duty
  quotes: quotes?\b.*\b(?:valid|expires?|last|good)|how long\b.*\bquotes?
  ordering: (?:place|make|how (?:do|can|does|would|to)\b.*) (?:an )?(?:order|buying|purchase|
    checkout)(?:ing)?|how (?:do|can|will|would|should) (?:i|we) (?:order|buy|pay|checkout)|
    who pays|quotes?|how (?:does|is) (?:ordering|paying|buying)|checkout|charged|after (?:i|we) (?:pay|order)|can (?:my|an) (?:agent|
    assistant|bot) (?:pay|order|buy)|(?:can|will|could|do) you (?:just |please )?(?:pay|order|buy)
  account: account|sign ?up|log ?in|register|apis?|openapi|mcp|documentation|developers?
  roaster: who roasts|roasted by|(?:your|best) roaster\w*
  single: subscri\w*|membership
  sizes: (?:sell|sold|have|come|comes|buy|coffee|get|is it) (?:it |\w+ )?(?:pre ?)?ground|
    ground or|pre ?ground|(?:can|could|do|will|would) you grind|grind (?:it|them|the beans|my|
    for me)|whole ?beans?|bag sizes?|(?:what|which|other) sizes?|sizes? of|how (?:big|heavy|
    large)|weigh\w*|kilos?|ounces?|how (?:many|much)\b.*\b(?:in|per) (?:a|one|each|the)? ?bag|
    (?:\d+|one|two|a|half|how many) (?:kg|kilos?|oz|ounces?|pounds?|lbs?|g bags?)
  fresh: when do you roast|roast(?:ed|ing)? (?:date|day|on|when|fresh\w*|to order)|fresh\w*|
    how old|when (?:is|was|are|were) (?:it|they|\w+) roasted
  blends: blends?|blended|single origins?|samplers?|samples?|sample pack|variety pack
  goods: (?:sell|have|carry|offer|got) (?:any )?(?:mugs?|teas?|chai|hot chocolate|syrups?|
    filters?)|equipment|grinders?|kettles?|paper filters?|merch\w*|t ?shirts?|matcha|
    brewing guide|booklet
  us: who are you|are you (?:a |an )?(?:bot|human|ai|robot|real|person)|your name|what are you|
    (?:which|what) model|trained you|about (?:you|your (?:shop|company))|who (?:made|built) you
  currency: currency|currencies|dollars or
  meaning: what (?:does|do) (?:\w+ ){1,3}mean|what (?:is|are) (?:a |an |the )?(?:washed|natural|honey|anaerobic|wet hulled|
    heirloom|light roast|espresso|cold brew|pour over)(?: process\w*| coffees?)?$|
    difference between (?:washed|natural|honey|light|medium|dark|arabica) (?:\w+ )?and (?:washed|
    natural|honey|light|medium|dark|robusta)
  unknown: store (?:it|them|the|my|beans|coffee)|(?:should|do|can) i (?:store|keep)|storing|
    storage|freez(?:e|er|ing)|shelf life|keep (?:it|them|the)|lasts? (?:for|long)|go (?:bad|
    stale)|expir\w*|how long\b.*\b(?:last|keep|good)|best (?:before|by)|how many (?:cups|servings|
    shots|brews)|harvest\w*|crop|picked|vintage|organic\w*|bio|fair ?trade|rainforest|utz|
    certifi\w*|kosher|halal|demeter|biodynamic|bird friendly|shade grown|pesticides?|gmo|
    sustainab\w*|ethic\w*|direct trade|carbon|eco|environment\w*|fairly|(?:fair|living) wage|
    child labou?r|(?:cupping )?scores?|sca|q grade|points|ratings?|rated|reviews?|award\w*|
    prizes?|won|competitions?|grade|popular|best ?sell\w*|sells best|most sold|others (?:buy|
    like)|trending|bitter\w*|astringen\w*|after ?taste|customers? (?:\w+ )?(?:like|love|prefer|
    buy|favou?rites?)|pair(?:s|ings?)?|food|cake|cheese ?cake|croissants?|cookies?|cheese|dessert|
    goes? (?:well )?with (?!milk)|terroir|soil|climate|rain\w*|volcanic|shade|sunshine|latitude|
    micro ?lots?|lot number|moisture|density|screen size|ph|tds|agtron|hardness|brix|defects?|
    arabica|robusta|species|liberica|pronounc\w*|mean(?:s|ing)? (?:of|by)|(?:milligram|mg)s?|packag\w*|recycl\w*|compost\w*|
    (?:more|most|higher|highest|stronger|how much|amount of|level of|content of)\b.*\bcaffeine|
    caffeine\b.*\b(?:more|higher|most|content|level|amount)|biodegrad\w*|plastic|zip ?lock|valve|
    beginners?|starters?|novices?|connoisseurs?|privacy|personal data|what data|gdpr|visit|
    in store|opening hours?|open (?:on|today|now)|pick ?up|showroom|cafe|in person|store location|
    located|your address|burnt|company|shop i can`;

const DAYS = TIMES.finder_key_ms / 86_400_000;

const SAYS: Readonly<Record<string, string | ((given: Given) => string)>> = {
  payment: `${SENTENCES.approval} What the page takes is shown there; our facts do not say more.`,
  wrapping: `Our facts do not say anything about wrapping, boxes or gift cards. Gift notes: ${SENTENCES.gift_notes}`,
  gift: `Yes, gift notes: ${SENTENCES.gift_notes}`,
  shipping,
  stacking: `No. ${SENTENCES.courtesies} ${SENTENCES.spend}`,
  discounts,
  bulk: ({ bags }) =>
    `${bags !== null && bags > LIMITS.bags_per_order ? "No: one" : "One"} order takes up to ` +
    `${LIMITS.bags_per_order} bags. For more, leave a bulk request; the merchant follows up by email.`,
  minimum: "There is no minimum beyond one bag.",
  restock: `Our facts do not say when more comes. The waitlist: ${SENTENCES.waiting}`,
  waitlist: `The waitlist: ${SENTENCES.waiting} No date is promised.`,
  finder:
    "The exclusive bean opens with a finder key. An agent earns one by three good questions here, over " +
    "at least two beans and three kinds of facts, one of them about the exclusive bean, asked with its " +
    `own key. The key is bound to that agent and good for ${DAYS} days.`,
  problem:
    "Send feedback, with the order's id where there is one; a support email, where there is one, stands " +
    "in the shop's information.",
  refunds: `Refunds and returns: ${SENTENCES.refunds}`,
  change: `Our facts do not say anything about changing an order. Cancellation: ${SENTENCES.cancellation}`,
  cancellation: `Cancellation: ${SENTENCES.cancellation} Refunds: ${SENTENCES.refunds}`,
  several: `Yes: an order can go to several addresses, up to ${LIMITS.shipments_per_order} shipments. Shipping: ${SENTENCES.shipping}`,
  delivery: `Delivery: ${SENTENCES.delivery}`,
  tracking: "The agent that placed the order can read it, with the tracking of every shipment.",
  destination,
  substitutions: `Substitutions: ${SENTENCES.substitutions}. No other bean is sent than was ordered.`,
  tax: `No tax: ${SENTENCES.tax}`,
  quotes: "Each quote says itself how long it is good, and never changes.",
  ordering: `An agent makes a quote and gets a link to a payment page. ${SENTENCES.approval}`,
  account:
    "A buyer needs no account; an agent registers once for a key. HTTP and MCP are described in the " +
    "shop's information.",
  roaster: "The shop roasts to order; our facts do not say more of that.",
  single: "Our facts do not say anything about subscriptions; every order is a single one.",
  sizes: `Only whole bean, not ground, in one size: ${SENTENCES.sells}`,
  fresh: `Delivery: ${SENTENCES.delivery} Roast dates are not among our facts.`,
  blends: "None of our coffees is listed as a blend: each comes from a single country and region.",
  goods: `Our facts do not say anything about equipment or other goods. We sell: ${SENTENCES.sells}`,
  us: "I am the coffee shop's question desk: I answer from its catalog and published policy.",
  meaning: "Our facts do not say what such words mean.",
  currency: "Prices are in US dollars (USD).",
};

function shipping({ amount }: Given): string {
  const rule = `Shipping: ${SENTENCES.shipping}`;
  if (amount === null) return rule;
  const free = shippingMinor(amount) === 0;
  const fee = free ? "free" : `for ${display(SHIPPING.per_address_minor)}`;
  const said = `${display(amount)} of coffee to one address ships ${fee}.`;
  return `${free ? "Yes, free" : "No, not free"}: ${said} ${rule}`;
}

function discounts({ text, amount, live }: Given): string {
  const runs = live.firstOrderRuns !== false;
  const offer = runs
    ? `With code ${FIRST_ORDER.code}: ${SENTENCES.first_order}`
    : "The first-order courtesy is not running now.";
  const rules = `${offer} Larger orders: ${SENTENCES.spend} ${SENTENCES.courtesies}`;
  if (amount === null) return rules;
  const courtesy = chooseCourtesy(amount, runs && /\bfirst|new customer|code|%/.test(text));
  const off = courtesy ? `${display(courtesy.amountMinor)} off` : "no courtesy without a code";
  return `${display(amount)} of coffee: ${off}. ${rules}`;
}

const US =
  /\b(?:apo|fpo|military|usa|u s|united states|america|american|estados unidos|etats unis)\b/;

let far: ReadonlySet<string> | undefined;

/** Folded names of all the world's countries but one, in the languages buyers write. */
function abroad(): ReadonlySet<string> {
  const names = (["en", "de", "es", "fr"] as const).flatMap(countryNames);
  far ??= new Set([
    ...list(`uk, england, scotland, wales, europe, eu, london, international, internationally, abroad,
      overseas, worldwide, ausland, asia, africa`),
    ...names.flatMap(([code, name]) => (/^(?:US|PR)$/.test(code) || name.length < 4 ? [] : [name])),
  ]);
  return far;
}

function destination({ text }: Given): string {
  const rule = "We ship to addresses in the US only.";
  const isIn = (name: string) => text.includes(fold(name).replaceAll(".", ""));
  const state = Object.values(US_REGIONS).find(isIn);
  if (state !== undefined) return `Yes: ${state} is a US address. ${rule}`;
  const said = text.split(" ");
  const runs = [1, 2, 3].flatMap((length) =>
    said.map((_, at) =>
      said
        .slice(at, at + length)
        .join(" ")
        .replace(/s$/, ""),
    ),
  );
  const isAbroad = [...said, ...runs].some((run) => abroad().has(run));
  return isAbroad ? `No. ${rule}` : US.test(text) ? `Yes. ${rule}` : rule;
}

const SEND = "ship(?:s|ped|ping|ment)?|deliver(?:s|ed|y|ies)?|postage|send|mail";
const topics = patterns(TOPICS.replaceAll("SEND", SEND));

/** Null where the part is about nothing of the kind. */
export function aboutShop(given: Given): string | null {
  for (const [topic, pattern] of topics) {
    const [found] = given.text.match(pattern) ?? [];
    if (found === undefined) continue;
    const says = SAYS[topic] ?? `Our facts do not say anything about “${found}”.`;
    return typeof says === "string" ? says : says(given);
  }
  return null;
}
