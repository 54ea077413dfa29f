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

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** Fields that Stripe's types require and that are always null here, by their names. */
export const nulls = <S extends string>(...names: S[]): Record<Words<S>, null> =>
  Object.fromEntries(
    names.flatMap((line) => line.split(" ")).map((name) => [name, null]),
  ) as Record<Words<S>, null>;

/**
 * A session and its events in Stripe's shape; see wire-payment.ts for why it is typed so closely.
 */

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

/**
 * The payment behind a session in Stripe's shape. Typed as the library's own types: where Stripe
 * adds a required field, the compiler names it here.
 */

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

/** Refunds and disputes in Stripe's shape; see wire-payment.ts for why they are typed so closely. */

const PLAIN_REFUND = nulls(
  "balance_transaction customer customer_account payment_method reason receipt_number",
  "source_transfer_reversal transfer_reversal",
);

export function refundObject(s: SessionRecord, refund: SandboxRefund): Stripe.Refund {
  const { id, amountMinor, status, reason } = refund;
  return {
    ...PLAIN_REFUND,
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
export function refundList(s: SessionRecord): Stripe.ApiList<Stripe.Refund> {
  const all = s.refunds.map((refund) => refundObject(s, refund)).reverse();
  return {
    object: "list",
    data: all.slice(0, 10),
    has_more: all.length > 10,
    url: `/v1/charges/${chargeId(s)}/refunds`,
  };
}

const NO_EVIDENCE: Stripe.Dispute["evidence"] = {
  enhanced_evidence: {},
  ...nulls(
    "access_activity_log billing_address cancellation_policy cancellation_policy_disclosure",
    "cancellation_rebuttal customer_communication customer_email_address customer_name",
    "customer_purchase_ip customer_signature duplicate_charge_documentation",
    "duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy",
    "refund_policy_disclosure refund_refusal_explanation service_date service_documentation",
    "shipping_address shipping_carrier shipping_date shipping_documentation",
    "shipping_tracking_number uncategorized_file uncategorized_text",
  ),
};

export function disputeObject(s: SessionRecord, dispute: SandboxDispute): Stripe.Dispute {
  const open = dispute.status === "needs_response";
  return {
    id: dispute.id,
    object: "dispute",
    amount: dispute.amountMinor,
    balance_transactions: [],
    charge: chargeId(s),
    created: seconds(dispute.createdAt),
    currency: "usd",
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: open ? seconds(dispute.dueBy) : null,
      enhanced_eligibility: {},
      has_evidence: !open,
      past_due: false,
      submission_count: open ? 0 : 1,
      submission_method: open ? "not_submitted" : "manual",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: paymentId(s),
    reason: dispute.reason,
    status: dispute.status,
  };
}
