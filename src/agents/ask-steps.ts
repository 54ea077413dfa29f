/** Next steps that fit the topic of a question and its asker. */
import type { Reading } from "../ask/ask.ts";
import { pattern } from "../ask/gates.ts";
import type { Live } from "../ask/sections.ts";
import { isExclusive } from "../catalog/catalog.ts";
import type { NextStep } from "../core/errors.ts";
import { step, type ToolName, withKeyFirst } from "../core/next-step.ts";

/** A tool, or what the asker tells the buyer to do. */
type Step = readonly [action: ToolName | typeof TELL_BUYER, why: string];

const TELL_BUYER = "tell the buyer";

const EARN: Step = [
  "ask",
  "Ask good questions about the coffees with your key: they earn a {finder_key}.",
];
const SEND_FINDER_KEY: Step = [
  "request_quote",
  "Send the finder key as {finder_key} with quotes and checkouts of the exclusive bean.",
];
const JOIN: Step = ["join_waitlist", "Join the waitlist for the buyer when bags are short."];
const MAKE_PAGE: Step = ["build_quick_checkout_link", "Make the page where the buyer pays."];

interface Asker {
  baseUrl: string;
  hasKey: boolean;
  /** Null: no finder key can be earned. */
  exclusive: string | null;
}

interface Topic {
  about: RegExp;
  /** The last topic that an answer needs. */
  isLast?: true;
  steps: (asker: Asker) => Step[];
}

/** The tool for a key's own orders; the contact page needs none. */
const tellShop = ({ baseUrl, hasKey }: Omit<Asker, "exclusive">): Step =>
  hasKey
    ? ["send_feedback", "Write to the merchant, with the order_id if there is one."]
    : [TELL_BUYER, `Write to the merchant at ${baseUrl}/contact.`];

const readOrder = ({ baseUrl, hasKey }: Asker): Step[] => [
  ...(hasKey
    ? ([
        ["list_orders", "Find the order: status, tracking, cancellation."],
        tellShop({ baseUrl, hasKey }),
      ] satisfies Step[])
    : []),
  [
    "get_link_order",
    `Read status, tracking and refunds by any link of the purchase. Without one, the buyer of a paid order opens ${baseUrl}/find-order.`,
  ],
];

/** The first ones are about a purchase that was begun: they lead to no new one. */
const TOPICS: readonly Topic[] = [
  {
    about: pattern(`(?:finder key|unlock\\p{L}*|locked|exclusive)`),
    steps: ({ exclusive }) => (exclusive === null ? [] : [EARN, SEND_FINDER_KEY]),
  },
  {
    about: pattern("(?:api|agent|access) ke[a-z]+|register\\p{L}*|sign up"),
    isLast: true,
    steps: () => [
      ["register_agent", "Get a key; it is free. A new one doesn't list an old one's orders."],
    ],
  },
  {
    about: pattern(
      "(?:off|leave|leaving|remove|quit|unsubscribe|cancel) .. (?:wait ?list|waiting list)",
    ),
    isLast: true,
    steps: ({ hasKey }) =>
      hasKey ? [["leave_waitlist", "Leave the queue with the entry's id."]] : [],
  },
  {
    about: pattern(
      `(?:lost|lose|misplaced|deleted) .. (?=[^ ]*link )(?=.* (?:pay|payment|checkout|unpaid) )(?!.* orders? )[^ ]+|
      (?:lost|lose|misplaced|deleted) .. (?:payment|checkout|unpaid) (?:link|page)(?!.* orders? )`,
    ),
    isLast: true,
    steps: ({ hasKey }) => [
      hasKey
        ? ["request_quote", "An unpaid quote charged nothing: make a new one."]
        : ["build_quick_checkout_link", "An unpaid link charged nothing: make a new one."],
    ],
  },
  {
    about:
      pattern(`damaged|broken|crushed|torn|ripped|opened|leak\\p{L}*|stolen|missing|incomplete|wrong|mistyped|typo|never (?:came|arrived)|
      nothing (?:came|arrived)|delivered (?:but|and)|(?:not|isnt|didnt) .. (?:here|arrive|arrived|come|came|there)|(?:parcel|package|box|it) .. lost|
      late|weeks|(?:change|correct|fix|update) .. address`),
    isLast: true,
    steps: (asker) => [tellShop(asker), ...readOrder(asker)],
  },
  {
    about:
      pattern(`(?:my|our|his|her|their|this|that|old|paid|placed|lost) .. (?:orders?|parcels?|packages?|shipments?|deliver(?:y|ies)|links?)|
      order (?:number|status|page|events?)|events|(?:the|a) parcel|where .. (?:is|are|s) .. (?:order|coffee|stuff|bags?)|wheres|
      cancel\\p{L}*|track\\p{L}*|refund\\p{L}*|return\\p{L}*|receipts?|withdraw\\p{L}*|reorder\\p{L}*|order .. again|
      (?:i|we|he|she|they|already|got|was) (?:ordered|paid|charged)|arrived|delivered`),
    isLast: true,
    steps: readOrder,
  },
  {
    about: pattern("quick checkout|checkout (?:links?|pages?)"),
    steps: () => [MAKE_PAGE],
  },
  {
    about:
      pattern(`wholesale|bulk|offices?|restaurants?|hotels?|conferences?|weddings?|(?:my|our|for (?:a|the)) (?:[^ ]+ )?compan(?:y|ies)|
      (?:\\d{3,}|hundreds?|thousands?) (?:of )?(?:[^ ]+ )?bags`),
    steps: () => [["send_bulk_lead", "For more bags than an order takes, leave a bulk request."]],
  },
  {
    about: pattern("wait ?list\\p{L}*|waiting list|sold out|out of stock|restock\\p{L}*"),
    steps: () => [JOIN],
  },
  {
    about: pattern("complain\\p{L}*|feedback|reviews?|human|person|talk|contact|phone"),
    steps: (asker) => [tellShop(asker)],
  },
  {
    about: pattern("without .. (?:agent|assistant|ai|bot)|by (?:myself|themselves)"),
    isLast: true,
    steps: ({ baseUrl }) => [[TELL_BUYER, `Buy at ${baseUrl}/ by yourself.`]],
  },
  {
    about: pattern(
      `(?:how|can|could|may|want|like|where|place) .. (?:buy|purchase|order)|checkout|quotes?|account`,
    ),
    steps: ({ hasKey }) => [
      ["request_quote", "Get an exact price for a buyer."],
      ...(hasKey ? [] : [MAKE_PAGE]),
    ],
  },
];

const READ_POLICY: Step = [
  "get_policy",
  "Read the policy once: shipping, discounts, orders, and what the shop doesn't state.",
];

/** For a client that can only send GET. */
const SEE_COFFEES = step("get_catalog", "Every coffee with its price and stock.");

/** Steps for the topics of a question. */
function topicSteps(said: readonly string[], asker: Asker): Step[] {
  const text = ` ${said.join(" ")} `;
  const topics = TOPICS.filter(({ about }) => about.test(text));
  const last = topics.findIndex(({ isLast }) => isLast);
  return (last < 0 ? topics : topics.slice(0, last + 1)).flatMap(({ steps }) => steps(asker));
}

/** Steps for the state of the named coffees: locked, short or in stock. */
function coffeeSteps({ meaning, declined }: Reading, { free, exclusive }: Live): Step[] {
  if (declined.includes("KEY_REQUEST")) return exclusive === null ? [] : [EARN];
  return meaning.named.flatMap((bean) => {
    if (isExclusive(bean)) return [EARN];
    const isShort = bean.availability === "WAITLIST" && (free.get(bean.product_id) ?? 1) < 1;
    return isShort ? [JOIN] : [];
  });
}

interface Asked {
  hasKey: boolean;
  /** The answer shows a finder key. */
  hasFinderKey: boolean;
}

const isTool = (action: Step[0]): action is ToolName => action !== TELL_BUYER;

/** Next steps of `ask`, each once. An asker without a key registers before one that needs it. */
export function askSteps(
  reading: Reading,
  live: Live,
  { hasKey, hasFinderKey }: Asked,
): NextStep[] {
  const all = [
    ...(hasFinderKey ? [SEND_FINDER_KEY] : []),
    ...coffeeSteps(reading, live),
    ...topicSteps(reading.said, { baseUrl: live.baseUrl, hasKey, exclusive: live.exclusive }),
    ...(reading.answer.policy ? [] : [READ_POLICY]),
  ];
  const once = new Map(all.toReversed().map((one) => [one[0], one]));
  const steps = [...once.values()]
    .toReversed()
    .map(([action, why]) => (isTool(action) ? step(action, why) : { action, why }));
  if (hasKey) return steps;
  const isForAnybody = ({ action }: NextStep) => /\(GET |^tell the buyer$/.test(action);
  const isStuck = steps.length > 0 && !steps.some(isForAnybody);
  return withKeyFirst(isStuck ? [...steps, SEE_COFFEES] : steps);
}
