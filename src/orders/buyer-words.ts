import { display } from "../core/money.ts";
import { days } from "../core/time.ts";
import { backAround, type Dispute, type Payment } from "../payments/payment-answer.ts";
import type { Message } from "../quotes/quote-answer.ts";
import type { InvalidReason, ReleaseReason } from "../quotes/standing.ts";
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

/** Title of a refund that failed, with what the shop does about it. */
export const owedTitle = (minor: number): string => `${display(minor)} could not be refunded yet`;

export const OWED_THEN = "We still have the money and will sort it out with you.";

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

/** After an authorized payment was released. */
export const PENDING =
  "Your bank may show the payment as pending for some days; then it disappears.";

interface Unpaid {
  /** Of the review page. */
  title: string;
  /** The buyer's money, if "Nothing was charged" is not true. */
  money?: string;
  why: string;
  instead?: string;
}

/** Why a payment was not charged, or a quote can never be paid: for buyers. */
export const WHY_UNPAID: Record<InvalidReason, Unpaid> & Record<ReleaseReason, { why: string }> = {
  OUT_OF_STOCK: {
    title: "Not enough bags are left for this order",
    why: "Someone else bought the bags first.",
    instead: "Fewer bags or another bean may still be possible.",
  },
  COURTESY_USED: {
    title: "The discount in this quote is gone",
    why: "The discount is for a first order, and another order of this email came first.",
  },
  ORDERED_ALREADY: {
    title: "This order is already paid",
    why: "You already paid for this order, maybe with another email, address or total.",
    instead: "Nothing more is needed.",
  },
  REPLACED: {
    title: "There is a newer version of this order",
    why: "It was changed after this page was made.",
    instead: "Ask your agent for the link of the newer version.",
  },
  CANCELED: {
    title: "This checkout was canceled",
    why: "Whoever made it for you has ended it.",
  },
  TOTAL_MISMATCH: {
    title: "The payment did not match this order",
    why: "The payment was not for the total of your order.",
  },
  BOUGHT_ALREADY: {
    why: "You paid for the same bags and address while this payment page was open. Pay again if you want both.",
  },
  CAPTURE_FAILED: { why: "Your bank approved the payment, and then it failed." },
  PAGE_CLOSED: { why: "The payment page had been closed." },
  KEY_REVOKED: {
    title: "This quote was withdrawn",
    why: "The agent that made it may no longer order here.",
  },
  PAID_TOO_LATE: {
    title: "The payment came too late",
    money: "Your payment is being returned.",
    why: "It came after the deadline, and the bags or the discount had gone to someone else.",
    instead: "The same order can be quoted again at its full price.",
  },
  PAID_TWICE: {
    title: "This order was already paid",
    money: "Your second payment is being returned.",
    why: "Only one payment is needed.",
  },
  WRONG_AMOUNT: {
    title: "The payment did not match this order",
    money: "Your payment is being returned.",
    why: "It was not the total of your order, so nothing was ordered.",
  },
  ERASED: {
    title: "This quote was erased",
    why: "The buyer’s data has been erased, and this quote with it.",
  },
};

/**
 * Sentences for the buyer in place of a quote's messages to its agent, by code. Null leaves a message out: it
 * advises the agent, or the card says it elsewhere. Titles of the page and of the card are not repeated.
 */
const MESSAGES: Partial<Record<string, string | null>> = {
  BOUGHT_ALREADY: "You have paid for most of these bags already. Pay only if you want more.",
  DISCOUNT_NOT_APPLIED: null,
  FIRST_ORDER: null,
  NOT_CHARGED: `Your last payment wasn’t charged, and you can pay again. ${PENDING}`,
  OFFER_ENDS: null,
  PAYMENT_BEGUN: null,
  PAYMENT_DECLINED:
    "Your bank declined the payment, and nothing was charged. Try again, or pay another way.",
  PAYMENT_PROCESSING: "Please do not pay again.",
  REFUND_FAILED: `A refund could not be made yet. ${OWED_THEN}`,
  WAITLIST_OFFERED: "This order cannot be paid yet.",
};

/** A message about a quote, in words for its buyer. */
export function messageForBuyer({ code, text }: Message): string | null {
  const known = MESSAGES[code];
  if (known !== undefined) return known;
  return WHY_UNPAID[code as keyof typeof WHY_UNPAID]?.why ?? text;
}

/** For a reason that a later version stored. */
export const UNPAID: Unpaid = {
  title: "This order link no longer works",
  money: "Please do not pay again.",
  why: "Start a new order.",
};
