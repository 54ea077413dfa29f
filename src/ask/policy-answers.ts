/** What is said besides the beans: the published policy in its own sentences, what our facts lack. */
import { chooseCourtesy, shippingMinor } from "../domain/quote/pricing.ts";
import { display } from "../domain/shared/money.ts";
import { FIRST_ORDER, LIMITS, SENTENCES, SHIPPING, TIMES } from "../domain/shared/policy.ts";
import { US_REGIONS } from "../domain/shared/us-regions.ts";
import type { Live } from "./ask.ts";
import { isEnglish } from "./correct.ts";
import type { Beans } from "./facts.ts";
import { DECLINES } from "./gates.ts";
import type { Verdict } from "./say.ts";
import { countryNames, join, list, phrase, table, upperFirst } from "./text.ts";
import { isShared, type Topic } from "./topics.ts";
import { HARMLESS } from "./vocabulary.ts";

export const HEALTH_SAYS =
  "Our facts do not say anything about health, diets or allergies; tasting notes are flavours, not " +
  "a list of ingredients. Please ask a doctor or another professional.";

const TITLES = table(
  "waiting=The waitlist; sells=We sell; spend=Larger orders; tax=No tax; refunds=Refunds and returns",
  String,
);

/** "Gift notes: Handwritten, …"; what is no sentence of the policy stands for itself. */
const sentence = (key: string): string => {
  const says = SENTENCES[key as keyof typeof SENTENCES];
  return says ? `${TITLES.get(key) ?? upperFirst(key.replace("_", " "))}: ${says}` : `${key}.`;
};

/** What a part of a question gives to calculate with; `amount`: its sum, or what its bags come to. */
type Given = Readonly<
  Record<"amount" | "bags", number | null> & { text: string; isExclusive: boolean; live: Live }
>;

const DAYS = TIMES.finder_key_ms / 86_400_000;

/** The first number that is said, or 0. */
const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? 0);

/** What is said, and whether it is so where that is asked. */
type Told = Readonly<{ text: string; is?: Verdict["is"] | undefined }>;

const noIf = (isAgainst: boolean) => (isAgainst ? ("no" as const) : undefined);

const SAYS: Readonly<Record<string, string | ((given: Given) => Told)>> = {
  shipping,
  discounts,
  destination,
  bulk: ({ bags }) => ({
    is: noIf((bags ?? 0) > LIMITS.bags_per_order),
    text:
      `One order takes up to ${LIMITS.bags_per_order} bags, ${LIMITS.quantity_per_line} of them in ` +
      "one line. For more, leave a bulk request; the merchant follows up by email.",
  }),
  gift: ({ text }) => {
    const tooLong = numberIn(text) > LIMITS.gift_note_characters;
    const several =
      /(?:two|2|three|3|several|multiple|more than one) (?:\w+ )?notes?\b.* (?:a|one|1|each|per|every) bag|note (?:per|for (?:each|every|the whole)) (?:order|address)/;
    return { is: noIf(tooLong || several.test(text)), text: sentence("gift_notes") };
  },
  erase: "The merchant can erase a person's data, keeping what the books need.",
  moved: "The merchant can change the address of a shipment until it is shipped.",
  withdrawal:
    "A cancel request can be taken back while it is undecided, by the agent that made it.",
  carriage: "A courtesy is taken off the coffee, not off shipping.",
  queue:
    "A buyer joins, through an agent or on the waitlist page, when the bags are short, and leaves " +
    "by the same agent or the page of that place.",
  date: "No date is promised.",
  minimum: "There is no minimum beyond one bag.",
  finder:
    "The exclusive bean opens with a finder key. An agent earns one by three good questions here, over " +
    "at least two beans and three kinds of facts, one of them about the exclusive bean, asked with its " +
    `own key. The key is bound to that agent and good for ${DAYS} days.`,
  problem: "Send feedback, with the order's id; the shop's information may have a support email.",
  several: ({ text }) => {
    const most = LIMITS.shipments_per_order;
    return {
      is: noIf(numberIn(text) > most),
      text: `An order can go to up to ${most} addresses. ${sentence("shipping")}`,
    };
  },
  prices: DECLINES.HAGGLING,
  substitutions: "No substitutions: no other bean is sent than was ordered.",
  sizes: `Only whole bean, not ground, in one size: ${SENTENCES.sells}`,
  tracking:
    "The agent that placed the order can read it, with the tracking of every shipment and the " +
    "address of the buyer's own page.",
  quotes:
    "Each quote says itself how long it is good, and never changes. It holds no bags: they are held " +
    "once the buyer has begun to pay.",
  account: "A buyer needs no account; an agent registers once for a key, over HTTP or MCP.",
  blends: "None of our coffees is listed as a blend: each comes from a single country and region.",
  language: DECLINES.LANGUAGE,
  us: "I answer questions about the coffees of this shop, from its catalog and published policy.",
  currency: "Prices are in US dollars (USD).",
};

function shipping({ text, amount }: Given): Told {
  const rule = sentence("shipping");
  if (amount === null || isShared(text)) return { text: rule };
  const free = shippingMinor(amount) === 0;
  const fee = free ? "free" : `for ${display(SHIPPING.per_address_minor)}`;
  const short = free ? "" : ` ${display(SHIPPING.free_from_minor - amount)} more ships free.`;
  const said = `${display(amount)} of coffee to one address ships ${fee}.${short}`;
  // "Do I pay shipping?" is not "is it free?".
  const asked = /\bfree\b/.test(text) && !/\bpay|^(?:what|how)\b/.test(text);
  const is = !asked ? undefined : free ? "yes" : "no";
  return { is, text: `${said} ${rule}` };
}

function discounts({ text, amount, live }: Given): Told {
  const runs = live.firstOrderRuns !== false;
  const offer = runs
    ? `With code ${FIRST_ORDER.code}: ${SENTENCES.first_order}`
    : "The first-order courtesy is not running now.";
  const rules = `${offer} Larger orders: ${SENTENCES.spend} ${SENTENCES.courtesies}`;
  // "Is the discount more than $10?" tells no sum of coffee.
  const told =
    /\d off\b|\b(?:discount|courtesy|code|off|save) (?:(?!(?:a|on|for|if|when|spend)\b)\w+ ){0,3}\$\d/;
  const isLater = /\b(?:second|third|[nr]d|next|again|twice)\b/.test(text);
  if (amount === null || isLater || told.test(text)) return { text: rules };
  const courtesy = chooseCourtesy(amount, runs && /\bfirst|new customer|code|%/.test(text));
  const off = courtesy ? `${display(courtesy.amountMinor)} off` : "no courtesy without a code";
  return { text: `${display(amount)} of coffee: ${off}. ${rules}` };
}

const HOME = list("apo, fpo, military, usa, the us, united states, america, american").map(phrase);
const ABROAD = [
  ...list(`uk, england, scotland, wales, europe, eu, london, international, internationally, abroad,
    overseas, worldwide, asia, africa`),
  ...countryNames("en").flatMap(([code, name]) =>
    /^(?:US|PR)$/.test(code) || name.length < 4 ? [] : name,
  ),
];

const STATES = Object.entries(US_REGIONS).map(
  ([code, name]) => [code, name, phrase(name).replace("u s ", "us ")] as const,
);

const isFree = (text: string): boolean => /\b(?:free|pay|paying)\b/.test(text);

function destination({ text }: Given): Told {
  const rule = "We ship to addresses in the US only.";
  const said = phrase(text);
  const isIn = (name: string) => ` ${said} `.includes(` ${name} `);
  // "San Juan, PR"; but "in" and "me" are words.
  const last = said.split(" ").at(-1) ?? "";
  const code = HARMLESS.has(last) || isEnglish(last) ? "" : last.toUpperCase();
  const states = STATES.flatMap(([region, name, words]) =>
    isIn(words) || region === code ? name : [],
  );
  const are = states.length > 1 ? "are US addresses" : "is a US address";
  // "A US base in Germany" has an address of its own.
  const abroad = states.length === 0 && ABROAD.some(isIn);
  const home = states.length > 0 || HOME.some(isIn);
  // "Do you only ship to Ohio?", "is it free to Ohio?"
  const turned = /.\b(?:only|not|never|dont|doesnt|except|without)\b/.test(text);
  const isHome = turned || isFree(text) ? undefined : "yes";
  const is = abroad === home ? undefined : home ? isHome : turned ? undefined : "no";
  return { is, text: states.length > 0 ? `${join(states)} ${are}. ${rule}` : rule };
}

export function policyAnswer({ name: topics, words, open }: Topic, given: Given, about: Beans) {
  // Where nothing is sent, it neither costs nor takes anything.
  const toldFirst =
    /^(?:shipping|delivery|destination)$/.test(topics) && /\b(?:to|in) /.test(given.text);
  const isAbroad = toldFirst && destination(given).is === "no";
  const priced = given.amount !== null && /shipping|delivery|postage/.test(given.text);
  const more = priced || isFree(given.text) ? "destination, shipping" : topics;
  const keyed = given.isExclusive ? "finder, approval" : topics;
  const told = list(
    isAbroad ? "destination" : ({ destination: more, approval: keyed }[topics] ?? topics),
  ).map((key): Told => {
    if (key === "No") return { is: "no", text: "" };
    if (key === "?") return { text: `Our facts do not say anything about “${words.trim()}”.` };
    const says = SAYS[key] ?? sentence(key);
    return typeof says === "string" ? { text: says } : says(given);
  });
  const is = topics.includes("?") ? undefined : told.find((one) => one.is)?.is;
  return {
    verdict: is && { is },
    text: told.flatMap(({ text }) => text || []).join(" "),
    facts: [],
    about,
    topic: words,
    open,
  };
}
