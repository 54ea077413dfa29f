import type { Context } from "./context.ts";
import type { paymentVerbs } from "./payments.ts";
import type { webhookVerbs } from "./webhooks.ts";

/**
 * Finds what no webhook told (CONTRACT §5): asks the provider about every attempt that is due, makes
 * refunds that are still to be made, settles stored webhooks. Every step is repeatable, so any number
 * of instances may do this at once.
 */
export function reconciler(
  context: Context,
  payments: ReturnType<typeof paymentVerbs>,
  webhooks: ReturnType<typeof webhookVerbs>,
) {
  const { store, clock, log } = context;

  async function each<T extends { id: string }>(
    rows: readonly T[],
    act: (row: T) => Promise<unknown>,
  ): Promise<number> {
    for (const row of rows) {
      try {
        await act(row);
      } catch (error) {
        log.warn({ id: row.id, error: String(error) }, "not reconciled yet");
      }
    }
    return rows.length;
  }

  return {
    /** One round; answers how much there was to do. */
    async round(limit = 100): Promise<number> {
      const settled = await webhooks.processDue(limit);
      const attempts = await store.queries.dueAttempts(clock(), limit);
      const asked = await each(attempts, async (attempt) => {
        if (attempt.hold_until <= clock()) await payments.loseHoldOf(attempt);
        await payments.convergeAttempt(attempt.id);
      });
      const refunds = await each(await store.queries.pendingRefunds(limit), payments.sendBack);
      return settled + asked + refunds;
    },
  };
}
