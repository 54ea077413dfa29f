/** Stripe's types of requests and answers, under our names. */
import type Stripe from "stripe";
import type { EVENTS_OF_INTEREST } from "../../src/payments/stripe/webhook.ts";

export type SessionCreate = Stripe.Checkout.SessionCreateParams;
export type CouponCreate = Stripe.CouponCreateParams;
export type CouponUpdate = Stripe.CouponUpdateParams;
export type RefundCreate = Stripe.RefundCreateParams;
export type RefundList = Stripe.RefundListParams;
export type DisputeList = Stripe.DisputeListParams;
export type PaymentCapture = Stripe.PaymentIntentCaptureParams;
export type PaymentCancel = Stripe.PaymentIntentCancelParams;
export type SessionList = Stripe.Checkout.SessionListParams;
export type SessionRetrieve = Stripe.Checkout.SessionRetrieveParams;
export type SessionExpire = Stripe.Checkout.SessionExpireParams;

export type Session = Stripe.Checkout.Session;
export type Sessions = Stripe.ApiList<Stripe.Checkout.Session>;
export type Coupon = Stripe.Coupon;
export type Refund = Stripe.Refund;
export type Refunds = Stripe.ApiList<Stripe.Refund>;
export type Disputes = Stripe.ApiList<Stripe.Dispute>;
export type Payment = Stripe.PaymentIntent;

/** Events of interest. */
export type Event = Extract<Stripe.Event, { type: (typeof EVENTS_OF_INTEREST)[number] }>;

/** An error, with types and codes from Stripe's lists. */
export interface Refusal {
  error: {
    type: Stripe.RawErrorType;
    message: string;
    code?: NonNullable<Stripe.PaymentIntent.LastPaymentError["code"]>;
    param?: string;
  };
}
