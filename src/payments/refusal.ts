import type { OverShare } from "../catalog/hold-share.ts";
import { MerchantError } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { iso } from "../core/policy.ts";

/** Why a press of pay leads to no payment page now, though the quote can still be paid. */
export type PaymentObstacle =
  | { kind: "unavailable" }
  /** Somebody else has begun to pay for it; it may be free again from `until` on. */
  | { kind: "taken"; what: "COURTESY" | "BAGS"; until: number }
  | ({ kind: "too_many" } & OverShare);

const SOON_S = 5;

/** The same in words for programs (contract §11); the pages have their own for people. */
export function paymentRefusal(why: PaymentObstacle, now: number): MerchantError {
  if (why.kind === "unavailable") {
    const detail = "The payment provider does not answer. Nothing was charged.";
    return new MerchantError("PROVIDER_UNAVAILABLE", detail, { retryAfter: SOON_S });
  }
  if (why.kind === "too_many") {
    const detail = `At most ${why.most} bags of ${why.product_id} can be kept for one buyer who has not paid yet. Take fewer, and pay them first.`;
    return new MerchantError("LIMIT_EXCEEDED", detail, {
      at: "/shipments",
      next: [
        step("request_quote", "Request a quote with fewer bags of this bean."),
        step("send_bulk_lead", "Or ask the merchant for all of them."),
      ],
    });
  }
  const retryAfter = Math.max(1, Math.ceil((why.until - now) / 1000));
  const again = { action: "press pay again", why: `From ${iso(why.until)} on; the quote stays.` };
  if (why.what === "BAGS") {
    const detail = `Others are paying for these bags right now. Try again at ${iso(why.until)}; this quote stays as it is.`;
    return new MerchantError("BAGS_HELD", detail, { retryAfter, next: [again] });
  }
  const detail = `The courtesy is part of another payment that is under way. Try again at ${iso(why.until)}, or pay without it now; this quote stays as it is.`;
  const without = step("request_quote", "Or request the quote without discount_code.");
  return new MerchantError("COURTESY_HELD", detail, { retryAfter, next: [again, without] });
}
