import type { ServerOptions } from "node:http";
import { fileURLToPath } from "node:url";
import { CONNECTION_TIMES } from "../../src/app/connections.ts";

/**
 * Speed of the shop's clock: one minute takes twelve seconds of the test, which is longer
 * than any time limit of the store, which uses the real clock.
 */
export const SPEED = 5;

/** The clock of all processes that began at the same real time in milliseconds. */
export const fastClock = (begun: number) => () => begun + (Date.now() - begun) * SPEED;

/** Connection limits by that clock. */
export const FAST_TIMES: ServerOptions = Object.fromEntries(
  Object.entries(CONNECTION_TIMES).map(([name, value]) => [
    name,
    typeof value === "number" ? value / SPEED : value,
  ]),
);

/** An instance of the shop on that clock, which began at CLOCK_BEGUN. */
export const FAST_INSTANCE = fileURLToPath(new URL("fast-instance.ts", import.meta.url));
