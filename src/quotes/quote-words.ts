import { display, type Minor } from "../core/money.ts";
import type { Bought } from "./bought-already.ts";
import type { Message } from "./quote-answer.ts";
import type { InvalidReason, ReleaseReason, Standing } from "./standing.ts";

/** What a quote's state means, by its code: for agents and for buyers, who read it on pages, cards and in letters. */

/** Titles for buyers. An invalid quote has a title for its reason. */
export const QUOTE_TITLES = {
  OPEN: "Your coffee, ready to order",
  PAID: "One moment, please",
  PROCESSING: "Your payment is on its way",
  EXPIRED: "This quote has expired",
  WAITLIST_OFFERED: "Not enough bags right now",
} as const;

interface NotCharged {
  agent: string;
  /** The rest is for the buyer. */
  why: string;
}

interface Unpaid extends NotCharged {
  title: string;
  /** The buyer's money, if "Nothing was charged" is not true. */
  money?: string;
  instead?: string;
}

/** Why a payment was not charged, or a quote can never be paid. */
export const WHY: Record<InvalidReason, Unpaid> & Record<ReleaseReason, NotCharged> = {
  OUT_OF_STOCK: {
    agent: "Others bought the bags first, so too few are left for this quote.",
    title: "Not enough bags are left for this order",
    why: "Someone else bought the bags first.",
    instead: "Fewer bags or another bean may still be possible.",
  },
  COURTESY_USED: {
    agent:
      "The first-order discount does not hold any more: another order of this email came first, with or without the code.",
    title: "The discount in this quote is gone",
    why: "The discount is for a first order, and another order of this email came first.",
  },
  ORDERED_ALREADY: {
    agent:
      "The buyer has paid for this order already, by this quote or another one of the same checkout, which is one order.",
    title: "This order is already paid",
    why: "You already paid for this order, maybe with another email, address or total.",
    instead: "Nothing more is needed.",
  },
  REPLACED: {
    agent: "A newer quote of the same purchase has replaced this one.",
    title: "There is a newer version of this order",
    why: "It was changed after this page was made.",
    instead: "Ask your agent for the link of the newer version.",
  },
  CANCELED: {
    agent: "Its checkout was canceled.",
    title: "This checkout was canceled",
    why: "Whoever made it for you has ended it.",
  },
  TOTAL_MISMATCH: {
    agent: "The payment page's total did not match the approved one.",
    title: "The payment did not match this order",
    why: "The payment was not for the total of your order.",
  },
  BOUGHT_ALREADY: {
    agent:
      "The buyer paid for the same bags and addresses elsewhere while this payment page was open.",
    why: "You paid for the same bags and address while this payment page was open. Pay again if you want both.",
  },
  CAPTURE_FAILED: {
    agent: "The payment was authorized and could not be captured.",
    why: "Your bank approved the payment, and then it failed.",
  },
  PAGE_CLOSED: {
    agent: "The payment page had been closed.",
    why: "The payment page had been closed.",
  },
  KEY_REVOKED: {
    agent: "The key that made this quote has been revoked.",
    title: "This quote was withdrawn",
    why: "The agent that made it may no longer order here.",
  },
  PAID_TOO_LATE: {
    agent: "A payment arrived when its bags or discount had gone to others.",
    title: "The payment came too late",
    money: "Your payment is being returned.",
    why: "It came after the deadline, and the bags or the discount had gone to someone else.",
    instead: "A new order may still be possible, at its full price.",
  },
  PAID_TWICE: {
    agent: "A second payment arrived for something that is ordered already.",
    title: "This order was already paid",
    money: "Your second payment is being returned.",
    why: "Only one payment is needed.",
  },
  WRONG_AMOUNT: {
    agent: "A payment arrived that did not match the approved total.",
    title: "The payment did not match this order",
    money: "Your payment is being returned.",
    why: "It was not the total of your order, so nothing was ordered.",
  },
  ERASED: {
    agent: "The buyer's data has been erased, and this quote with it.",
    title: "This quote was erased",
    why: "The buyer’s data has been erased, and this quote with it.",
  },
};

const PAY_NO_MORE = "Please do not pay again.";

/** For a reason that a later version stored. */
export const UNPAID: Unpaid = {
  agent: "This quote cannot be paid any more.",
  title: "This order link no longer works",
  money: PAY_NO_MORE,
  why: "Start a new order.",
};

/** For the buyer of an expired quote. */
export const CAME_TOO_LATE = "Your payment came too late and is being returned.";

/** Of a quote without its bags: for the buyer. */
export const NOT_YET = "This order cannot be paid yet.";

/** After an authorized payment was released: for the agent. */
export const NOT_CHARGED =
  "The buyer was not charged; a bank may show the payment as pending for some days.";

/** The same for the buyer. */
export const PENDING =
  "Your bank may show the payment as pending for some days; then it disappears.";

/** Failed refunds that the merchant still owes. */
export const owedText = (owedMinor: Minor): string =>
  `${display(owedMinor)} could not be refunded yet: the merchant still has that and settles it with the buyer.`;

/** The same for the buyer, as a title with its sentence. */
export const owedTitle = (minor: number): string => `${display(minor)} could not be refunded yet`;

export const OWED_THEN = "We still have the money and will sort it out with you.";

/** What the buyer bought by another quote: for the agent. */
export function boughtText({ same, quoteId, order, bags }: Bought): string {
  const what = same ? "the same bags" : "most of these bags";
  const which = order ? `order ${order.called}` : `quote ${quoteId}, whose payment is settling`;
  return `The buyer has paid for ${what} already: ${which} (${bags}). This one would be a second order.`;
}

/** The same for the buyer. */
export function boughtForBuyer({ same, order }: Bought): string {
  const items = same ? "the same items" : "most of these items";
  const how = order
    ? `You have paid for ${items} already, in order ${order.called}`
    : `A payment of yours for ${items} is settling already`;
  return `${how}: pay only if you want ${same ? "them a second time" : "both"}.`;
}

/** Why a quote cannot be paid, for its buyer. */
export function whyUnpayable({ status, reason, problem, released, owedMinor }: Standing): string {
  const owed = owedMinor > 0 ? `${owedTitle(owedMinor)}. ${OWED_THEN}` : undefined;
  switch (status) {
    case "PROCESSING":
      return `${QUOTE_TITLES.PROCESSING}. ${PAY_NO_MORE}`;
    case "PAID":
      return `You have paid for this order. ${PAY_NO_MORE}`;
    case "EXPIRED": {
      const charged = problem === "TOO_LATE" ? CAME_TOO_LATE : "Nothing was charged.";
      return `The time to pay for this order is over. ${owed ?? charged}`;
    }
    case "INVALIDATED": {
      const { title, money = "Nothing was charged.", why, instead } = WHY[reason!] ?? UNPAID;
      return [`${title}.`, owed ?? money, why, released && PENDING, instead]
        .filter(Boolean)
        .join(" ");
    }
    default:
      return NOT_YET;
  }
}

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
  PAYMENT_PROCESSING: PAY_NO_MORE,
  REFUND_FAILED: `A refund could not be made yet. ${OWED_THEN}`,
  WAITLIST_OFFERED: NOT_YET,
};

/** A message about a quote, in words for its buyer. */
export function messageForBuyer({ code, text }: Message): string | null {
  const known = MESSAGES[code];
  if (known !== undefined) return known;
  return WHY[code as keyof typeof WHY]?.why ?? text;
}
