import type { Logger } from "pino";
import { contents } from "../../src/operations/registry.ts";
import type { Interference } from "../../src/payments/sandbox/interference.ts";
import { type Config, readConfig } from "../../src/server/config.ts";
import { createLog } from "../../src/server/log.ts";
import { type RunningService, serve } from "../../src/server/serve.ts";
import { CATALOG_FILE } from "./catalog.ts";
import { type SandboxControl, sandboxControl } from "./sandbox-control.ts";
import { usualDatabase } from "./usual-database.ts";

/** A moment to start from; tests move the clock, they never wait. */
export const START = Date.parse("2026-03-02T10:00:00.000Z");

/** A clock that stands still until it is told otherwise. */
export function testClock(start = START) {
  let now = start;
  return {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
}

export interface TestService extends RunningService {
  /** What happens at the emulated provider; of no use where another provider was asked for. */
  control: SandboxControl;
  clock: ReturnType<typeof testClock>;
  config: Config;
}

/** The whole service as `npm start` runs it, on a free port and a database of its own. */
export async function startService(
  env: Record<string, string> = {},
  clock = testClock(),
  log?: Logger,
): Promise<TestService> {
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: env.DATABASE_URL ?? (await usualDatabase()),
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
    CATALOG_FILE,
    ...env,
  });
  const interference: Interference = {};
  const served = await serve(config, {
    log: log ?? createLog(config.logLevel),
    clock: clock.now,
    checkAnswers: true,
    contents,
    version: "0.0.0-test",
    interference,
  });
  const control = sandboxControl(served.sandbox!, interference);
  return { ...served, clock, config, control };
}
