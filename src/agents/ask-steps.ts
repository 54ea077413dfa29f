/** Next steps of `ask`: tools for every purpose beside the policy, or those of the named coffees. */
import type { Reading } from "../ask/ask.ts";
import type { Live } from "../ask/sections.ts";
import { isExclusive } from "../catalog/catalog.ts";
import type { NextStep } from "../core/errors.ts";
import { step, type ToolName } from "../core/next-step.ts";

/** A tool, or what the asker tells the buyer to do. */
type Step = readonly [action: ToolName | typeof TELL_BUYER, why: string, sends?: NextStep["sends"]];

const TELL_BUYER = "tell the buyer";

const EARN: Step = [
  "ask",
  "Ask good questions about the coffees with your key: they earn a finder key.",
];
const SEND_FINDER_KEY: Step = [
  "request_quote",
  "Quotes and checkouts of the exclusive bean take the finder key.",
  "finder_key",
];
const JOIN: Step = [
  "join_waitlist",
  "For short bags: join the waitlist for the buyer. The entry says how to leave.",
];
const READ_POLICY: Step = [
  "get_policy",
  "Read the policy once: shipping, discounts, orders, and what the shop doesn't state.",
];

interface Asked {
  hasKey: boolean;
  /** The answer shows a finder key. */
  hasFinderKey: boolean;
}

/**
 * The same for every question about anything but coffee, so that none is misread. Each names its purpose,
 * none starts a purchase, and without a key none needs one.
 */
const policySteps = (baseUrl: string, hasKey: boolean): Step[] => [
  ...(hasKey
    ? ([["list_orders", "For a purchase: its order, to read or cancel."]] satisfies Step[])
    : []),
  ["get_link_order", "For a purchase: its status, tracking and refunds, by any of its links."],
  [
    TELL_BUYER,
    `If the order's link is lost, ${baseUrl}/find-order leads to its page, which can also ask to cancel. ` +
      `A waitlist's page has a button to leave. The merchant answers at ${baseUrl}/contact.`,
  ],
  ...(hasKey
    ? ([
        ["send_feedback", "For the merchant: write, with the order_id if there is one."],
        ["send_bulk_lead", "For more bags than an order takes."],
        JOIN,
      ] satisfies Step[])
    : []),
  ["get_catalog", "For a new purchase: prices, stock, how to buy."],
];

/** Steps for the state of the named coffees: locked, short or in stock. */
function coffeeSteps({ meaning, declined }: Reading, live: Live, hasKey: boolean): Step[] {
  const { baseUrl, exclusive, free } = live;
  if (declined.includes("KEY_REQUEST")) return exclusive === null ? [] : [EARN];
  return meaning.named.flatMap((bean) => {
    if (isExclusive(bean)) return [EARN];
    const isShort = bean.availability === "WAITLIST" && (free.get(bean.product_id) ?? 1) < 1;
    if (!isShort) return [];
    const page = `${baseUrl}/waitlist?bean=${bean.product_id}`;
    return [hasKey ? JOIN : [TELL_BUYER, `Join the waitlist at ${page}.`]];
  });
}

const isTool = (action: Step[0]): action is ToolName => action !== TELL_BUYER;

/** Next steps of `ask`, each action once. */
export function askSteps(
  reading: Reading,
  live: Live,
  { hasKey, hasFinderKey }: Asked,
): NextStep[] {
  const own = [...(hasFinderKey ? [SEND_FINDER_KEY] : []), ...coffeeSteps(reading, live, hasKey)];
  const all = reading.answer.policy
    ? [...policySteps(live.baseUrl, hasKey), ...own]
    : [...own, READ_POLICY];
  const once = new Map(all.toReversed().map((one) => [one[0], one]));
  return [...once.values()].toReversed().map(([action, why, sends]) => ({
    ...(isTool(action) ? step(action, why) : { action, why }),
    ...(sends && { sends }),
  }));
}
