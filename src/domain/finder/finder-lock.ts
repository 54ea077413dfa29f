import type { Product } from "../catalog/catalog.ts";
import type { State } from "../shared/command.ts";
import { MerchantError, type NextStep } from "../shared/errors.ts";
import { step } from "../shared/next-step.ts";

interface LockSubject {
  now: number;
  beans: readonly Product[];
  agentId: string | null;
  finderKeyHash: string | null;
}

/**
 * The exclusive bean opens to its own agent's live finder key only (contract §9). `instead`: what
 * else than earning one can be done here.
 */
export function refuseLocked(
  c: LockSubject,
  s: Pick<State, "finder_keys">,
  instead: NextStep,
): void {
  if (!c.beans.some((bean) => bean.availability === "EXCLUSIVE")) return;
  const earn = step(
    "ask",
    "Three good questions, with your key, earn a finder key; send it as {finder_key}.",
  );
  if (c.finderKeyHash === null) {
    throw new MerchantError(
      "GEISHA_LOCKED",
      "The exclusive bean needs a finder key, with its quote and with its checkout. Nothing was done.",
      { next: [earn, instead] },
    );
  }
  const key = s.finder_keys.find((row) => row.key_hash === c.finderKeyHash);
  if (!key || key.agent_id !== c.agentId || key.revoked_at !== null || key.expires_at <= c.now) {
    throw new MerchantError(
      "FINDER_KEY_INVALID",
      "This finder key is unknown, expired, revoked or not this agent's.",
      { next: [earn] },
    );
  }
}
