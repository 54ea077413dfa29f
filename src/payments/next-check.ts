import { lock, type Rule, readUnlocked, type State } from "../core/command.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/policy.ts";
import { type AttemptRow, LIVE } from "../core/records.ts";
import { GIVE_UP_MS, setAttempt } from "./attempt.ts";

/** How long after a question to the provider the next one is due. */
export const CHECK_EVERY_MS = MINUTE_MS;

/**
 * Refunds and disputes come late: a payment is asked about at growing distances, this long after it
 * moved last, and so often while one of them is open.
 */
const FOLLOW = { first_ms: HOUR_MS, last_ms: 120 * DAY_MS, open_ms: 6 * HOUR_MS } as const;

/**
 * A process that asks the provider about an attempt takes its turn first, by the attempt as it saw it: one
 * of several processes does, and an attempt that fails every time goes to the end of the queue instead of
 * blocking it.
 */
export const claimCheck: Rule<{ now: number; seen: AttemptRow }, AttemptRow | null> = {
  reads: ({ seen: { id, payment_ref } }) => [
    lock("attempts", { id }),
    ...(payment_ref
      ? [readUnlocked("refunds", { payment_ref }), readUnlocked("disputes", { payment_ref })]
      : []),
  ],
  decide({ now, seen }, s) {
    const attempt = s.attempts[0];
    if (!attempt || attempt.check_at === null || attempt.check_at !== seen.check_at) {
      return { reply: null, writes: [] };
    }
    const next = nextCheck(attempt, now, s);
    // Never the same again: that is how the others see that the turn is taken.
    const check_at = next === seen.check_at ? next + 1 : next;
    return { reply: { ...attempt, check_at }, writes: [setAttempt(attempt, { check_at })] };
  },
};

/**
 * Every minute while it is live, and when its hold ends. After it was paid at 1, 2, 4 … hours, for
 * what no webhook tells.
 */
export function nextCheck(
  attempt: Pick<AttemptRow, "status" | "created_at" | "hold_until">,
  now: number,
  moved: MovedMoney = { refunds: [], disputes: [] },
): number | null {
  const givenUp = attempt.created_at + GIVE_UP_MS;
  if (attempt.status === "CREATING" && givenUp > now) return givenUp;
  if (LIVE.has(attempt.status)) {
    const next = now + CHECK_EVERY_MS;
    return attempt.hold_until > now ? Math.min(next, attempt.hold_until) : next;
  }
  return nextFollow(attempt, moved, now);
}

/** What has moved of a payment since it was made. */
type MovedMoney = Pick<State, "refunds" | "disputes">;

/** When to ask again about a payment; null once its money has moved last long ago. */
export function nextFollow(
  { created_at }: Pick<AttemptRow, "created_at">,
  { refunds, disputes }: MovedMoney,
  now: number,
): number | null {
  const age = now - Math.max(created_at, ...[...refunds, ...disputes].map((row) => row.created_at));
  const open =
    refunds.some(({ status }) => status === "PENDING") ||
    disputes.some(({ status }) => status === "OPEN");
  const grown = Math.max(FOLLOW.first_ms, age);
  if (open) return now + Math.min(grown, FOLLOW.open_ms);
  return age > FOLLOW.last_ms ? null : now + grown;
}
