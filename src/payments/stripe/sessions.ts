/**
 * Creates, reads, lists and ends sessions at Stripe, with their coupons, refunds and disputes. Amounts are
 * minor units of usd, times are milliseconds.
 */
import Stripe from "stripe";
import { CURRENCY } from "../../core/money.ts";
import {
  type CheckoutRequest,
  type CheckoutState,
  type PaymentMode,
  type ProviderDispute,
  type ProviderRefund,
  ProviderRejected,
} from "../provider.ts";
import { asProviderError, toDispute, toRefunds, toState, toStateOfPayment } from "./answers.ts";
import {
  couponParams,
  PAYMENT_EXPAND,
  type RequestSettings,
  SESSION_EXPAND,
  SESSION_LIST_EXPAND,
  sessionParams,
} from "./requests.ts";

/** Client of one share of the meter, and the settings of every request. */
export interface StripeContext {
  /** Creates the client at the first call. */
  stripe: () => Stripe;
  settings: RequestSettings;
  origins: readonly string[];
}

/** Stripe's largest page. */
const PAGE = 100;

const EXPANDED = { expand: SESSION_EXPAND };

export function stripeSessions({ stripe, settings, origins }: StripeContext) {
  async function refundsOf(paymentRef: string): Promise<ProviderRefund[]> {
    const all: unknown[] = [];
    for await (const refund of stripe().refunds.list({ payment_intent: paymentRef, limit: PAGE })) {
      all.push(refund);
    }
    return toRefunds(all);
  }

  async function disputesOf(paymentRef: string): Promise<ProviderDispute[]> {
    const all: ProviderDispute[] = [];
    const params = { payment_intent: paymentRef, limit: PAGE };
    for await (const dispute of stripe().disputes.list(params)) all.push(toDispute(dispute));
    return all.reverse();
  }

  /** State of a session that Stripe returned, with the refunds and disputes that it lacks. */
  const whole = (answer: unknown): Promise<CheckoutState> => withMore(toState(answer, origins));

  async function withMore({ state, more }: ReturnType<typeof toState>): Promise<CheckoutState> {
    const { paymentRef } = state;
    if (paymentRef === null) return state;
    const [refunds, disputes] = await Promise.all([
      more.refunds ? refundsOf(paymentRef) : state.refunds,
      more.disputes ? disputesOf(paymentRef) : state.disputes,
    ]);
    return { ...state, refunds, disputes };
  }

  /**
   * Creates the coupon unless it exists. The idempotency key is the attempt's: a coupon that was deleted in
   * the dashboard is created again.
   */
  async function ensureCoupon(request: CheckoutRequest): Promise<void> {
    const params = couponParams(request);
    if (!params) return;
    try {
      await stripe().coupons.create(params, { idempotencyKey: `${request.attemptId}:coupon` });
    } catch (error) {
      const known =
        error instanceof Stripe.errors.StripeError && error.code === "resource_already_exists";
      if (!known) throw error;
    }
  }

  /** Creates the session, without the buyer's address if Stripe refuses that. */
  async function createSession(request: CheckoutRequest) {
    const { attemptId: idempotencyKey } = request;
    const { sessions } = stripe().checkout;
    try {
      return await sessions.create(sessionParams(request, settings), { idempotencyKey });
    } catch (error) {
      if (!isEmailRefused(error)) throw error;
      const params = sessionParams(request, { ...settings, withoutEmail: true });
      return sessions.create(params, { idempotencyKey: `${idempotencyKey}:without-email` });
    }
  }

  async function create(request: CheckoutRequest): Promise<CheckoutState> {
    await ensureCoupon(request);
    const answer = await createSession(request);
    const { state } = toState(answer, origins);
    const wrong = mismatch(state, request, settings.mode);
    if (wrong) {
      // Nobody has seen the page yet. If this fails too, the session ends by its own clock.
      await expire(state.sessionId).catch(() => undefined);
      throw new ProviderRejected(
        `The provider would not charge the agreed amount: ${wrong}.`,
        "mismatch",
      );
    }
    // A replayed answer holds the session's first state.
    const replayed = answer.lastResponse.headers["idempotent-replayed"] === "true";
    return replayed ? await retrieve(state.sessionId) : state;
  }

  async function retrieve(sessionId: string): Promise<CheckoutState> {
    return whole(await stripe().checkout.sessions.retrieve(sessionId, EXPANDED));
  }

  async function expire(sessionId: string): Promise<CheckoutState> {
    try {
      return await whole(await stripe().checkout.sessions.expire(sessionId, EXPANDED));
    } catch (error) {
      if (!(asProviderError(error) instanceof ProviderRejected)) throw error;
      const state = await retrieve(sessionId);
      if (state.status === "open") throw error;
      return state;
    }
  }

  /** Changes the payment. Stripe refuses what its state rules out; then the session tells it. */
  async function change(
    sessionId: string,
    call: (payments: Stripe["paymentIntents"]) => Promise<unknown>,
  ): Promise<CheckoutState> {
    let answer: unknown;
    try {
      // Without a key of ours: the client's own is new for each call, so no failure is repeated forever.
      answer = await call(stripe().paymentIntents);
    } catch (error) {
      if (!(asProviderError(error) instanceof ProviderRejected)) throw error;
      return retrieve(sessionId);
    }
    return withMore(toStateOfPayment(answer, sessionId));
  }

  const capture = (sessionId: string, paymentRef: string): Promise<CheckoutState> =>
    change(sessionId, (payments) => payments.capture(paymentRef, { expand: PAYMENT_EXPAND }));

  const release = (sessionId: string, paymentRef: string): Promise<CheckoutState> =>
    change(sessionId, (payments) => payments.cancel(paymentRef, { expand: PAYMENT_EXPAND }));

  async function* list(sinceMs: number): AsyncGenerator<CheckoutState> {
    const created = { gte: Math.floor(sinceMs / 1000) };
    const params = { created, limit: PAGE, expand: SESSION_LIST_EXPAND };
    try {
      for await (const session of stripe().checkout.sessions.list(params)) yield whole(session);
    } catch (error) {
      throw asProviderError(error);
    }
  }

  async function byPayment(paymentRef: string): Promise<CheckoutState | null> {
    const params = { payment_intent: paymentRef, limit: 1, expand: SESSION_LIST_EXPAND };
    const { data } = await stripe().checkout.sessions.list(params);
    return data[0] === undefined ? null : whole(data[0]);
  }

  return { create, retrieve, expire, capture, release, list, byPayment, refundsOf };
}

const isEmailRefused = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === "email_invalid" || /customer_email|receipt_email/.test(error.param ?? ""));

function mismatch(
  state: CheckoutState,
  request: CheckoutRequest,
  mode: PaymentMode,
): string | null {
  if (state.totalMinor !== request.totalMinor) {
    return `total ${state.totalMinor} instead of ${request.totalMinor}`;
  }
  if (state.currency !== CURRENCY) return `currency ${state.currency}`;
  if (state.livemode !== (mode === "live")) return `livemode ${state.livemode} in mode ${mode}`;
  if (state.status === "open" && state.url === null) return "no page at a known checkout origin";
  return null;
}
