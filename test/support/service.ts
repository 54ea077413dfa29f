import { openPayments } from "../../src/app/compose.ts";
import { type Config, readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/app/log.ts";
import { contents } from "../../src/app/registry.ts";
import { type RunningService, type ServeOptions, serve } from "../../src/app/serve.ts";
import { CATALOG_FILE } from "./catalog.ts";
import { faultyNudge, faultyProvider, newFaults } from "./faults.ts";
import { type SandboxControl, sandboxControl } from "./sandbox-control.ts";
import { usualStore } from "./stores.ts";

/** Start of every test clock. Tests move the clock instead of waiting. */
export const START = Date.parse("2026-03-02T10:00:00.000Z");

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A clock that only `advance` moves. */
export function testClock(start = START) {
  let now = start;
  return {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
}

/** A log whose lines are kept. */
export function keptLog(level = "trace") {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line) => void lines.push(line) }), lines };
}

/** The machine's clock, for streams, other processes and measurements. */
export const REAL_CLOCK: ReturnType<typeof testClock> = { now: Date.now, advance: () => {} };

export interface TestService extends RunningService {
  /** Changes payments at the sandbox. */
  control: SandboxControl;
  clock: ReturnType<typeof testClock>;
  config: Config;
}

/**
 * Serves like `npm start`, on a free port and a new database of the project's engine, with a clock that the
 * test moves and with control of the sandbox.
 */
export async function startService(
  env: Record<string, string> = {},
  clock = testClock(),
  options: Partial<ServeOptions> = {},
): Promise<TestService> {
  const usual = env.DATABASE_URL === undefined ? await usualStore() : undefined;
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: usual?.url,
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
    CATALOG_FILE,
    PAYMENT_METHODS: "card,us_bank_account",
    ...env,
  });
  const faults = newFaults();
  const served = await serve(config, {
    log: createLog(config.logLevel),
    ...{ checkAnswers: true, contents, version: "0.0.0-test", clock: clock.now },
    ...(usual && { store: usual.store }),
    async openPayments(config, own) {
      const nudge = faultyNudge(faults, own.nudge);
      const { sandbox } = await openPayments(config, { ...own, nudge });
      return { provider: faultyProvider(sandbox!, faults, clock.now), sandbox };
    },
    ...options,
  });
  const control = sandboxControl(served.sandbox!, faults, clock.now);
  return { ...served, clock, control, config };
}
