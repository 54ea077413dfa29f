import type { ServerOptions } from "node:http";
import { fileURLToPath } from "node:url";
import { CONNECTION_TIMES } from "../../src/app/connections.ts";

/**
 * How many times as fast as the real one: a minute of the shop is twelve seconds of the test, and longer
 * than any limit of the store's own, which go by the real one.
 */
export const SPEED = 5;

/** Of every process that is told the same beginning, in real milliseconds. */
export const fastClock = (begun: number) => () => begun + (Date.now() - begun) * SPEED;

/** What a connection may take by that clock. */
export const FAST_TIMES: ServerOptions = Object.fromEntries(
  Object.entries(CONNECTION_TIMES).map(([name, value]) => [
    name,
    typeof value === "number" ? value / SPEED : value,
  ]),
);

/** An instance of the shop on that clock, which begun at CLOCK_BEGUN. */
export const FAST_INSTANCE = fileURLToPath(new URL("fast-instance.ts", import.meta.url));
