/**
 * Our own limit of calls to the provider, below its limits: buyers who press buttons here never spend
 * what is needed to settle what has been paid (contract §14). Per process: several share the account.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { PaymentMode } from "../provider.ts";

/** Buyers ask for pages; what settles is webhooks, the reconciler and refunds. */
export type MeterShare = "buyers" | "settling";

export interface Rate {
  perSecond: number;
  /** Of these, calls that buyers never take. */
  kept: number;
}

/**
 * Stripe takes 100 calls a second of a live account and 25 of a test one, and of each kind of object
 * 25 (docs.stripe.com/rate-limits). The sandbox is in this very process.
 */
export const RATES: Record<PaymentMode, { all: Rate; each: Rate } | null> = {
  live: { all: { perSecond: 80, kept: 30 }, each: { perSecond: 20, kept: 8 } },
  test: { all: { perSecond: 20, kept: 8 }, each: { perSecond: 20, kept: 8 } },
  sandbox: null,
};

/** The longest wait for a turn: after it, it is as if the provider did not answer. */
const LONGEST_WAIT_MS = 5_000;

export type Meter = ReturnType<typeof createMeter>;

export interface MeterOptions {
  /** Milliseconds; real ones, whatever the shop's clock says. */
  clock?: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

class MeterEmpty extends Error {
  override name = "MeterEmpty";
}

/** A second's worth of calls, filled up continuously. */
function bucket({ perSecond, kept }: Rate, clock: () => number) {
  let calls = perSecond;
  let at = clock();
  return {
    /** How long until a call of this share could be made, in milliseconds; 0 is now. */
    missing(share: MeterShare): number {
      const now = clock();
      calls = Math.min(perSecond, calls + (Math.max(0, now - at) * perSecond) / 1000);
      at = now;
      const needed = share === "buyers" ? kept + 1 : 1;
      return calls >= needed ? 0 : Math.ceil(((needed - calls) / perSecond) * 1000);
    },
    take(): void {
      calls -= 1;
    },
  };
}

export function createMeter(
  rates: { all: Rate; each: Rate },
  { clock = () => performance.now(), wait = delay }: MeterOptions = {},
) {
  const all = bucket(rates.all, clock);
  const each = new Map<string, ReturnType<typeof bucket>>();
  const of = (kind: string) => {
    const known = each.get(kind) ?? bucket(rates.each, clock);
    each.set(kind, known);
    return known;
  };
  return {
    /**
     * Resolves when a call may be made; rejects for buyers at once, for settling after some seconds.
     */
    async take(share: MeterShare, kind: string): Promise<void> {
      const own = of(kind);
      for (let waited = 0; ; ) {
        const missing = Math.max(all.missing(share), own.missing(share));
        if (missing === 0) break;
        const patient = share === "settling" && waited < LONGEST_WAIT_MS;
        if (!patient) throw new MeterEmpty("No call is left.");
        await wait(missing);
        waited += missing;
      }
      all.take();
      own.take();
    },
  };
}
