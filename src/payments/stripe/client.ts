import { setTimeout as delay } from "node:timers/promises";
import Stripe from "stripe";
import { limitConcurrency } from "../../core/concurrency.ts";
import { MINUTE_MS } from "../../core/policy.ts";
import type { PaymentMode } from "../provider.ts";

export type StripeMode = Exclude<PaymentMode, "sandbox">;

/**
 * Our own limit of calls to the provider, below its limits: buyers who press buttons here never spend
 * what is needed to settle what has been paid (contract §14). Per process: several share the account.
 * Stripe's library does not retry a 429: without this limit, 60 presses a second failed 22 of 25 settling calls.
 */

/** Buyers ask for pages; webhooks, the reconciler and refunds settle. */
export type MeterShare = "buyers" | "settling";

export interface Rate {
  perSecond: number;
  /** Calls of these that buyers never take. */
  kept: number;
}

export interface Rates {
  all: Rate;
  each: Rate;
}

/**
 * Stripe takes 100 calls a second of a live account and 25 of a test one, and of each kind of object
 * 25 (docs.stripe.com/rate-limits).
 */
export const RATES: Record<StripeMode, Rates> = {
  live: { all: { perSecond: 80, kept: 30 }, each: { perSecond: 20, kept: 8 } },
  test: { all: { perSecond: 20, kept: 8 }, each: { perSecond: 20, kept: 8 } },
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
    /** Milliseconds until this share may make a call; 0 is now. */
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
  rates: Rates,
  { clock = () => performance.now(), wait = delay }: MeterOptions = {},
) {
  const all = bucket(rates.all, clock);
  /** Calls of one kind and share go in order. */
  const limitOfKind = () => ({
    each: bucket(rates.each, clock),
    turn: { buyers: limitConcurrency(1), settling: limitConcurrency(1) },
  });
  const kinds = new Map<string, ReturnType<typeof limitOfKind>>();
  return {
    /** Resolves when a call may be made; rejects if that is more than some seconds away. */
    async take(share: MeterShare, kind: string): Promise<void> {
      const known = kinds.get(kind) ?? limitOfKind();
      kinds.set(kind, known);
      const { each, turn } = known;
      const latest = clock() + LONGEST_WAIT_MS;
      await turn[share](async () => {
        for (;;) {
          const missing = Math.max(all.missing(share), each.missing(share));
          if (missing === 0) break;
          if (clock() + missing > latest) throw new MeterEmpty("No call is left.");
          await wait(missing);
        }
        all.take();
        each.take();
      });
    },
  };
}

/** A smaller difference disturbs nothing, and an answer may take some seconds. */
const CLOCKS_MAY_DIFFER_MS = MINUTE_MS;

/**
 * Compares this machine's clock with the provider's: a page's end is refused by a clock that is slow, and
 * webhooks by any that is minutes off.
 */
export function compareClocks(clock: () => number) {
  let aheadMs = 0;
  return {
    /** `date`: header of an answer that has just arrived. */
    read(date: string | undefined): void {
      const theirs = Date.parse(date ?? "");
      if (!Number.isNaN(theirs)) aheadMs = clock() - theirs;
    },
    /** Names the difference, or null while it is small. */
    problem(): string | null {
      if (Math.abs(aheadMs) <= CLOCKS_MAY_DIFFER_MS) return null;
      const minutes = Math.round(Math.abs(aheadMs) / MINUTE_MS);
      const side = aheadMs > 0 ? "ahead of" : "behind";
      return (
        `This machine's clock is ${minutes} min ${side} the payment provider's. Synchronize it ` +
        "(NTP): until then payments and webhooks may be refused."
      );
    },
  };
}

export type Clocks = ReturnType<typeof compareClocks>;

/** Timeouts, retries and accepted answers of our calls to Stripe. */

/** A buyer's click waits for this. The library's default is 80 s. */
const TIMEOUT_MS = 10_000;
const RETRIES = 2;

export interface StripeOptions {
  secretKey: string;
  /** Newest first; all are accepted. */
  webhookSecrets: readonly string[];
  mode: StripeMode;
  /** Our own limit of calls; null for none, as tests do. */
  rates?: Rates | null;
  /** Default: Stripe's own address. */
  endpoint?: Pick<Stripe.StripeConfig, "host" | "port" | "protocol">;
  /** Stripe's names; see PAYMENT_METHODS. */
  paymentMethods?: readonly string[] | undefined;
  /** Custom checkout domains. */
  extraCheckoutOrigins?: readonly string[];
  timeoutMs?: number;
  maxNetworkRetries?: number;
  clock?: () => number;
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/** The kind of object that a limit counts: "/v1/checkout/sessions/cs_…/expire" → "checkout". */
const kindOf = (path: string): string => path.split("?", 1)[0]?.split("/")[2] ?? "";

interface ClientContext {
  metering?: { meter: Meter; share: MeterShare } | undefined;
  clocks?: Clocks | undefined;
}

/** Counts each call, with retries and further pages of a list. */
function httpClient({ metering, clocks }: ClientContext): HttpClient {
  const inner = Stripe.createNodeHttpClient();
  return {
    getClientName: () => inner.getClientName(),
    makeRequest: async (...request) => {
      await metering?.meter.take(metering.share, kindOf(request[2]));
      const response = await inner.makeRequest(...request);
      clocks?.read(String(response.getHeaders().date));
      // A broken proxy may answer with JSON that is not an object, such as "Bad Gateway" in quotes. The
      // library would throw where nothing catches it, and the call would never end.
      const toJSON = response.toJSON.bind(response);
      response.toJSON = async () => {
        const answer: unknown = await toJSON();
        if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer;
        throw new TypeError("The answer is not a JSON object.");
      };
      return response;
    },
  };
}

export function stripeClient(options: StripeOptions, context: ClientContext = {}): Stripe {
  return new Stripe(options.secretKey, {
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: options.maxNetworkRetries ?? RETRIES,
    telemetry: false,
    httpClient: httpClient(context),
    appInfo: { name: "coffee-merchant" },
    ...options.endpoint,
  });
}
