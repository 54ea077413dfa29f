/**
 * Stripe behind the payment port (contract §5). The sandbox runs this same code against a loopback
 * emulator. Amounts are minor units of usd, times are milliseconds.
 */
import { createMeter, RATES } from "./meter.ts";
import { checkPermissions } from "./permissions.ts";
import type { PaymentProvider } from "./provider.ts";
import { toRefund } from "./stripe-answers.ts";
import { type StripeOptions, stripeClient } from "./stripe-client.ts";
import { asProviderError, asRefundError } from "./stripe-errors.ts";
import { refundParams } from "./stripe-requests.ts";
import * as sessions from "./stripe-sessions.ts";
import { verifyEvent } from "./stripe-webhook.ts";

export type { StripeOptions };

const MINUTE = 60_000;
/** Stripe allows 30 min to 24 h after its own clock; latency and skew eat into both ends. */
const LIMITS = { minTtlMs: 31 * MINUTE, maxTtlMs: 24 * 60 * MINUTE - 5 * MINUTE };

const PING_TIMEOUT_MS = 3_000;

/** Of what an account has switched on, what a buyer is offered unless PAYMENT_METHODS says otherwise. */
export const USUAL_METHODS = ["card", "link"] as const;

async function guarded<T>(
  call: () => Promise<T>,
  asError: (error: unknown) => Error = asProviderError,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asError(error);
  }
}

/** Two clients of one meter: what people ask for never takes what settling needs. */
function contexts(options: StripeOptions, origins: readonly string[]) {
  const { mode } = options;
  const rates = RATES[mode];
  const meter = rates && createMeter(rates);
  const settings = { mode, paymentMethods: options.paymentMethods ?? USUAL_METHODS };
  const context = (share: "buyers" | "settling"): sessions.StripeContext => {
    let client: ReturnType<typeof stripeClient> | undefined;
    return {
      // Made by the first call: it loads Stripe's library, which a start over stdio has no use for.
      get stripe() {
        client ??= stripeClient(options, meter ? { meter, share } : undefined);
        return client;
      },
      settings,
      origins,
    };
  };
  return { buyers: context("buyers"), settling: context("settling") };
}

export function stripeProvider(options: StripeOptions): PaymentProvider {
  const { mode, name = "stripe", clock = Date.now } = options;
  const own = name === "stripe" ? ["https://checkout.stripe.com"] : [];
  const origins = [...own, ...(options.extraCheckoutOrigins ?? [])];
  const { buyers, settling } = contexts(options, origins);
  return {
    name,
    mode,
    limits: LIMITS,
    checkoutOrigins: origins,
    createCheckout: (request) => guarded(() => sessions.create(buyers, request)),
    lookAtCheckout: (sessionId) => guarded(() => sessions.retrieve(buyers, sessionId)),
    getCheckout: (sessionId) => guarded(() => sessions.retrieve(settling, sessionId)),
    findByPayment: (paymentRef) => guarded(() => sessions.byPayment(settling, paymentRef)),
    expireCheckout: (sessionId) => guarded(() => sessions.expire(settling, sessionId)),
    listCheckouts: (sinceMs) => sessions.list(settling, sinceMs),
    refund: (paymentRef, request) =>
      guarded(async () => {
        const { idempotencyKey } = request;
        const params = refundParams(paymentRef, request);
        return toRefund(await settling.stripe.refunds.create(params, { idempotencyKey }));
      }, asRefundError),
    listRefunds: (paymentRef) => guarded(() => sessions.refundsOf(settling, paymentRef)),
    verifyWebhook: (rawBody, signature) =>
      verifyEvent(rawBody, signature, options.webhookSecrets, clock()),
    // Not the balance: a restricted key need not read it, but sessions it can always list. None is
    // newer than now, so the answer is empty and cheap.
    ping: () =>
      guarded(async () => {
        const quick = { timeout: PING_TIMEOUT_MS, maxNetworkRetries: 0 };
        const created = { gte: Math.floor(clock() / 1000) };
        await buyers.stripe.checkout.sessions.list({ created, limit: 1 }, quick);
      }),
    checkKey: () => checkPermissions(settling.stripe),
  };
}
