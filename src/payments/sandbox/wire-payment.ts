/**
 * The payment behind a session in Stripe's shape. Typed as the library's own types: where Stripe
 * adds a required field, the compiler names it here.
 */
import type Stripe from "stripe";
import { refundedMinor } from "./refunds.ts";
import { chargeId, paymentId, type SessionRecord, seconds } from "./session.ts";
import { refundList } from "./wire-refunds.ts";

function status(s: SessionRecord): Stripe.PaymentIntent["status"] {
  if (s.payment === "paid") return "succeeded";
  if (s.payment === "processing") return "processing";
  return s.awaiting3ds ? "requires_action" : "requires_payment_method";
}

const NOTHING = {
  application: null,
  application_fee_amount: null,
  customer: null,
  on_behalf_of: null,
  payment_method: null,
  review: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_group: null,
  livemode: false as const,
  currency: "usd",
};

const receiptEmail = (s: SessionRecord): string | null =>
  s.params.payment_intent_data?.receipt_email ?? null;

/** `depth`: 2 with its charge, 3 with the charge's refunds; see `expansion`. */
export function paymentObject(s: SessionRecord, depth = 1): Stripe.PaymentIntent {
  const charge = s.method === null || s.awaiting3ds ? null : chargeObject(s, depth > 2);
  return {
    ...NOTHING,
    id: paymentId(s),
    object: "payment_intent",
    allowed_payment_method_types: s.params.allowed_payment_method_types,
    amount: s.totalMinor,
    amount_capturable: 0,
    amount_received: s.payment === "paid" ? s.totalMinor : 0,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: null,
    confirmation_method: "automatic",
    created: seconds(s.createdAt),
    customer_account: null,
    description: s.params.payment_intent_data?.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: s.lastError === null ? null : { type: "card_error", message: s.lastError },
    latest_charge: depth > 1 ? charge : (charge?.id ?? null),
    managed_payments: null,
    metadata: s.params.payment_intent_data?.metadata ?? {},
    next_action: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: s.params.allowed_payment_method_types,
    payment_record: null,
    processing: null,
    receipt_email: receiptEmail(s),
    setup_future_usage: null,
    status: status(s),
  };
}

export function chargeObject(s: SessionRecord, withRefunds = false): Stripe.Charge {
  const type = s.method ?? "card";
  const refunded = refundedMinor(s);
  return {
    ...NOTHING,
    id: chargeId(s),
    object: "charge",
    amount: s.totalMinor,
    amount_captured: s.payment === "paid" ? s.totalMinor : 0,
    amount_refunded: refunded,
    application_fee: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: s.payment === "paid",
    created: seconds(s.createdAt),
    description: null,
    // Stays true when a dispute is closed: it says that there was one.
    disputed: s.disputes.length > 0,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: s.lastError,
    fraud_details: null,
    metadata: s.params.payment_intent_data?.metadata ?? {},
    outcome: null,
    paid: s.payment === "paid",
    payment_intent: paymentId(s),
    payment_method_details: { type },
    receipt_email: receiptEmail(s),
    receipt_number: null,
    receipt_url: null,
    ...(withRefunds ? { refunds: refundList(s) } : {}),
    refunded: refunded > 0 && refunded === s.totalMinor,
    source_transfer: null,
    status: { paid: "succeeded", processing: "pending", failed: "failed", unpaid: "failed" }[
      s.payment
    ],
    transfer_data: null,
  };
}
