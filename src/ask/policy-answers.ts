/** What is said besides the beans: the published policy in its own sentences, what our facts lack. */

import { Mode } from "../core/answer.ts";
import { display } from "../core/money.ts";
import { FIRST_ORDER, LIMITS, RETENTION_DAYS, SENTENCES, span, TIMES } from "../core/policy.ts";
import { chooseCourtesy } from "../quotes/pricing.ts";
import { isCost, numberOf } from "./amounts.ts";
import type { Live } from "./ask.ts";
import type { Beans } from "./facts.ts";
import { DECLINES } from "./gates.ts";
import { delivery, destination, isSentTo, NO_DATE, placesIn, shipping } from "./places.ts";
import type { Verdict } from "./say.ts";
import { join, table } from "./text.ts";
import { ANSWERS, isAnswered, LACKING, published } from "./topic-answers.ts";
import { SENT, SURE, type Topic } from "./topics.ts";

/** What a part of a question gives to calculate with; `amount`: its sum, or what its bags come to. */
export type Given = Readonly<
  Record<"amount" | "bags", number | null> & {
    text: string;
    isExclusive: boolean;
    exclusive: readonly string[];
    live: Live;
  }
>;

const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? 0);
const ASKS_IF = /^(?:can|could|may|is|are|do|will)\b|\b(?:can|could) (?:i|we|you)\b/;

/** What is said, and whether it is so where that is asked. */
export type Told = Readonly<{ text: string; is?: Verdict["is"] | undefined }>;

const noIf = (isAgainst: boolean) => (isAgainst ? ("no" as const) : undefined);

const SAYS: Readonly<Record<string, string | ((given: Given) => Told)>> = {
  shipping,
  discounts,
  destination,
  bulk: ({ bags, text }) => ({
    is: noIf(
      (bags ?? 0) > LIMITS.bags_per_order && ASKS_IF.test(text) && !/wholesale|bulk/.test(text),
    ),
    text:
      `One order takes up to ${LIMITS.bags_per_order} bags, ${LIMITS.quantity_per_line} of them in ` +
      "one line. For more, leave a bulk request; the merchant follows up by email.",
  }),
  gift_note: ({ text }) => {
    const tooLong = numberIn(text) > LIMITS.gift_note_characters;
    const several =
      /(?:two|2|three|3|several|multiple|more than one) (?:\w+ )?notes?\b.* (?:a|one|1|each|per|every) bag|note (?:per|for (?:each|every|the whole)) (?:order|address)/;
    return { is: noIf(tooLong || several.test(text)), text: published("gift_notes") };
  },
  delivery,
  kept:
    "Orders are kept for the books; a quote that was not paid is deleted " +
    `${RETENTION_DAYS.unpaid_quotes} days after its end, letters and places on the waitlist after a time. The ` +
    "merchant can erase a person's data before.",
  erase: "The merchant can erase a person's data, keeping what the books need.",
  moved: "The merchant can change the address of a shipment until it is shipped; the price stays.",
  withdrawal:
    "A cancel request can be taken back while it is undecided, by the agent or on the order's page.",
  ordering:
    "An agent registers for a key, asks for a quote and hands its buyer the review link; a buyer " +
    "without one fills a cart on the shop's own page. The buyer sees the exact total and pays on a " +
    "hosted page.",
  part:
    "The agent, or the buyer on the order's page, asks for the whole order or for the shipments named " +
    "that have not left.",
  lines: ({ text, bags }) => {
    const [, lines = ""] = /(\w+) (?:(?:different|separate) )?(?:line|item)s?\b/.exec(text) ?? [];
    const isOver = numberOf(lines) > LIMITS.lines_per_shipment;
    return {
      is: noIf(isOver || (bags ?? 0) > LIMITS.quantity_per_line),
      text:
        `A shipment has up to ${LIMITS.lines_per_shipment} lines, each of up to ` +
        `${LIMITS.quantity_per_line} bags; an order has up to ${LIMITS.bags_per_order} bags and ` +
        `${LIMITS.shipments_per_order} shipments.`,
    };
  },
  declined:
    "A payment that is declined orders nothing: while the quote is good its review link can be paid " +
    "again, with another card too.",
  quick_link:
    "A quick-checkout link carries bags for a client that can only open addresses: it needs no key and " +
    "holds nothing. The person who opens it enters an email and a US address, sees the exact total and " +
    "pays on a hosted page. It takes no exclusive bean.",
  events: "The agent reads an order's events, and may wait there for the next one.",
  mode: ({ live: { mode } }) => ({
    text: `${mode ? `The mode here is “${mode}”.` : "Every quote tells the mode."} ${Mode.description}`,
  }),
  rates: ({ live: { rateLimits = {} } }) => {
    const some = Object.entries(rateLimits).map(([name, limit]) => `${name} ${limit}`);
    const told = some.length > 0 ? `Rate limits: ${join(some)}. ` : "";
    return { text: `${told}The published policy tells all rate limits.` };
  },
  keyed:
    "A finder key is sent with the quote and with its checkout: over HTTP as the header, over MCP as " +
    "the argument of that name. Quick checkout takes none.",
  each: "A bag costs the same however many are ordered.",
  letters:
    "With a mail server the buyer is mailed a receipt, and when a shipment leaves or arrives, its " +
    "tracking number or address changes, an order or a part of it is canceled, a request to cancel is " +
    "declined, money is refunded, or bags are offered on the waitlist.",
  carriage: "A courtesy is taken off the coffee, not off shipping.",
  queue:
    "A buyer joins, through an agent or on the waitlist page, when the bags are short, and leaves by " +
    "the same agent or the page of that place; there its position is read.",
  unqueued: "The waitlist is for beans that are listed with it, not for the exclusive bean.",
  date: NO_DATE,
  minimum: "There is no minimum beyond one bag.",
  finder:
    "The exclusive bean opens with a finder key. An agent earns one by three good questions here, over " +
    "at least two beans and three kinds of facts, one of them about the exclusive bean, asked with its " +
    `own key. The key is bound to that agent and good for ${span(TIMES.finder_key_ms)}.`,
  opened: ({ exclusive }) => ({ text: exclusive.length > 0 ? `It opens ${join(exclusive)}.` : "" }),
  problem: ({ text }) => {
    const phone = /\b(?:phone|call)\b/.test(text) ? "Our facts have no phone number. " : "";
    const ways =
      "Send feedback, with the order's id; the shop's information may have a support email.";
    const isSpoilt = /\b(?:damage|broke|crush|torn|leak|burst|ruin|wrong (?:bag|bean|coffee))/.test(
      text,
    );
    return { text: `${phone}${ways}${isSpoilt ? ` ${published("refunds")}` : ""}` };
  },
  several: ({ text }) => ({
    is: noIf(numberIn(text) > LIMITS.shipments_per_order),
    text: `An order can go to up to ${LIMITS.shipments_per_order} addresses. ${published("shipping")}`,
  }),
  prices: DECLINES.HAGGLING,
  substitutions: "No substitutions: no other bean is sent than was ordered.",
  sizes: `Only whole bean, not ground, in one size: ${SENTENCES.sells}`,
  tracking:
    "The agent whose quote became the order can read it, with its events, the tracking of every shipment " +
    "and the address of the buyer's own page, which shows it too.",
  quotes: ({ live: { quoteTtlMs } }) => ({
    text:
      "Each quote says itself how long it is good, and never changes. " +
      `${quoteTtlMs ? `A new one is good for ${span(quoteTtlMs)}. ` : ""}It holds no bags and no courtesy: they are ` +
      "held once the buyer has begun to pay. Where it has expired, its bags were sold or its courtesy was " +
      "used, ask for a new one.",
  }),
  account:
    "A buyer needs no account. Catalog, policy, questions and the quick-checkout link need no key; for " +
    "all else an agent registers once for one, over HTTP or MCP, with its name and a contact email. A " +
    "key is shown once: where it is lost, register again; the new key does not show the orders of the " +
    "old one.",
  blends: "None of our coffees is listed as a blend: each comes from a single country and region.",
  language: DECLINES.LANGUAGE,
  us:
    "I am a program that answers questions about the coffees of this shop, from its catalog and " +
    "published policy: ask me about taste, origin, roast, brewing, prices, ordering or shipping.",
  currency: "Prices are in US dollars (USD).",
};

function discounts({ text, amount, live }: Given): Told {
  const runs = live.firstOrderRuns !== false;
  const offer = runs
    ? `With code ${FIRST_ORDER.code}: ${SENTENCES.first_order}`
    : "The first-order courtesy is not running now.";
  const isTyped = /\b(?:case|capital|upper|lower)/.test(text);
  const typed = isTyped ? " Capitals make no difference in a code." : "";
  const rules = `${offer} Larger orders: ${SENTENCES.spend} ${SENTENCES.courtesies}${typed}`;
  // "Is the discount more than $10?" tells no sum of coffee.
  const told =
    /\d off\b|\b(?:discount|courtesy|code|off|save) (?:(?!(?:a|on|for|if|when|spend)\b)\w+ ){0,3}\$\d/;
  const isLater = /\b(?:second|third|[nr]d|next|again|twice)\b/.test(text);
  if (amount === null || isLater || told.test(text)) return { text: rules };
  const [, order = ""] = /\$(\d+(?:\.\d\d)?) (?:order|cart|subtotal)/.exec(text) ?? [];
  const sum = order === "" ? amount : Math.round(Number(order) * 100);
  const courtesy = chooseCourtesy(sum, runs && /\bfirst|new customer|code|%/.test(text));
  const off = courtesy ? `${display(courtesy.amountMinor)} off` : "no courtesy without a code";
  return { text: `${display(sum)} of coffee: ${off}. ${rules}` };
}

/** Where nothing is sent, it neither costs nor takes anything; the exclusive bean has its own ways. */
function answersOf(topic: string, given: Given): readonly string[] {
  const { text, amount, isExclusive } = given;
  const says = ANSWERS.get(topic) ?? [];
  if (/^(?:minimum|ordering)$/.test(topic) && isSentTo(text)) return ["destination", ...says];
  if (SENT.test(topic)) {
    const isAbroad = /\b(?:to|in) /.test(text) && destination(given).is === "no";
    // "How long does it take, and do you send to Germany?"
    if (isAbroad) return /\band\b/.test(text) ? ["destination", topic] : ["destination"];
    const priced = amount !== null && /shipping|delivery|postage/.test(text);
    const isPlaced = topic === "shipping" && placesIn(text).states.length > 0;
    if (isPlaced || (topic === "destination" && (priced || isCost(text))))
      return ["destination", "shipping"];
  }
  if (isExclusive && /^(?:ordering|approval)$/.test(topic)) return ["finder", "approval"];
  const isQueued = /^(?:waitlist|restock)$/.test(topic);
  if (isQueued && (isExclusive || /\bexclusive\b/.test(text))) return ["No", "unqueued", "finder"];
  return says;
}

/** What of it costs nothing, where that may be asked. */
const FREE = table("gift_note=A note; queue=A place; account=A key", String);

const told = (key: string, given: Given): Told => {
  // "Is it only one code per order?" is asked the other way round.
  const turned =
    /\b(?:what|which|how|when|where|who)\b|\b(?:only|just|not|never|dont|doesnt|cant|choose|limit\w*)\b/;
  if (key === "No") return { is: noIf(!turned.test(given.text)), text: "" };
  const says = SAYS[key] ?? published(key);
  const { text, is } = typeof says === "string" ? { text: says } : says(given);
  const free = FREE.has(key) && isCost(given.text) ? ` ${FREE.get(key)} costs nothing.` : "";
  return { text: `${text}${free}`, is };
};

/** Of each topic what our facts lack, and what they say. */
export function policyAnswer({ names, words, open, chance }: Topic, given: Given, about: Beans) {
  const keys = names.map((name) => answersOf(name, given));
  const answers = names.map((name, i) => {
    const lacks = LACKING.get(name);
    const says = keys[i]!.map((key) => told(key, given));
    const head = lacks ? `Our facts do not say anything about ${lacks}.` : "";
    const texts = [head, ...says.map(({ text }) => text)].filter((text) => text !== "");
    return { texts, is: lacks ? undefined : says.find((one) => one.is)?.is };
  });
  // A verdict is of one topic: of two it is open which is asked.
  const is = answers.length === 1 ? answers[0]?.is : undefined;
  const text = [...new Set(answers.flatMap(({ texts }) => texts))].join(" ");
  return {
    verdict: is && { is },
    text,
    facts: [],
    about,
    policy: keys.flat(),
    topic: words,
    open: open.filter((word) => !text.toLowerCase().includes(word)),
    isUnsure: chance < SURE && !names.some(isAnswered),
    isLikely: chance >= SURE,
    isSent: names.some((name) => SENT.test(name)),
  };
}
