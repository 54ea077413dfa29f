import type { Live } from "../ask/ask.ts";
import { freeBags } from "../core/bags.ts";
import type { Context } from "../core/context.ts";
import type { NextStep } from "../core/errors.ts";
import { newKey } from "../core/ids.ts";
import { step } from "../core/next-step.ts";
import { FIRST_ORDER_SETTING, firstOrderOn, iso } from "../core/policy.ts";
import { PURCHASE_LIMITS, publishedLimits } from "../core/rate-limits.ts";
import { sha256 } from "../core/sha256.ts";
import type { AskAnswer } from "./ask-answer.ts";
import { askSteps } from "./ask-steps.ts";
import { type Credit, credit } from "./finder.ts";
import { type CreditResult, creditQuestion } from "./finder-key.ts";

type FinderProgress = NonNullable<AskAnswer["finder"]>;

/** Questions, and what they earn (contract §9). */
export function finderVerbs(context: Context) {
  const { store, clock, catalog, ask, provider, quoteTtlMs } = context;
  const rateLimits = publishedLimits(context.rateLimits, [...PURCHASE_LIMITS, "ask"]);

  /** Progress is told once: with the question that changed it. */
  async function finder(agentId: string, earned: Credit): Promise<FinderProgress | undefined> {
    const key = newKey("fk_");
    const command = { now: clock(), agentId, credit: earned, catalog, keyHash: sha256(key) };
    const at = await store.run(creditQuestion, command);
    return at ? finderView(at, key) : undefined;
  }

  /** What the catalog file does not know. */
  async function live(): Promise<Live> {
    const [setting, stock] = await Promise.all([
      store.queries.setting(FIRST_ORDER_SETTING),
      store.queries.stock(),
    ]);
    const free = new Map(stock.map((row) => [row.product_id, freeBags(row)]));
    const firstOrderRuns = firstOrderOn(setting);
    return { firstOrderRuns, free, mode: provider.mode, quoteTtlMs, rateLimits };
  }

  return {
    async ask(question: string, agentId: string | null): Promise<AskAnswer> {
      const now = await live();
      const answer = await ask(question, now);
      const earned = agentId === null ? null : credit(answer);
      const view = agentId === null || earned === null ? undefined : await finder(agentId, earned);
      const { policy: _, ...told } = answer;
      const next = [...nextSteps(view), ...askSteps(answer, now, catalog, agentId !== null)];
      return { ...told, ...(view && { finder: view }), next };
    },
  };
}

const finderView = (at: CreditResult, key: string): FinderProgress => ({
  progress: at.progress,
  needed: at.needed,
  ...(at.keyUntil !== null && { finder_key: key, expires_at: iso(at.keyUntil) }),
  ...(at.hint !== undefined && { hint: at.hint }),
});

function nextSteps(view: FinderProgress | undefined): NextStep[] {
  if (view?.finder_key === undefined) return [];
  return [
    step(
      "request_quote",
      "Keep the finder key now: it is shown only this once. Send it as {finder_key} with quotes and " +
        "checkouts of the exclusive bean.",
    ),
  ];
}
