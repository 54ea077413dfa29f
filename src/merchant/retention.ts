import { setImmediate } from "node:timers/promises";
import { DAY_MS, HOUR_MS, RETENTION_DAYS } from "../core/policy.ts";
import { isUnderWay } from "../core/time.ts";
import type { Context } from "../payments/provider.ts";

/** Rows per step: some milliseconds with 50 shipments each. Requests run between steps. */
const ROWS = 100;

/** Most steps of one kind per run. */
const MOST_STEPS = 1000;

/** The database checks by its own clock, which may be behind ours. */
const CLOCKS_DIFFER_MS = HOUR_MS;

type Cursor = Parameters<Context["store"]["queries"]["endedQuotes"]>[1];

/** Removes rows after their published time (contract §14). Any number of instances may do it at once. */
export function retention({ store: { queries }, clock, log }: Context) {
  const after = (days: number) => clock() - days * DAY_MS;
  const timed = {
    unused_keys: [queries.removeUnusedKeys, RETENTION_DAYS.unused_keys],
    idempotency: [queries.removeIdempotency, 0],
    ucp_sessions: [queries.removeUcpSessions, RETENTION_DAYS.ucp_sessions],
    rate_limits: [queries.removeRateLimits, 0],
    finder_keys: [queries.removeFinderKeys, RETENTION_DAYS.finder_keys],
    finder_progress: [queries.removeFinderCredits, RETENTION_DAYS.finder_progress],
    settled_webhooks: [queries.removeWebhooks, RETENTION_DAYS.settled_webhooks],
    sent_letters: [queries.removeLetters, RETENTION_DAYS.sent_letters],
    ended_waitlist_entries: [queries.removeEndedWaitlist, RETENTION_DAYS.ended_waitlist_entries],
    feedback: [queries.removeFeedback, RETENTION_DAYS.feedback_and_leads],
    leads: [queries.removeLeads, RETENTION_DAYS.feedback_and_leads],
    message_tasks: [queries.removeMessageTasks, RETENTION_DAYS.feedback_and_leads],
    empty_customers: [queries.removeEmptyCustomers, 0],
    sandbox_answers: [queries.removeSandboxAnswers, RETENTION_DAYS.sandbox_answers],
    sandbox_sessions: [queries.removeSandboxSessions, RETENTION_DAYS.sandbox_sessions],
  } as const;

  /** Position in the daily pass over the ended quotes. */
  let pass: { edge: Cursor; ends: number } | null = null;

  async function unpaidQuotes() {
    const now = clock();
    if (!pass || !isUnderWay(pass.ends, DAY_MS, now)) {
      pass = { edge: undefined, ends: now + DAY_MS };
    }
    const by = after(RETENTION_DAYS.unpaid_quotes) - CLOCKS_DIFFER_MS;
    const ended = await queries.endedQuotes(by, pass.edge, ROWS);
    if (ended.length === 0) return { removed: 0, more: false };
    const removed = await queries.removeUnpaidQuotes(ended.map(({ id }) => id));
    pass.edge = ended.at(-1)!;
    return { removed, more: ended.length === ROWS };
  }

  const steps = new Map([["unpaid_quotes", unpaidQuotes]]);
  for (const [kind, [remove, days]] of Object.entries(timed)) {
    steps.set(kind, async () => {
      const removed = await remove(after(days), ROWS);
      return { removed, more: removed === ROWS };
    });
  }

  return {
    /** Returns the removed rows of each kind. A failure of one kind doesn't stop the others. */
    async sweep(signal?: AbortSignal): Promise<Record<string, number>> {
      const all: Record<string, number> = {};
      for (const [kind, step] of steps) {
        all[kind] = 0;
        try {
          for (let more = true, taken = 0; more && taken < MOST_STEPS; taken++) {
            if (signal?.aborted) return all;
            const done = await step();
            all[kind] += done.removed;
            more = done.more;
            await setImmediate();
          }
        } catch (error) {
          log.warn({ kind, error }, "old rows are to be removed later");
        }
      }
      return all;
    },
  };
}
