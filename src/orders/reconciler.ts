import { limitConcurrency } from "../core/concurrency.ts";
import type { Context } from "../core/context.ts";
import { sha256 } from "../core/hash.ts";
import { linkedId } from "../core/ids.ts";
import { HOUR_MS } from "../core/policy.ts";
import type { AttemptRow } from "../core/records.ts";
import { claimCheck } from "../payments/next-check.ts";
import { type CheckoutState, ProviderUnavailable } from "../payments/provider.ts";
import { tellUnknownPayment } from "../payments/webhooks.ts";
import type { Settlements } from "./settlements.ts";
import type { webhookVerbs } from "./webhook-verbs.ts";

/** Questions to the provider that are under way at once. */
const CONCURRENCY = 8;

/**
 * So many unanswered ones in a row mean that the provider is away: the rest waits for the next run.
 */
const AWAY = 2 * CONCURRENCY;

/** A session lives no longer than a day. */
const SWEEP_BACK_MS = 26 * HOUR_MS;

interface ReconcileOptions {
  limit?: number;
  /** Nothing new is begun once it is aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * Finds what no webhook told (contract §5): asks the provider about every attempt that is due, makes
 * refunds that are still to be made, settles stored webhooks. Every step is repeatable, so any number
 * of instances may do this at once.
 */
export function reconciler(
  context: Context,
  settling: Settlements,
  webhooks: ReturnType<typeof webhookVerbs>,
) {
  const { store, clock, provider, log, secret } = context;
  /** When it ran last; later than now where the clock was set back since. */
  let lastRun = Number.NEGATIVE_INFINITY;

  /** How many rows were done: not those that answered false. One that fails costs the others nothing. */
  async function each<T extends { id: string }>(
    rows: readonly T[],
    act: (row: T) => Promise<unknown>,
    signal: AbortSignal | undefined,
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

  /** Takes the attempt's turn before asking: see `claimCheck`. */
  async function ask(attempt: AttemptRow): Promise<boolean> {
    const claimed = await store.run(claimCheck, { now: clock(), seen: attempt });
    if (claimed) await settling.settleAttempt(claimed);
    return claimed !== null;
  }

  /** Another shop may have the same account at the provider; its links are not ours. */
  function isOurs({ returnUrl }: CheckoutState): boolean {
    const path = URL.parse(returnUrl ?? "")?.pathname ?? "";
    return linkedId(secret, "review", path.split("/").at(-1)!) !== undefined;
  }

  async function tellUnknown(paid: CheckoutState): Promise<void> {
    const incidentId = `inc_${sha256(paid.sessionId).slice(0, 32)}`;
    log.error({ session: paid.sessionId }, "a payment is of no attempt that is known");
    await store.run(tellUnknownPayment, { now: clock(), incidentId, paid });
  }

  return {
    /**
     * One run; answers how much there was to do. Where the clock was set back, nothing says when anything
     * is due: everything that is open is looked at.
     */
    async run({ limit = 100, signal }: ReconcileOptions = {}): Promise<number> {
      const now = clock();
      const setBack = now < lastRun;
      lastRun = now;
      if (setBack) return this.first({ limit, signal });
      const settled = await webhooks.processDue({ limit, signal });
      const asked = await each(await store.queries.dueAttempts(clock(), limit), ask, signal);
      const due = await store.queries.dueRefunds(clock(), limit);
      const refunds = await each(due, settling.tryRefund, signal);
      return settled + asked + refunds;
    },

    /**
     * The first run of a process looks at everything that is open, due or not: it is not known how
     * long no process has looked.
     */
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
     * Payments whose page we never heard of: its answer was lost, and so was every webhook; or an older
     * copy of the database was put back. Asks for all sessions of the last day, so seldom.
     */
    async sweep(signal?: AbortSignal): Promise<number> {
      let found = 0;
      for await (const state of provider.listCheckouts(clock() - SWEEP_BACK_MS)) {
        if (signal?.aborted) break;
        if (state.payment === "unpaid" || state.attemptId === null) continue;
        const known = await store.queries.attemptBySession(state.sessionId);
        // An attempt that was given up is not asked about, though its page was heard of later.
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
