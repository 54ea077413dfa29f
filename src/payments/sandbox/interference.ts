import type { RequestListener } from "node:http";

/**
 * Where a test stands between the shop and the emulator (test/support/faults.ts); the service passes
 * nothing here. The balance is read at every use, so that it can be switched while the emulator runs.
 */
export interface Interference {
  /** Around all that the emulator answers. */
  around?: (listener: RequestListener) => RequestListener;
  /** What sends webhooks. */
  fetch?: typeof fetch;
  /** How long one sending of a webhook may take. */
  webhookMs?: number;
  /** The merchant's balance, minor units of usd; by default everything is covered. */
  balanceMinor?: number | undefined;
  /**
   * A refund that the balance does not cover is taken all the same, and pending until it is
   * covered.
   */
  takesWithoutBalance?: boolean | undefined;
}
