import { setTimeout as delay } from "node:timers/promises";
import v8 from "node:v8";
import type { Logger } from "pino";
import type { Config } from "./app/config.ts";
import { contents } from "./app/registry.ts";
import { type RunningService, serve } from "./app/serve.ts";
import { startWith } from "./app/start.ts";
import { onStop } from "./app/stop-signals.ts";
import { VERSION } from "./app/version.ts";

/** `npm start` runs the service until a signal stops it. */
async function open(config: Config, log: Logger): Promise<void> {
  // Few objects outlive their request, so threads that copy them cost more than they save.
  v8.setFlagsFromString("--no-parallel-scavenge");
  // If stdout can't be written, the sign-in link is lost; `desk link` prints another.
  process.stdout.on("error", () => {});
  const served = await serve(config, {
    log,
    contents,
    version: VERSION,
    tell: (text) => void process.stdout.write(text),
  });
  onStop((reason) => {
    log.info({ reason }, "closing");
    close(served, config.drainMs).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, "did not close well");
        process.exit(1);
      },
    );
  }, process.env);
  const { baseUrl: url, installation, service } = served;
  // A wrong DATABASE_URL would look like a shop without orders.
  const new_shop = installation.isNew || undefined;
  log.info({ url, payments: service.merchant.mode, new_shop }, "open for business");
}

/** With time to drain, a balancer removes this instance first. */
async function close(served: RunningService, drainMs: number): Promise<void> {
  if (drainMs > 0) {
    served.leave();
    await delay(drainMs);
  }
  await served.stop();
}

export const start = (): Promise<number> => startWith(process.env, open);
