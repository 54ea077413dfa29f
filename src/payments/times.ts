import { lock, type Rule, readUnlocked, type State } from "../core/command.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, TIMES } from "../core/policy.ts";
import type { AttemptRow } from "../core/records.ts";
import { setAttempt } from "./attempt.ts";

/** When an attempt is checked, and when its status has lasted too long. */

/**
 * Time that the provider may take to make the page: longer than a call with all its retries. Nobody knows
 * the page's address yet, so giving up does no harm.
 */
export const GIVE_UP_MS = 2 * MINUTE_MS;

/**
 * Time that a process has to capture or release a payment before another one may: longer than a call with
 * all its retries.
 */
const CALL_EVERY_MS = MINUTE_MS;

/** Interval between two checks of a page that could not be closed yet. */
const OVERDUE_MS = MINUTE_MS;

/** Bounds of the growing intervals between checks, so that many open payments cost the provider few calls. */
const GROWING = {
  OPEN: { least_ms: MINUTE_MS, most_ms: 10 * MINUTE_MS },
  /** A debit takes days, and a webhook tells its end. */
  PROCESSING: { least_ms: MINUTE_MS, most_ms: 4 * HOUR_MS },
} as const;

/** An incident tells the merchant about a call that has not succeeded for this long. */
const STUCK_MS = { CAPTURING: 10 * MINUTE_MS, RELEASING: HOUR_MS } as const;

/** Banks authorize a payment for at most a week. */
export const LAPSED_MS = 8 * DAY_MS;

/** Start of the call that is under way. */
export const calledSince = (attempt: Pick<AttemptRow, "called_since" | "created_at">): number =>
  attempt.called_since ?? attempt.created_at;

/** End of a status: its page closes, its bags are released, or the merchant is told. */
function deadline(attempt: Timed): number {
  const { status, created_at, expires_at } = attempt;
  switch (status) {
    case "CREATING":
    case "OPEN":
      return expires_at;
    case "PROCESSING":
      return created_at + TIMES.processing_hold_ms;
    case "CAPTURING":
    case "RELEASING":
      return calledSince(attempt) + STUCK_MS[status];
    default:
      return Number.POSITIVE_INFINITY;
  }
}

export const isOverdue = (attempt: Timed, now: number): boolean => deadline(attempt) <= now;

type Timed = Pick<AttemptRow, "status" | "created_at" | "expires_at" | "called_since">;

/**
 * Refunds and disputes come late. A payment is checked at growing intervals until its money has not moved
 * for `last_ms`, and at least every `open_ms` while a refund or dispute is open.
 */
const FOLLOW = { first_ms: HOUR_MS, last_ms: 120 * DAY_MS, open_ms: 6 * HOUR_MS } as const;

/**
 * Claims the check of an attempt before the provider is asked, so only one process asks. An attempt whose
 * check fails every time goes to the end of the queue instead of blocking it. Null if the claim was lost.
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
    // Must differ from the old time, so that other processes see the claim.
    const check_at = next === seen.check_at ? next + 1 : next;
    return { reply: { ...attempt, check_at }, writes: [setAttempt(attempt, { check_at })] };
  },
};

/**
 * Time of the next check: rarer and rarer while a page is open or a debit under way, and at their end; every
 * minute while a call is. After payment at 1, 2, 4 … hours, for changes that no webhook reported.
 */
export function nextCheck(
  attempt: Timed,
  now: number,
  moved: MovedMoney = { refunds: [], disputes: [] },
): number | null {
  const { status, created_at } = attempt;
  switch (status) {
    case "CREATING": {
      const givenUp = created_at + GIVE_UP_MS;
      return givenUp > now ? givenUp : now + OVERDUE_MS;
    }
    case "OPEN":
    case "PROCESSING": {
      const end = deadline(attempt);
      if (end <= now) return now + (status === "OPEN" ? OVERDUE_MS : GROWING[status].most_ms);
      const { least_ms, most_ms } = GROWING[status];
      const grown = Math.min(Math.max(Math.floor((now - created_at) / 2), least_ms), most_ms);
      return Math.min(now + grown, end);
    }
    case "CAPTURING":
    case "RELEASING":
      return now + CALL_EVERY_MS;
    default:
      return nextFollow(attempt, moved, now);
  }
}

/** Refunds and disputes of a payment. */
type MovedMoney = Pick<State, "refunds" | "disputes">;

/** Time of the next check after payment; null once its money has not moved for months. */
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
