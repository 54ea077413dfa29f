/**
 * A session and its events in Stripe's shape; see wire-payment.ts for why it is typed so closely.
 */
import Stripe from "stripe";
import { nulls } from "./nulls.ts";
import { type EventToSend, paymentId, type SessionRecord, seconds } from "./session.ts";
import { chargeObject, paymentObject } from "./wire-payment.ts";
import { disputeObject, refundObject } from "./wire-refunds.ts";

/** Where the buyer pays in the sandbox; the page itself is served by the application. */
const SANDBOX_PAGE = "/sandbox/checkout";

export function pageUrl(baseUrl: string, sessionId: string): string {
  return `${baseUrl.replace(/\/$/, "")}${SANDBOX_PAGE}/${sessionId}`;
}

/** Null until the buyer has tried to pay, as with Stripe. */
function payment(s: SessionRecord, depth: number): string | Stripe.PaymentIntent | null {
  if (s.method === null) return null;
  return depth > 0 ? paymentObject(s, depth) : paymentId(s);
}

const ABSENT = {
  ...nulls(
    "after_expiration allow_promotion_codes billing_address_collection client_secret",
    "collected_information consent consent_collection currency_conversion customer",
    "customer_account integration_identifier invoice invoice_creation locale managed_payments",
    "origin_context payment_link payment_method_configuration_details permissions recovered_from",
    "saved_payment_method_options setup_intent shipping_address_collection shipping_cost",
    "subscription wallet_options",
  ),
  custom_fields: [],
  customer_creation: "if_required",
  payment_method_collection: "if_required",
  payment_method_options: {},
  shipping_options: [],
};

/** `depth`: how much of its payment is written out; see `expansion`. */
export function sessionObject(
  s: SessionRecord,
  baseUrl: string,
  depth = 0,
): Stripe.Checkout.Session {
  const { params } = s;
  return {
    ...ABSENT,
    id: s.id,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    allowed_payment_method_types: params.allowed_payment_method_types,
    amount_subtotal: s.subtotalMinor,
    amount_total: s.totalMinor,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: seconds(s.createdAt),
    currency: "usd",
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: params.custom_text?.submit ?? null,
      terms_of_service_acceptance: null,
    },
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: (params.discounts ?? []).map(({ coupon }) => ({ coupon, promotion_code: null })),
    expires_at: seconds(s.expiresAt),
    livemode: false,
    metadata: params.metadata,
    mode: "payment",
    payment_intent: payment(s, depth),
    payment_method_types: params.allowed_payment_method_types,
    payment_status: s.payment === "paid" ? "paid" : "unpaid",
    status: s.status,
    submit_type: params.submit_type ?? null,
    success_url: params.success_url,
    total_details: { amount_discount: s.discountMinor, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: s.status === "open" ? pageUrl(baseUrl, s.id) : null,
  };
}

function eventSubject({ type, about }: EventToSend, s: SessionRecord, baseUrl: string) {
  if (type.startsWith("checkout.session.")) return sessionObject(s, baseUrl);
  if (type.startsWith("payment_intent.")) return paymentObject(s);
  const refund = s.refunds.find(({ id }) => id === about);
  if (refund) return refundObject(s, refund);
  const dispute = s.disputes.find(({ id }) => id === about);
  return dispute ? disputeObject(s, dispute) : chargeObject(s);
}

/** What every event has, whatever it tells of: the library has a type of its own for each. */
type EventFrame = Omit<Stripe.EventBase, "type" | "data"> & {
  type: EventToSend["type"];
  data: { object: ReturnType<typeof eventSubject> };
};

/** `now` in milliseconds. The body is kept as text: a retry must send the very bytes again. */
export function eventBody(
  event: EventToSend & { id: string; now: number },
  s: SessionRecord,
  baseUrl: string,
): string {
  const frame: EventFrame = {
    id: event.id,
    object: "event",
    api_version: Stripe.API_VERSION,
    created: seconds(event.now),
    data: { object: eventSubject(event, s, baseUrl) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: event.type,
  };
  return JSON.stringify(frame);
}
