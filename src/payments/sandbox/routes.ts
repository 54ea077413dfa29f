import type { RequestListener } from "node:http";
import type { z } from "zod";
import { sum } from "../../core/money.ts";
import { DAY_MS, MINUTE_MS } from "../../core/policy.ts";
import { disputeObject, paymentObject, refundObject, sessionObject } from "./answers.ts";
import {
  ApiError,
  couponCreate,
  couponUpdate,
  expandOnly,
  listOfPayment,
  missing,
  noParams,
  parse,
  refundCreate,
  type SessionCreate,
  sessionCreate,
  sessionList,
} from "./params.ts";
import {
  expire,
  isDisputed,
  paymentId,
  type RefundFate,
  refund,
  refundedMinor,
  type SessionRecord,
  seconds,
  sessionIdOf,
} from "./payment.ts";
import type { Sessions } from "./sessions.ts";
import type { SandboxState } from "./state.ts";

/** Hooks for tests (test/support/faults.ts); the service passes none. */
export interface Interference {
  /** Around all that the emulator answers. */
  around?: (listener: RequestListener) => RequestListener;
  /** What sends webhooks. */
  fetch?: typeof fetch;
  /** How long one sending of a webhook may take. */
  webhookMs?: number;
  /** Fate or refusal of a refund of this amount; undefined leaves it to the test card. */
  refund?: (amountMinor: number) => RefundFate | ApiError | undefined;
}

export interface RouteContext {
  state: SandboxState;
  sessions: Sessions;
  baseUrl: string;
  now: number;
  /** Ids of what this request makes come from here. */
  seed: string;
  /** The id in the path, or "". */
  id: string;
  interference: Interference;
  /** How long a pending refund takes, in milliseconds. */
  delayMs: number;
}

/** One of the few Stripe endpoints that our provider calls. */
export interface Route {
  method: string;
  path: RegExp;
  /** Checks the parameters and binds them: what is left needs only the context. */
  bind: (input: unknown) => (context: RouteContext) => Promise<object>;
}

/** `at`: method and path, where ":id" stands for any id. */
function route<S extends z.ZodType>(
  at: string,
  schema: S,
  run: (input: z.output<S>, context: RouteContext) => Promise<object>,
): Route {
  const [method = "", path = ""] = at.split(" ");
  return {
    method,
    path: new RegExp(`^${path.replace(":id", "([^/]+)")}$`),
    bind(input) {
      const parsed = parse(schema, input);
      return (context) => run(parsed, context);
    },
  };
}

function page<T extends { id: string }>(
  all: readonly T[],
  wanted: { limit: number; starting_after?: string | undefined },
  { kind, url }: { kind: string; url: string },
) {
  const { limit, starting_after } = wanted;
  const at = starting_after === undefined ? -1 : all.findIndex(({ id }) => id === starting_after);
  if (starting_after !== undefined && at < 0) throw missing(kind, starting_after, "starting_after");
  const data = all.slice(at + 1, at + 1 + limit);
  return { object: "list" as const, url, data, has_more: at + 1 + data.length < all.length };
}

/** What can be written out of a session's payment and not only named, each deeper than the last. */
const EXPANDABLE = [
  "payment_intent",
  "payment_intent.latest_charge",
  "payment_intent.latest_charge.refunds",
];

/** How deep the payment is written out; 0: not at all. `prefix`: lists expand below their `data`. */
function expansion(paths: readonly string[] = [], prefix = ""): number {
  const depths = paths.map((path) => {
    const depth = EXPANDABLE.findIndex((known) => path === prefix + known) + 1;
    if (depth > 0) return depth;
    throw new ApiError(400, `This property cannot be expanded (${path}).`, undefined, "expand");
  });
  return Math.max(0, ...depths);
}

/**
 * Sessions made, read, listed and ended: what is checked here is what Stripe documents as limits. Minor
 * units of usd.
 */

/** A second of grace at both ends, for what has been rounded to whole seconds. */
const TTL = { min: 30 * MINUTE_MS - 1000, max: DAY_MS + 1000 };

const PATH = "/v1/checkout/sessions";

const noSession = (id: string): ApiError => missing("checkout.session", id, "session");

export const SESSION_ROUTES: readonly Route[] = [
  route(`POST ${PATH}`, sessionCreate, createSession),

  route(`GET ${PATH}`, sessionList, async (input, context) => {
    const { sessions, baseUrl } = context;
    const depth = expansion(input.expand, "data.");
    const found = await matching(input, sessions);
    const limit = Math.min(input.limit, PAGE);
    const data = found.slice(0, limit).map((s) => sessionObject(s, baseUrl, depth));
    return { object: "list" as const, url: PATH, data, has_more: found.length > limit };
  }),

  route(`GET ${PATH}/:id`, expandOnly, async (input, context) => {
    const { sessions, id, baseUrl } = context;
    const depth = expansion(input.expand);
    const record = await sessions.read(id);
    if (!record) throw noSession(id);
    return sessionObject(record, baseUrl, depth);
  }),

  route(`POST ${PATH}/:id/expire`, expandOnly, async (input, context) => {
    const { sessions, id, baseUrl } = context;
    const depth = expansion(input.expand);
    const done = await sessions.change(id, (s) => (s.status === "open" ? expire(s) : null));
    if (!done) throw noSession(id);
    if (done.moved) return sessionObject(done.record, baseUrl, depth);
    throw new ApiError(
      400,
      'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session ' +
        `has a status of ${done.record.status}.`,
    );
  }),

  route("GET /v1/payment_intents/:id", noParams, async (_, context) => {
    const { sessions, id } = context;
    const record = await sessions.read(sessionIdOf(id));
    if (!record || record.method === null) throw missing("payment_intent", id, "intent");
    return paymentObject(record);
  }),
];

/** A page may hold fewer sessions than asked for, so that no request waits long for a large list. */
const PAGE = 20;

/** One more than the page holds, where there are more. */
async function matching(input: z.output<typeof sessionList>, sessions: Sessions) {
  const { payment_intent, starting_after: after } = input;
  if (payment_intent !== undefined) {
    const one = await sessions.read(sessionIdOf(payment_intent));
    return one && one.method !== null && paymentId(one) === payment_intent ? [one] : [];
  }
  const since = (input.created?.gte ?? 0) * 1000;
  const found = await sessions.list({ since, after, limit: Math.min(input.limit, PAGE) + 1 });
  if (found) return found;
  throw missing("checkout.session", after ?? "", "starting_after");
}

async function discountMinor(
  { discounts }: SessionCreate,
  subtotal: number,
  { state }: RouteContext,
): Promise<number> {
  const id = discounts?.[0]?.coupon;
  if (id === undefined) return 0;
  const coupon = await findCoupon(state, id);
  if (coupon) return Math.min(coupon.amount_off, subtotal);
  const param = "discounts[0][coupon]";
  throw new ApiError(400, `No such coupon: '${id}'`, "resource_missing", param);
}

function checkAmount(totalMinor: number): void {
  if (totalMinor < 50) {
    const message = "The Checkout Session's total amount must convert to at least 50 cents.";
    throw new ApiError(400, message, "amount_too_small");
  }
  if (totalMinor > 99_999_999) {
    const message = "The Checkout Session's total amount due must be no more than $999,999.99.";
    throw new ApiError(400, message, "amount_too_large");
  }
}

function checkExpiry(expiresAt: number, now: number): void {
  if (expiresAt - now >= TTL.min && expiresAt - now <= TTL.max) return;
  const message = "The `expires_at` timestamp must be 30 minutes to 24 hours from creation.";
  throw new ApiError(400, message, undefined, "expires_at");
}

async function createSession(input: SessionCreate, context: RouteContext) {
  const { sessions, now, seed, baseUrl } = context;
  const depth = expansion(input.expand);
  const known = await sessions.read(`cs_test_${seed}`);
  if (known) return sessionObject(known, baseUrl, depth);
  const subtotalMinor = sum(
    input.line_items.map(({ quantity, price_data }) => quantity * price_data.unit_amount),
  );
  const discount = await discountMinor(input, subtotalMinor, context);
  const totalMinor = subtotalMinor - discount;
  checkAmount(totalMinor);
  const expiresAt = input.expires_at ? input.expires_at * 1000 : now + DAY_MS;
  checkExpiry(expiresAt, now);
  const record: SessionRecord = {
    id: `cs_test_${seed}`,
    params: input,
    createdAt: now,
    expiresAt,
    subtotalMinor,
    discountMinor: discount,
    totalMinor,
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
  await sessions.create(record);
  return sessionObject(record, baseUrl, depth);
}

/** Refunds and disputes, in minor units of usd. */

export const REFUND_ROUTES: readonly Route[] = [
  route("POST /v1/refunds", refundCreate, async (input, context) => {
    const { sessions, seed, now, delayMs, interference } = context;
    const { payment_intent: payment, metadata } = input;
    const id = `re_${seed}`;
    let refusal: ApiError | null = null;
    const made = await sessions.change(sessionIdOf(payment), (s) => {
      if (s.refunds.some((r) => r.id === id)) return null;
      const amountMinor = input.amount ?? s.totalMinor - refundedMinor(s);
      refusal = refused(s, amountMinor);
      if (refusal) return null;
      const fate = interference.refund?.(amountMinor);
      if (fate instanceof ApiError) refusal = fate;
      else return refund(s, { id, amountMinor, metadata, now, delayMs, fate });
      return null;
    });
    if (!made || made.record.method === null) {
      throw missing("payment_intent", payment, "payment_intent");
    }
    if (refusal) throw refusal;
    return refundObject(made.record, made.record.refunds.find((r) => r.id === id)!);
  }),

  listRoute("refund", (s) => s.refunds.map((r) => refundObject(s, r))),
  listRoute("dispute", (s) => s.disputes.map((d) => disputeObject(s, d))),
];

/** Lists begin with the newest, as every list of Stripe's. */
function listRoute(kind: string, of: (s: SessionRecord) => { id: string }[]): Route {
  const url = `/v1/${kind}s`;
  return route(`GET ${url}`, listOfPayment, async (input, context) => {
    const records = await ofPayment(input.payment_intent, context);
    return page(records.flatMap(of).toReversed(), input, { kind, url });
  });
}

async function ofPayment(payment: string, { sessions }: RouteContext) {
  const record = await sessions.read(sessionIdOf(payment));
  return record ? [record] : [];
}

function refused(s: SessionRecord, amountMinor: number): ApiError | null {
  const left = s.totalMinor - refundedMinor(s);
  if (s.payment !== "paid") {
    const intent = `This PaymentIntent (${paymentId(s)})`;
    const message = `${intent} does not have a successful charge to refund.`;
    return new ApiError(400, message, "payment_intent_unexpected_state", "payment_intent");
  }
  if (isDisputed(s)) {
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
  return null;
}

type Coupon = z.output<typeof couponCreate>;

const keyOf = (id: string): string => `coupon_${id}`;

async function findCoupon(state: SandboxState, id: string): Promise<Coupon | null> {
  const row = await state.get(keyOf(id));
  return row && (JSON.parse(row.body) as Coupon);
}

export const COUPON_ROUTES: readonly Route[] = [
  route("POST /v1/coupons", couponCreate, async (input, { state, now }) => {
    if (await state.put(keyOf(input.id), "coupon", JSON.stringify(input), 0)) {
      return couponObject(input, now);
    }
    throw new ApiError(400, "Coupon already exists.", "resource_already_exists", "id");
  }),

  route("POST /v1/coupons/:id", couponUpdate, async (input, { state, id }) => {
    const coupon = await findCoupon(state, id);
    if (!coupon) throw missing("coupon", id, "coupon");
    return couponObject({ ...coupon, ...input }, 0);
  }),
];

const couponObject = (coupon: Coupon, now: number) => ({
  ...coupon,
  object: "coupon",
  created: seconds(now),
  livemode: false,
  metadata: {},
  name: coupon.name ?? null,
  times_redeemed: 0,
  valid: true,
});
