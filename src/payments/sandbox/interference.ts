/**
 * What may go wrong between the shop and the emulator. Nothing does unless a test passes such an
 * object in (test/support/sandbox-control.ts); the service never does. Read at every use, so that
 * it can be switched while the emulator runs, in this process only.
 */
export interface Interference {
  webhook?: WebhookFault | undefined;
  api?: ApiFaultSwitch | undefined;
  /** The merchant's balance, minor units of usd; by default everything is covered. */
  balanceMinor?: number | undefined;
  /**
   * A refund that the balance does not cover is taken all the same, and pending until it is
   * covered.
   */
  takesWithoutBalance?: boolean | undefined;
  /** Permissions that the key lacks, by Stripe's names: "rak_charge_write", … */
  lacks?: readonly string[] | undefined;
}

export type WebhookFault = (event: {
  id: string;
  type: string;
  attempt: number;
}) => "deliver" | "drop" | "double" | "delay";

/**
 * `effect`: the request is carried out all the same; after a timeout its answer is held back for
 * `ms`, then never sent. A 500 stands under its idempotency key from then on, as at Stripe.
 */
export type ApiFault =
  | { kind: "error"; status: number; code?: string; effect?: boolean }
  | { kind: "timeout"; ms: number; effect?: boolean }
  | { kind: "rubbish"; body?: string };

export type ApiFaultSwitch = (request: { method: string; path: string }) => ApiFault | null;
