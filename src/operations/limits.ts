import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { MerchantError } from "../domain/shared/errors.ts";
import { LIMIT_TABLE, type Limit, type LimitName } from "../domain/shared/rate-limits.ts";

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
