import Stripe from "stripe";
import {
  chargeId,
  type EventToSend,
  paymentId,
  refundedMinor,
  type SandboxDispute,
  type SandboxRefund,
  type SessionRecord,
  seconds,
} from "./payment.ts";

/**
 * Sessions, payments, refunds, disputes and events in Stripe's shape. Fields that are always null are
 * left out; tests hold every other field against the types of Stripe's client.
 */

/** Where the buyer pays in the sandbox; the page itself is served by the application. */
const SANDBOX_PAGE = "/sandbox/checkout";

export function pageUrl(baseUrl: string, sessionId: string): string {
  return `${baseUrl.replace(/\/$/, "")}${SANDBOX_PAGE}/${sessionId}`;
}

/** Null until the buyer has tried to pay, as with Stripe. */
function payment(
  s: SessionRecord,
  depth: number,
): string | ReturnType<typeof paymentObject> | null {
  if (s.method === null) return null;
  return depth > 0 ? paymentObject(s, depth) : paymentId(s);
}

/** `depth`: how much of its payment is written out; see `expansion`. */
export function sessionObject(s: SessionRecord, baseUrl: string, depth = 0) {
  const { params } = s;
  return {
    id: s.id,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    allowed_payment_method_types: params.allowed_payment_method_types,
    amount_subtotal: s.subtotalMinor,
    amount_total: s.totalMinor,
    automatic_tax: { enabled: false },
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: seconds(s.createdAt),
    currency: "usd",
    custom_text: {
      submit: params.custom_text?.submit ?? null,
    },
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

/** `now` in milliseconds. The body is kept as text: a retry must send the very bytes again. */
export function eventBody(
  event: EventToSend & { id: string; now: number },
  s: SessionRecord,
  baseUrl: string,
): string {
  const frame = {
    id: event.id,
    object: "event",
    api_version: Stripe.API_VERSION,
    created: seconds(event.now),
    data: { object: eventSubject(event, s, baseUrl) },
    livemode: false,
    pending_webhooks: 1,
    type: event.type,
  };
  return JSON.stringify(frame);
}

function status(s: SessionRecord): Stripe.PaymentIntent["status"] {
  if (s.payment === "paid") return "succeeded";
  if (s.payment === "processing") return "processing";
  return s.awaiting3ds ? "requires_action" : "requires_payment_method";
}

const receiptEmail = (s: SessionRecord): string | null =>
  s.params.payment_intent_data?.receipt_email ?? null;

/** `depth`: 2 with its charge, 3 with the charge's refunds; see `expansion`. */
export function paymentObject(s: SessionRecord, depth = 1) {
  const charge = s.method === null || s.awaiting3ds ? null : chargeObject(s, depth > 2);
  return {
    id: paymentId(s),
    object: "payment_intent",
    allowed_payment_method_types: s.params.allowed_payment_method_types,
    currency: "usd",
    livemode: false,
    amount: s.totalMinor,
    amount_capturable: 0,
    amount_received: s.payment === "paid" ? s.totalMinor : 0,
    capture_method: "automatic_async",
    confirmation_method: "automatic",
    created: seconds(s.createdAt),
    description: s.params.payment_intent_data?.description ?? null,
    last_payment_error: s.lastError === null ? null : { type: "card_error", message: s.lastError },
    latest_charge: depth > 1 ? charge : (charge?.id ?? null),
    metadata: s.params.payment_intent_data?.metadata ?? {},
    payment_method_types: s.params.allowed_payment_method_types,
    receipt_email: receiptEmail(s),
    status: status(s),
  };
}

function chargeObject(s: SessionRecord, withRefunds = false) {
  const type = s.method ?? "card";
  const refunded = refundedMinor(s);
  return {
    id: chargeId(s),
    object: "charge",
    currency: "usd",
    livemode: false,
    amount: s.totalMinor,
    amount_captured: s.payment === "paid" ? s.totalMinor : 0,
    amount_refunded: refunded,
    captured: s.payment === "paid",
    created: seconds(s.createdAt),
    // Stays true when a dispute is closed: it says that there was one.
    disputed: s.disputes.length > 0,
    failure_message: s.lastError,
    metadata: s.params.payment_intent_data?.metadata ?? {},
    paid: s.payment === "paid",
    payment_intent: paymentId(s),
    payment_method_details: { type },
    receipt_email: receiptEmail(s),
    ...(withRefunds ? { refunds: refundList(s) } : {}),
    refunded: refunded > 0 && refunded === s.totalMinor,
    status: { paid: "succeeded", processing: "pending", failed: "failed", unpaid: "failed" }[
      s.payment
    ],
  };
}

export function refundObject(s: SessionRecord, refund: SandboxRefund) {
  const { id, amountMinor, status, reason } = refund;
  return {
    id,
    object: "refund",
    amount: amountMinor,
    charge: chargeId(s),
    created: seconds(refund.createdAt),
    currency: "usd",
    metadata: refund.metadata,
    payment_intent: paymentId(s),
    status,
    ...(status === "failed" && reason ? { failure_reason: reason } : {}),
    ...(status === "pending" && reason ? { pending_reason: reason } : {}),
  };
}

/** Newest first, ten of them, as Stripe expands a charge's refunds. */
function refundList(s: SessionRecord) {
  const all = s.refunds.map((refund) => refundObject(s, refund)).reverse();
  return {
    object: "list",
    data: all.slice(0, 10),
    has_more: all.length > 10,
    url: `/v1/charges/${chargeId(s)}/refunds`,
  };
}

export function disputeObject(s: SessionRecord, dispute: SandboxDispute) {
  const open = dispute.status === "needs_response";
  return {
    id: dispute.id,
    object: "dispute",
    amount: dispute.amountMinor,
    charge: chargeId(s),
    created: seconds(dispute.createdAt),
    currency: "usd",
    evidence_details: {
      due_by: open ? seconds(dispute.dueBy) : null,
      has_evidence: !open,
      past_due: false,
      submission_count: open ? 0 : 1,
      submission_method: open ? "not_submitted" : "manual",
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: paymentId(s),
    reason: dispute.reason,
    status: dispute.status,
  };
}
