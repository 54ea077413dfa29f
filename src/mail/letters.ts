import { bags, isOrAre } from "../core/bags.ts";
import { type Letter, type LetterData, type Sender, testMoneyNotice } from "../core/letter.ts";
import { display } from "../core/money.ts";
import { span, TIMES } from "../core/policy.ts";
import type { LeadRow, MailKind } from "../core/records.ts";
import { dayOf, momentIn } from "../core/time.ts";
import { BANK_TIME, OWED_THEN, owedTitle } from "../orders/buyer-words.ts";
import type { NamedOrder } from "../orders/order-answer.ts";
import {
  addressLines,
  CANCEL_LETTERS,
  type OrderLetters,
  parcel,
  SHIPMENT_LETTERS,
} from "./order-letters.ts";
import { type LetterText, numbered, toBuyer, toMerchant } from "./write-letter.ts";

const TOLD_TO_BUYER: OrderLetters = {
  ...SHIPMENT_LETTERS,
  ...CANCEL_LETTERS,
  RECEIPT: receipt,
  REFUNDED: (order, { amount_minor = 0 }) => ({
    subject: `${display(amount_minor)} refunded`,
    blocks: [
      testMoneyNotice(order),
      `${display(amount_minor)} of your payment was refunded the way you paid. ${BANK_TIME}`,
    ],
  }),
  REFUND_FAILED: (order, about) => refundFailed(order.payment.mode, about),
};

function refundFailed(mode: string, { amount_minor = 0 }: LetterData): LetterText {
  const amount = display(amount_minor);
  return {
    subject: owedTitle(amount_minor),
    blocks: [
      testMoneyNotice({ payment: { mode } }),
      `A refund of ${amount} did not reach you. ${OWED_THEN}`,
    ],
  };
}

const TOLD_TO_MERCHANT: OrderLetters = {
  NEW_ORDER: (order) => ({
    subject: `new order, ${order.pricing.total_display}`,
    blocks: [
      testMoneyNotice(order),
      itemLines(order),
      `${order.shipments.length === 1 ? "1 shipment" : `${order.shipments.length} shipments`}, ` +
        `${order.pricing.total_display} paid.`,
    ],
  }),
  CANCEL_REQUEST: ({ pricing, cancel_request: request }, { cancel_request_id }) => ({
    subject: "a cancel request to decide",
    blocks: [
      `The buyer of this order over ${pricing.total_display} asks to cancel. The order goes on until you decide.`,
      // An older one's is not at hand.
      request?.message && request.id === cancel_request_id ? { quote: request.message } : null,
    ],
  }),
  CANCEL_WITHDRAWN: ({ pricing }) => ({
    subject: "a cancel request was taken back",
    blocks: [
      `The buyer of this order over ${pricing.total_display} asked to cancel and has taken that back. There is nothing to decide; the order goes on.`,
    ],
  }),
};

/** Null where there is nothing to tell by now, or the one it is for reads no letters. */
export function orderLetter(
  kind: MailKind,
  sender: Sender,
  order: NamedOrder,
  about: LetterData,
): Letter | null {
  const told = (TOLD_TO_MERCHANT[kind] ?? TOLD_TO_BUYER[kind])?.(order, about);
  if (!told) return null;
  const subject = numbered(told.subject, order.number);
  if (kind in TOLD_TO_MERCHANT) {
    return toMerchant(sender, `/orders/${order.id}`, { ...told, subject });
  }
  const label = `Your order${order.number ? ` #${order.number}` : ""}${kind === "RECEIPT" ? ", at any time" : ""}`;
  const hasButton = told.blocks.some(
    (block) => typeof block === "object" && block !== null && "button" in block,
  );
  return toBuyer(sender, order.buyer_email, {
    subject,
    blocks: [
      ...told.blocks,
      { label, url: order.order_url, ...(!hasButton && { button: "View your order" }) },
    ],
  });
}

const itemLines = ({ items }: NamedOrder): string =>
  items.map((item) => `${bags(item.quantity)} of ${item.name}`).join("\n");

function receipt(order: NamedOrder): LetterText {
  const { pricing, estimated_delivery: due, shipments } = order;
  const sums = [
    ["Coffee", pricing.subtotal_minor],
    ["Discount", -(pricing.courtesy?.amount_minor ?? 0)],
    ["Shipping", pricing.shipping_minor],
    ["Total paid", order.payment.amount_minor],
  ] as const;
  return {
    subject: `thank you, ${pricing.total_display} paid`,
    blocks: [
      testMoneyNotice(order),
      due
        ? "Your coffee is ordered and will be roasted for you."
        : "Your coffee was ordered, and the order has been canceled since.",
      ...shipments.map((shipment) => ({
        ...parcel(shipment, addressLines(shipment.address)),
        giftNotes: shipment.gift_notes,
      })),
      {
        amounts: sums
          .filter(([name, minor]) => minor !== 0 || name === "Shipping")
          .map(
            ([name, minor]) =>
              [
                name,
                minor === 0 ? "Free" : minor < 0 ? `−${display(-minor)}` : display(minor),
              ] as const,
          ),
      },
      due && `It should arrive between ${dayOf(due.earliest)} and ${dayOf(due.latest)}.`,
    ],
  };
}

export const testLetter = (sender: Sender, to: string): Letter =>
  toBuyer(sender, to, {
    subject: `test from ${sender.shop}`,
    blocks: [
      "This is a test. Your shop can send mail: receipts and shipping news will look like this.",
    ],
  });

interface PlaceFacts {
  to: string;
  bean: string;
  quantity: number;
  /** The page of the buyer's place. */
  placeUrl: string;
}

export function waitlistJoined(
  sender: Sender,
  { to, bean, quantity, placeUrl, confirmUrl }: PlaceFacts & { confirmUrl: string },
): Letter {
  const wanted = `${bags(quantity)} of ${bean}`;
  return toBuyer(sender, to, {
    subject: `you're on the waitlist for ${bean}`,
    blocks: [
      `You're on the waitlist for ${wanted}. Confirm your address, and when it's your turn we'll email you ` +
        `and hold your coffee for ${span(TIMES.waitlist_offer_ms)}. It costs nothing.`,
      { label: "Confirm my address", url: confirmUrl, button: "Confirm my address" },
      "If it was not you who joined, do nothing: we won't write about it again.",
      { label: "See your place, or leave the waitlist", url: placeUrl },
    ],
  });
}

interface OfferFacts extends PlaceFacts {
  /** ISO 8601. */
  until: string;
  /** An agent joined for the buyer, and makes the quote. */
  hasAgent: boolean;
}

export function waitlistOffer(sender: Sender, offer: OfferFacts): Letter {
  const offered = `${bags(offer.quantity)} of ${offer.bean}`;
  const held = `${isOrAre(offer.quantity)} held for you until ${momentIn(sender.timeZone, offer.until)}`;
  const after = "After that the offer is over.";
  return toBuyer(sender, offer.to, {
    subject: `your ${offered}`,
    blocks: [
      `You waited for ${offer.bean}: ${bags(offer.quantity)} ${held}.`,
      ...(offer.hasAgent
        ? [
            "Ask the agent that put you on the waitlist for a quote with this email address, and pay " +
              `it before then. ${after}`,
            { label: "See your place, or leave the waitlist", url: offer.placeUrl },
          ]
        : [
            {
              label: "Order here before then, or leave the waitlist",
              url: offer.placeUrl,
              button: "Order now",
            },
            after,
          ]),
    ],
  });
}

/** About a payment that made no order. Without an outcome, its refund failed. */
export function notOrdered(
  sender: Sender,
  { to, mode, pageUrl, told }: { to: string; mode: string; pageUrl: string; told: LetterData },
): Letter {
  const { subject, blocks } =
    told.outcome === undefined ? refundFailed(mode, told) : noOrder(mode, told);
  const page = { label: "What you can do now", url: pageUrl, button: "See what you can do" };
  return toBuyer(sender, to, { subject, blocks: [...blocks, page] });
}

function noOrder(mode: string, { outcome, amount_minor = 0 }: LetterData): LetterText {
  const amount = display(amount_minor);
  const refused = outcome === "FAILED";
  return {
    subject: refused ? "your payment did not go through" : `${amount} is being returned`,
    blocks: [
      testMoneyNotice({ payment: { mode } }),
      refused
        ? `Your bank declined the debit of ${amount}. Nothing was charged or ordered.`
        : `Your payment of ${amount} could not become an order, and is being returned in full the way you paid. ${BANK_TIME}`,
    ],
  };
}

export const feedback = (
  sender: Sender,
  { message, number }: { message: string; number: number | null | undefined },
): Letter | null =>
  toMerchant(sender, "/messages", {
    subject: numbered("feedback", number),
    blocks: [{ by: "An agent wrote:", quote: message }],
  });

export const bulkLead = (
  sender: Sender,
  lead: Pick<LeadRow, "email" | "purpose" | "quantity" | "organization">,
): Letter | null =>
  toMerchant(sender, "/messages", {
    subject: "a bulk lead",
    blocks: [
      "Someone wants more coffee than one quote can hold. In their words:",
      ...[lead.purpose, lead.quantity, lead.organization].map((words) =>
        words ? { quote: words } : null,
      ),
      `Answer to ${lead.email}.`,
    ],
  });

export const incident = (
  sender: Sender,
  of: { kind: string; detail: string; number: number | null | undefined },
): Letter | null =>
  toMerchant(sender, "/incidents", {
    subject: numbered(`incident ${of.kind}`, of.number),
    blocks: ["Something about money or stock wants a look:", of.detail],
  });
