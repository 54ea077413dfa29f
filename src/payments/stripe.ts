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
  type ProviderDispute,
  type ProviderRefund,
  ProviderRejected,
} from "./provider.ts";
import {
  asProviderError,
  asRefundError,
  toDispute,
  toRefund,
  toRefunds,
  toState,
} from "./stripe-answers.ts";
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

/** More than one payment ever has; a page is a page. */
const PAGE = 100;

async function refundsOf({ stripe }: Context, paymentRef: string): Promise<ProviderRefund[]> {
  const all: unknown[] = [];
  for await (const refund of stripe.refunds.list({ payment_intent: paymentRef, limit: PAGE })) {
    all.push(refund);
  }
  return toRefunds(all);
}

async function disputesOf({ stripe }: Context, paymentRef: string): Promise<ProviderDispute[]> {
  const all: ProviderDispute[] = [];
  for await (const dispute of stripe.disputes.list({ payment_intent: paymentRef, limit: PAGE })) {
    all.push(toDispute(dispute));
  }
  return all.reverse();
}

/** A session as Stripe answers it, and what has to be asked for beside it. */
async function whole(context: Context, answer: unknown): Promise<CheckoutState> {
  const { state, rest } = toState(answer, context.origins);
  const { paymentRef } = state;
  if (paymentRef === null) return state;
  const [refunds, disputes] = await Promise.all([
    rest.moreRefunds ? refundsOf(context, paymentRef) : state.refunds,
    rest.disputes ? disputesOf(context, paymentRef) : state.disputes,
  ]);
  return { ...state, refunds, disputes };
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

async function retrieve(context: Context, sessionId: string): Promise<CheckoutState> {
  const expand = SESSION_EXPAND;
  return whole(context, await context.stripe.checkout.sessions.retrieve(sessionId, { expand }));
}

/** The buyer's address may be one that Stripe takes for wrong: then the session goes without it. */
async function createSession({ stripe, settings }: Context, request: CheckoutRequest) {
  const { attemptId: idempotencyKey } = request;
  const { sessions } = stripe.checkout;
  try {
    return await sessions.create(sessionParams(request, settings), { idempotencyKey });
  } catch (error) {
    if (!isEmailRefused(error)) throw error;
    const params = sessionParams(request, { ...settings, withoutEmail: true });
    return sessions.create(params, { idempotencyKey: `${idempotencyKey}:without-email` });
  }
}

const isEmailRefused = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === "email_invalid" || /customer_email|receipt_email/.test(error.param ?? ""));

async function create(context: Context, request: CheckoutRequest): Promise<CheckoutState> {
  const { settings, origins } = context;
  await ensureCoupon(context, request);
  const answer = await createSession(context, request);
  const { state } = toState(answer, origins);
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
    const { sessions } = context.stripe.checkout;
    return await whole(context, await sessions.expire(sessionId, { expand: SESSION_EXPAND }));
  } catch (error) {
    if (!(asProviderError(error) instanceof ProviderRejected)) throw error;
    const state = await retrieve(context, sessionId);
    if (state.status === "open") throw error;
    return state;
  }
}

async function* list(context: Context, sinceMs: number): AsyncGenerator<CheckoutState> {
  const created = { gte: Math.floor(sinceMs / 1000) };
  const params = { created, limit: PAGE, expand: SESSION_LIST_EXPAND };
  try {
    for await (const session of context.stripe.checkout.sessions.list(params)) {
      yield await whole(context, session);
    }
  } catch (error) {
    throw asProviderError(error);
  }
}

async function byPayment(context: Context, paymentRef: string): Promise<CheckoutState | null> {
  const params = { payment_intent: paymentRef, limit: 1, expand: SESSION_LIST_EXPAND };
  const page = await context.stripe.checkout.sessions.list(params);
  return page.data[0] === undefined ? null : whole(context, page.data[0]);
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
    refund: (paymentRef, request) =>
      guarded(async () => {
        const { idempotencyKey } = request;
        const params = refundParams(paymentRef, request);
        return toRefund(await stripe.refunds.create(params, { idempotencyKey }));
      }, asRefundError),
    listRefunds: (paymentRef) => guarded(() => refundsOf(context, paymentRef)),
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
