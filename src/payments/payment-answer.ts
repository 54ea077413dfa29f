import { z } from "zod";
import { answer, Minor, open, sameFields, Time } from "../core/answer.ts";
import { CURRENCY } from "../core/money.ts";
import { iso, isoOrNull } from "../core/policy.ts";
import type { DisputeRow, OrderRow, RefundRow } from "../core/records.ts";
import { promisedMinor } from "./money-back.ts";

export const Refund = answer({
  amount_minor: Minor,
  status: open(
    ["PENDING", "DONE", "FAILED", "CANCELED"],
    "PENDING: in progress. FAILED: the merchant still has the money. CANCELED: too little was left to refund.",
  ),
  reason: open(
    ["MERCHANT", "OUTSIDE", "PAID_TWICE", "PAID_TOO_LATE", "WRONG_AMOUNT"],
    "OUTSIDE: made by the merchant at the payment provider. PAID_TWICE: a second payment, refunded in full.",
  ),
  created_at: Time.describe("Time of the refund."),
  at: Time.describe("Time of this status."),
}).meta({ id: "Refund" });

export type Refund = z.infer<typeof Refund>;

/** The order's refunds, without those of a second payment, which was refunded in full. */
export const ownRefunds = ({ refunds }: { refunds: readonly Refund[] }): Refund[] =>
  refunds.filter(({ reason }) => reason !== "PAID_TWICE");

export const Dispute = answer({
  status: open(["OPEN", "WON", "LOST"], "LOST: the bank has returned the money to the buyer."),
  amount_minor: Minor,
  reason: z.string().describe('The bank\'s reason: "fraudulent", "product_not_received", …'),
  at: Time.describe("Time of this status."),
  respond_by: Time.nullable().describe("Deadline for the merchant's answer to the bank."),
}).meta({ id: "Dispute" });

export type Dispute = z.infer<typeof Dispute>;

export const Payment = answer({
  status: open(
    ["PAID", "DISPUTED", "REFUNDED"],
    "DISPUTED: a dispute is open or was lost. REFUNDED: everything was refunded.",
  ),
  method: z.string(),
  amount_minor: Minor,
  refunded_minor: Minor.describe(
    "Refunded amount that has arrived, in minor units (cents) of usd.",
  ),
  currency: z.string(),
  paid_at: Time,
  mode: z.string().describe('"sandbox" and "test" move no money.'),
  refunds: z.array(Refund).describe("Oldest first, each with its own status."),
  dispute: Dispute.nullable().describe("The newest dispute, or null."),
  owed_minor: Minor.optional().describe(
    "Amount of failed refunds that the merchant still owes, including another payment for the same quote.",
  ),
}).meta({ id: "Payment" });

export type Payment = z.infer<typeof Payment>;

/**
 * Amounts refunded or being refunded, before and since a time. Earlier refunds were for something else than
 * what happened at that time.
 */
export function backAround(payment: Pick<Payment, "refunds">, at: number) {
  const own = ownRefunds(payment);
  const since = own.filter(({ created_at }) => Date.parse(created_at) >= at);
  return { before: promisedMinor(own) - promisedMinor(since), since: promisedMinor(since) };
}

/** Whether no money was returned since then, by the merchant or by the buyer's bank. */
export const nothingBack = (payment: Pick<Payment, "status" | "refunds">, since: number): boolean =>
  payment.status === "PAID" &&
  !payment.refunds.some(({ created_at }) => Date.parse(created_at) >= since);

/** An order with the refunds and disputes of its payments. */
export interface PaymentRows {
  order: OrderRow;
  refunds: readonly RefundRow[];
  disputes: readonly DisputeRow[];
  /** Amount of failed refunds that the merchant still owes, of every payment for the quote. */
  owedMinor: number;
}

/** An order's payment for agents, buyers and the merchant. */
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
    refunds: refunds
      .filter((row) => isOrders(row, order) || row.reason === "PAID_TWICE")
      .map(refundView),
    dispute: dispute ? disputeView(dispute) : null,
    ...(owedMinor > 0 && { owed_minor: owedMinor }),
  };
}

/** Whether a refund is of the order's own payment, and not of a second one. */
export const isOrders = (row: RefundRow, { payment_ref }: OrderRow): boolean =>
  row.payment_ref === payment_ref;

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
