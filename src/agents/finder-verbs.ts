import { createHmac } from "node:crypto";
import { createAsk, type Reading } from "../ask/ask.ts";
import { type Live, SECTIONS, type Step } from "../ask/sections.ts";
import { isExclusive } from "../catalog/catalog.ts";
import type { CatalogContext } from "../catalog/live-catalog.ts";
import { freeBags } from "../core/bags.ts";
import type { NextStep } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { type AgentId, derivedKey, newKey } from "../core/ids.ts";
import { step, withKeyFirst } from "../core/next-step.ts";
import { FIRST_ORDER_SETTING, firstOrderOn, iso } from "../core/policy.ts";
import { PURCHASE_LIMITS, publishedLimits } from "../core/rate-limits.ts";
import type { AskAnswer } from "./ask-answer.ts";
import { credit } from "./finder.ts";
import { type CreditResult, creditQuestion } from "./finder-key.ts";

type FinderView = NonNullable<AskAnswer["finder"]>;

/** Facts of the moment that sections and bean lines state. */
export async function liveFacts(context: CatalogContext, keyless: boolean): Promise<Live> {
  const { store, provider, quoteTtlMs, supportEmail, catalog } = context;
  const [setting, stock] = await Promise.all([
    store.queries.setting(FIRST_ORDER_SETTING),
    store.queries.stock(),
  ]);
  return {
    firstOrderRuns: firstOrderOn(setting),
    free: new Map(stock.map((row) => [row.product_id, freeBags(row)])),
    exclusive: catalog.products.find(isExclusive)?.name_to_use_with_humans ?? null,
    mode: provider.mode,
    quoteTtlMs,
    rateLimits: publishedLimits(context.rateLimits, PURCHASE_LIMITS),
    supportEmail,
    shop: context.shop,
    keyless,
  };
}

/** Questions and what they earn (contract §9). */
export function finderVerbs(context: CatalogContext) {
  const { store, clock, catalog, secret } = context;
  const ask = createAsk(catalog);

  /** Derives an agent's finder key again, because only its hash is stored. */
  const keyOf = (agentId: AgentId, createdAt: number): string => {
    const hmac = createHmac("sha256", derivedKey(secret, "finder keys"));
    return newKey("fk_", hmac.update(`${agentId}:${createdAt}`).digest());
  };

  async function finder(agentId: AgentId, reading: Reading): Promise<FinderView> {
    const now = clock();
    const command = { now, agentId, credit: credit(reading.pairs), catalog };
    const keyHash = sha256(keyOf(agentId, now));
    const at = await store.run(creditQuestion, { ...command, keyHash });
    const key = at.key && keyOf(agentId, at.key.created_at);
    // Keys of earlier versions cannot be derived.
    const finderKey = key && sha256(key) === at.key?.key_hash ? key : null;
    return {
      progress: at.progress,
      needed: at.needed,
      hint: hint(reading, at, finderKey),
      ...(finderKey !== null && { finder_key: finderKey }),
      ...(at.key && { expires_at: iso(at.key.expires_at) }),
    };
  }

  return {
    /** `keyless`: for an interface that takes no key. */
    async ask(question: string, agentId: AgentId | null, keyless = false): Promise<AskAnswer> {
      const live = await liveFacts(context, keyless);
      const reading = ask(question, live);
      const view =
        agentId !== null && reading.isAboutFinder && live.exclusive !== null
          ? await finder(agentId, reading)
          : null;
      const next = [...finderSteps(view), ...askSteps(reading, live, agentId !== null)];
      return { ...reading.answer, ...(view && { finder: view }), next };
    },
  };
}

/** One or two sentences on whether the question counted, and why. */
function hint({ unearned }: Reading, at: CreditResult, finderKey: string | null): string {
  if (at.key && !at.counted)
    return finderKey === null
      ? "You have a finder key; it was shown with the answer that earned it."
      : "You have this finder key already.";
  if (at.key) return "This question counted and earned the finder key.";
  if (at.counted) return `This question counted. ${at.missing}`;
  const why = unearned ?? "it asks for nothing new";
  return `This question did not count: ${why}. ${at.missing}`;
}

function finderSteps(view: FinderView | null): NextStep[] {
  if (view?.finder_key === undefined) return [];
  return [
    step(
      "request_quote",
      "Send the finder key as {finder_key} with quotes and checkouts of the exclusive bean.",
    ),
  ];
}

const ASK: Step = [
  "ask",
  "Ask good questions about the coffees with your key: they earn a {finder_key}.",
];
const JOIN: Step = ["join_waitlist", "Join the waitlist for the buyer: the bags are short."];
const ASK_AGAIN: Step = ["ask", "If this doesn't answer it, ask again in other words, in English."];
const READ_POLICY: Step = [
  "get_policy",
  "Read the other sections (policy_topics). What none states, the shop doesn't say.",
];
/** Further sections are less likely meant. */
const MOST_SECTIONS = 2;

/** Steps for the sections and named beans of a question; an asker without a key registers first. */
function askSteps(
  { named, answer, isUnclear }: Reading,
  { free, exclusive }: Pick<Live, "free" | "exclusive">,
  hasKey: boolean,
): NextStep[] {
  const { policy = [], declined } = answer;
  const ofSections = (isUnclear ? [] : policy)
    .slice(0, MOST_SECTIONS)
    .flatMap(({ topic }) => SECTIONS.find(({ title }) => title === topic)?.steps ?? [])
    // The stock of a named bean is known.
    .filter(([tool]) => tool !== "join_waitlist" || named.length === 0);
  const ofBeans = named.flatMap((bean): Step[] => {
    if (isExclusive(bean)) return [ASK];
    const isShort = bean.availability === "WAITLIST" && (free.get(bean.product_id) ?? 1) < 1;
    return isShort ? [JOIN] : [];
  });
  const all = [
    ...(declined === "KEY_REQUEST" && exclusive !== null ? [ASK] : ofBeans),
    ...ofSections,
    ...(isUnclear ? [ASK_AGAIN] : []),
    ...(isUnclear || policy.length > 0 ? [READ_POLICY] : []),
  ];
  const possible = all.filter(([tool]) => !(hasKey && tool === "register_agent"));
  const isFirst = ([tool]: Step, at: number) =>
    possible.findIndex(([other]) => other === tool) === at;
  const steps = possible.filter(isFirst).map(([tool, why]) => step(tool, why));
  return hasKey ? steps : withKeyFirst(steps);
}
