import { MerchantError } from "../core/errors.ts";
import { paidBy } from "../core/payer.ts";
import {
  type Cost,
  type Limit,
  type LimitedCaller,
  type LimiterAnswer,
  type LimitName,
  levelsOf,
  pointsAt,
  type RateLimits,
  subjectAt,
  take,
  type Window,
} from "../core/rate-limits.ts";

/** One limit after a request, for the RateLimit headers. */
export interface LimitUse {
  name: LimitName;
  limit: Pick<Limit, "points" | "seconds" | "counts">;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

export interface ChargeOptions {
  /** Takes the cost even beyond the limit. */
  forced?: boolean;
  /** The cost is charged once in a window for each of these, such as a buyer's email. */
  about?: string;
}

export interface Limits {
  /** False with RATE_LIMITS=off. */
  readonly on: boolean;
  /**
   * Takes a cost from the caller's key, address and network, or from none of them. Throws RATE_LIMITED;
   * returns the tightest limit.
   */
  charge(cost: Cost, caller: LimitedCaller, options?: ChargeOptions): LimitUse | null;
}

interface LimiterContext {
  clock: () => number;
  /** Whether an address belongs to a platform with many people, which may do more. */
  isPlatform?: (address: string) => boolean;
}

/** A platform's address may do as much more than another as an address may do more than a key. */
const PLATFORM_SHARE = 16;

export function createLimits(
  table: RateLimits,
  { clock, isPlatform = () => false }: LimiterContext,
): Limits {
  if (table === null) return { on: false, charge: () => null };
  const counters = Object.fromEntries(
    Object.entries(table).map(([name, limit]) => {
      const levels = levelsOf(limit).map((level) => {
        const { seconds } = limit;
        const points = pointsAt(limit, level);
        return { level, points, counter: memoryLimiter({ points, seconds }, { clock }) };
      });
      const told = memoryLimiter({ points: 1, seconds: limit.seconds }, { clock });
      return [name, { limit, levels, told }];
    }),
  );
  return {
    on: true,
    charge(cost, caller, { forced = false, about } = {}) {
      const isMany = isPlatform(caller.address);
      const undo: (() => void)[] = [];
      let tightest: LimitUse | null = null;
      for (const [name, wanted] of Object.entries(cost)) {
        const { limit, levels, told } = counters[name]!;
        let due = wanted;
        if (about !== undefined) {
          const known = `${caller.own ?? caller.address} ${about}`;
          if (told.consume(known, 1).allowed) undo.push(() => told.giveBack(known, 1));
          else due = 0;
        }
        for (const { level, points: usual, counter } of levels) {
          const subject = subjectAt(caller, level);
          if (subject === undefined) continue;
          const points = isMany && level !== "own" ? usual * PLATFORM_SHARE : usual;
          const { allowed, remaining, resetMs } = counter.consume(subject, due, { points, forced });
          const { seconds, counts } = limit;
          const metered: LimitUse = {
            name: name as LimitName,
            limit: { points, seconds, ...(counts && { counts }) },
            remaining,
            reset: Math.ceil(resetMs / 1000),
          };
          if (!allowed) {
            for (const step of undo) step();
            throw new RateLimited({ ...metered, remaining: 0, reset: Math.max(1, metered.reset) });
          }
          undo.push(() => counter.giveBack(subject, due));
          if (!tightest || remaining < tightest.remaining) tightest = metered;
        }
      }
      return tightest;
    },
  };
}

/** Charges whatever this writes to the caller, where the store writes it. */
export const charged = <T>(limits: Limits, caller: LimitedCaller, run: () => T): T =>
  limits.on
    ? paidBy((written, forced) => void limits.charge(written, caller, { forced }), run)
    : run();

/** 429, with the numbers for its headers. */
export class RateLimited extends MerchantError {
  readonly metered: LimitUse;
  constructor(metered: LimitUse) {
    const { points, seconds, counts } = metered.limit;
    super(
      "RATE_LIMITED",
      `At most ${points}${counts ? ` ${counts}` : ""} in ${seconds} seconds here. Wait ${metered.reset} seconds, then send it again.`,
      { retryAfter: metered.reset },
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
  { points: usual, seconds }: Pick<Limit, "points" | "seconds">,
  { clock, most = MOST_SUBJECTS }: { clock: () => number; most?: number },
) {
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
    consume(
      subject: string,
      wanted: number,
      { points = usual, forced = false }: { points?: number; forced?: boolean } = {},
    ): LimiterAnswer {
      const now = clock();
      const known = windows.get(subject);
      const { window, answer } = take(known, wanted, { points, seconds, now, forced });
      if (known?.ends_at === window.ends_at) known.used = window.used;
      else {
        windows.delete(subject);
        makeRoom(now);
        windows.set(subject, window);
      }
      return answer;
    },
    /** Returns points after the action they paid for was refused. */
    giveBack(subject: string, points: number): void {
      const window = windows.get(subject);
      if (window) window.used = Math.max(0, window.used - points);
    },
  };
}
