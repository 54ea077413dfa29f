/** Refunds and disputes in Stripe's shape; see wire-payment.ts for why they are typed so closely. */
import type Stripe from "stripe";
import { nulls } from "./nulls.ts";
import type { SandboxDispute, SandboxRefund } from "./refunds.ts";
import { chargeId, paymentId, type SessionRecord, seconds } from "./session.ts";

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
