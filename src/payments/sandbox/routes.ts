import type { z } from "zod";
import { sum } from "../../core/money.ts";
import { DAY_MS, MINUTE_MS } from "../../core/policy.ts";
import { disputeObject, refundObject, sessionObject } from "./answers.ts";
import {
  ApiError,
  couponCreate,
  expandOnly,
  listOfPayment,
  missing,
  parse,
  refundCreate,
  type SessionCreate,
  sessionCreate,
  sessionList,
} from "./params.ts";
import {
  expire,
  paymentId,
  type RefundFate,
  refund,
  refundedMinor,
  type SessionRecord,
  sessionIdOf,
} from "./session.ts";
import type { Sessions } from "./sessions.ts";
import type { SandboxState } from "./state.ts";

/** The Stripe endpoints that the shop calls. Amounts are minor units of usd. */

export interface RouteContext {
  state: SandboxState;
  sessions: Sessions;
  baseUrl: string;
  clock: () => number;
  /** Time that a refund takes until its later status, in milliseconds. */
  refundDelayMs: number;
  /** Decides about a refund instead of the test card. */
  refundFate?: ((amountMinor: number) => RefundFate | ApiError | undefined) | undefined;
}

interface Call {
  /** The id in the path, or "". */
  id: string;
  /** Source of the ids that a call creates: a repeated call has the same, so it creates nothing twice. */
  seed: string;
}

interface Route {
  method: "get" | "post";
  path: string;
  /** Throws if the parameters are wrong. */
  bind(input: unknown): (call: Call) => Promise<object>;
}

export function sandboxRoutes(context: RouteContext): Route[] {
  const { state, sessions, baseUrl, clock } = context;

  function route<S extends z.ZodType>(
    method: Route["method"],
    path: string,
    schema: S,
    run: (input: z.output<S>, call: Call) => Promise<object>,
  ): Route {
    return {
      method,
      path: `/v1/${path}`,
      bind(input) {
        const parsed = parse(schema, input);
        return (call) => run(parsed, call);
      },
    };
  }

  async function found(id: string): Promise<SessionRecord> {
    const record = await sessions.read(id);
    if (record) return record;
    throw missing("checkout.session", id, "session");
  }

  /** The session behind a payment that was tried, or null. */
  async function ofPayment(payment: string): Promise<SessionRecord | null> {
    const record = await sessions.read(sessionIdOf(payment));
    return record && record.method !== null && paymentId(record) === payment ? record : null;
  }

  async function discountMinor({ discounts }: SessionCreate, subtotal: number): Promise<number> {
    if (!discounts) return 0;
    const [{ coupon: id }] = discounts;
    const row = await state.get(couponKey(id));
    if (!row) throw missing("coupon", id, "discounts[0][coupon]");
    const coupon = JSON.parse(row.body) as z.output<typeof couponCreate>;
    return Math.min(coupon.amount_off, subtotal);
  }

  async function createSession(params: SessionCreate, { seed }: Call) {
    const id = `cs_test_${seed}`;
    const now = clock();
    const known = await sessions.read(id);
    if (known) return sessionObject(known, baseUrl, params.expand !== undefined);
    const subtotal = sum(params.line_items.map((l) => l.quantity * l.price_data.unit_amount));
    const discount = await discountMinor(params, subtotal);
    const record: SessionRecord = {
      id,
      params,
      createdAt: now,
      expiresAt: params.expires_at * 1000,
      discountMinor: discount,
      totalMinor: subtotal - discount,
      status: "open",
      payment: "unpaid",
      method: null,
      lastError: null,
      awaiting3ds: false,
      settlesAt: null,
      refunds: [],
      refundFate: "succeeds",
      disputes: [],
      outbox: [],
    };
    checkLimits(record);
    await sessions.create(record);
    return sessionObject(record, baseUrl, params.expand !== undefined);
  }

  async function listSessions(input: z.output<typeof sessionList>) {
    const { payment_intent: payment, starting_after: after, expand } = input;
    const limit = Math.min(input.limit, PAGE);
    const since = (input.created?.gte ?? 0) * 1000;
    const records =
      payment === undefined
        ? await sessions.list({ since, after, limit: limit + 1 })
        : [await ofPayment(payment)].filter((one) => one !== null);
    if (!records) throw missing("checkout.session", after ?? "", "starting_after");
    const data = records
      .slice(0, limit)
      .map((s) => sessionObject(s, baseUrl, expand !== undefined));
    return list("checkout/sessions", data, records.length > limit);
  }

  async function createRefund(input: z.output<typeof refundCreate>, { seed }: Call) {
    const { payment_intent: payment, metadata } = input;
    const id = `re_${seed}`;
    let refusal: ApiError | undefined;
    const made = await sessions.change(sessionIdOf(payment), (s) => {
      refusal = undefined;
      if (s.method === null || s.refunds.some((r) => r.id === id)) return null;
      const amountMinor = input.amount ?? s.totalMinor - refundedMinor(s);
      refusal = refundRefusal(s, amountMinor);
      if (refusal) return null;
      const fate = context.refundFate?.(amountMinor);
      if (fate instanceof ApiError) {
        refusal = fate;
        return null;
      }
      const { refundDelayMs: delayMs } = context;
      return refund(s, { id, amountMinor, metadata, now: clock(), delayMs, fate });
    });
    if (refusal) throw refusal;
    const row = made?.record.refunds.find((r) => r.id === id);
    if (!made || !row) throw missing("payment_intent", payment, "payment_intent");
    return refundObject(made.record, row);
  }

  return [
    route("post", "checkout/sessions", sessionCreate, createSession),
    route("get", "checkout/sessions", sessionList, listSessions),

    route("get", "checkout/sessions/:id", expandOnly, async ({ expand }, { id }) =>
      sessionObject(await found(id), baseUrl, expand !== undefined),
    ),

    route("post", "checkout/sessions/:id/expire", expandOnly, async ({ expand }, { id }) => {
      const { status } = await found(id);
      const done = await sessions.change(id, (s) => (s.status === "open" ? expire(s) : null));
      if (done?.moved) return sessionObject(done.record, baseUrl, expand !== undefined);
      const message = `Only Checkout Sessions with a status in ["open"] can be expired, not ${status}.`;
      throw new ApiError(400, message);
    }),

    route("post", "coupons", couponCreate, async (coupon) => {
      const added = await state.put(couponKey(coupon.id), "coupon", JSON.stringify(coupon), 0);
      if (added) return { ...coupon, object: "coupon" };
      throw new ApiError(400, "Coupon already exists.", "resource_already_exists", "id");
    }),

    route("post", "refunds", refundCreate, createRefund),

    route("get", "refunds", listOfPayment, async ({ payment_intent: payment }) => {
      const s = await ofPayment(payment);
      return list("refunds", s ? s.refunds.map((row) => refundObject(s, row)).reverse() : []);
    }),

    route("get", "disputes", listOfPayment, async ({ payment_intent: payment }) => {
      const s = await ofPayment(payment);
      return list("disputes", s ? s.disputes.map((row) => disputeObject(s, row)).reverse() : []);
    }),
  ];
}

/** A page may hold fewer sessions than requested, so that no request waits long for a large list. */
const PAGE = 20;

const list = (path: string, data: object[], more = false) => ({
  object: "list",
  url: `/v1/${path}`,
  data,
  has_more: more,
});

const couponKey = (id: string): string => `coupon_${id}`;

/** Stripe's limits, with a second of grace for times rounded to whole seconds. */
function checkLimits({ totalMinor, createdAt, expiresAt }: SessionRecord): void {
  if (totalMinor < 50) {
    const message = "The Checkout Session's total amount must convert to at least 50 cents.";
    throw new ApiError(400, message, "amount_too_small");
  }
  if (totalMinor > 99_999_999) {
    const message = "The Checkout Session's total amount due must be no more than $999,999.99.";
    throw new ApiError(400, message, "amount_too_large");
  }
  const ttl = expiresAt - createdAt;
  if (ttl < 30 * MINUTE_MS - 1000 || ttl > DAY_MS + 1000) {
    const message = "The `expires_at` timestamp must be 30 minutes to 24 hours from creation.";
    throw new ApiError(400, message, undefined, "expires_at");
  }
}

function refundRefusal(s: SessionRecord, amountMinor: number): ApiError | undefined {
  const left = s.totalMinor - refundedMinor(s);
  if (s.payment !== "paid") {
    const message = `This PaymentIntent (${paymentId(s)}) does not have a successful charge to refund.`;
    return new ApiError(400, message, "payment_intent_unexpected_state", "payment_intent");
  }
  if (s.disputes.some(({ status }) => status !== "won")) {
    const message = "The charge you're attempting to refund has been charged back.";
    return new ApiError(400, message, "charge_disputed");
  }
  if (left === 0) {
    return new ApiError(400, "Charge has already been refunded.", "charge_already_refunded");
  }
  if (amountMinor > left) {
    const message = `Refund amount (${amountMinor}) is greater than unrefunded amount (${left}).`;
    return new ApiError(400, message, "amount_too_large", "amount");
  }
  return undefined;
}
