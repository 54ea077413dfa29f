import { MINUTE_MS } from "./policy.ts";

/** Two instances' clocks, and two calls that overtake each other, may differ by so much. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

/**
 * Whether what lasts `lengthMs` and ends at `endsAt` is under way. What would end much later than that began
 * by a clock that has been set back since: it is over, or it would last until the clock is there again.
 */
export const isUnderWay = (endsAt: number, lengthMs: number, now: number): boolean =>
  now < endsAt && endsAt - now <= lengthMs + CLOCKS_DIFFER_MS;
