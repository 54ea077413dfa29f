import { lock, put, type Rule, update, writeRule } from "./command.ts";
import { decimal } from "./fields.ts";
import { LIMITS } from "./policy.ts";
import { isUnderWay } from "./time.ts";

/** A number of points in a window of seconds (contract §14). */
export interface Limit {
  /** One counter for each key, client address (an IPv6 client's /64), network (its /48) or link. */
  by: "key" | "address" | "network" | "link" | "recipient" | "all";
  points: number;
  seconds: number;
  /** Set if it counts something other than requests. */
  counts?: Counted;
}

/**
 * `made`: successful creations and refusals that reveal another customer, no other refusals and no retries.
 * They are counted in the database, across instances; every other limit is counted in memory, per instance.
 * `bytes`: the size of requests that are stored for long.
 * `buyers`: different buyers, because the answer reveals whether they have bought here.
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
  waitlist: { by: "key", points: 10, seconds: 3600, counts: "made" },
  /** Cancellations and withdrawals, whose answers are stored for retries. */
  changes: { by: "key", points: 120, seconds: 3600 },
  feedback: { by: "key", points: 5, seconds: 3600, counts: "made" },
  leads: { by: "key", points: 5, seconds: 3600, counts: "made" },
  /** Feedback and leads, each a letter to the merchant, because keys are free. */
  messages_address: { by: "address", points: 30, seconds: 3600, counts: "made" },
  messages_network: { by: "network", points: 120, seconds: 3600, counts: "made" },
  ask: { by: "address", points: 30, seconds: 60 },
  quick_checkout: { by: "address", points: 20, seconds: 60 },
  /** Every UCP call, over REST and JSON-RPC. */
  ucp: { by: "address", points: 120, seconds: 60 },
  /** Every request, besides the limit of what it asks for. */
  requests: { by: "address", points: 1200, seconds: 60 },
  catalog: { by: "address", points: 120, seconds: 60 },
  /** Every message to /mcp and every entry of a batch, besides the limit of the tool. */
  mcp: { by: "address", points: 240, seconds: 60 },
  /** Pages that are made for each request, and their forms. */
  pages: { by: "address", points: 120, seconds: 60 },
  pay: { by: "link", points: 10, seconds: 60 },
  /** Each press after a canceled payment adds an attempt, and the page reads all attempts. */
  pay_day: { by: "link", points: 60, seconds: 86_400 },
  /** Every press may call the provider. */
  pay_address: { by: "address", points: 30, seconds: 60 },
  /** Cards tried on one page of the sandbox, whose answers are kept for a month. */
  cards: { by: "link", points: 20, seconds: 3600 },
  cards_address: { by: "address", points: 200, seconds: 3600 },
  /** Letters about orders that cost money; those that anybody can cause for nothing are fewer. */
  letters: { by: "recipient", points: 100, seconds: 86_400 },
  free_letters: { by: "recipient", points: 10, seconds: 86_400 },
  /** Numbers of orders can be guessed, and an email may be known. */
  find_order: { by: "address", points: 10, seconds: 3600 },
  find_order_email: { by: "recipient", points: 20, seconds: 86_400 },
  desk_sign_in: { by: "address", points: 5, seconds: 60 },
  desk_sign_in_total: { by: "all", points: 30, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** An installation's limits, or null for none. */
export type RateLimits = Readonly<Record<LimitName, Limit>> | null;

export const limitOf = (name: LimitName): Limit => LIMIT_TABLE[name];

/** A smaller byte budget would refuse the largest request forever. */
const leastOf = ({ counts }: Limit): number => (counts === "bytes" ? LIMITS.body_bytes : 1);
const MOST_POINTS = 1_000_000_000;

/** Reads RATE_LIMITS: "on", "off" or new numbers by name ("quotes=60,mcp=1000"). Windows stay. */
export function readRateLimits(text: string): { limits: RateLimits } | { problem: string } {
  if (text === "off") return { limits: null };
  const limits: Record<LimitName, Limit> = { ...LIMIT_TABLE };
  if (text === "on") return { limits };
  for (const part of text.split(",").map((one) => one.trim())) {
    const [, name = "", number = ""] = /^([a-z_]+)=(\d{1,10})$/.exec(part) ?? [];
    const points = decimal(number);
    if (points === null || !Object.hasOwn(limits, name)) {
      const known = Object.keys(limits).join(", ");
      return { problem: `must be on, off, or name=number, not "${part}". Names: ${known}` };
    }
    const limit = limits[name as LimitName];
    if (points < leastOf(limit) || points > MOST_POINTS) {
      return {
        problem: `must have ${name} from ${leastOf(limit)} to ${MOST_POINTS}, not ${points}`,
      };
    }
    limits[name as LimitName] = { ...limit, points };
  }
  return { limits };
}

/** "30" requests, or "50 buyers". */
export const countOf = ({ points, counts }: Pick<Limit, "points" | "counts">): string =>
  counts === "bytes" || counts === "buyers" ? `${points} ${counts}` : String(points);

export const PURCHASE_LIMITS: readonly LimitName[] = ["key", "quotes", "checkout"];
/** The same without a key. */
export const KEYLESS_LIMITS: readonly LimitName[] = ["catalog", "ask", "quick_checkout"];

/** Limits in words, such as "30 per minute per key". */
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

export interface LimiterAnswer {
  allowed: boolean;
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** The points that one subject has used, until `ends_at`. A window begins with its first use. */
export interface Window {
  used: number;
  ends_at: number;
}

/** Takes points from a window, or from a new one after it has ended. A refusal takes none. */
export function take(
  window: Window | undefined,
  wanted: number,
  { points, seconds, now }: { points: number; seconds: number; now: number },
): { window: Window; answer: LimiterAnswer } {
  const isOpen = window && isUnderWay(window.ends_at, seconds * 1000, now);
  const { used, ends_at } = isOpen ? window : { used: 0, ends_at: now + seconds * 1000 };
  const allowed = used + wanted <= points;
  const after = { used: allowed ? used + wanted : used, ends_at };
  const answer = { allowed, remaining: points - after.used, resetMs: ends_at - now };
  return { window: after, answer };
}

/** A limit that every instance on one database shares (contract §14: registration). */
interface CountedUse {
  now: number;
  name: string;
  /** Pseudonym of an address, which only this installation can compute. */
  subject: string;
}

interface TakePoints extends CountedUse {
  wanted: number;
  points: number;
  seconds: number;
}

const counted = ({ name, subject }: CountedUse) => [lock("rate_limits", { name, subject })];

export const takePoints: Rule<TakePoints, LimiterAnswer> = {
  reads: counted,
  decide({ name, subject, wanted, ...limit }, { rate_limits: [row] }) {
    const { window, answer } = take(row, wanted, limit);
    const writes = answer.allowed
      ? [put("rate_limits", row, { name, subject }, { ...window })]
      : [];
    return { reply: answer, writes };
  },
};

/** Returns one point after the action it paid for has failed. */
export const returnPoint = writeRule<CountedUse>({
  reads: counted,
  writes: ({ now, name, subject }, { rate_limits: [row] }) =>
    row && row.used > 0 && row.ends_at > now
      ? [update("rate_limits", { name, subject }, { used: row.used - 1 })]
      : [],
});
