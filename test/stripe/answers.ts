import Stripe from "stripe";
import {
  pageUrl,
  paymentId,
  receivedMinor,
  refundedMinor,
  type SandboxDispute,
  type SandboxRefund,
  type SessionEvent,
  type SessionRecord,
} from "../../src/payments/sandbox/session.ts";

/**
 * Sessions, payments, refunds, disputes and events in Stripe's shape, reduced to the fields that the
 * shop reads (READ in stripe/answers.ts) or that name an object. Tests check every field against Stripe's types.
 */

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** `expanded`: with the whole payment. Like Stripe's, a session has none before the first attempt. */
export function sessionObject(s: SessionRecord, baseUrl: string, expanded = false) {
  const { params } = s;
  return {
    id: s.id,
    object: "checkout.session",
    amount_total: s.totalMinor,
    client_reference_id: params.client_reference_id ?? null,
    created: seconds(s.createdAt),
    currency: "usd",
    livemode: false,
    metadata: params.metadata,
    payment_intent: s.method === null ? null : expanded ? paymentObject(s) : paymentId(s),
    payment_status: s.payment === "paid" ? "paid" : "unpaid",
    status: s.status,
    success_url: params.success_url,
    url: s.status === "open" ? pageUrl(baseUrl, s.id) : null,
  };
}

const PAYMENT_STATUS = {
  unpaid: "requires_payment_method",
  processing: "processing",
  authorized: "requires_capture",
  paid: "succeeded",
  canceled: "canceled",
  failed: "requires_payment_method",
} as const;

export const paymentStatus = (s: SessionRecord): Stripe.PaymentIntent["status"] =>
  s.awaiting3ds ? "requires_action" : PAYMENT_STATUS[s.payment];

export const paymentObject = (s: SessionRecord) => ({
  id: paymentId(s),
  object: "payment_intent",
  amount: s.totalMinor,
  amount_capturable: s.payment === "authorized" ? s.totalMinor : 0,
  amount_received: s.payment === "paid" ? receivedMinor(s) : 0,
  created: seconds(s.createdAt),
  currency: "usd",
  last_payment_error: s.lastError === null ? null : { type: "card_error", message: s.lastError },
  latest_charge: s.awaiting3ds ? null : chargeObject(s),
  livemode: false,
  metadata: s.params.metadata,
  status: paymentStatus(s),
});

/** Holds the ten newest refunds, newest first, like a charge that Stripe expands. */
function chargeObject(s: SessionRecord) {
  const data = s.refunds.toReversed().map((refund) => refundObject(s, refund));
  return {
    id: s.id.replace("cs_test_", "ch_"),
    object: "charge",
    amount_refunded: refundedMinor(s),
    // Stays true once a dispute is closed.
    disputed: s.disputes.length > 0,
    payment_intent: paymentId(s),
    payment_method_details: { type: s.method ?? "card" },
    refunds: { object: "list", data: data.slice(0, 10), has_more: data.length > 10 },
  };
}

export function refundObject(s: SessionRecord, { status, reason, ...refund }: SandboxRefund) {
  return {
    id: refund.id,
    object: "refund",
    amount: refund.amountMinor,
    created: seconds(refund.createdAt),
    metadata: refund.metadata,
    payment_intent: paymentId(s),
    status,
    ...(reason && { [status === "pending" ? "pending_reason" : "failure_reason"]: reason }),
  };
}

export const disputeObject = (s: SessionRecord, dispute: SandboxDispute) => ({
  id: dispute.id,
  object: "dispute",
  amount: dispute.amountMinor,
  created: seconds(dispute.createdAt),
  evidence_details: {
    due_by: dispute.status === "needs_response" ? seconds(dispute.dueBy) : null,
  },
  payment_intent: paymentId(s),
  reason: "fraudulent",
  status: dispute.status,
});

function eventSubject({ type, about }: SessionEvent, s: SessionRecord, baseUrl: string) {
  if (type.startsWith("checkout.session.")) return sessionObject(s, baseUrl);
  if (type.startsWith("payment_intent.")) return paymentObject(s);
  const refund = s.refunds.find(({ id }) => id === about);
  if (refund) return refundObject(s, refund);
  const dispute = s.disputes.find(({ id }) => id === about);
  return dispute ? disputeObject(s, dispute) : chargeObject(s);
}

/** The event as text. `now` in milliseconds. */
export function eventBody(
  event: SessionEvent & { id: string; now: number },
  s: SessionRecord,
  baseUrl: string,
): string {
  return JSON.stringify({
    id: event.id,
    object: "event",
    api_version: Stripe.API_VERSION,
    created: seconds(event.now),
    data: { object: eventSubject(event, s, baseUrl) },
    livemode: false,
    type: event.type,
  });
}
