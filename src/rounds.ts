import type { Logger } from "pino";
import type { Opened } from "./compose.ts";

/** How often what no request does is done, in milliseconds. */
const EVERY_MS = { reconcile: 15_000, housekeeping: 60_000, sandbox: 1_000 };

/**
 * The work that no request waits for: asking the provider about open payments, settling stored
 * webhooks, the waitlist's offers, the sandbox's clock. Once at start, then in rounds; never two of
 * one kind at once in this process, and harmless beside other processes.
 */
export function startRounds({ service, sandbox }: Opened, log: Logger): () => Promise<void> {
  const { merchant } = service;
  const rounds = [
    repeat("reconcile", EVERY_MS.reconcile, log, () => merchant.reconciler.round()),
    repeat("housekeeping", EVERY_MS.housekeeping, log, () => merchant.housekeeping.round()),
    ...(sandbox ? [repeat("sandbox", EVERY_MS.sandbox, log, () => sandbox.tick())] : []),
  ];
  return async () => {
    await Promise.all(rounds.map((stop) => stop()));
  };
}

function repeat(
  name: string,
  everyMs: number,
  log: Logger,
  work: () => Promise<unknown>,
): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const round = () => {
    running = work()
      .then(
        () => {},
        (error: unknown) => log.error({ round: name, error }, "a round failed"),
      )
      .then(() => {
        if (!stopped) timer = setTimeout(round, everyMs).unref();
      });
  };
  round();
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}
