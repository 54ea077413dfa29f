/** What the request check generates JSON Schema from: Stripe's own types, by our names for them. */
import type Stripe from "stripe";

export type SessionCreate = Stripe.Checkout.SessionCreateParams;
export type CouponCreate = Stripe.CouponCreateParams;
export type RefundCreate = Stripe.RefundCreateParams;
export type SessionList = Stripe.Checkout.SessionListParams;
export type SessionRetrieve = Stripe.Checkout.SessionRetrieveParams;
export type SessionExpire = Stripe.Checkout.SessionExpireParams;
