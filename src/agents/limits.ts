import { MerchantError, type NextStep } from "../core/errors.ts";
import { addressPseudonym, widerNetwork } from "../core/network.ts";
import { step } from "../core/next-step.ts";
import {
  type Counted,
  countOf,
  type Limit,
  type LimiterAnswer,
  type LimitName,
  limitOf,
  type RateLimits,
  returnPoint,
  take,
  takePoints,
  type Window,
} from "../core/rate-limits.ts";
import type { Store } from "../db/store.ts";

/** One limit after a request, for the RateLimit headers. */
export interface LimitUse {
  name: LimitName;
  limit: Limit;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

interface Limiter {
  consume(subject: string, points: number): Promise<LimiterAnswer>;
  /** Returns one point after the action it paid for has failed. */
  undo(subject: string): Promise<void>;
}

/** The subjects that limits count by. */
export interface LimitedCaller {
  key?: string;
  /** The client's network (see clientNetwork). */
  address: string;
  link?: string;
  /** Email address that a letter goes to. */
  recipient?: string;
  /** The customer who would get a courtesy. */
  buyer?: string;
}

export interface Limits {
  /** False with RATE_LIMITS=off. */
  readonly on: boolean;
  /** Takes points from each limit, in order. Throws RATE_LIMITED; returns the tightest limit. */
  take(names: readonly LimitName[], who: LimitedCaller, points?: number): Promise<LimitUse | null>;
  /** Returns the points of a failed action, unless its refusal reveals another customer. */
  undo(names: readonly LimitName[], who: LimitedCaller, failure?: unknown): Promise<void>;
}

interface LimiterContext {
  clock: () => number;
  store: Pick<Store, "run">;
  /** Turns addresses into pseudonyms before they are stored. */
  secret: Buffer;
}

export function createLimits(table: RateLimits, context: LimiterContext): Limits {
  if (table === null) return { on: false, take: async () => null, undo: async () => {} };
  const limiters = Object.fromEntries(
    Object.entries(table).map(([name, limit]) => {
      if (limit.counts === "made") return [name, sharedLimiter(name, limit, context)];
      const inMemory = limit.counts === "buyers" ? distinctLimiter : memoryLimiter;
      return [name, inMemory(limit, context)];
    }),
  ) as Record<LimitName, Limiter>;
  const undo: Limits["undo"] = async (names, who, failure) => {
    if (failure instanceof MerchantError && failure.isRevealing) return;
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

/** Selects the limits that count this, or requests. */
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

/** 429, with the numbers for its headers. */
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

/** Subjects that one limit counts at a time: some megabytes for all limits together. */
const MOST_SUBJECTS = 20_000;

/**
 * Counts in this process. All windows of a limiter are equally long, so the oldest entry of the map ends
 * first: ended windows are dropped from the front, and a full table drops the one that ends soonest.
 */
export function memoryLimiter(
  { points, seconds }: Pick<Limit, "points" | "seconds">,
  { clock, most = MOST_SUBJECTS }: { clock: () => number; most?: number },
): Limiter {
  const windows = new Map<string, Window>();
  let inOrder = windows.entries();
  let oldest = inOrder.next();

  /** Keeps its place: a new iterator would step over all entries that were dropped before. */
  function makeRoom(now: number): void {
    if (oldest.done) {
      inOrder = windows.entries();
      oldest = inOrder.next();
    }
    for (; !oldest.done; oldest = inOrder.next()) {
      const [subject, window] = oldest.value;
      // A later window of the same subject stands further back.
      if (windows.get(subject) !== window) continue;
      if (windows.size < most && now < window.ends_at) return;
      windows.delete(subject);
    }
  }

  return {
    async consume(subject, wanted) {
      const now = clock();
      const known = windows.get(subject);
      const { window, answer } = take(known, wanted, { points, seconds, now });
      if (known?.ends_at === window.ends_at) known.used = window.used;
      else {
        windows.delete(subject);
        makeRoom(now);
        windows.set(subject, window);
      }
      return answer;
    },
    async undo(subject) {
      const window = windows.get(subject);
      if (window && window.used > 0) window.used--;
    },
  };
}

/** Counts the different buyers of each "agt_1 buyer@example.com" by its first word. */
function distinctLimiter(limit: Limit, context: LimiterContext): Limiter {
  const known = memoryLimiter({ ...limit, points: 1 }, context);
  const counted = memoryLimiter(limit, context);
  return {
    async consume(subject) {
      const who = subject.slice(0, subject.indexOf(" "));
      const isNew = (await known.consume(subject, 1)).allowed;
      const answer = await counted.consume(who, isNew ? 1 : 0);
      if (!answer.allowed) await known.undo(subject);
      return answer;
    },
    undo: (subject) => known.undo(subject),
  };
}

/** Counts in the database. An error refuses the request (contract §11: fail closed). */
export function sharedLimiter(
  name: string,
  { points, seconds }: Pick<Limit, "points" | "seconds">,
  { store, secret, clock }: LimiterContext,
): Limiter {
  const use = (address: string) => {
    return { now: clock(), name, subject: addressPseudonym(secret, address) };
  };
  return {
    consume: (address, wanted) =>
      store.run(takePoints, { ...use(address), wanted, points, seconds }),
    // If the database is gone, the caller loses this point and gets the error that follows.
    undo: async (address) => void (await store.run(returnPoint, use(address)).catch(() => null)),
  };
}
