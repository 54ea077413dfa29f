import { display } from "../core/money.ts";
import { days } from "../core/time.ts";
import { backAround, type Dispute, type Payment } from "../payments/payment-answer.ts";
import type { OrderReason, OrderStanding } from "./standing.ts";
import { statusText } from "./status-words.ts";

/** Sentences about an order or its payment for the buyer, shared by the order page and letters. */

/** Headline of the order page and subject of the letter. */
export const ORDER_TITLES: Record<OrderReason, string> = {
  ORDERED: "Thank you. Your coffee is ordered.",
  ROASTING: "Your coffee is in the roaster",
  PARTLY_ON_ITS_WAY: "Part of your order is on its way",
  ON_ITS_WAY: "Your coffee is on its way",
  OUT_FOR_DELIVERY: "Out for delivery",
  PARTLY_DELIVERED: "Part of your order has arrived",
  DELIVERED: "Your coffee has arrived",
  DELIVERY_FAILED: "A delivery failed",
  PARTLY_RETURNED: "Part of your order came back",
  RETURNED: "Your coffee came back to us",
  CANCELED: "Your order was canceled",
};

/** Word for a status alone. To the shop, a paid order is one "to roast". */
export const buyerStatus = (status: string): string =>
  status === "PENDING" || status === "CONFIRMED" ? "In line for roasting" : statusText(status);

/** Next step after a failed delivery. */
export const AFTER_FAILURE = "They’ll try again or return it to us.";

/** Next step after a shipment came back. */
export const AFTER_RETURN = "We’ll work out with you what happens next.";

/** Names no new delivery day, since none is known. */
export const lateTitle = (lateDays: number): string =>
  `Your order is running ${days(lateDays)} late.`;

/** Where the late part is. */
export const lateWhere = (where: NonNullable<OrderStanding["lateness"]>["where"]): string =>
  where === "AT_SHOP" ? "it hasn’t left our shop yet" : "part of it hasn’t left our shop yet";

export const BANK_TIME = "Your bank may take a few days to show it.";

/** An unknown status reads like an open dispute. */
export function disputeTitle({ status, amount_minor }: Dispute): string {
  const amount = display(amount_minor);
  if (status === "WON") return `Your bank decided that your ${amount} payment stands.`;
  if (status === "LOST") return `Your bank returned ${amount} to you.`;
  return `Your bank is reviewing this ${amount} payment.`;
}

/** Money that goes back for a cancellation made at `canceledAt`; earlier refunds are named apart. */
export function moneyBackText(
  payment: Pick<Payment, "amount_minor" | "refunds" | "dispute">,
  canceledAt: number,
): string {
  const { amount_minor: paid, dispute } = payment;
  const { before, since } = backAround(payment, canceledAt);
  if (before + since >= paid)
    return "Your full payment is refunded to your original payment method.";
  if (since > 0) {
    const earlier = before > 0 ? `, plus ${display(before)} earlier` : "";
    return `${display(since)} of your ${display(paid)} is refunded to your original payment method${earlier}.`;
  }
  if (dispute?.status === "LOST") return disputeTitle(dispute);
  return before > 0
    ? `Nothing was refunded for this. ${display(before)} of your ${display(paid)} was refunded earlier.`
    : "Nothing was refunded.";
}
