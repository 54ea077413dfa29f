import { lock, type Rule, writeRule } from "../shared/command.ts";
import type { AttemptRow } from "../shared/records.ts";
import {
  type AttemptCommand,
  attemptReads,
  courtesyBack,
  isUnpaid,
  LIVE,
  nextCheck,
  setAttempt,
} from "./attempt.ts";
import { holdsOf, releaseHolds } from "./holds.ts";

/**
 * The provider has made the page: keep where it is. Told twice, it stays the same. Only an answer that
 * says OPEN may be shown to the buyer.
 */
export const recordSession: Rule<
  { now: number; attemptId: string; sessionId: string; url: string },
  AttemptRow
> = {
  reads: (c) => [lock("attempts", { id: c.attemptId })],
  decide(c, s) {
    const attempt = s.attempts[0];
    if (!attempt) throw new Error(`no attempt ${c.attemptId}`);
    if (attempt.session_id !== null) return { reply: attempt, writes: [] };
    const page = { session_id: c.sessionId, url: c.url };
    // An attempt that was given up keeps its end, but its session is known from now on.
    const status = "OPEN" as const;
    const opened =
      attempt.status === "CREATING"
        ? { ...page, status, check_at: nextCheck({ ...attempt, status }, c.now) }
        : page;
    return { reply: { ...attempt, ...opened }, writes: [setAttempt(attempt, opened)] };
  },
};

export interface LoseHold extends AttemptCommand {
  /** The buyer has canceled: it need not be past its time. */
  canceled: boolean;
}

/**
 * When an attempt's hold ends though the provider cannot be asked. Its page is to be closed with the
 * hold; where that cannot be done it may have been paid in time, so it has until its own end.
 */
export const holdEndsAt = (attempt: Pick<AttemptRow, "status" | "hold_until" | "expires_at">) =>
  isUnpaid(attempt) ? Math.max(attempt.hold_until, attempt.expires_at) : attempt.hold_until;

/**
 * Past its time, or canceled, and the provider has not said that its page is closed: others may have
 * the bags and the courtesy. What is paid there all the same is a late payment (contract §5).
 */
export const loseHold = writeRule<LoseHold>({
  reads: attemptReads,
  writes(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    const held = attempt ? holdsOf(attempt) : [];
    const over = attempt && (c.canceled || holdEndsAt(attempt) <= c.now);
    if (!over || !LIVE.has(attempt.status) || !held[0]) return [];
    return [
      setAttempt(attempt, { holds: "[]", hold_until: c.now, address: null }),
      ...courtesyBack(attempt, s),
      ...releaseHolds(held, s),
    ];
  },
});
