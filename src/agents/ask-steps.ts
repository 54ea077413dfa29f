import type { Reading } from "../ask/ask.ts";
import { type Step, TOPICS } from "../ask/passages.ts";
import { isExclusive } from "../catalog/catalog.ts";
import type { NextStep } from "../core/errors.ts";
import { step, type ToolName } from "../core/next-step.ts";

const ASK: Step = [
  "ask",
  "Ask good questions about the coffees with your key: they earn a {finder_key}.",
];
const JOIN: Step = ["join_waitlist", "Join the waitlist for the buyer: the bags are short."];
const REGISTER: Step = ["register_agent", "Register to get a key; it is free.{send_key}"];
const KEYLESS: readonly ToolName[] = ["build_quick_checkout_link", "get_policy", "register_agent"];
/** Further topics are less likely meant. */
const MOST_TOPICS = 2;

/** Steps for the topics and named beans of a question; an asker without a key registers first. */
export function askSteps(
  { topics, named, answer }: Reading,
  free: ReadonlyMap<string, number>,
  hasKey: boolean,
): NextStep[] {
  const ofTopics = topics
    .slice(0, MOST_TOPICS)
    .flatMap((name) => TOPICS.find(({ topic }) => topic === name)?.steps ?? []);
  const ofBeans = named.flatMap((bean): Step[] => {
    if (isExclusive(bean)) return [ASK];
    const isShort = bean.availability === "WAITLIST" && (free.get(bean.product_id) ?? 1) < 1;
    return isShort ? [JOIN] : [];
  });
  const all = answer.declined === "KEY_REQUEST" ? [ASK, ...ofTopics] : [...ofBeans, ...ofTopics];
  const steps = all.filter(([tool]) => !(hasKey && tool === "register_agent"));
  const needsKey = !hasKey && steps.some(([tool]) => !KEYLESS.includes(tool));
  const first = needsKey ? [REGISTER, ...steps] : steps;
  const isFirst = (one: Step, at: number) => first.findIndex(([tool]) => tool === one[0]) === at;
  return first.filter(isFirst).map(([tool, why]) => step(tool, why));
}
