import { MerchantError } from "../domain/shared/errors.ts";
import {
  type Counted,
  countOf,
  type Limit,
  type LimitName,
  limitOf,
  type RateLimits,
} from "../domain/shared/rate-limits.ts";
import type { LimiterAnswer } from "../domain/shared/shared-limit.ts";
import { distinctLimiter, memoryLimiter } from "./memory-limiter.ts";

/** How one consumption went, for the RateLimit headers. */
export interface LimitUse {
  name: LimitName;
  limit: Limit;
  remaining: number;
  /** Seconds until the window is over. */
  reset: number;
}

export interface Limiter {
  consume(subject: string, points: number): Promise<LimiterAnswer>;
  /** One point: what it was taken for came to no effect. */
  undo(subject: string): Promise<void>;
}

/**
 * Who is counted. An address is a caller's network (see clientNetwork); a link is what was pressed.
 */
export interface LimitedCaller {
  key?: string;
  address: string;
  link?: string;
  /** The customer that a courtesy is asked for. */
  buyer?: string;
}

export interface Limits {
  /** False where RATE_LIMITS=off: then nothing is counted. */
  readonly on: boolean;
  /** Takes from each, in order; throws RATE_LIMITED. Answers the tightest one left. */
  take(names: readonly LimitName[], who: LimitedCaller, points?: number): Promise<LimitUse | null>;
  undo(names: readonly LimitName[], who: LimitedCaller): Promise<void>;
}

interface LimiterFactory {
  clock: () => number;
  /** Makes a limiter that counts across instances. */
  shared(name: string, points: number, seconds: number): Limiter;
}

/** No limiters are made when limits are off. */
export function createLimits(table: RateLimits, { clock, shared }: LimiterFactory): Limits {
  if (table === null) return { on: false, take: async () => null, undo: async () => {} };
  const limiters = Object.fromEntries(
    Object.entries(table).map(([name, { points, seconds, counts }]) => {
      if (counts === "made") return [name, shared(name, points, seconds)];
      const limiter = counts === "buyers" ? distinctLimiter : memoryLimiter;
      return [name, limiter(points, seconds, { clock })];
    }),
  ) as Record<LimitName, Limiter>;
  const undo: Limits["undo"] = async (names, who) => {
    for (const name of names) await limiters[name].undo(subjectOf(name, who));
  };
  return {
    on: true,
    async take(names, who, points = 1) {
      let tightest: LimitUse | null = null;
      for (const [place, name] of names.entries()) {
        const { allowed, remaining, resetMs } = await limiters[name].consume(
          subjectOf(name, who),
          points,
        );
        const limit = table[name];
        const metered = { name, limit, remaining, reset: Math.ceil(resetMs / 1000) };
        if (!allowed) {
          await undo(counting(names.slice(0, place), "made"), who);
          throw new RateLimited({ ...metered, remaining: 0, reset: Math.max(1, metered.reset) });
        }
        if (!tightest || remaining < tightest.remaining) tightest = metered;
      }
      return tightest;
    },
    undo,
  };
}

/** Of these the limits that count so, or what was asked. */
export const counting = (names: readonly LimitName[], what?: Counted): LimitName[] =>
  names.filter((name) => limitOf(name).counts === what);

function subjectOf(name: LimitName, who: LimitedCaller): string {
  const { by, counts } = limitOf(name);
  const subject = by === "all" ? "" : (who[by] ?? who.address);
  return counts === "buyers" ? `${subject} ${who.buyer}` : subject;
}

/** 429 with what the headers need. */
export class RateLimited extends MerchantError {
  readonly metered: LimitUse;
  constructor(metered: LimitUse) {
    const { limit } = metered;
    super(
      "RATE_LIMITED",
      `At most ${countOf(limit)} in ${limit.seconds} seconds here. Wait ${metered.reset} seconds, then send it again.`,
      { retryAfter: metered.reset },
    );
    this.metered = metered;
  }
}
