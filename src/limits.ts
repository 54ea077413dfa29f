import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { MerchantError } from "./domain/errors.ts";

/** A limit by name: how many in how many seconds, counted by key or by client address (CONTRACT §14). */
interface Limit {
  by: "key" | "address";
  points: number;
  seconds: number;
  /** Counted across all instances, in the store; the others per instance, in memory. */
  shared?: true;
}

export const LIMIT_TABLE = {
  register_hour: { by: "address", points: 5, seconds: 3600, shared: true },
  register_day: { by: "address", points: 20, seconds: 86_400, shared: true },
  key: { by: "key", points: 120, seconds: 60 },
  quotes: { by: "key", points: 30, seconds: 60 },
  checkout: { by: "key", points: 10, seconds: 60 },
  feedback: { by: "key", points: 5, seconds: 3600 },
  leads: { by: "key", points: 5, seconds: 3600 },
  ask: { by: "address", points: 30, seconds: 60 },
  quick_checkout: { by: "address", points: 20, seconds: 60 },
  catalog: { by: "address", points: 120, seconds: 60 },
  desk_sign_in: { by: "address", points: 5, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** "30 per minute per key": what /agent-info and registration publish. */
export function publishedLimits(): Record<string, string> {
  const words = { 60: "minute", 3600: "hour", 86400: "day" };
  return Object.fromEntries(
    Object.entries(LIMIT_TABLE).map(([name, { by, points, seconds }]) => [
      name,
      `${points} per ${words[seconds]} per ${by}`,
    ]),
  );
}

/** How one consumption went, for the RateLimit headers. */
export interface Metered {
  name: LimitName;
  remaining: number;
  /** Seconds until the window is over. */
  reset: number;
}

/** A limiter for one table entry; rate-limiter-flexible's own interface, so its stores fit as they are. */
export interface Limiter {
  consume(key: string): Promise<RateLimiterRes>;
}

export interface Limits {
  /** Takes one from each; throws RATE_LIMITED. Answers the tightest one left. */
  take(
    names: readonly LimitName[],
    who: { key?: string; address: string },
  ): Promise<Metered | null>;
}

/** `shared` makes the limiters that count across instances; none are made when limits are off. */
export function createLimits(
  enabled: boolean,
  shared: (name: string, points: number, seconds: number) => Limiter,
): Limits {
  if (!enabled) return { take: async () => null };
  const limiters = Object.fromEntries(
    Object.entries(LIMIT_TABLE).map(([name, limit]) => [
      name,
      "shared" in limit
        ? shared(name, limit.points, limit.seconds)
        : new RateLimiterMemory({ points: limit.points, duration: limit.seconds }),
    ]),
  ) as Record<LimitName, Limiter>;
  return {
    async take(names, who) {
      let tightest: Metered | null = null;
      for (const name of names) {
        const limit: Limit = LIMIT_TABLE[name];
        const subject = (limit.by === "key" ? who.key : undefined) ?? who.address;
        const metered = await consume(limiters[name], name, subject);
        if (!tightest || metered.remaining < tightest.remaining) tightest = metered;
      }
      return tightest;
    },
  };
}

async function consume(limiter: Limiter, name: LimitName, subject: string): Promise<Metered> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(subject);
    return { name, remaining: remainingPoints, reset: Math.ceil(msBeforeNext / 1000) };
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const reset = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new RateLimited({ name, remaining: 0, reset });
  }
}

/** 429 with what the headers need. */
export class RateLimited extends MerchantError {
  readonly metered: Metered;
  constructor(metered: Metered) {
    const { points, seconds } = LIMIT_TABLE[metered.name];
    super(
      "RATE_LIMITED",
      `At most ${points} in ${seconds} seconds here. Wait ${metered.reset} seconds, then send it again.`,
      { retryAfter: metered.reset },
    );
    this.metered = metered;
  }
}
