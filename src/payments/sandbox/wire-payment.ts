/**
 * The payment behind a session in Stripe's shape. Typed as the library's own types: where Stripe
 * adds a required field, the compiler names it here.
 */
import type Stripe from "stripe";
import { nulls } from "./nulls.ts";
import { refundedMinor } from "./refunds.ts";
import { chargeId, paymentId, type SessionRecord, seconds } from "./session.ts";
import { refundList } from "./wire-refunds.ts";

function status(s: SessionRecord): Stripe.PaymentIntent["status"] {
  if (s.payment === "paid") return "succeeded";
  if (s.payment === "processing") return "processing";
  return s.awaiting3ds ? "requires_action" : "requires_payment_method";
}

const NOTHING = {
  ...nulls(
    "application application_fee_amount customer on_behalf_of payment_method review shipping",
    "source statement_descriptor statement_descriptor_suffix transfer_group",
  ),
  livemode: false as const,
  currency: "usd",
};

const PLAIN_PAYMENT = {
  ...NOTHING,
  ...nulls(
    "automatic_payment_methods canceled_at cancellation_reason client_secret customer_account",
    "excluded_payment_method_types managed_payments next_action",
    "payment_method_configuration_details payment_method_options payment_record processing",
    "setup_future_usage",
  ),
};

const PLAIN_CHARGE = {
  ...NOTHING,
  ...nulls(
    "application_fee balance_transaction calculated_statement_descriptor description",
    "failure_balance_transaction failure_code fraud_details outcome receipt_number receipt_url",
    "source_transfer transfer_data",
  ),
};

const receiptEmail = (s: SessionRecord): string | null =>
  s.params.payment_intent_data?.receipt_email ?? null;

/** `depth`: 2 with its charge, 3 with the charge's refunds; see `expansion`. */
export function paymentObject(s: SessionRecord, depth = 1): Stripe.PaymentIntent {
  const charge = s.method === null || s.awaiting3ds ? null : chargeObject(s, depth > 2);
  return {
    ...PLAIN_PAYMENT,
    id: paymentId(s),
    object: "payment_intent",
    allowed_payment_method_types: s.params.allowed_payment_method_types,
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

export function chargeObject(s: SessionRecord, withRefunds = false): Stripe.Charge {
  const type = s.method ?? "card";
  const refunded = refundedMinor(s);
  return {
    ...PLAIN_CHARGE,
    id: chargeId(s),
    object: "charge",
    amount: s.totalMinor,
    amount_captured: s.payment === "paid" ? s.totalMinor : 0,
    amount_refunded: refunded,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
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
