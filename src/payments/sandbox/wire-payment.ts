/**
 * The payment behind a session in Stripe's shape. Typed as the library's own types: where Stripe
 * adds a required field, the compiler names it here.
 */
import type Stripe from "stripe";
import { refundedMinor, type SandboxRefund, type SessionRecord } from "./session.ts";

/** One payment and one charge per session, so their ids need no index of their own. */
export const paymentId = (s: Pick<SessionRecord, "id">): string => s.id.replace("cs_test_", "pi_");
export const sessionIdOf = (payment: string): string => payment.replace(/^pi_/, "cs_test_");
const chargeId = (s: SessionRecord): string => s.id.replace("cs_test_", "ch_");

const seconds = (ms: number): number => Math.floor(ms / 1000);

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
  receipt_email: null,
  review: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_group: null,
  livemode: false as const,
  currency: "usd",
};

export function paymentObject(s: SessionRecord, withCharge: boolean): Stripe.PaymentIntent {
  const charge = s.method === null || s.awaiting3ds ? null : chargeObject(s);
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
    last_payment_error: null,
    latest_charge: withCharge ? charge : (charge?.id ?? null),
    managed_payments: null,
    metadata: s.params.payment_intent_data?.metadata ?? {},
    next_action: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: s.params.allowed_payment_method_types,
    payment_record: null,
    processing: null,
    setup_future_usage: null,
    status: status(s),
  };
}

export function chargeObject(s: SessionRecord): Stripe.Charge {
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
    disputed: s.dispute !== null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: s.lastError,
    fraud_details: null,
    metadata: s.params.payment_intent_data?.metadata ?? {},
    outcome: null,
    paid: s.payment === "paid",
    payment_intent: paymentId(s),
    payment_method_details: { type },
    receipt_number: null,
    receipt_url: null,
    refunded: refunded > 0 && refunded === s.totalMinor,
    source_transfer: null,
    status: { paid: "succeeded", processing: "pending", failed: "failed", unpaid: "failed" }[
      s.payment
    ],
    transfer_data: null,
  };
}

export function refundObject(s: SessionRecord, refund: SandboxRefund): Stripe.Refund {
  return {
    id: refund.id,
    object: "refund",
    amount: refund.amountMinor,
    balance_transaction: null,
    charge: chargeId(s),
    created: seconds(refund.createdAt),
    currency: "usd",
    customer: null,
    customer_account: null,
    metadata: {},
    payment_intent: paymentId(s),
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
}
