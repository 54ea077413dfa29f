import { setTimeout as delay } from "node:timers/promises";
import v8 from "node:v8";
import type { Logger } from "pino";
import type { Config } from "./app/config.ts";
import { contents } from "./app/registry.ts";
import { type RunningService, serve } from "./app/serve.ts";
import { startWith } from "./app/start.ts";
import { VERSION } from "./app/version.ts";

/** `npm start`: the whole service, open for business until it is told to close. */
async function open(config: Config, log: Logger): Promise<void> {
  // Of a request's objects hardly any outlive it: threads to copy those cost more than they save.
  v8.setFlagsFromString("--no-parallel-scavenge");
  // Where the link to the desk cannot be written, the command line has another.
  process.stdout.on("error", () => {});
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
  const { baseUrl: url, installation, service } = served;
  // A slip in DATABASE_URL would look like a shop without orders.
  const new_shop = installation.isNew || undefined;
  log.info({ url, payments: service.merchant.mode, new_shop }, "open for business");
}

/** With time to drain, a balancer hears of it first, and sends nothing more. */
async function close(served: RunningService, drainMs: number): Promise<void> {
  if (drainMs > 0) {
    served.leave();
    await delay(drainMs);
  }
  await served.stop();
}

export const start = (): Promise<number> => startWith(process.env, open);
