import { setTimeout as delay } from "node:timers/promises";
import { contents } from "./operations/registry.ts";
import { readConfig } from "./server/config.ts";
import { createLog } from "./server/log.ts";
import { type RunningService, serve } from "./server/serve.ts";
import { startProblem } from "./server/start-problem.ts";
import { startWarnings } from "./server/start-warnings.ts";
import { VERSION } from "./server/version.ts";

/** `npm start`: the whole service. Everything that is wrong with the start is said, then exit 1. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  process.env.TZ = config.timeZone;
  const log = createLog(config.logLevel);
  for (const warning of startWarnings(config)) log.warn(warning);
  const served = await serve(config, {
    log,
    contents,
    version: VERSION,
    tell: (text) => void process.stdout.write(text),
  });
  const stop = (signal: string) => {
    log.info({ signal }, "closing");
    close(served, config.drainMs).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, "did not close well");
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  log.info({ url: served.baseUrl, payments: served.service.merchant.mode }, "open for business");
}

/** With time to drain, a balancer hears of it first, and sends nothing more. */
async function close(served: RunningService, drainMs: number): Promise<void> {
  if (drainMs > 0) {
    served.leave();
    await delay(drainMs);
  }
  await served.stop();
}

/** Answers once it is open for business; from then on it ends when it is told to. */
export const start = (): Promise<number> =>
  main().then(
    () => 0,
    (error: unknown) => {
      process.stderr.write(`${startProblem(error)}\n`);
      process.exit(1);
    },
  );
