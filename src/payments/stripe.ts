/**
 * Stripe behind the payment port (contract §5). The sandbox runs this same code against a loopback
 * emulator. Amounts are minor units of usd, times are milliseconds.
 */
import Stripe from "stripe";
import {
  type CheckoutRequest,
  type CheckoutState,
  type PaymentMode,
  type PaymentProvider,
  ProviderRejected,
} from "./provider.ts";
import { asProviderError, toRefund, toState } from "./stripe-answers.ts";
import { type StripeOptions, stripeClient } from "./stripe-client.ts";
import {
  couponParams,
  type RequestSettings,
  refundParams,
  SESSION_EXPAND,
  SESSION_LIST_EXPAND,
  sessionParams,
} from "./stripe-requests.ts";
import { verifyEvent } from "./stripe-webhook.ts";

export type { StripeOptions };

const MINUTE = 60_000;
/** Stripe allows 30 min to 24 h after its own clock; latency and skew eat into both ends. */
const LIMITS = { minTtlMs: 31 * MINUTE, maxTtlMs: 24 * 60 * MINUTE - 5 * MINUTE };

const PING_TIMEOUT_MS = 3_000;

interface Context {
  stripe: Stripe;
  settings: RequestSettings;
  origins: readonly string[];
}

async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asProviderError(error);
  }
}

/**
 * Create-or-ignore. The key belongs to the attempt and not to the coupon: a coupon deleted in the
 * dashboard is then made again, instead of the old answer being replayed.
 */
async function ensureCoupon({ stripe }: Context, request: CheckoutRequest): Promise<void> {
  const params = couponParams(request);
  if (!params) return;
  try {
    await stripe.coupons.create(params, { idempotencyKey: `${request.attemptId}:coupon` });
  } catch (error) {
    const known =
      error instanceof Stripe.errors.StripeError && error.code === "resource_already_exists";
    if (!known) throw error;
  }
}

async function retrieve({ stripe, origins }: Context, sessionId: string): Promise<CheckoutState> {
  const answer = await stripe.checkout.sessions.retrieve(sessionId, { expand: SESSION_EXPAND });
  return toState(answer, origins);
}

async function create(context: Context, request: CheckoutRequest): Promise<CheckoutState> {
  const { stripe, settings, origins } = context;
  await ensureCoupon(context, request);
  const params = sessionParams(request, settings);
  const answer = await stripe.checkout.sessions.create(params, {
    idempotencyKey: request.attemptId,
  });
  const state = toState(answer, origins);
  const wrong = mismatch(state, request, settings.mode);
  if (wrong) {
    // Before anybody is sent there. Where this fails too, the session ends by its own clock unseen.
    await expire(context, state.sessionId).catch(() => undefined);
    throw new ProviderRejected(
      `The provider would not charge what was agreed: ${wrong}.`,
      "mismatch",
    );
  }
  // A replayed answer tells how the session began, not how it stands.
  const replayed = answer.lastResponse.headers["idempotent-replayed"] === "true";
  return replayed ? await retrieve(context, state.sessionId) : state;
}

function mismatch(
  state: CheckoutState,
  request: CheckoutRequest,
  mode: PaymentMode,
): string | null {
  if (state.totalMinor !== request.totalMinor) {
    return `total ${state.totalMinor} instead of ${request.totalMinor}`;
  }
  if (state.currency !== "usd") return `currency ${state.currency}`;
  if (state.livemode !== (mode === "live")) return `livemode ${state.livemode} in mode ${mode}`;
  if (state.status === "open" && state.url === null) return "no page at a known checkout origin";
  return null;
}

async function expire(context: Context, sessionId: string): Promise<CheckoutState> {
  try {
    const params = { expand: SESSION_EXPAND };
    return toState(
      await context.stripe.checkout.sessions.expire(sessionId, params),
      context.origins,
    );
  } catch (error) {
    if (!(asProviderError(error) instanceof ProviderRejected)) throw error;
    const state = await retrieve(context, sessionId);
    if (state.status === "open") throw error;
    return state;
  }
}

async function* list({ stripe, origins }: Context, sinceMs: number): AsyncGenerator<CheckoutState> {
  const created = { gte: Math.floor(sinceMs / 1000) };
  const params = { created, limit: 100, expand: SESSION_LIST_EXPAND };
  try {
    for await (const session of stripe.checkout.sessions.list(params)) {
      yield toState(session, origins);
    }
  } catch (error) {
    throw asProviderError(error);
  }
}

async function byPayment(context: Context, paymentRef: string): Promise<CheckoutState | null> {
  const params = { payment_intent: paymentRef, limit: 1, expand: SESSION_LIST_EXPAND };
  const page = await context.stripe.checkout.sessions.list(params);
  return page.data[0] === undefined ? null : toState(page.data[0], context.origins);
}

export function stripeProvider(options: StripeOptions): PaymentProvider {
  const { mode, name = "stripe", clock = Date.now } = options;
  const own = name === "stripe" ? ["https://checkout.stripe.com"] : [];
  const origins = [...own, ...(options.extraCheckoutOrigins ?? [])];
  const settings = { mode, paymentMethods: options.paymentMethods ?? ["card"] };
  const stripe = stripeClient(options);
  const context: Context = { stripe, settings, origins };
  return {
    name,
    mode,
    limits: LIMITS,
    checkoutOrigins: origins,
    createCheckout: (request) => guarded(() => create(context, request)),
    getCheckout: (sessionId) => guarded(() => retrieve(context, sessionId)),
    findByPayment: (paymentRef) => guarded(() => byPayment(context, paymentRef)),
    expireCheckout: (sessionId) => guarded(() => expire(context, sessionId)),
    listCheckouts: (sinceMs) => list(context, sinceMs),
    refund: (paymentRef, { idempotencyKey, amountMinor }) =>
      guarded(async () => {
        const params = refundParams(paymentRef, amountMinor);
        return toRefund(await stripe.refunds.create(params, { idempotencyKey }));
      }),
    verifyWebhook: (rawBody, signature) =>
      verifyEvent(rawBody, signature, options.webhookSecrets, clock()),
    // Not the balance: a restricted key need not read it, but sessions it can always list. None is
    // newer than now, so the answer is empty and cheap.
    ping: () =>
      guarded(async () => {
        const quick = { timeout: PING_TIMEOUT_MS, maxNetworkRetries: 0 };
        const created = { gte: Math.floor(clock() / 1000) };
        await stripe.checkout.sessions.list({ created, limit: 1 }, quick);
      }),
  };
}
