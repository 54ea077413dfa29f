import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Merchant } from "../merchant/merchant.ts";
import type { OpenService } from "./compose.ts";

/** How often what no request does is done, in milliseconds. */
const EVERY_MS = {
  reconcile: 15_000,
  sweep: 3_600_000,
  housekeeping: 60_000,
  retention: 600_000,
  sandbox: 1_000,
  mail: 10_000,
};

/** A provider that hangs must not hold up the end; whatever is cut off is found by the next start. */
const LAST_RUN_MS = 1_000;

/**
 * The work that no request waits for: asking the provider about open payments, settling stored
 * webhooks, the waitlist's offers, the sandbox's clock. Once at start, then again and again; never two of
 * one kind at once in this process, and harmless beside other processes. The first ones may wait a
 * moment, where a start has something more urgent to do.
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

/** Everything that is open at first, then what is due. */
function reconcile({ reconciler }: Merchant, signal: AbortSignal): () => Promise<unknown> {
  let started = false;
  return async () => {
    if (started) return reconciler.run({ signal });
    const done = await reconciler.first({ signal });
    started = true;
    return done;
  };
}
