import { bags } from "../shared/bags.ts";
import { display } from "../shared/money.ts";
import {
  aboutOrder,
  dayOf,
  type Letter,
  type LetterData,
  momentIn,
  type OrderFacts,
  oneLine,
  type Sender,
  text,
  toBuyer,
} from "./letter.ts";

const testMoneyNotice = (mode: string): string | null =>
  mode === "live" ? null : "This shop runs with play money: nothing was charged or will be sent.";

export function receipt(sender: Sender, { order, pageUrl }: OrderFacts): Letter {
  const { pricing, estimated_delivery: due } = order;
  const sums = [
    ["Coffee", pricing.subtotal_minor],
    ["Courtesy", -(pricing.courtesy?.amount_minor ?? 0)],
    ["Shipping", pricing.shipping_minor],
    ["Total paid", order.payment.amount_minor],
  ] as const;
  return toBuyer(
    sender,
    order.buyer_email,
    `thank you, ${order.pricing.total_display} paid`,
    testMoneyNotice(order.payment.mode),
    "Your coffee is ordered and will be roasted for you.",
    order.items.map((item) => `${bags(item.quantity)} of ${item.name}`).join("\n"),
    sums
      .filter(([, minor]) => minor !== 0)
      .map(([name, minor]) => `${name}: ${display(minor)}`)
      .join("\n"),
    `It should arrive between ${dayOf(due.earliest)} and ${dayOf(due.latest)}.`,
    `Your order, at any time:\n${pageUrl}`,
  );
}

export function refunded(sender: Sender, facts: OrderFacts, about: LetterData): Letter {
  const { amount_minor = 0 } = about;
  return aboutOrder(
    sender,
    facts,
    `${display(amount_minor)} refunded`,
    testMoneyNotice(facts.order.payment.mode),
    `${display(amount_minor)} of your payment was refunded the way you paid. ` +
      "Banks take some days to show it.",
  );
}

export interface OfferFacts {
  to: string;
  bean: string;
  quantity: number;
  /** ISO 8601. */
  until: string;
  shopUrl: string;
  /** The buyer's own page, where no agent put them on the waitlist. */
  placeUrl: string | null;
}

export function waitlistOffer(sender: Sender, offer: OfferFacts): Letter {
  const held = offer.quantity === 1 ? "is held" : "are held";
  return toBuyer(
    sender,
    offer.to,
    `your ${bags(offer.quantity)} of ${offer.bean}`,
    `You waited for ${offer.bean}: ${bags(offer.quantity)} ${held} for you until ` +
      `${momentIn(sender.timeZone, offer.until)}.`,
    offer.placeUrl === null
      ? "Ask the agent that put you on the waitlist for a quote with this email address, and pay it " +
          "before then. After that the bags go to the next in the queue."
      : `Order them here before then, or let them go:\n${offer.placeUrl}\n` +
          "After that the bags go to the next in the queue.",
    offer.placeUrl === null ? offer.shopUrl : null,
  );
}

function toMerchant(
  sender: Sender,
  subject: string,
  page: string,
  ...blocks: (string | null)[]
): Letter | null {
  const { merchantEmail, shop, deskUrl } = sender;
  if (merchantEmail === undefined) return null;
  const where = `At your desk:\n${deskUrl}${page}`;
  return { to: merchantEmail, subject: `${shop}: ${subject}`, text: text(...blocks, where) };
}

export function newOrder(sender: Sender, { order }: OrderFacts): Letter | null {
  return toMerchant(
    sender,
    `new order, ${order.pricing.total_display}`,
    `/orders/${order.id}`,
    testMoneyNotice(order.payment.mode),
    order.items.map((item) => `${bags(item.quantity)} of ${item.name}`).join("\n"),
    `${order.shipments.length === 1 ? "1 shipment" : `${order.shipments.length} shipments`}, ` +
      `${order.pricing.total_display} paid.`,
  );
}

export function cancelRequest(sender: Sender, { order }: OrderFacts): Letter | null {
  return toMerchant(
    sender,
    "a cancel request to decide",
    `/orders/${order.id}`,
    `The buyer of an order over ${order.pricing.total_display} asks to cancel. The order goes on until you decide.`,
  );
}

export function cancelWithdrawn(sender: Sender, { order }: OrderFacts): Letter | null {
  return toMerchant(
    sender,
    "a cancel request was taken back",
    `/orders/${order.id}`,
    `The buyer of an order over ${order.pricing.total_display} asked to cancel and has taken that back. There is nothing to decide; the order goes on.`,
  );
}

export function bulkLead(
  sender: Sender,
  lead: { email: string; purpose: string; quantity: string | null },
): Letter | null {
  return toMerchant(
    sender,
    "a bulk lead",
    "/messages",
    "Somebody asks for more coffee than a quote carries. In their words:",
    `> ${oneLine(lead.purpose)}`,
    lead.quantity === null ? null : `> ${oneLine(lead.quantity)}`,
    `Answer to ${lead.email}.`,
  );
}

export function incident(sender: Sender, of: { kind: string; detail: string }): Letter | null {
  return toMerchant(
    sender,
    `incident ${of.kind}`,
    "/incidents",
    "Something about money or stock wants a look:",
    oneLine(of.detail),
  );
}
