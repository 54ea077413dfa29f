/** Stripe behind the payment port (contract §5). Amounts are minor units of usd, times are milliseconds. */
import type Stripe from "stripe";
import { DAY_MS, MINUTE_MS } from "../../core/policy.ts";
import { type PaymentProvider, ProviderRejected, type ProviderUnavailable } from "../provider.ts";
import { asProviderError, asRefundError, toRefund } from "./answers.ts";
import {
  compareClocks,
  createMeter,
  type MeterShare,
  RATES,
  type StripeOptions,
  stripeClient,
} from "./client.ts";
import { checkPermissions } from "./permissions.ts";
import { refundParams } from "./requests.ts";
import { stripeSessions } from "./sessions.ts";
import { verifyEvent } from "./webhook.ts";

/** Stripe allows 30 min to 24 h by its own clock; the margins cover latency and clock skew. */
const LIMITS = { minTtlMs: 31 * MINUTE_MS, maxTtlMs: DAY_MS - 5 * MINUTE_MS };

const PING_TIMEOUT_MS = 3_000;

/** Payment methods that buyers are offered by default, if the account has them switched on. */
const USUAL_METHODS = ["card", "link"] as const;

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

/** A refusal with the likely reason. */
const withHint = (
  error: ProviderRejected | ProviderUnavailable,
  hint: string | null | undefined,
) =>
  hint && error instanceof ProviderRejected
    ? new ProviderRejected(`${error.message} ${hint}`, error.code, hint)
    : error;

export function stripeProvider(options: StripeOptions): PaymentProvider {
  const { mode, clock = Date.now, rates = RATES[mode] } = options;
  const origins = ["https://checkout.stripe.com", ...(options.extraCheckoutOrigins ?? [])];
  const settings = { mode, paymentMethods: options.paymentMethods ?? USUAL_METHODS };
  const meter = rates && createMeter(rates);
  const clocks = compareClocks(clock);
  // Two clients share one meter: buyers' presses never take the calls that settling needs.
  const sharing = (share: MeterShare) => {
    let client: Stripe | undefined;
    const stripe = () => {
      client ??= stripeClient(options, { metering: meter ? { meter, share } : undefined, clocks });
      return client;
    };
    return { stripe, ...stripeSessions({ stripe, settings, origins }) };
  };
  const buyers = sharing("buyers");
  const settling = sharing("settling");
  return {
    mode,
    limits: LIMITS,
    checkoutOrigins: origins,
    createCheckout: (request) =>
      guarded(
        () => buyers.create(request),
        (error) => withHint(asProviderError(error), clocks?.problem()),
      ),
    lookAtCheckout: (sessionId) => guarded(() => buyers.retrieve(sessionId)),
    getCheckout: (sessionId) => guarded(() => settling.retrieve(sessionId)),
    findByPayment: (paymentRef) => guarded(() => settling.byPayment(paymentRef)),
    expireCheckout: (sessionId) => guarded(() => settling.expire(sessionId)),
    captureCheckout: (...payment) => guarded(() => settling.capture(...payment)),
    releaseCheckout: (...payment) => guarded(() => settling.release(...payment)),
    listCheckouts: settling.list,
    refund: (paymentRef, request) =>
      guarded(async () => {
        const { idempotencyKey } = request;
        const params = refundParams(paymentRef, request);
        return toRefund(await settling.stripe().refunds.create(params, { idempotencyKey }));
      }, asRefundError),
    listRefunds: (paymentRef) => guarded(() => settling.refundsOf(paymentRef)),
    verifyWebhook: (rawBody, signature) =>
      verifyEvent(rawBody, signature, options.webhookSecrets, clock()),
    // A restricted key need not read the balance, but can always list sessions. None is newer than
    // now, so the answer is empty and cheap. Many buyers do not make the service unready.
    ping: () =>
      guarded(async () => {
        const quick = { timeout: PING_TIMEOUT_MS, maxNetworkRetries: 0 };
        const created = { gte: Math.floor(clock() / 1000) };
        await settling.stripe().checkout.sessions.list({ created, limit: 1 }, quick);
      }),
    async checkKey() {
      await checkPermissions(settling.stripe());
      return clocks?.problem() ?? null;
    },
  };
}
