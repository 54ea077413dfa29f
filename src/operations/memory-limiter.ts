import type { LimiterAnswer } from "../domain/shared/shared-limit.ts";
import type { Limiter } from "./limits.ts";

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

  function open(subject: string, now: number) {
    const known = windows.get(subject);
    // A clock that was set back must not make a window last.
    if (known && now < known.ends && known.ends - now <= seconds * 1000) return known;
    windows.delete(subject);
    for (const [oldest, { ends }] of windows) {
      if (windows.size < most && now < ends) break;
      windows.delete(oldest);
    }
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
export function distinctLimiter(
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
