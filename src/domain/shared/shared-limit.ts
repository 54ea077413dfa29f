import { lock, put, type Rule, update, writeRule } from "./command.ts";

/**
 * What is counted across every instance on one database (contract §14: registration), in windows that
 * begin with a subject's first use.
 */
interface CountedUse {
  now: number;
  /** Of the limit. */
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
    const { used, ends_at } = row && row.ends_at > now ? row : fresh;
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
