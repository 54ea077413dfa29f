import { limitConcurrency } from "../core/concurrency.ts";
import { linkedId } from "../core/ids.ts";
import { HOUR_MS } from "../core/policy.ts";
import { type AttemptRow, isUnpaid } from "../core/records.ts";
import { type CheckoutState, type Context, ProviderUnavailable } from "./provider.ts";
import { incidentOf, type Settlements } from "./settlements.ts";
import { claimCheck } from "./times.ts";
import type { webhookVerbs } from "./webhook-verbs.ts";
import { tellUnknownPayment } from "./webhooks.ts";

/** Concurrent requests to the provider. */
const CONCURRENCY = 8;

/** After this many unanswered questions in a row, the rest waits for the next run. */
const AWAY = 2 * CONCURRENCY;

/** A session lives no longer than a day. */
const SWEEP_BACK_MS = 26 * HOUR_MS;

interface ReconcileOptions {
  limit?: number;
  /** Stops starting new work once aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * Catches up without webhooks (contract §5): asks the provider about every attempt that is due, makes
 * pending refunds, and settles stored webhooks. Every step is repeatable, so any number of instances may
 * run at once.
 */
export function reconciler(
  context: Context,
  settling: Settlements,
  webhooks: ReturnType<typeof webhookVerbs>,
) {
  const { store, clock, provider, log, secret } = context;
  /** Time of the last run; in the future if the clock was set back since. */
  let lastRun = Number.NEGATIVE_INFINITY;

  /** Number of rows for which `act` did not return false. A failure does not affect the others. */
  async function each<T extends { id: string }>(
    rows: readonly T[],
    act: (row: T) => Promise<unknown>,
    signal?: AbortSignal | undefined,
  ): Promise<number> {
    const limited = limitConcurrency(CONCURRENCY);
    let away = 0;
    let done = 0;
    const one = async (row: T) => {
      if (signal?.aborted || away >= AWAY) return;
      try {
        if ((await act(row)) !== false) done++;
        away = 0;
      } catch (error) {
        if (error instanceof ProviderUnavailable) away++;
        log.warn({ id: row.id, error }, "not reconciled yet");
      }
    };
    await Promise.all(rows.map((row) => limited(() => one(row))));
    return done;
  }

  /** Claims the attempt before asking: see `claimCheck`. */
  async function ask(attempt: AttemptRow): Promise<boolean> {
    const claimed = await store.run(claimCheck, { now: clock(), seen: attempt });
    if (!claimed) return false;
    await settling.check(claimed);
    if (isUnpaid(claimed) && (await store.queries.attempt(claimed.id))?.status === "PAID") {
      await webhooks.missed(claimed);
    }
    return true;
  }

  /** Another shop may use the same provider account, with links of its own. */
  function isOurs({ returnUrl }: CheckoutState): boolean {
    const path = URL.parse(returnUrl ?? "")?.pathname ?? "";
    return linkedId(secret, "review", path.split("/").at(-1)!) !== undefined;
  }

  async function tellUnknown(paid: CheckoutState): Promise<void> {
    const incidentId = incidentOf(paid.sessionId);
    log.error({ session: paid.sessionId }, "a payment is of no attempt that is known");
    await store.run(tellUnknownPayment, { now: clock(), incidentId, paid });
  }

  return {
    /** Checks the open payment pages of a purchase that are due. Never rejects. */
    async ofPurchase(page: string): Promise<void> {
      try {
        const open = await store.queries.openAttemptsOf(page);
        await each(
          open.filter(({ check_at }) => check_at !== null && check_at <= clock()),
          ask,
        );
      } catch (error) {
        log.warn({ error }, "not reconciled yet");
      }
    },

    /**
     * Runs once and returns the number of rows done. After the clock was set back, due times mean nothing,
     * so it checks everything that is open.
     */
    async run({ limit = 100, signal }: ReconcileOptions = {}): Promise<number> {
      const now = clock();
      const setBack = now < lastRun;
      lastRun = now;
      if (setBack) return this.first({ limit, signal });
      const settled = await webhooks.processDue({ limit, signal });
      const asked = await each(await store.queries.dueAttempts(clock(), limit), ask, signal);
      const due = await store.queries.dueRefunds(clock(), limit);
      const refunds = await each(due, settling.sendRefund, signal);
      return settled + asked + refunds;
    },

    /** First run of a process: checks all open work, due or not, after a pause of unknown length. */
    async first({ limit = 100, signal }: ReconcileOptions = {}): Promise<number> {
      let done = await webhooks.processDue({ limit, signal, early: true });
      for (let after = ""; !signal?.aborted; ) {
        const attempts = await store.queries.liveAttempts(after, limit);
        done += await each(attempts, ask, signal);
        if (attempts.length < limit) break;
        after = attempts.at(-1)!.id;
      }
      return done + (await this.run({ limit, signal }));
    },

    /**
     * Finds payments whose session is unknown here, because its response and every webhook were lost or an
     * old backup was restored. Lists all sessions of the last day, so it runs rarely.
     */
    async sweep(signal?: AbortSignal): Promise<number> {
      let found = 0;
      for await (const state of provider.listCheckouts(clock() - SWEEP_BACK_MS)) {
        if (signal?.aborted) break;
        const hasMoney = state.payment !== "unpaid" && state.payment !== "canceled";
        if (!hasMoney || state.attemptId === null) continue;
        const known = await store.queries.attemptBySession(state.sessionId);
        // An ended attempt is not checked any more, even if its session became known later.
        if (known && known.status !== "ENDED") continue;
        try {
          if (await settling.settleSession(state.sessionId)) found++;
          else if (isOurs(state)) await tellUnknown(state);
        } catch (error) {
          log.warn({ session: state.sessionId, error }, "not settled by the sweep");
        }
      }
      return found;
    },
  };
}
