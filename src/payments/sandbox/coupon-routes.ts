import type Stripe from "stripe";
import type { z } from "zod";
import { ApiError, missing } from "./errors.ts";
import { nulls } from "./nulls.ts";
import { couponCreate, couponUpdate } from "./params.ts";
import { type Route, route } from "./route.ts";
import { seconds } from "./session.ts";
import type { SandboxState } from "./state.ts";

type Coupon = z.output<typeof couponCreate>;

const keyOf = (id: string): string => `coupon_${id}`;

export async function findCoupon(state: SandboxState, id: string): Promise<Coupon | null> {
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

const couponObject = (coupon: Coupon, now: number): Stripe.Coupon => ({
  ...nulls("duration_in_months max_redemptions percent_off redeem_by"),
  ...coupon,
  object: "coupon",
  created: seconds(now),
  livemode: false,
  metadata: {},
  name: coupon.name ?? null,
  times_redeemed: 0,
  valid: true,
});
