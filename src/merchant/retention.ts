import { setImmediate } from "node:timers/promises";
import { DAY_MS, HOUR_MS, RETENTION_DAYS } from "../core/policy.ts";
import { ERASED } from "../core/records.ts";
import { isUnderWay, yearsBefore } from "../core/time.ts";
import type { Context } from "../payments/provider.ts";
import type { Erasures } from "./privacy.ts";

/** Rows per step: some milliseconds with 50 shipments each. Requests run between steps. */
const ROWS = 100;

/** Most steps of one kind per run. */
const MOST_STEPS = 1000;

/** The database checks by its own clock, which may be behind ours. */
const CLOCKS_DIFFER_MS = HOUR_MS;

type EndedQuotes = Context["store"]["queries"]["endedQuotes"];
type Cursor = Parameters<EndedQuotes>[1];
type EndedQuote = Awaited<ReturnType<EndedQuotes>>[number];

/** Removes rows after their published time (contract §14). Any number of instances may do it at once. */
export function retention(
  { store: { queries }, clock, log, quoteTtlMs, customerDataYears }: Context,
  isOldCustomer: (customer: string, before: number) => Promise<boolean>,
  { eraseOrders, resume }: Pick<Erasures, "eraseOrders" | "resume">,
) {
  const after = (days: number) => clock() - days * DAY_MS;
  const timed = {
    unused_keys: [queries.removeUnusedKeys, RETENTION_DAYS.unused_keys],
    idempotency: [queries.removeIdempotency, 0],
    checkouts: [queries.removeCheckouts, RETENTION_DAYS.checkouts],
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

  /** A daily pass over the quotes that ended by then, some at a time. */
  function dailyPass() {
    let pass: { edge: Cursor; ends: number } | null = null;
    return async (by: number): Promise<EndedQuote[]> => {
      const now = clock();
      if (!pass || !isUnderWay(pass.ends, DAY_MS, now)) {
        pass = { edge: undefined, ends: now + DAY_MS };
      }
      const ended = await queries.endedQuotes(by, pass.edge, ROWS);
      pass.edge = ended.at(-1) ?? pass.edge;
      return ended;
    };
  }

  const quotesToRemove = dailyPass();
  async function unpaidQuotes() {
    const by = after(RETENTION_DAYS.unpaid_quotes) - CLOCKS_DIFFER_MS;
    const ended = await quotesToRemove(by);
    const removed = await queries.removeUnpaidQuotes(ended.map(({ id }) => id));
    return { removed, more: ended.length === ROWS };
  }

  const quotesToErase = dailyPass();
  /** Returns after a step that erased anybody, so a run erases at most one step's customers. */
  async function oldCustomers() {
    if (customerDataYears === undefined) return { removed: 0, more: false };
    const before = yearsBefore(clock(), customerDataYears);
    // The pass is sorted by the end of the quotes, which comes after the order.
    const ended = await quotesToErase(before + quoteTtlMs);
    let removed = 0;
    for (const customer of new Set(ended.map((quote) => quote.customer))) {
      const isOld = customer !== ERASED && (await isOldCustomer(customer, before));
      if (isOld && (await eraseOrders(customer))) removed++;
    }
    if (removed > 0) log.info({ customers: removed }, "erased customers without a recent order");
    return { removed, more: removed === 0 && ended.length === ROWS };
  }

  const steps = new Map([
    ["unpaid_quotes", unpaidQuotes],
    ["old_customers", oldCustomers],
    ["interrupted_erasures", async () => ({ removed: await resume(), more: false })],
  ]);
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
