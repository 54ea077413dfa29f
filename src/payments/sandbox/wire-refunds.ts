/** Refunds and disputes in Stripe's shape; see wire-payment.ts for why they are typed so closely. */
import type Stripe from "stripe";
import type { SandboxDispute, SandboxRefund } from "./refunds.ts";
import { chargeId, paymentId, type SessionRecord, seconds } from "./session.ts";

export function refundObject(s: SessionRecord, refund: SandboxRefund): Stripe.Refund {
  const { id, amountMinor, status, reason } = refund;
  return {
    id,
    object: "refund",
    amount: amountMinor,
    balance_transaction: null,
    charge: chargeId(s),
    created: seconds(refund.createdAt),
    currency: "usd",
    customer: null,
    customer_account: null,
    metadata: refund.metadata,
    payment_intent: paymentId(s),
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
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
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
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
