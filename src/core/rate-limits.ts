import { lock, put, type Rule, update, writeRule } from "./command.ts";
import { decimal } from "./fields.ts";
import { LIMITS } from "./policy.ts";
import { isUnderWay } from "./time-windows.ts";

/** A limit by name: how many in how many seconds (contract §14). */
export interface Limit {
  /** One counter for each key, client address (an IPv6 caller's /64), network (its /48) or link. */
  by: "key" | "address" | "network" | "link" | "all";
  points: number;
  seconds: number;
  /** What is counted in place of what was asked. */
  counts?: Counted;
}

/**
 * `made`: what was newly made, so that a refusal or a retry costs nothing; across all instances, in the
 * store, and the others per instance, in memory. `bytes` of requests, because what is kept for long has
 * a budget. `buyers`: different ones, of whom the answer tells whether they have bought here.
 */
export type Counted = "made" | "bytes" | "buyers";

export const LIMIT_TABLE = {
  /** Hosted assistants share addresses. */
  register_hour: { by: "address", points: 60, seconds: 3600, counts: "made" },
  register_network: { by: "network", points: 600, seconds: 3600, counts: "made" },
  register_attempts: { by: "address", points: 120, seconds: 60 },
  key: { by: "key", points: 120, seconds: 60 },
  quotes: { by: "key", points: 30, seconds: 60 },
  quote_bytes: { by: "key", points: 4 * 1024 * 1024, seconds: 86_400, counts: "bytes" },
  courtesy_buyers: { by: "key", points: 50, seconds: 86_400, counts: "buyers" },
  checkout: { by: "key", points: 10, seconds: 60 },
  waitlist: { by: "key", points: 10, seconds: 3600 },
  /** What takes something back: each answer is kept for its retries. */
  changes: { by: "key", points: 120, seconds: 3600 },
  feedback: { by: "key", points: 5, seconds: 3600, counts: "made" },
  leads: { by: "key", points: 5, seconds: 3600, counts: "made" },
  ask: { by: "address", points: 30, seconds: 60 },
  quick_checkout: { by: "address", points: 20, seconds: 60 },
  /** Every UCP call, over REST and JSON-RPC. */
  ucp: { by: "address", points: 120, seconds: 60 },
  catalog: { by: "address", points: 120, seconds: 60 },
  /** Every message to /mcp, each entry of a batch, beside the limit of what it calls. */
  mcp: { by: "address", points: 240, seconds: 60 },
  pay: { by: "link", points: 10, seconds: 60 },
  /** Each press after a canceled one is an attempt more, and its page reads all of a quote's. */
  pay_day: { by: "link", points: 60, seconds: 86_400 },
  desk_sign_in: { by: "address", points: 5, seconds: 60 },
  desk_sign_in_total: { by: "all", points: 30, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** The limits of an installation; null where nothing is limited. */
export type RateLimits = Readonly<Record<LimitName, Limit>> | null;

export const limitOf = (name: LimitName): Limit => LIMIT_TABLE[name];

/** Fewer bytes a day than the largest request has would refuse that one for ever. */
const leastOf = ({ counts }: Limit): number => (counts === "bytes" ? LIMITS.body_bytes : 1);
const MOST_POINTS = 1_000_000_000;

/**
 * "on", "off", or how many instead of the usual, by name: "quotes=60,mcp=1000"; the windows stay. Text
 * that is none of these is answered with what is wrong with it.
 */
export function readRateLimits(text: string): { limits: RateLimits } | { problem: string } {
  if (text === "off") return { limits: null };
  const limits: Record<LimitName, Limit> = { ...LIMIT_TABLE };
  if (text === "on") return { limits };
  for (const part of text.split(",").map((one) => one.trim())) {
    const [, name = "", number = ""] = /^([a-z_]+)=(\d{1,10})$/.exec(part) ?? [];
    const points = decimal(number);
    if (points === null || !Object.hasOwn(limits, name)) {
      const known = Object.keys(limits).join(", ");
      return { problem: `is on, off, or name=number of ${known}; not "${part}"` };
    }
    const limit = limits[name as LimitName];
    if (points < leastOf(limit) || points > MOST_POINTS) {
      return { problem: `${name} is from ${leastOf(limit)} to ${MOST_POINTS}, not ${points}` };
    }
    limits[name as LimitName] = { ...limit, points };
  }
  return { limits };
}

/** "30", or "50 buyers" where it is not requests that are counted. */
export const countOf = ({ points, counts }: Pick<Limit, "points" | "counts">): string =>
  counts === "bytes" || counts === "buyers" ? `${points} ${counts}` : String(points);

export const PURCHASE_LIMITS: readonly LimitName[] = ["key", "quotes", "checkout"];

/** "30 per minute per key", of all limits unless they are named. */
export function publishedLimits(
  limits: RateLimits,
  names: readonly LimitName[] = Object.keys(LIMIT_TABLE) as LimitName[],
): Record<string, string> {
  const words: Record<number, string> = { 60: "minute", 3600: "hour", 86400: "day" };
  return Object.fromEntries(
    names.map((name) => {
      if (limits === null) return [name, "not limited"];
      const limit = limits[name];
      const { by, seconds } = limit;
      const each = by === "all" ? "in all" : `per ${by}`;
      return [name, `${countOf(limit)} per ${words[seconds]} ${each}`];
    }),
  );
}

/**
 * What is counted across every instance on one database (contract §14: registration), in windows that
 * begin with a subject's first use.
 */
interface CountedUse {
  now: number;
  name: string;
  /** A pseudonym of the address: what only this installation can make of it. */
  subject: string;
}

interface TakePoints extends CountedUse {
  wanted: number;
  /** So many in one window of so many seconds. */
  points: number;
  seconds: number;
}

export interface LimiterAnswer {
  allowed: boolean;
  remaining: number;
  /** Milliseconds until the window is over. */
  resetMs: number;
}

const counted = ({ name, subject }: CountedUse) => [lock("rate_limits", { name, subject })];

/** A refusal is not counted: who waits until the window is over is let in again. */
export const takePoints: Rule<TakePoints, LimiterAnswer> = {
  reads: counted,
  decide({ now, name, subject, wanted, points, seconds }, { rate_limits: [row] }) {
    const fresh = { used: 0, ends_at: now + seconds * 1000 };
    const { used, ends_at } = row && isUnderWay(row.ends_at, seconds * 1000, now) ? row : fresh;
    const allowed = used + wanted <= points;
    const set = { used: allowed ? used + wanted : used, ends_at };
    return {
      reply: { allowed, remaining: points - set.used, resetMs: ends_at - now },
      writes: allowed ? [put("rate_limits", row, { name, subject }, set)] : [],
    };
  },
};

/** What it was taken for came to no effect. */
export const returnPoint = writeRule<CountedUse>({
  reads: counted,
  writes: ({ now, name, subject }, { rate_limits: [row] }) =>
    row && row.used > 0 && row.ends_at > now
      ? [update("rate_limits", { name, subject }, { used: row.used - 1 })]
      : [],
});
