/**
 * A session and its events in Stripe's shape; see wire-payment.ts for why it is typed so closely.
 */
import Stripe from "stripe";
import type { EventType, SessionRecord } from "./session.ts";
import { chargeObject, paymentId, paymentObject } from "./wire-payment.ts";

/** Where the buyer pays in the sandbox; the page itself is served by the application. */
export const SANDBOX_PAGE = "/sandbox/checkout";

export type Expand = ReadonlySet<string>;

export function pageUrl(baseUrl: string, sessionId: string): string {
  return `${baseUrl.replace(/\/$/, "")}${SANDBOX_PAGE}/${sessionId}`;
}

/** Null until the buyer has tried to pay, as with Stripe. */
function payment(s: SessionRecord, expand: Expand): string | Stripe.PaymentIntent | null {
  if (s.method === null) return null;
  const charge = expand.has("payment_intent.latest_charge");
  return charge || expand.has("payment_intent") ? paymentObject(s, charge) : paymentId(s);
}

const ABSENT = {
  after_expiration: null,
  allow_promotion_codes: null,
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  customer: null,
  customer_account: null,
  customer_creation: "if_required",
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  locale: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: "if_required",
  payment_method_configuration_details: null,
  payment_method_options: {},
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  subscription: null,
  wallet_options: null,
};

export function sessionObject(
  s: SessionRecord,
  baseUrl: string,
  expand: Expand,
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
    created: Math.floor(s.createdAt / 1000),
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
    expires_at: Math.floor(s.expiresAt / 1000),
    livemode: false,
    metadata: params.metadata,
    mode: "payment",
    payment_intent: payment(s, expand),
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

function eventSubject(type: EventType, s: SessionRecord, baseUrl: string): object {
  if (type.startsWith("checkout.session.")) return sessionObject(s, baseUrl, new Set());
  const charge = chargeObject(s);
  if (type === "charge.refunded") return charge;
  return {
    id: charge.id.replace("ch_", "du_"),
    object: "dispute",
    amount: s.totalMinor,
    charge: charge.id,
    currency: "usd",
    payment_intent: paymentId(s),
    reason: "general",
    status: s.dispute === "closed" ? "lost" : "needs_response",
  };
}

/** `now` in milliseconds. The body is kept as text: a retry must send the very bytes again. */
export function eventBody(
  event: { id: string; type: EventType; now: number },
  s: SessionRecord,
  baseUrl: string,
): string {
  return JSON.stringify({
    id: event.id,
    object: "event",
    api_version: Stripe.API_VERSION,
    created: Math.floor(event.now / 1000),
    data: { object: eventSubject(event.type, s, baseUrl) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: event.type,
  });
}
