import { z } from "zod";
import { answer, Minor, open, sameFields, Time } from "../core/answer.ts";
import { CURRENCY } from "../core/money.ts";
import { iso, isoOrNull } from "../core/policy.ts";
import type { DisputeRow, OrderRow, RefundRow } from "../core/records.ts";
import { undoableUntil } from "../core/refunds.ts";
import { isUndone, promisedMinor } from "./money-back.ts";

export const Refund = answer({
  amount_minor: Minor,
  status: open(
    ["PENDING", "DONE", "FAILED", "CANCELED"],
    "PENDING: on its way. FAILED: the merchant still has the money. CANCELED: so much was not left to return.",
  ),
  reason: open(
    ["MERCHANT", "OUTSIDE", "PAID_TWICE", "PAID_TOO_LATE", "WRONG_AMOUNT"],
    "OUTSIDE: made by the merchant at the payment provider. PAID_TWICE: a second payment, returned whole.",
  ),
  created_at: Time.describe("When it was given."),
  at: Time.describe("When it came to this status."),
}).meta({ id: "Refund" });

export type Refund = z.infer<typeof Refund>;

/** Without those of a second payment, which was returned whole and is none of the order's money. */
export const ownRefunds = ({ refunds }: { refunds: readonly Refund[] }): Refund[] =>
  refunds.filter(({ reason }) => reason !== "PAID_TWICE");

export const Dispute = answer({
  status: open(["OPEN", "WON", "LOST"], "LOST: the bank has returned the money to the buyer."),
  amount_minor: Minor,
  reason: z.string().describe('As the bank says: "fraudulent", "product_not_received", …'),
  at: Time.describe("When it came to this status."),
  respond_by: Time.nullable().describe("Until when the merchant can answer the bank."),
}).meta({ id: "Dispute" });

export type Dispute = z.infer<typeof Dispute>;

export const Payment = answer({
  status: open(
    ["PAID", "DISPUTED", "REFUNDED"],
    "By the provider's word. DISPUTED while a dispute is open or was lost; REFUNDED once all is back.",
  ),
  method: z.string(),
  amount_minor: Minor,
  refunded_minor: Minor.describe(
    "What has gone back of it and arrived, in minor units (cents) of usd.",
  ),
  currency: z.string(),
  paid_at: Time,
  mode: z.string().describe('"sandbox" and "test" move no money.'),
  refunds: z.array(Refund).describe("Each with its own status, oldest first."),
  dispute: Dispute.nullable().describe("The newest one; null where there never was any."),
  owed_minor: Minor.optional().describe(
    "What the merchant still has of refunds that failed, also of another payment for the same quote.",
  ),
}).meta({ id: "Payment" });

export type Payment = z.infer<typeof Payment>;

/**
 * What goes back or went back, by when it was given: what was before a moment was for something else, or
 * at least not decided with what happened then.
 */
export function backAround(payment: Pick<Payment, "refunds">, at: number) {
  const own = ownRefunds(payment);
  const since = own.filter(({ created_at }) => Date.parse(created_at) >= at);
  return { before: promisedMinor(own) - promisedMinor(since), since: promisedMinor(since) };
}

/** Since then nothing went back, nor is to: neither by the merchant nor by the buyer's bank. */
export const nothingBack = (payment: Pick<Payment, "status" | "refunds">, since: number): boolean =>
  payment.status === "PAID" &&
  !payment.refunds.some(({ created_at }) => Date.parse(created_at) >= since);

/** An order, and all that went back of what was paid for it. */
export interface PaymentRows {
  order: OrderRow;
  refunds: readonly RefundRow[];
  disputes: readonly DisputeRow[];
  /** What the merchant still has of refunds that failed, of every payment for its quote. */
  owedMinor: number;
}

/** The state of an order's money, as agents, buyers and the merchant read it. */
export function paymentView({ order, refunds, disputes, owedMinor }: PaymentRows): Payment {
  const dispute = disputes.findLast((row) => row.payment_ref === order.payment_ref);
  return {
    status: order.payment_status,
    method: order.payment_method,
    amount_minor: order.amount_minor,
    refunded_minor: order.refunded_minor,
    currency: CURRENCY,
    paid_at: iso(order.paid_at),
    mode: order.payment_mode,
    refunds: refunds.filter(isSent).map(refundView),
    dispute: dispute ? disputeView(dispute) : null,
    ...(owedMinor > 0 && { owed_minor: owedMinor }),
  };
}

/** Agents and buyers read of a refund once it can no longer be undone. */
const isSent = (row: RefundRow): boolean => undoableUntil(row) === null && !isUndone(row);

export const refundView = (row: RefundRow): Refund => ({
  ...sameFields(Refund, row),
  created_at: iso(row.created_at),
  at: iso(row.done_at ?? row.created_at),
});

const disputeView = (row: DisputeRow): Dispute => ({
  ...sameFields(Dispute, row),
  at: iso(row.closed_at ?? row.created_at),
  respond_by: isoOrNull(row.due_by),
});
