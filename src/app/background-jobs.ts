import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Merchant } from "../merchant/merchant.ts";
import type { OpenService } from "./compose.ts";

/** Intervals in milliseconds. */
const EVERY_MS = {
  reconcile: 15_000,
  sweep: 3_600_000,
  housekeeping: 60_000,
  retention: 600_000,
  sandbox: 1_000,
  mail: 10_000,
};

/** A hanging provider must not delay the stop. The next start finds interrupted work. */
const LAST_RUN_MS = 1_000;

/**
 * Starts the work that no request waits for: checking open payments at the provider, settling stored
 * webhooks, waitlist offers, mail, cleaning up. Each job runs at start, after `afterMs`, and then at its
 * interval, one run at a time per process; several processes may run them at once. Returns the function
 * that stops them.
 */
export function startBackgroundJobs(
  { service, sandbox, mailer }: OpenService,
  log: Logger,
  afterMs: number,
): () => Promise<void> {
  const { merchant } = service;
  const closing = new AbortController();
  const { signal } = closing;
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {});
  const repeat = async (job: string, everyMs: number, work: () => Promise<unknown>) => {
    if (afterMs > 0) await pause(afterMs);
    while (!signal.aborted) {
      await work().catch((error: unknown) => log.error({ job, error }, "a background job failed"));
      await pause(everyMs);
    }
  };
  const jobs = [
    repeat("reconcile", EVERY_MS.reconcile, reconcile(merchant, signal)),
    repeat("sweep", EVERY_MS.sweep, () => merchant.reconciler.sweep(signal)),
    repeat("housekeeping", EVERY_MS.housekeeping, () => merchant.housekeeping.run()),
    repeat("retention", EVERY_MS.retention, () => merchant.retention.sweep(signal)),
    ...(sandbox ? [repeat("sandbox", EVERY_MS.sandbox, () => sandbox.tick())] : []),
    ...(mailer ? [repeat("mail", EVERY_MS.mail, () => merchant.mail.sendDue(mailer, signal))] : []),
  ];
  return async () => {
    closing.abort();
    const last = [...jobs, merchant.webhooks.finished()];
    await Promise.race([Promise.all(last), delay(LAST_RUN_MS, undefined, { ref: false })]);
  };
}

/** Checks every open payment at first, then those that are due. */
function reconcile({ reconciler }: Merchant, signal: AbortSignal): () => Promise<unknown> {
  let started = false;
  return async () => {
    if (started) return reconciler.run({ signal });
    const done = await reconciler.first({ signal });
    started = true;
    return done;
  };
}
