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
import type { AgentId } from "../core/ids.ts";
import { step } from "../core/next-step.ts";
import { iso, TIMES } from "../core/policy.ts";
import type { FinderCreditRow, FinderKeyRow } from "../core/records.ts";
import { type Credit, NEEDED, type Progress, progress, storedCredit } from "./finder.ts";

/**
 * One question of an agent (contract §9). While a key is alive there is nothing to earn: it is shown again.
 * After it expires or is revoked, the count restarts, and the same questions count again.
 */
export interface CreditQuestion {
  now: number;
  agentId: AgentId;
  /** Null for a question that earns nothing. */
  credit: Credit | null;
  catalog: Catalog;
  /** Hash of the key that this question may earn. */
  keyHash: string;
}

export interface CreditResult extends Progress {
  counted: boolean;
  /** The agent's live key, earned now or before; null without one. */
  key: Pick<FinderKeyRow, "key_hash" | "created_at" | "expires_at"> | null;
}

/** Locks the agent's row if a question may count: of two third questions at once, one earns the key. */
export const creditQuestion: Rule<CreditQuestion, CreditResult> = {
  reads: (c) => {
    const own = { agent_id: c.agentId };
    return c.credit === null
      ? [readUnlocked("finder_keys", own), readUnlocked("finder_credits", own)]
      : [lock("agents", { id: c.agentId }), lock("finder_keys", own), lock("finder_credits", own)];
  },
  decide(c, { finder_keys: keys, finder_credits: credits }) {
    const alive = keys.find((key) => isAlive(key, c.now));
    if (alive) {
      const earned = { progress: NEEDED, needed: NEEDED, earned: true, missing: "" } as const;
      return { reply: { ...earned, counted: false, key: alive }, writes: [] };
    }
    const before = standing(credits, keys, c);
    const unchanged = { reply: { ...before, counted: false, key: null }, writes: [] };
    if (c.credit === null) return unchanged;
    const { fingerprint } = c.credit;
    const known = credits.find((row) => row.fingerprint === fingerprint);
    if (known && isUnspent(known, keys)) return unchanged;
    const key = { agent_id: c.agentId, fingerprint };
    const rest = { credit: JSON.stringify(c.credit), created_at: c.now };
    const after = standing(
      [...credits.filter((row) => row !== known), { ...key, ...rest }],
      keys,
      c,
    );
    // A question that changes nothing is not stored. If another catalog needs less, the next question earns
    // the key anyway.
    if (!after.earned && after.progress === before.progress && after.missing === before.missing)
      return unchanged;
    const writes = [put("finder_credits", known, key, rest)];
    if (!after.earned) return { reply: { ...after, counted: true, key: null }, writes };
    const row = { key_hash: c.keyHash, created_at: c.now, expires_at: c.now + TIMES.finder_key_ms };
    const earned = insert("finder_keys", { ...row, agent_id: c.agentId });
    return { reply: { ...after, counted: true, key: row }, writes: [...writes, earned] };
  },
};

/** Progress of an agent without a key, from its stored credits. */
const standing = (
  credits: readonly FinderCreditRow[],
  keys: readonly FinderKeyRow[],
  { catalog }: CreditQuestion,
): Progress =>
  progress(
    credits
      .filter((row) => isUnspent(row, keys))
      .sort((a, b) => a.created_at - b.created_at || (a.fingerprint < b.fingerprint ? -1 : 1))
      .map((row) => storedCredit(row.credit)),
    catalog,
  );

const isAlive = ({ revoked_at, expires_at }: FinderKeyRow, now: number): boolean =>
  revoked_at === null && expires_at > now;

/** No key was earned with this credit yet. */
const isUnspent = (row: FinderCreditRow, keys: readonly FinderKeyRow[]): boolean =>
  keys.every((key) => row.created_at > key.created_at);

interface LockSubject {
  now: number;
  beans: readonly Product[];
  agentId: AgentId | null;
  finderKeyHash: string | null;
}

/** The agent's keys, if the beans include the exclusive one. */
export const lockReads = ({ beans, agentId }: Pick<LockSubject, "beans" | "agentId">): Read[] =>
  agentId !== null && beans.some(isExclusive)
    ? [readUnlocked("finder_keys", { agent_id: agentId })]
    : [];

/**
 * Refuses the exclusive bean without this agent's live finder key (contract §9). `instead`: the next step
 * besides earning one.
 */
export function refuseLocked(c: LockSubject, s: Pick<State, "finder_keys">, instead: NextStep) {
  if (!c.beans.some(isExclusive)) return;
  const own = s.finder_keys.filter((key) => key.agent_id === c.agentId && isAlive(key, c.now));
  if (own.some((key) => key.key_hash === c.finderKeyHash)) return;
  const next = [toAnother(own[0], instead), instead];
  if (c.finderKeyHash === null) {
    const detail =
      "The exclusive bean needs a finder key, for its quote and its checkout. Nothing was done.";
    throw refusal("GEISHA_LOCKED", detail, ...next);
  }
  const detail = "This finder key is unknown, expired, revoked or not this agent's.";
  throw refusal("FINDER_KEY_INVALID", detail, ...next);
}

/** An agent with a live key cannot earn another, so next tells it to send that one. */
function toAnother(alive: FinderKeyRow | undefined, refused: NextStep): NextStep {
  const sends = "finder_key";
  if (!alive) {
    return { ...step("ask", "Three good questions, with your key, earn a finder key."), sends };
  }
  const why =
    `Repeat this with your finder key, good until ${iso(alive.expires_at)}. If it is lost, ask for your finder ` +
    "key, with your API key: the answer shows it again.";
  return { ...refused, why, sends };
}
