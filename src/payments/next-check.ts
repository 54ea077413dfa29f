import { lock, type Rule, readUnlocked, type State } from "../core/command.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/policy.ts";
import { type AttemptRow, UNSETTLED } from "../core/records.ts";
import { GIVE_UP_MS, setAttempt } from "./attempt.ts";

/**
 * Interval between two checks of an attempt under way, and the time that a process has to capture or release
 * a payment before another one may: longer than a call with all its retries.
 */
export const CHECK_EVERY_MS = MINUTE_MS;

/** Open pages are checked at growing intervals, so that many of them cost the provider few calls. */
const OPEN_PAGE = { least_ms: MINUTE_MS, most_ms: 10 * MINUTE_MS } as const;

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
 * Time of the next check: rarer and rarer while the page is open, and at its end; every minute while money
 * is under way. After payment at 1, 2, 4 … hours, for changes that no webhook reported.
 */
export function nextCheck(
  attempt: Pick<AttemptRow, "status" | "created_at" | "hold_until">,
  now: number,
  moved: MovedMoney = { refunds: [], disputes: [] },
): number | null {
  const givenUp = attempt.created_at + GIVE_UP_MS;
  if (attempt.status === "CREATING" && givenUp > now) return givenUp;
  if (UNSETTLED.has(attempt.status)) {
    const isOverdue = attempt.hold_until <= now;
    const isRare = attempt.status === "OPEN" && !isOverdue;
    const next = now + (isRare ? openPageInterval(attempt, now) : CHECK_EVERY_MS);
    return isOverdue ? next : Math.min(next, attempt.hold_until);
  }
  return nextFollow(attempt, moved, now);
}

/** Half of the page's age, within bounds. */
const openPageInterval = ({ created_at }: Pick<AttemptRow, "created_at">, now: number): number =>
  Math.min(Math.max(Math.floor((now - created_at) / 2), OPEN_PAGE.least_ms), OPEN_PAGE.most_ms);

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
