import type { AskAnswer } from "../domain/finder/ask-answer.ts";
import { type Credit, credit } from "../domain/finder/finder.ts";
import { type Credited, creditQuestion, standing } from "../domain/finder/finder-credit.ts";
import type { NextStep } from "../domain/shared/errors.ts";
import { step } from "../domain/shared/next-step.ts";
import { iso } from "../domain/shared/policy.ts";
import { sha256 } from "../domain/shared/sha256.ts";
import type { Context } from "./context.ts";
import { newKey } from "./ids.ts";

type FinderProgress = NonNullable<AskAnswer["finder"]>;

/** Questions, and what they earn (contract §9). */
export function finderVerbs({ store, clock, catalog, ask }: Context) {
  /** What is asked in vain, or while a key is alive, is only looked up: it writes nothing. */
  async function look(agentId: string): Promise<Credited> {
    const [credits, keys] = await Promise.all([
      store.queries.finderCredits(agentId),
      store.queries.finderKeys(agentId),
    ]);
    return { ...standing(credits, keys, { now: clock(), catalog }), issued: false };
  }

  async function finder(agentId: string, earned: Credit | null): Promise<FinderProgress> {
    if (earned === null) return finderView(await look(agentId), null);
    const key = newKey("fk_");
    const command = { now: clock(), agentId, credit: earned, catalog, keyHash: sha256(key) };
    return finderView(await store.run(creditQuestion, command), key);
  }

  return {
    async ask(question: string, agentId: string | null): Promise<AskAnswer> {
      const answer = ask(question);
      if (agentId === null) return { ...answer, next: [] };
      const view = await finder(agentId, credit(answer));
      return { ...answer, finder: view, next: nextSteps(view) };
    },
  };
}

const finderView = (at: Credited, key: string | null): FinderProgress => ({
  progress: at.progress,
  needed: at.needed,
  ...(at.issued && key !== null && { finder_key: key }),
  ...(at.keyUntil !== null && { expires_at: iso(at.keyUntil) }),
  ...(at.hint !== undefined && { hint: at.hint }),
});

function nextSteps(view: FinderProgress): NextStep[] {
  if (view.finder_key === undefined) return [];
  return [
    step(
      "request_quote",
      "Keep finder_key now: it is shown only this once. Send it as Finder-Key (over MCP: finder_key) " +
        "with quotes and checkouts of the exclusive bean.",
    ),
  ];
}
