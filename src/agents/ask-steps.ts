import type { Answer, Live } from "../ask/ask.ts";
import { type Catalog, isExclusive } from "../catalog/catalog.ts";
import type { NextStep } from "../core/errors.ts";
import { step, type ToolName } from "../core/next-step.ts";

type Step = readonly [tool: ToolName, why: string];

const ask: Step = [
  "ask",
  "Ask good questions about the coffees with your key: they earn a finder key.",
];
const join: Step = ["join_waitlist", "Join the waitlist for the buyer, where the bags are short."];
const quote: Step = ["request_quote", "Get an exact price for a buyer."];
const find = (why: string): Step => ["list_orders", `Find the order; ${why} there.`];
const cancel = find("its cancellation can be requested");

/** What can be done about what the policy says, by the name of what is said. */
export const STEPS: Readonly<Record<string, readonly Step[]>> = {
  bulk: [["send_bulk_lead", "Leave the bulk request: an email, and what it is for."]],
  problem: [
    ["send_feedback", "Tell the merchant, with order_id."],
    ["get_policy", "Whom to write to, where the shop names somebody."],
  ],
  waiting: [join],
  queue: [join],
  cancellation: [cancel],
  part: [cancel],
  withdrawal: [find("its cancel request can be taken back")],
  tracking: [find("its shipments have their tracking")],
  events: [find("its events can be followed from")],
  quotes: [quote],
  ordering: [quote],
  account: [],
  keyed: [["request_quote", "Send the finder key as {finder_key}."]],
  finder: [ask],
  quick_link: [["build_quick_checkout_link", "Make the link that the buyer opens."]],
  rates: [["get_policy", "All rate limits."]],
};

const register = step("register_agent", "Register to get a key; it is free.{send_key}");
const KEYLESS: readonly ToolName[] = ["build_quick_checkout_link", "get_policy"];

/** What an answer tells to do, as steps that can be taken: a reader without a key gets one first. */
export function askSteps(
  { policy = [], facts, declined }: Answer,
  { free }: Live,
  { products }: Catalog,
  hasKey: boolean,
): NextStep[] {
  const stocks = facts.filter(({ field }) => field === "availability");
  const ofBeans = products.flatMap((bean): Step[] => {
    const { product_id: id, availability } = bean;
    if (!stocks.some(({ product_id }) => product_id === id)) return [];
    if (isExclusive(bean)) return [ask];
    return availability === "WAITLIST" && (free?.get(id) ?? 1) < 1 ? [join] : [];
  });
  const told = [
    ...policy.flatMap((key) => STEPS[key] ?? []),
    ...ofBeans,
    ...(declined === "KEY_REQUEST" ? [ask] : []),
  ];
  const isFirst = (one: Step, at: number) => told.findIndex(([tool]) => tool === one[0]) === at;
  const needsKey = policy.includes("account") || told.some(([tool]) => !KEYLESS.includes(tool));
  return [
    ...(needsKey && !hasKey ? [register] : []),
    ...told.filter(isFirst).map(([tool, why]) => step(tool, why)),
  ];
}
