import { type Catalog, isExclusive, type Product } from "../catalog/catalog.ts";
import {
  insert,
  lock,
  put,
  type Read,
  type Rule,
  readUnlocked,
  type State,
} from "../core/command.ts";
import { type NextStep, refusal } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { iso, TIMES } from "../core/policy.ts";
import type { FinderCreditRow, FinderKeyRow } from "../core/records.ts";
import { type Credit, type Progress, progress } from "./finder.ts";

/**
 * An agent's questions on the way to its finder key (contract §9). While a key is alive there is
 * nothing to earn. Once it has expired or was revoked the count starts anew, and the questions that
 * earned it may be asked again.
 */
export interface CreditQuestion {
  now: number;
  agentId: string;
  credit: Credit;
  catalog: Catalog;
  /** Of the key that is handed out if this question earns it. */
  keyHash: string;
}

export interface CreditResult extends Progress {
  /** End of the key that this question has earned; null where it has earned none. */
  keyUntil: number | null;
}

/**
 * Null where it brought the agent no nearer to a key. The agent's row is locked: of two third questions
 * at once, one earns the key.
 */
export const creditQuestion: Rule<CreditQuestion, CreditResult | null> = {
  reads: (c) => [
    lock("agents", { id: c.agentId }),
    lock("finder_keys", { agent_id: c.agentId }),
    lock("finder_credits", { agent_id: c.agentId }),
  ],
  decide(c, { finder_keys: keys, finder_credits: credits }) {
    const nothing = { reply: null, writes: [] };
    if (keys.some((key) => isAlive(key, c.now))) return nothing;
    const known = credits.find((row) => row.fingerprint === c.credit.fingerprint);
    if (known && counting(known, keys)) return nothing;
    const key = { agent_id: c.agentId, fingerprint: c.credit.fingerprint };
    const rest = { credit: JSON.stringify(c.credit), created_at: c.now };
    const before = standing(credits, keys, c);
    const more = [...credits.filter((row) => row !== known), { ...key, ...rest }];
    const after = standing(more, keys, c);
    // The hint names all that is missing: what leaves it as it is would never count either. Where nothing
    // is, since another catalog asks for less, the next question earns the key all the same.
    if (!after.earned && after.progress === before.progress && after.hint === before.hint)
      return nothing;
    const writes = [put("finder_credits", known, key, rest)];
    if (!after.earned) return { reply: { ...after, keyUntil: null }, writes };
    const keyUntil = c.now + TIMES.finder_key_ms;
    const times = { created_at: c.now, expires_at: keyUntil };
    const earned = insert("finder_keys", { key_hash: c.keyHash, agent_id: c.agentId, ...times });
    return { reply: { ...after, keyUntil }, writes: [...writes, earned] };
  },
};

/** Where an agent without a key stands, by what is stored. */
const standing = (
  credits: readonly FinderCreditRow[],
  keys: readonly FinderKeyRow[],
  { catalog }: CreditQuestion,
): Progress =>
  progress(
    credits
      .filter((row) => counting(row, keys))
      .sort((a, b) => a.created_at - b.created_at || (a.fingerprint < b.fingerprint ? -1 : 1))
      .map((row) => JSON.parse(row.credit) as Credit),
    catalog,
  );

const isAlive = ({ revoked_at, expires_at }: FinderKeyRow, now: number): boolean =>
  revoked_at === null && expires_at > now;

/** Not spent on a key before. */
const counting = (row: FinderCreditRow, keys: readonly FinderKeyRow[]): boolean =>
  keys.every((key) => row.created_at > key.created_at);

interface LockSubject {
  now: number;
  beans: readonly Product[];
  agentId: string | null;
  finderKeyHash: string | null;
}

/** The agent's own keys, where the lock is asked at all. */
export const lockReads = ({ beans, agentId }: Pick<LockSubject, "beans" | "agentId">): Read[] =>
  agentId !== null && beans.some(isExclusive)
    ? [readUnlocked("finder_keys", { agent_id: agentId })]
    : [];

/**
 * The exclusive bean opens to its own agent's live finder key only (contract §9). `instead`: what
 * else than earning one can be done here.
 */
export function refuseLocked(c: LockSubject, s: Pick<State, "finder_keys">, instead: NextStep) {
  if (!c.beans.some(isExclusive)) return;
  const own = s.finder_keys.filter((key) => key.agent_id === c.agentId && isAlive(key, c.now));
  if (own.some((key) => key.key_hash === c.finderKeyHash)) return;
  const next = [toAnother(own[0], instead), instead];
  if (c.finderKeyHash === null) {
    const detail =
      "The exclusive bean needs a finder key, with its quote and with its checkout. Nothing was done.";
    throw refusal("GEISHA_LOCKED", detail, ...next);
  }
  const detail = "This finder key is unknown, expired, revoked or not this agent's.";
  throw refusal("FINDER_KEY_INVALID", detail, ...next);
}

/** While a key is alive no question earns another: who has one is not sent to ask. */
function toAnother(alive: FinderKeyRow | undefined, { action }: NextStep): NextStep {
  if (!alive) {
    const why = "Three good questions, with your key, earn a finder key; send it as {finder_key}.";
    return step("ask", why);
  }
  const why =
    `Send it again with your {finder_key}, good until ${iso(alive.expires_at)}. It was shown once, with ` +
    "the answer that earned it; another can be earned when it has ended.";
  return { action, why };
}
