import { type Catalog, isExclusive, type Product } from "../catalog/catalog.ts";
import {
  insert,
  lock,
  put,
  type Read,
  type Rule,
  readUnlocked,
  type State,
} from "../shared/command.ts";
import { type NextStep, refusal } from "../shared/errors.ts";
import { step } from "../shared/next-step.ts";
import { iso, TIMES } from "../shared/policy.ts";
import type { FinderCreditRow, FinderKeyRow } from "../shared/records.ts";
import { type Credit, NEEDED, type Progress, progress } from "./finder.ts";

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
  /** End of the live key; null where there is none. */
  keyUntil: number | null;
  issued: boolean;
  /** It brought the agent nearer to a key. */
  changed: boolean;
}

/** The agent's row is locked: of two third questions at once, one earns the key. */
export const creditQuestion: Rule<CreditQuestion, CreditResult> = {
  reads: (c) => [
    lock("agents", { id: c.agentId }),
    lock("finder_keys", { agent_id: c.agentId }),
    lock("finder_credits", { agent_id: c.agentId }),
  ],
  decide(c, s) {
    const before = standing(s.finder_credits, s.finder_keys, c);
    const unchanged = { reply: { ...before, issued: false, changed: false }, writes: [] };
    if (before.keyUntil !== null) return unchanged;
    const known = s.finder_credits.find((row) => row.fingerprint === c.credit.fingerprint);
    if (known && counting(known, s.finder_keys)) return unchanged;
    const key = { agent_id: c.agentId, fingerprint: c.credit.fingerprint };
    const rest = { credit: JSON.stringify(c.credit), created_at: c.now };
    const credits = [...s.finder_credits.filter((row) => row !== known), { ...key, ...rest }];
    const after = standing(credits, s.finder_keys, c);
    // The hint names all that is missing: what leaves it as it is would never count either.
    if (after.progress === before.progress && after.hint === before.hint) return unchanged;
    const writes = [put("finder_credits", known, key, rest)];
    if (!after.earned) return { reply: { ...after, issued: false, changed: true }, writes };
    const expires_at = c.now + TIMES.finder_key_ms;
    const earnedKey = { key_hash: c.keyHash, agent_id: c.agentId, created_at: c.now, expires_at };
    return {
      reply: { ...after, keyUntil: expires_at, issued: true, changed: true },
      writes: [...writes, insert("finder_keys", earnedKey)],
    };
  },
};

/** Where an agent stands, by what is stored. */
function standing(
  credits: readonly FinderCreditRow[],
  keys: readonly FinderKeyRow[],
  { now, catalog }: { now: number; catalog: Catalog },
): Progress & Pick<CreditResult, "keyUntil"> {
  const alive = keys.find((key) => isAlive(key, now));
  if (alive) {
    return { progress: NEEDED, needed: NEEDED, earned: true, keyUntil: alive.expires_at };
  }
  const counted = credits
    .filter((row) => counting(row, keys))
    .sort((a, b) => a.created_at - b.created_at || (a.fingerprint < b.fingerprint ? -1 : 1))
    .map((row) => JSON.parse(row.credit) as Credit);
  return { ...progress(counted, catalog), keyUntil: null };
}

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
