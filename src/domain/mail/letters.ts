import type { Order } from "../order/order-answer.ts";
import { display, type Minor } from "../shared/money.ts";

/** What goes to a mail server: plain text, readable everywhere and with nothing to load. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** What stands in every letter. */
export interface Sender {
  shop: string;
  /** Where the buyer can write to. */
  supportEmail: string | undefined;
  /** Where the merchant reads letters; without it those to the merchant are not sent. */
  merchantEmail: string | undefined;
  deskUrl: string;
}

/** An order as its letters tell it, with the link to the buyer's page of it. */
export interface OrderFacts {
  order: Order;
  pageUrl: string;
}

const text = (...blocks: (string | null)[]): string =>
  `${blocks.filter((block) => block !== null).join("\n\n")}\n`;

/** A word of a stranger on a line of its own cannot become a line of ours. */
const oneLine = (words: string): string => words.replace(/\s+/g, " ").trim();

const bags = (count: number): string => `${count} ${count === 1 ? "bag" : "bags"}`;

function toBuyer(sender: Sender, to: string, subject: string, ...blocks: (string | null)[]) {
  const { shop, supportEmail } = sender;
  const reach = supportEmail ? `Questions? Write to ${supportEmail}.` : null;
  return { to, subject: `${shop}: ${subject}`, text: text(...blocks, reach, `— ${shop}`) };
}

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
    `thank you, ${order.total_display} paid`,
    testMoneyNotice(order.payment.mode),
    "Your coffee is ordered and will be roasted for you.",
    order.items.map((item) => `${bags(item.quantity)} of ${item.name}`).join("\n"),
    sums
      .filter(([, minor]) => minor !== 0)
      .map(([name, minor]) => `${name}: ${display(minor)}`)
      .join("\n"),
    `It should arrive between ${due.earliest} and ${due.latest}.`,
    `Your order, at any time:\n${pageUrl}`,
  );
}

export function shipped(sender: Sender, facts: OrderFacts, shipmentId: string): Letter {
  const { order, pageUrl } = facts;
  const { shipment, whose } = shipmentOf(order, shipmentId);
  const tracking = shipment?.tracking;
  return toBuyer(
    sender,
    order.buyer_email,
    "your coffee is on its way",
    `The shipment ${whose} has left the roaster.`,
    tracking ? `${oneLine(tracking.carrier)}, number ${oneLine(tracking.number)}` : null,
    tracking?.url ? `Follow it:\n${tracking.url}` : null,
    `Your order:\n${pageUrl}`,
  );
}

export function delivered(sender: Sender, facts: OrderFacts, shipmentId: string): Letter {
  const { order, pageUrl } = facts;
  return toBuyer(
    sender,
    order.buyer_email,
    "your coffee has arrived",
    `The shipment ${shipmentOf(order, shipmentId).whose} is delivered. Enjoy it.`,
    `Your order:\n${pageUrl}`,
  );
}

function shipmentOf(order: Order, shipmentId: string) {
  const shipment = order.shipments.find(({ id }) => id === shipmentId);
  const whose = shipment ? `to ${oneLine(shipment.address.name)}` : "of your order";
  return { shipment, whose };
}

export function refunded(sender: Sender, { order, pageUrl }: OrderFacts, minor: Minor): Letter {
  return toBuyer(
    sender,
    order.buyer_email,
    `${display(minor)} refunded`,
    testMoneyNotice(order.payment.mode),
    `${display(minor)} of your payment was refunded the way you paid. ` +
      "Banks take some days to show it.",
    `Your order:\n${pageUrl}`,
  );
}

export interface OfferFacts {
  to: string;
  bean: string;
  quantity: number;
  /** ISO 8601. */
  until: string;
  shopUrl: string;
}

export function waitlistOffer(sender: Sender, offer: OfferFacts): Letter {
  const held = offer.quantity === 1 ? "is held" : "are held";
  return toBuyer(
    sender,
    offer.to,
    `your ${bags(offer.quantity)} of ${offer.bean}`,
    `You waited for ${offer.bean}: ${bags(offer.quantity)} ${held} for you until ` +
      `${offer.until.slice(0, 16).replace("T", " ")} UTC.`,
    "Ask the agent that put you on the waitlist for a quote with this email address, and pay it " +
      "before then. After that the bags go to the next in the queue.",
    offer.shopUrl,
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
    `new order, ${order.total_display}`,
    `/orders/${order.id}`,
    testMoneyNotice(order.payment.mode),
    order.items.map((item) => `${bags(item.quantity)} of ${item.name}`).join("\n"),
    `${order.shipments.length === 1 ? "1 shipment" : `${order.shipments.length} shipments`}, ` +
      `${order.total_display} paid.`,
  );
}

export function cancelRequest(sender: Sender, { order }: OrderFacts): Letter | null {
  return toMerchant(
    sender,
    "a cancel request to decide",
    `/orders/${order.id}`,
    `The buyer of an order over ${order.total_display} asks to cancel. The order goes on until you decide.`,
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
