/**
 * What is asked besides the beans: the published policy, said with its own numbers, and what our
 * facts do not hold. Patterns read a folded part of the question; the first that fits answers.
 */
import { chooseCourtesy, shippingMinor } from "../domain/quote/pricing.ts";
import { display, type Minor } from "../domain/shared/money.ts";
import * as policy from "../domain/shared/policy.ts";
import { US_REGIONS } from "../domain/shared/us-regions.ts";
import type { Live } from "./answer.ts";
import { countryNames } from "./places.ts";
import { fold, list } from "./text.ts";

/** What a part of a question gives to calculate with. */
export interface Given {
  text: string;
  /** Minor units; a sum in the question, or what its bags come to. */
  amount: Minor | null;
  bags: number | null;
  live: Live;
}

const { DELIVERY_DAYS, FIRST_ORDER, LIMITS, SHIPPING, SPEND, TIMES } = policy;
const [FLAT, FREE] = [display(SHIPPING.per_address_minor), display(SHIPPING.free_from_minor)];
const RATE = `${FLAT} flat per shipping address, free for an address whose bags come to ${FREE} or more before any courtesy.`;
const NOTE = `a handwritten gift note with each bag ordered, up to ${LIMITS.gift_note_characters} characters, included with the shipment.`;
const [STEP, OFF, CAP] = [SPEND.per_minor, SPEND.off_minor, FIRST_ORDER.cap_minor].map(display);
const ONE =
  "One courtesy per order; they do not stack, and there are no other gifts, free bags or perks.";
const SENDING = "ship(?:s|ped|ping|ment)?|deliver(?:s|ed|y|ies)?|postage|send|mail";

/** More particular ones first. "-" begins what our facts do not say; a name stands for a calculation. */
const TOPICS = String.raw`
  credit|debit|paypal|apple pay|google pay|klarna|visa|mastercard|amex|payments?|invoice|by card|
    pay(?:s|ing)? (?:with|by|in|using|via)|(?:accept|take)\b.*\bcards?|with (?:my|a) card =>
    The buyer pays on a hosted payment page, reached by a link, never the agent. What the page takes
    is shown there; our facts do not say more.
  gift ?wrap\w*|wrap(?:ped|ping)?|ribbon|gift box(?:es)?|gift cards?|gift certificates? =>
    Our facts do not say anything about wrapping, boxes or gift cards. What there is: ${NOTE}
  gift (?:note|message|tag)s?|handwritten|hand written|greeting card|note (?:for|to|in)|birthday|
    (?:include|add|write|put|with) (?:a |an )?(?:\w+ )?(?:message|note)|
    (?:write|on|add|include)\b.{0,25}\bcard => There is ${NOTE}
  (?:free|no) (?:shipping|delivery|postage)|(?:shipping|delivery|postage) (?:\w+ )?free|ships? free|shipping free|
    pay (?:for )?(?:shipping|delivery|postage) => shipping
  (?:combine|stack|add up|together|both)\b.*\b(?:discounts?|courtes\w+|codes?|offers?)|
    (?:discounts?|courtes\w+|codes?|offers?)\b.*\b(?:combined?|stack|add up)|perks?|loyalty|rewards?|
    cash ?back|referral => No. ${ONE} At ${STEP} of coffee the larger courtesy replaces the first-order one.
  discount\w*|coupons?|vouchers?|promo\w*|courtes(?:y|ies)|firstbag|new customers?|% off|codes?|
    (?:first|1st) (?:order|purchase|bag|time)|(?:save|off|get|what) if (?:i|we) (?:spend|order|buy)|
    spend (?:more|over|\$)|special offers?|any offers?|\d+ off|off a \$|get off => discounts
  bulk|wholesale|for my (?:cafe|office|restaurant|company|business)|wedding|maximum|max number|
    how many bags (?:can|may)|\d{3,} bags|(?:large|biggest|largest|huge) (?:order|quantit)\w* => most
  minimum(?: order)?|(?:single|just one|only one) bag => There is no minimum beyond one bag.
  restock\w*|back in stock|when (?:will|is|does)\b.*\b(?:back|available|stock) =>
    Our facts do not say when more comes. A bean on the waitlist is offered first come, first served.
  how\b.*\bwait(?:ing)? ?list|what is (?:a|the) wait(?:ing)? ?list => The waitlist is first come,
    first served. Bags that arrive are offered to the head of the queue and held for
    ${TIMES.waitlist_offer_ms / 3_600_000} hours; no date is promised.
  finder key|unlock\w*|access to the|why\b.*\b(?:locked|exclusive) => The exclusive bean opens with a
    finder key. An agent earns one by three good questions here, over at least two beans and three kinds
    of facts, one of them about the exclusive bean, asked with its own key. The key is bound to that
    agent and good for ${TIMES.finder_key_ms / 86_400_000} days.
  refund\w*|money back|returns?|returning|send (?:it )?back|return it|exchange|give it back|
    i (?:do not|dont) like it => No refunds and no returns; a refund is made only of money taken by
    mistake. Cancellation can be requested, and the merchant decides.
  (?:change|modify|edit|amend) (?:my|an|the) (?:order|address) => Our facts do not say anything about changing an
    order. Cancellation can be requested before shipping; the merchant decides.
  cancel\w* => Cancellation can be requested before shipping; the merchant decides. There are no refunds.
  (?:two|several|multiple|different|more than one|many|2|3|three|both) (?:\w+ )?
    (?:address\w*|people|recipients?|places|destinations) => Yes: an order can go to several addresses,
    up to ${LIMITS.shipments_per_order} shipments. Shipping is ${RATE}
  how (?:fast|soon|quick\w*)\b.*\b(?:${SENDING}|arrive|be|get|have)|how long\b.*\b(?:${SENDING}|arrive)|
    how long (?:does it take|will it (?:take|be)|until|till|to get it)(?!.*\b(?:brew|steep|press))|(?:${SENDING}) (?:times?|date)|
    when\b.*\b(?:arrive|get (?:it|my)|come|${SENDING})|arrive\w*|takes? forever|lead time|express|
    by (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|christmas|next)|weekends?|same day|
    next day|overnight => Coffee is roasted to order; delivery is expected ${DELIVERY_DAYS.earliest} to
    ${DELIVERY_DAYS.latest} days from the order date.
  track\w*|where is (?:my|the) (?:order|package|parcel|bag|shipment)|(?:order|parcel) status =>
    The agent that placed the order can read it, with the tracking of every shipment.
  (?:how much|costs?|price|fee|expensive)\b.*\b(?:${SENDING})|
    (?:ship\w*|deliver\w*|postage)\b.*\b(?:costs?|price|fee|expensive) => shipping
  (?:${SENDING})\b.*\b(?:to|in|international\w*|abroad|overseas|worldwide|nach|a|en|au|aux)\b.*|
    where\b.*\b(?:${SENDING})|international (?:shipping|delivery)|to an address in .*|
    (?:do|can|will) you (?:ship|deliver)(?! free) => destination
  (?:${SENDING})(?: cost| price| fee)?s? => shipping
  substitut\w*|replace(?:ment)?s?\b.*\b(?:out|sold) => No substitutions: the beans ordered are sent.
  tax(?:es)?|vat|customs|duty => No tax line is added: prices are final.
  quotes?\b.*\b(?:valid|expires?|last|good)|how long\b.*\bquotes? =>
    Each quote says itself how long it is good, and never changes.
  (?:place|make|how (?:do|can|does|would|to)\b.*) (?:an )?(?:order|buying|purchase|checkout)(?:ing)?|
    how (?:do|can|will|would|should) (?:i|we) (?:order|buy|pay|checkout)|who pays|quotes?|checkout|
    how (?:does|is) (?:ordering|paying|buying)|(?:can|will|could|do) you (?:just |please )?(?:pay|order|buy) => An agent makes a quote and gets a
    link; the person reviews the exact total there and pays on the page. Nothing is ordered before
    payment, and an agent never pays.
  account|sign ?up|log ?in|register => A buyer needs no account; an agent registers once for a key.
  apis?|openapi|mcp|documentation|developers? => Agents can use this shop over HTTP and over MCP; both are
    described in the shop's information.
  privacy|personal data|what data|gdpr => -what data is kept
  who roasts|roasted by|your roaster\w* => The shop roasts to order; our facts do not say more of that.
  subscri\w*|membership => -subscriptions; every order is a single one
  (?:sell|sold|have|come|comes|buy|coffee|get|is it) (?:it |\w+ )?ground|ground or|pre ?ground|
    (?:can|could|do|will|would) you grind|grind (?:it|them|the beans|my|for me)|whole ?beans?|
    bag sizes?|(?:what|which|other) sizes?|sizes? of|how (?:big|heavy|large)|weigh\w*|kilos?|ounces?|
    how (?:many|much)\b.*\b(?:in|per) (?:a|one|each|the)? ?bag|
    (?:\d+|one|two|a|half|how many) (?:kg|kilos?|oz|ounces?|pounds?|lbs?|g bags?) =>
    All our coffee is whole bean, in bags of 8 oz; there is no other size and it is not ground.
  when do you roast|roast(?:ed|ing)? (?:date|day|on|when|fresh\w*|to order)|fresh\w*|how old|roast on|
    when (?:is|was|are|were) (?:it|they|\w+) roasted =>
    Coffee is roasted to order, after the order is placed; roast dates are not among our facts.
  shop i can|visit|in store|opening hours?|open (?:on|today|now)|pick ?up|showroom|cafe|in person|
    store location|located|your address => -a shop to visit or opening hours
  store (?:it|them|the|my|beans|coffee)|(?:should|do|can) i (?:store|keep)|storing|storage|freez\w+|
    shelf life|keep (?:it|them|the)|last(?:s)? (?:for|long)|how long\b.*\b(?:last|keep|good)|
    best (?:before|by)|expir\w*|go (?:bad|stale) => -storage and shelf life
  how many (?:cups|servings|shots|brews) => -how many cups a bag makes
  harvest\w*|crop|picked|vintage => -harvests and dates of picking
  organic\w*|bio|fair ?trade|rainforest|utz|certif\w*|kosher|halal|demeter|biodynamic|bird friendly|
    shade grown|pesticides?|gmo|sustainab\w*|ethic\w*|direct trade|carbon|eco|environment\w*|fairly|
    (?:fair|living) wage|child labou?r => -certificates, growing standards or fair pay
  (?:cupping )?scores?|sca|q grade|points|ratings?|rated|reviews?|awards?|prizes?|won|competitions?|
    grade => -scores, ratings or awards
  popular|best ?sell\w*|sells best|most sold|others (?:buy|like)|trending|
    customers? (?:\w+ )?(?:like|love|prefer|buy|favou?rites?) => -what sells best
  bitter\w*|astringen\w*|after ?taste => -bitterness or aftertaste; they hold roast, acidity, body and notes
  pair\w*|food|cake|cheese ?cake|croissants?|cookies?|cheese|dessert|
    goes? (?:well )?with (?!milk) => -food pairings
  terroir|soil|climate|rain\w*|volcanic|shade|sunshine|latitude|micro ?lots?|lot number|moisture|
    density|screen size|ph|tds|agtron|hardness|brix|defects? => -growing conditions, lots or lab figures
  arabica|robusta|species|liberica => -the species; they name the varieties
  pronounc\w*|mean(?:s|ing)? (?:of|by)|what (?:does|do) \w+ mean|what (?:is|are) (?:a |an |the )?
    (?:washed|natural|honey|anaerobic|wet hulled|heirloom|light roast|espresso|cold brew|pour over)(?: process\w*| coffees?)?$|
    difference between (?:washed|natural|honey|light|medium|dark|arabica) (?:\w+ )?and
     (?:washed|natural|honey|light|medium|dark|robusta) => -what such words mean
  (?:more|most|higher|highest|stronger)\b.*\bcaffeine|caffeine\b.*\b(?:more|higher|most)|milligrams?|mg|
    (?:most|more|how much|amount of|highest|mg of|level of|content of)(?: \w+)? caffeine|
    caffeine (?:content|level|amount) => -how much caffeine a cup holds, only whether a bean is decaf
  packaging|packaged|recycl\w*|compost\w*|plastic|zip ?lock|valve|bag material => -the packaging
  blends?|blended|single origins?|sampler|sample pack|variety pack =>
    None of our coffees is listed as a blend: each comes from a single country and region.
  (?:sell|have|carry|offer|got) (?:any )?(?:mugs?|teas?|chai|hot chocolate|syrups?|filters?|equipment)|
    grinders?|kettles?|paper filters?|merch\w*|t ?shirts?|matcha|brewing guide|booklet =>
    -equipment or other goods: we sell whole-bean coffee only
  contact|support|(?:wrong|damaged|broken|missing|stale|spoiled) (?:coffee|bag|order|item)|customer service|phone|email (?:you|address)|complain\w*|feedback|talk to a human =>
    Send feedback, with the order's id where there is one; a support email, where there is one, stands
    in the shop's information.
  who are you|are you (?:a |an )?(?:bot|human|ai|robot|real|person)|your name|what are you|
    (?:which|what) model|trained you|about (?:you|your (?:shop|company))|who (?:made|built) you =>
    I am the coffee shop's question desk: I answer from its catalog and published policy.
  currency|currencies|dollars or => Prices are in US dollars (USD).
  beginners?|starters?|novices?|connoisseurs? => -beginners or experts`;

const CALCULATED: Readonly<Record<string, (given: Given) => string>> = {
  shipping({ amount }) {
    if (amount === null) return `Shipping is ${RATE}`;
    const [head, fee] =
      shippingMinor(amount) === 0 ? ["Yes, free", "free"] : ["No, not free", `for ${FLAT}`];
    return `${head}: ${display(amount)} of coffee to one address ships ${fee}. Shipping is ${RATE}`;
  },
  discounts({ text, amount, live }) {
    const runs = live.firstOrderRuns !== false;
    const courtesy =
      amount === null
        ? null
        : chooseCourtesy(amount, runs && /\bfirst|new customer|code|%/.test(text));
    const off = courtesy
      ? `${display(courtesy.amountMinor)} off`
      : "no courtesy without a first-order code";
    const offer = `First order: ${FIRST_ORDER.percent}% off, at most ${CAP}, with code ${FIRST_ORDER.code}, once per customer by email; the offer may end without notice.`;
    const said = amount === null ? "" : `${display(amount)} of coffee: ${off}. `;
    const spent = `Larger orders: ${OFF} off for every full ${STEP} of coffee before shipping, automatic.`;
    return `${said}${runs ? offer : "The first-order courtesy is not running now."} ${spent} ${ONE}`;
  },
  most({ bags }) {
    const over = bags !== null && bags > LIMITS.bags_per_order ? "No: one" : "One";
    return `${over} order takes up to ${LIMITS.bags_per_order} bags. For more, leave a bulk request; the merchant follows up by email.`;
  },
  destination({ text }) {
    const rule = "We ship to addresses in the US only.";
    const state = Object.values(US_REGIONS).find((name) =>
      text.includes(fold(name).replaceAll(".", "")),
    );
    if (state !== undefined) return `Yes: ${state} is a US address. ${rule}`;
    const said = text.split(" ");
    const runs = said.flatMap((word, at) => [
      word.replace(/s$/, ""),
      ...[1, 2, 3].map((length) => said.slice(at, at + length).join(" ")),
    ]);
    if (runs.some((run) => abroad().has(run))) return `No. ${rule}`;
    return `${US.test(text) ? "Yes. " : ""}${rule}`;
  },
};

const US =
  /\b(?:apo|fpo|military|usa|u s|united states|america|american|estados unidos|etats unis)\b/;
const FAR = `uk, england, scotland, wales, europe, eu, london, international, internationally, abroad,
  overseas, worldwide, ausland, asia, africa`;
let far: ReadonlySet<string> | undefined;

/** Folded names of all the world's countries but one, in the languages buyers write. */
function abroad(): ReadonlySet<string> {
  const names = () => (["en", "de", "es", "fr"] as const).flatMap(countryNames);
  far ??= new Set([
    ...list(FAR),
    ...names().flatMap(([code, name]) =>
      /^(?:US|PR)$/.test(code) || name.length < 4 ? [] : [name],
    ),
  ]);
  return far;
}

const rules = TOPICS.trim()
  .split(/\n {2}(?! )/)
  .map((rule) => {
    const [pattern = "", says = ""] = rule.split(/ =>\s+/);
    return {
      pattern: new RegExp(`\\b(?:${pattern.replace(/\n {4}/g, "")})\\b`),
      says: says.replace(/\s+/g, " "),
    };
  });

/** Null where the part is about nothing of the kind. */
export function aboutShop(given: Given): string | null {
  const says = rules.find(({ pattern }) => pattern.test(given.text))?.says;
  if (says === undefined) return null;
  return says.startsWith("-")
    ? `Our facts do not say anything about ${says.slice(1)}.`
    : (CALCULATED[says]?.(given) ?? says);
}
