import { bagList, bags, isOrAre } from "../core/bags.ts";
import {
  FROM_BUYER,
  type Letter,
  type LetterData,
  oneLine,
  type Sender,
  senderOf,
  testMoneyNotice,
} from "../core/letter.ts";
import { display, sum } from "../core/money.ts";
import { span, TIMES } from "../core/policy.ts";
import {
  type AgentRow,
  ERASED,
  type FeedbackRow,
  type LeadRow,
  type MailKind,
  type OrderRow,
} from "../core/records.ts";
import { dayOf, momentIn } from "../core/time.ts";
import {
  AFTER_FAILURE,
  AFTER_RETURN,
  BANK_TIME,
  moneyBackText,
  ORDER_TITLES,
} from "../orders/buyer-words.ts";
import { merchantWords } from "../orders/cancel-order.ts";
import type { NamedShipment } from "../orders/order-answer.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { isAtShop } from "../orders/standing.ts";
import { OWED_THEN, owedTitle, PENDING, WHY } from "../quotes/quote-words.ts";
import { isReleaseReason } from "../quotes/standing.ts";
import { type Block, type LetterText, numbered, toBuyer, toMerchant } from "./write-letter.ts";

/** Texts of letters about an order; null if the news is over by now. */
type OrderLetters = Partial<
  Record<MailKind, (order: OrderForPeople, about: LetterData, sender: Sender) => LetterText | null>
>;

const TO_BUYER: OrderLetters = {
  RECEIPT: receipt,

  SHIPPED(order, about) {
    const { shipment, name, whose } = shipmentOf(order, about);
    if (!shipment?.shipped_at || isAtShop(shipment)) return null;
    const isAgain = about.previous_status === "RETURNED";
    return {
      subject: `your coffee to ${name} is on its way`,
      blocks: [
        isAgain ? `We sent the shipment ${whose} again.` : "Your coffee is on its way.",
        parcel(shipment),
        ...trackingLines(shipment),
        arrival(order),
      ],
    };
  },

  DELIVERED(order, about) {
    const { name, whose } = shipmentOf(order, about);
    return {
      subject: name === null ? ORDER_TITLES.DELIVERED : `your coffee to ${name} has arrived`,
      blocks: [`The shipment ${whose} was delivered. Enjoy your coffee!`],
    };
  },

  FAILED: whileStanding("FAILED", (shipment, whose) => ({
    subject: `the delivery ${whose} failed`,
    blocks: [
      `The carrier couldn’t deliver the shipment ${whose}. ${AFTER_FAILURE}`,
      ...trackingLines(shipment),
      "Please check the address on your order page.",
    ],
  })),

  RETURNED: whileStanding("RETURNED", (_, whose, { payment, standing }) => ({
    subject: `your coffee ${whose} came back to us`,
    blocks: [
      `The shipment ${whose} came back to us.`,
      standing.isReturnUndecided && payment.status !== "REFUNDED" ? AFTER_RETURN : null,
    ],
  })),

  TRACKING_CORRECTED(order, about) {
    const { shipment, whose } = shipmentOf(order, about);
    if (!shipment?.tracking) return null;
    return {
      subject: `new tracking number for the shipment ${whose}`,
      blocks: [`The shipment ${whose} has a new tracking number.`, ...trackingLines(shipment)],
    };
  },

  ADDRESS_CHANGED(order, about) {
    const { shipment, whose } = shipmentOf(order, about);
    if (!shipment) return null;
    return {
      subject: `new address for the shipment ${whose}`,
      blocks: [
        "One of your shipments now goes to:",
        parcel(shipment),
        "The price stays the same. Not what you wanted? Tell us before it ships.",
      ],
    };
  },

  ANSWER: (_order, { text }) =>
    text === undefined ? null : { subject: "about your order", blocks: [text] },

  ORDER_LINK: () => ({
    subject: "the link of your order",
    blocks: [
      "Somebody asked for the link of your order page, and we send it only to you. Whoever has the link " +
        "sees your order. If it wasn’t you, there’s nothing to do.",
    ],
  }),

  CANCEL_RECEIVED: (order, about) => ({
    subject: "we got your request to cancel",
    blocks: [
      partLines(order, about, "The request is to cancel this part of your order:"),
      "We’ll review it and email you. Until then your order goes on, and you can withdraw the request " +
        "on your order page.",
      requestMessage(order, about, "The request says:"),
    ],
  }),

  CANCELED: (order, { reason, cancel_request_id, canceled_at }) => ({
    subject: ORDER_TITLES.CANCELED,
    blocks: [
      cancel_request_id === undefined
        ? "We had to cancel your order."
        : "We canceled your order, as you asked.",
      shopNote(merchantWords(reason)),
      testMoneyNotice(order),
      moneyBackText(order.payment, canceled_at ?? 0),
    ],
  }),

  // A later letter tells of an order that has been canceled as a whole since.
  CANCELED_IN_PART: (order, { shipment_ids = [], reason, canceled_at }) =>
    order.status === "CANCELED"
      ? null
      : {
          subject: "part of your order was canceled",
          blocks: [
            reason === undefined
              ? "We canceled this part of your order, as you asked:"
              : "We had to cancel this part of your order:",
            shipmentLines(order.shipments.filter(({ id }) => shipment_ids.includes(id))),
            shopNote(merchantWords(reason)),
            order.status === "COMPLETED" ? null : "The rest of your order goes on.",
            testMoneyNotice(order),
            moneyBackText(order.payment, canceled_at ?? 0),
          ],
        },

  CANCEL_DECLINED: (order, about) =>
    order.status === "CANCELED"
      ? null
      : {
          subject: "your order goes on",
          blocks: [
            partLines(
              order,
              about,
              "We reviewed the request and can’t cancel this part of your order:",
            ) ?? "We reviewed the request to cancel and can’t cancel this order.",
            "Your order goes on.",
            shopNote(about.decision ?? null),
          ],
        },

  REFUNDED: (order, { amount_minor = 0 }) => ({
    subject: `${display(amount_minor)} refunded`,
    blocks: [
      testMoneyNotice(order),
      `We refunded ${display(amount_minor)} to your original payment method. ${BANK_TIME}`,
    ],
  }),

  REFUND_FAILED: (order, about) => refundFailed(order.payment.mode, about),
};

const TO_MERCHANT: OrderLetters = {
  NEW_ORDER: (order) => ({
    subject: `new order for ${recipientsOf(order)}, ${order.pricing.total_display}`,
    blocks: [
      testMoneyNotice(order),
      ...order.shipments.map(
        ({ address, items }) =>
          `To ${oneLine(address.name)}, ${oneLine(address.city)}, ${address.region}: ${bagList(items)}`,
      ),
      `${order.pricing.total_display} paid by ${order.buyer_email}.`,
    ],
  }),
  CANCEL_REQUEST: (order, about) => ({
    subject: "cancel request to decide",
    blocks: [
      partLines(order, about, `${buyerOf(order)} wants to cancel a part:`) ??
        `${buyerOf(order)} wants to cancel it.`,
      "The order goes on until you decide.",
      requestMessage(order, about),
    ],
  }),
  CANCEL_WITHDRAWN: (order) => ({
    subject: "cancel request withdrawn",
    blocks: [
      `${buyerOf(order)} withdrew their request to cancel. There is nothing to decide, and the order goes on.`,
    ],
  }),
};

const buyerOf = (order: OrderForPeople): string =>
  `The buyer of the ${order.pricing.total_display} order for ${recipientsOf(order)}`;

/** "To Mary Poe: 2 bags of Kenya Nyeri", one line each. */
const shipmentLines = (shipments: readonly NamedShipment[]): string =>
  shipments
    .map(({ address, items }) => `To ${oneLine(address.name)}: ${bagList(items)}`)
    .join("\n");

/** Names the shipments of a cancel request; null if it is about the whole order. */
function partLines(
  { shipments }: OrderForPeople,
  { shipment_ids = [] }: LetterData,
  introduction: string,
): string | null {
  const isAsked = ({ id }: NamedShipment) => shipment_ids.includes(id);
  const isWhole = shipments.every((one) => isAsked(one) || one.status === "CANCELED");
  return isWhole ? null : `${introduction}\n${shipmentLines(shipments.filter(isAsked))}`;
}

/** "Mary Poe", "Mary Poe and 2 more". */
function recipientsOf({ shipments }: OrderForPeople): string {
  const name = oneLine(shipments[0]!.address.name);
  return shipments.length === 1 ? name : `${name} and ${shipments.length - 1} more`;
}

/** The orders of one day, for an owner who wants one letter a day. */
export function orderDigest(sender: Sender, orders: readonly OrderForPeople[]): Letter | null {
  const [first] = orders;
  if (!first) return null;
  const total = display(sum(orders.map(({ payment }) => payment.amount_minor)));
  const count = orders.length === 1 ? "1 new order" : `${orders.length} new orders`;
  return toMerchant(sender, "/roast", {
    subject: `${count}, ${total}`,
    blocks: [
      testMoneyNotice(first),
      orders
        .map(
          (order) =>
            `#${order.number} for ${recipientsOf(order)}: ${bagList(order.items)}, ${order.pricing.total_display}`,
        )
        .join("\n"),
    ],
  });
}

/** Null if there is nothing to tell by now, or if the shop has no address for its own letters. */
export function orderLetter(
  kind: MailKind,
  sender: Sender,
  order: OrderForPeople,
  about: LetterData,
): Letter | null {
  const text = (TO_MERCHANT[kind] ?? TO_BUYER[kind])?.(order, about, sender);
  if (!text) return null;
  const subject = numbered(text.subject, order.number);
  if (kind in TO_MERCHANT) {
    const replyTo = order.buyer_email;
    return toMerchant(sender, `/orders/${order.id}`, { ...text, subject, replyTo });
  }
  const label = numbered("Your order page", order.number);
  const hasButton = text.blocks.some(
    (block) => typeof block === "object" && block !== null && "button" in block,
  );
  return toBuyer(sender, order.buyer_email, {
    subject,
    blocks: [
      ...text.blocks,
      { label, url: order.order_url, ...(!hasButton && { button: "View your order" }) },
    ],
  });
}

function receipt(
  order: OrderForPeople,
  _about: LetterData,
  { shop, timeZone }: Sender,
): LetterText {
  const { pricing, shipments, payment } = order;
  const sums = [
    ["Coffee", pricing.subtotal_minor],
    ["Discount", -(pricing.courtesy?.amount_minor ?? 0)],
    ["Shipping", pricing.shipping_minor],
    ["Total paid", payment.amount_minor],
  ] as const;
  const amount = (minor: number) =>
    minor === 0 ? "Free" : minor < 0 ? `−${display(-minor)}` : display(minor);
  return {
    subject: `thank you, ${pricing.total_display} paid`,
    blocks: [
      testMoneyNotice(order),
      order.estimated_delivery
        ? "Thanks for your order! We’ll roast your coffee and email you when it ships."
        : "Thanks for your order. It has since been canceled.",
      ...shipments.map((shipment) => ({
        ...parcel(shipment, pricedLines(shipment)),
        giftNotes: shipment.gift_notes,
      })),
      {
        amounts: sums
          .filter(([name, minor]) => minor !== 0 || name === "Shipping")
          .map(([name, minor]) => [name, amount(minor)] as const),
      },
      `Sold by ${shop} on ${momentIn(timeZone, payment.paid_at)}.`,
      arrival(order),
    ],
  };
}

/** Tells of a status only while the shipment has it. */
function whileStanding(
  status: NamedShipment["status"],
  tell: (shipment: NamedShipment, whose: string, order: OrderForPeople) => LetterText,
): NonNullable<OrderLetters[MailKind]> {
  return (order, about) => {
    const { shipment, whose } = shipmentOf(order, about);
    return shipment?.status === status ? tell(shipment, whose, order) : null;
  };
}

function shipmentOf({ shipments }: OrderForPeople, { shipment_id }: LetterData) {
  const shipment = shipments.find(({ id }) => id === shipment_id);
  const name = shipment ? oneLine(shipment.address.name) : null;
  return { shipment, name, whose: name === null ? "of your order" : `to ${name}` };
}

const trackingLines = ({ tracking }: NamedShipment): (Block | null)[] => [
  tracking && `${oneLine(tracking.carrier)}, tracking number ${oneLine(tracking.number)}`,
  tracking?.url ? { label: "Track package", url: tracking.url, button: "Track package" } : null,
];

const arrival = ({ estimated_delivery: due }: OrderForPeople): string | null =>
  due && !due.days_late
    ? `It should arrive between ${dayOf(due.earliest)} and ${dayOf(due.latest)}.`
    : null;

const bagLines = ({ items }: Pick<NamedShipment, "items">): string[] =>
  items.map(({ quantity, name }) => `${bags(quantity)} of ${name}`);

/** `2 bags of Kenya Nyeri at $22.00: $44.00`. */
const pricedLines = ({ items }: NamedShipment): string[] =>
  items.map(({ quantity, name, unit_price_minor: each }) => {
    const at = quantity > 1 ? ` at ${display(each)}` : "";
    return `${bags(quantity)} of ${name}${at}: ${display(quantity * each)}`;
  });

function parcel(shipment: NamedShipment, beans = bagLines(shipment)) {
  const { name, line1, line2, city, region, postal_code } = shipment.address;
  const address = [line1, line2, `${city}, ${region} ${postal_code}`];
  return {
    title: `To ${oneLine(name)}`,
    lines: [...beans, ...address.flatMap((words) => (words ? [oneLine(words)] : []))],
  };
}

/** Only the newest cancel request still has its message. */
const requestMessage = (
  { cancel_request: request }: OrderForPeople,
  { cancel_request_id }: LetterData,
  by?: string,
): Block | null =>
  request?.message && request.id === cancel_request_id
    ? { ...(by && { by }), quote: request.message }
    : null;

const shopNote = (words: string | null): Block | null =>
  words ? { by: "A note from the shop:", quote: words } : null;

export const testLetter = (sender: Sender, to: string): Letter =>
  toBuyer(sender, to, {
    subject: `test from ${sender.shop}`,
    blocks: ["It works: your shop can send mail. Receipts and shipping news will look like this."],
  });

export const signInLink = (sender: Sender, token: string): Letter | null =>
  toMerchant(sender, `/sign-in?secret=${token}`, {
    subject: "your sign-in link",
    blocks: [
      "Somebody asked for it on the sign-in page of your desk. It works once, for 15 minutes. If it wasn’t you, ignore this letter.",
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
  return toBuyer(sender, to, {
    subject: `you’re on the waitlist for ${bean}`,
    blocks: [
      `You’re on the waitlist for ${bags(quantity)} of ${bean}. Confirm your email address, and we’ll ` +
        `email you when it’s your turn and hold your coffee for ${span(TIMES.waitlist_offer_ms)}. It’s free.`,
      { label: "Confirm my address", url: confirmUrl, button: "Confirm my address" },
      "Wasn’t you? Ignore this email: nothing happens unless you confirm.",
      `Look at your place now and then: it ends after ${span(TIMES.waitlist_place_ms)} without a visit.`,
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
  const { bean, quantity, placeUrl: url } = offer;
  const until = momentIn(sender.timeZone, offer.until);
  return toBuyer(sender, offer.to, {
    subject: `your ${bags(quantity)} of ${bean} ${isOrAre(quantity)} here`,
    blocks: [
      `Good news: we’re holding ${bags(quantity)} of ${bean} for you until ${until}. The offer ends then.`,
      offer.hasAgent
        ? "Ask the agent that put you on the waitlist for a quote with this email address, and pay it in time."
        : null,
      offer.hasAgent
        ? { label: "See your place, or leave the waitlist", url }
        : { label: "Order, or leave the waitlist", url, button: "Order now" },
    ],
  });
}

/** About a payment that made no order. Without an outcome, its refund failed. */
export function notOrdered(
  sender: Sender,
  { to, mode, pageUrl, about }: { to: string; mode: string; pageUrl: string; about: LetterData },
): Letter {
  const { subject, blocks } =
    about.outcome === undefined ? refundFailed(mode, about) : noOrder(mode, about);
  const page = { label: "See your options", url: pageUrl, button: "See your options" };
  return toBuyer(sender, to, { subject, blocks: [...blocks, page] });
}

function refundFailed(mode: string, { amount_minor = 0 }: LetterData): LetterText {
  return {
    subject: owedTitle(amount_minor),
    blocks: [
      testMoneyNotice({ payment: { mode } }),
      `A refund of ${display(amount_minor)} didn’t go through. ${OWED_THEN}`,
    ],
  };
}

function noOrder(mode: string, { outcome, amount_minor = 0 }: LetterData): LetterText {
  const amount = display(amount_minor);
  const isDeclined = outcome === "FAILED";
  const released = isReleaseReason(outcome) ? outcome : null;
  return {
    subject: isDeclined
      ? "your payment didn’t go through"
      : released
        ? "your card wasn’t charged"
        : `we’re refunding ${amount}`,
    blocks: [
      testMoneyNotice({ payment: { mode } }),
      isDeclined
        ? `Your bank declined the debit of ${amount}. Nothing was charged or ordered.`
        : released
          ? `${WHY[released].why} So we didn’t charge your ${amount}, and nothing was ordered. ${PENDING}`
          : `We couldn’t place your order, so we’re refunding your payment of ${amount} in full. ${BANK_TIME}`,
    ],
  };
}

/** `order`, `agent`: what the message is about, and who sent it, as far as they are known. */
export function feedback(
  sender: Sender,
  row: Pick<FeedbackRow, "message" | "agent_id">,
  {
    order,
    agent,
  }: {
    order?: Pick<OrderRow, "id" | "number" | "buyer_email"> | undefined;
    agent?: Pick<AgentRow, "name" | "contact_email"> | undefined;
  },
): Letter | null {
  const buyer = order && order.buyer_email !== ERASED ? order.buyer_email : null;
  const known = agent && agent.name !== ERASED ? agent : null;
  const whose = buyer ? ` about the order of ${buyer}` : "";
  const by =
    row.agent_id === FROM_BUYER
      ? "A buyer wrote:"
      : known
        ? `The agent ${oneLine(known.name)} (${known.contact_email}) wrote${whose}:`
        : `An agent wrote${whose}:`;
  return toMerchant(sender, order ? `/orders/${order.id}#messages` : "/messages", {
    subject: numbered("feedback", order?.number),
    // An answer about an order goes to its buyer, who may not read what the agent gets.
    replyTo: senderOf(row) ?? buyer ?? known?.contact_email ?? null,
    blocks: [{ by, quote: row.message }],
  });
}

export const bulkLead = (
  sender: Sender,
  lead: Pick<LeadRow, "email" | "purpose" | "quantity" | "organization">,
): Letter | null =>
  toMerchant(sender, "/messages", {
    subject: "a bulk lead",
    replyTo: lead.email,
    blocks: [
      "Someone wants more coffee than one quote can hold. In their words:",
      ...[lead.purpose, lead.quantity, lead.organization].map((words) =>
        words ? { quote: words } : null,
      ),
      `Reply to ${lead.email}.`,
    ],
  });

export const incident = (
  sender: Sender,
  { kind, detail, number }: { kind: string; detail: string; number: number | undefined },
): Letter | null =>
  toMerchant(sender, "/incidents", {
    subject: numbered(`please check: ${kind.toLowerCase().replaceAll("_", " ")}`, number),
    blocks: [detail],
  });
