/** Next steps that fit the topic of a question and its asker. */
import type { Reading } from "../ask/ask.ts";
import { pattern } from "../ask/gates.ts";
import type { Live } from "../ask/sections.ts";
import { isExclusive } from "../catalog/catalog.ts";
import type { NextStep } from "../core/errors.ts";
import { step, type ToolName, withKeyFirst } from "../core/next-step.ts";

type Step = readonly [tool: ToolName, why: string];

const EARN: Step = [
  "ask",
  "Ask good questions about the coffees with your key: they earn a {finder_key}.",
];
const SEND_FINDER_KEY: Step = [
  "request_quote",
  "Send the finder key as {finder_key} with quotes and checkouts of the exclusive bean.",
];
const JOIN: Step = ["join_waitlist", "Join the waitlist for the buyer when bags are short."];
const FEEDBACK: Step = [
  "send_feedback",
  "Write to the merchant, with the order_id if there is one.",
];

interface Asker {
  baseUrl: string;
  hasKey: boolean;
  /** Null: no finder key can be earned. */
  exclusive: string | null;
}

interface Topic {
  about: RegExp;
  steps: (asker: Asker) => Step[];
}

const ORDER: Topic = {
  about:
    pattern(`(?:my|our|his|her|their|this|that|old|paid|placed|lost) .. (?:orders?|parcels?|packages?|shipments?|deliver(?:y|ies)|links?)|
    order (?:number|status|page|events?)|events|(?:the|a) parcel|where .. (?:is|are|s) .. (?:order|coffee|stuff|bags?)|wheres|
    cancel\\p{L}*|track\\p{L}*|refund\\p{L}*|return\\p{L}*|receipts?|withdraw\\p{L}*|reorder\\p{L}*|order .. again|
    (?:i|we|he|she|they|already|got|was) (?:ordered|paid|charged)|arrived|delivered|damaged|broken|stolen|missing|wrong|late`),
  steps: ({ baseUrl, hasKey }) => [
    ...(hasKey
      ? ([
          ["list_orders", "Find the order: status, tracking, cancellation."],
          FEEDBACK,
        ] satisfies Step[])
      : []),
    [
      "get_link_order",
      `Read status, tracking and refunds by any link of the purchase. Without one, the buyer opens ${baseUrl}/find-order.`,
    ],
  ],
};

const BUYING: Topic = {
  about: pattern(
    `(?:how|can|could|may|want|like|where|place) .. (?:buy|purchase|order)|checkout|quotes?|account|sign up|register\\p{L}*`,
  ),
  steps: ({ hasKey }) => [
    ["request_quote", "Get an exact price for a buyer."],
    ...(hasKey
      ? []
      : ([["build_quick_checkout_link", "Make the page where the buyer pays."]] satisfies Step[])),
  ],
};

const OTHERS: readonly Topic[] = [
  {
    about: pattern("quick checkout|checkout (?:links?|pages?)"),
    steps: () => [["build_quick_checkout_link", "Make the page where the buyer pays."]],
  },
  {
    about:
      pattern(`wholesale|bulk|offices?|restaurants?|hotels?|conferences?|weddings?|compan(?:y|ies)|
      (?:\\d{3,}|hundreds?|thousands?) .. (?:bags?|of)`),
    steps: () => [["send_bulk_lead", "For more bags than an order takes, leave a bulk request."]],
  },
  {
    about: pattern("wait ?list\\p{L}*|waiting list|sold out|out of stock|restock\\p{L}*"),
    steps: () => [JOIN],
  },
  { about: pattern("complain\\p{L}*|feedback|human|talk|contact"), steps: () => [FEEDBACK] },
  {
    about: pattern("finder|unlock\\p{L}*|locked|exclusive"),
    steps: ({ exclusive }) => (exclusive === null ? [] : [EARN, SEND_FINDER_KEY]),
  },
];

const READ_POLICY: Step = [
  "get_policy",
  "Read the policy once: shipping, discounts, orders, and what the shop doesn't state.",
];

/** Steps for the topics of a question. One about an order leads to no new purchase. */
function topicSteps(said: readonly string[], asker: Asker): Step[] {
  const text = ` ${said.join(" ")} `;
  const isAbout = ({ about }: Topic) => about.test(text);
  const topics = isAbout(ORDER) ? [ORDER] : [...OTHERS, BUYING].filter(isAbout);
  return topics.flatMap(({ steps }) => steps(asker));
}

/** Steps for what is known of the coffees that a question names. */
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
  const steps = [...once.values()].toReversed().map(([tool, why]) => step(tool, why));
  return hasKey ? steps : withKeyFirst(steps);
}
