/**
 * Sessions made, read, listed and ended: what is checked here is what Stripe documents as limits. Minor
 * units of usd.
 */
import type { z } from "zod";
import { sum } from "../../core/money.ts";
import { DAY_MS, MINUTE_MS } from "../../core/policy.ts";
import { findCoupon } from "./coupon-routes.ts";
import { ApiError, missing } from "./errors.ts";
import { expandOnly, noParams, type SessionCreate, sessionCreate, sessionList } from "./params.ts";
import { expansion, page, type Route, type RouteContext, route } from "./route.ts";
import { expire, paymentId, type SessionRecord, sessionIdOf } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { sessionObject } from "./wire.ts";
import { paymentObject } from "./wire-payment.ts";

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
    const list = page(found, input, { kind: "checkout.session", url: PATH });
    return { ...list, data: list.data.map((s) => sessionObject(s, baseUrl, depth)) };
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

async function matching(input: z.output<typeof sessionList>, sessions: Sessions) {
  const { payment_intent } = input;
  if (payment_intent !== undefined) {
    const one = await sessions.read(sessionIdOf(payment_intent));
    return one && one.method !== null && paymentId(one) === payment_intent ? [one] : [];
  }
  return sessions.list((input.created?.gte ?? 0) * 1000);
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
  if (await sessions.create(record)) return sessionObject(record, baseUrl, depth);
  // This very request was begun before and broke off after making the session.
  return sessionObject((await sessions.read(record.id)) ?? record, baseUrl, depth);
}
