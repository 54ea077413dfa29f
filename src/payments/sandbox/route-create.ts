/**
 * Coupons and new sessions: what is checked here is what Stripe documents as limits. Minor units of
 * usd.
 */
import type Stripe from "stripe";
import type { z } from "zod";
import { ApiError, missing } from "./errors.ts";
import type * as params from "./params.ts";
import { expansion, type RouteContext } from "./route-context.ts";
import type { SessionRecord } from "./session.ts";
import { sessionObject } from "./wire.ts";
import { seconds } from "./wire-ids.ts";

const MINUTE = 60_000;
/** A second of grace at both ends, for what has been rounded to whole seconds. */
const TTL = { min: 30 * MINUTE - 1000, max: 24 * 60 * MINUTE + 1000 };
type Coupon = z.output<typeof params.couponCreate>;
const couponKey = (id: string): string => `coupon_${id}`;

export async function createCoupon(
  input: Coupon,
  { state, now }: RouteContext,
): Promise<Stripe.Coupon> {
  if (!(await state.put(couponKey(input.id), "coupon", JSON.stringify(input), 0))) {
    throw new ApiError(400, "Coupon already exists.", "resource_already_exists", "id");
  }
  return couponObject(input, now);
}

export async function updateCoupon(
  input: z.output<typeof params.couponUpdate>,
  { state, id }: RouteContext,
): Promise<Stripe.Coupon> {
  const row = await state.get(couponKey(id));
  if (!row) throw missing("coupon", id, "coupon");
  return couponObject({ ...(JSON.parse(row.body) as Coupon), ...input }, 0);
}

const couponObject = (coupon: Coupon, now: number): Stripe.Coupon => ({
  ...coupon,
  object: "coupon",
  created: seconds(now),
  duration_in_months: null,
  livemode: false,
  max_redemptions: null,
  metadata: {},
  name: coupon.name ?? null,
  percent_off: null,
  redeem_by: null,
  times_redeemed: 0,
  valid: true,
});

async function discountMinor(
  input: params.SessionCreate,
  subtotal: number,
  { state }: RouteContext,
): Promise<number> {
  const id = input.discounts?.[0]?.coupon;
  if (id === undefined) return 0;
  const row = await state.get(couponKey(id));
  if (!row) {
    const param = "discounts[0][coupon]";
    throw new ApiError(400, `No such coupon: '${id}'`, "resource_missing", param);
  }
  return Math.min((JSON.parse(row.body) as Coupon).amount_off, subtotal);
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

export async function createSession(
  input: params.SessionCreate,
  context: RouteContext,
): Promise<Stripe.Checkout.Session> {
  const { sessions, now, seed, baseUrl } = context;
  const expand = expansion(input.expand);
  const subtotalMinor = input.line_items.reduce(
    (sum, item) => sum + item.quantity * item.price_data.unit_amount,
    0,
  );
  const discount = await discountMinor(input, subtotalMinor, context);
  const totalMinor = subtotalMinor - discount;
  checkAmount(totalMinor);
  const expiresAt =
    input.expires_at === undefined ? now + 24 * 60 * MINUTE : input.expires_at * 1000;
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
  if (await sessions.create(record)) return sessionObject(record, baseUrl, expand);
  // This very request was begun before and broke off after making the session.
  return sessionObject((await sessions.read(record.id)) ?? record, baseUrl, expand);
}
