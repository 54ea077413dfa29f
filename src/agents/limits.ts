import { widerNetwork } from "../core/client-address.ts";
import { MerchantError, type NextStep } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import {
  type Counted,
  countOf,
  type Limit,
  type LimiterAnswer,
  type LimitName,
  limitOf,
  type RateLimits,
} from "../core/rate-limits.ts";
import { isUnderWay } from "../core/time-windows.ts";

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
  const subject =
    by === "all" ? "" : by === "network" ? widerNetwork(who.address) : (who[by] ?? who.address);
  return counts === "buyers" ? `${subject} ${who.buyer}` : subject;
}

/** A buyer need not wait until an agent can register. */
const WITHOUT_KEY: NextStep[] = [
  step("build_quick_checkout_link", "Works without a key: a link for the buyer, who pays alone."),
  step("get_catalog", "Works without a key."),
  step("ask", "Works without a key."),
  step("register_agent", "Register after retry_after seconds."),
];

/** 429 with what the headers need. */
export class RateLimited extends MerchantError {
  readonly metered: LimitUse;
  constructor(metered: LimitUse) {
    const { limit } = metered;
    super(
      "RATE_LIMITED",
      `At most ${countOf(limit)} in ${limit.seconds} seconds here. Wait ${metered.reset} seconds, then send it again.`,
      {
        retryAfter: metered.reset,
        ...(metered.name.startsWith("register_") && { next: WITHOUT_KEY }),
      },
    );
    this.metered = metered;
  }
}

/** Callers that are counted at one time, for each limit: some megabytes in all. */
const MOST_SUBJECTS = 20_000;

/**
 * Counts in this process, in windows that begin with a subject's first use. All windows of a limiter
 * are equally long, so the oldest entry is the first to end: what is over is dropped from the front,
 * and where strangers fill the table, the one that was nearly over makes room. No timers.
 */
export function memoryLimiter(
  points: number,
  seconds: number,
  { clock, most = MOST_SUBJECTS }: { clock: () => number; most?: number },
): Limiter {
  const windows = new Map<string, { used: number; ends: number }>();
  let inOrder = windows.entries();
  let oldest = inOrder.next();

  /** Goes on where it was last: a new iterator passes over all that has been dropped in between. */
  function makeRoom(now: number): void {
    if (oldest.done) {
      inOrder = windows.entries();
      oldest = inOrder.next();
    }
    for (; !oldest.done; oldest = inOrder.next()) {
      const [subject, window] = oldest.value;
      // It may have been counted anew since, and then stands further back.
      if (windows.get(subject) !== window) continue;
      if (windows.size < most && now < window.ends) return;
      windows.delete(subject);
    }
  }

  function open(subject: string, now: number) {
    const known = windows.get(subject);
    if (known && isUnderWay(known.ends, seconds * 1000, now)) return known;
    windows.delete(subject);
    makeRoom(now);
    const fresh = { used: 0, ends: now + seconds * 1000 };
    windows.set(subject, fresh);
    return fresh;
  }

  return {
    async consume(subject, wanted): Promise<LimiterAnswer> {
      const now = clock();
      const window = open(subject, now);
      const allowed = window.used + wanted <= points;
      if (allowed) window.used += wanted;
      return { allowed, remaining: points - window.used, resetMs: window.ends - now };
    },
    async undo(subject) {
      const window = windows.get(subject);
      if (window && window.used > 0) window.used--;
    },
  };
}

/** Of a subject such as "agt_1 buyer@example.com": how many different ones "agt_1" has had. */
function distinctLimiter(
  points: number,
  seconds: number,
  making: Parameters<typeof memoryLimiter>[2],
): Limiter {
  const known = memoryLimiter(1, seconds, making);
  const counted = memoryLimiter(points, seconds, making);
  return {
    async consume(subject): Promise<LimiterAnswer> {
      const who = subject.slice(0, subject.indexOf(" "));
      const fresh = (await known.consume(subject, 1)).allowed;
      const tally = await counted.consume(who, fresh ? 1 : 0);
      if (!tally.allowed) await known.undo(subject);
      return tally;
    },
    undo: (subject) => known.undo(subject),
  };
}
