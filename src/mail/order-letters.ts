import { bagList, bags } from "../core/bags.ts";
import { type LetterData, oneLine, testMoneyNotice } from "../core/letter.ts";
import type { MailKind } from "../core/records.ts";
import { dayOf } from "../core/time.ts";
import { AFTER_FAILURE, AFTER_RETURN, moneyBackText, ORDER_TITLES } from "../orders/buyer-words.ts";
import { merchantWords } from "../orders/cancel-order.ts";
import type { NamedOrder, NamedShipment } from "../orders/order-answer.ts";
import { isAtShop } from "../orders/standing.ts";
import type { Block, LetterText } from "./write-letter.ts";

/** Texts of letters about an order; null if the news is over by now. */
export type OrderLetters = Partial<
  Record<MailKind, (order: NamedOrder, about: LetterData) => LetterText | null>
>;

/** Letters about where a shipment is, made when they are sent. */
export const SHIPMENT_LETTERS: OrderLetters = {
  /** Null where it has not left after all. */
  SHIPPED(order, about) {
    const { shipment, whose } = shipmentOf(order, about);
    if (!shipment?.shipped_at || isAtShop(shipment)) return null;
    const again = about.previous_status === "RETURNED";
    const left = again
      ? `We have sent the shipment ${whose} again.`
      : `The shipment ${whose} has left the roaster.`;
    return {
      subject: ORDER_TITLES.ON_ITS_WAY,
      blocks: [
        left,
        parcel(shipment, addressLines(shipment.address)),
        ...trackingLines(shipment.tracking),
        arrival(order),
      ],
    };
  },

  DELIVERED: (order, about) => ({
    subject: ORDER_TITLES.DELIVERED,
    blocks: [`The shipment ${shipmentOf(order, about).whose} is delivered. Enjoy it.`],
  }),

  FAILED: whileStanding("FAILED", ({ tracking }, whose) => ({
    subject: ORDER_TITLES.DELIVERY_FAILED,
    blocks: [
      `The carrier could not deliver the shipment ${whose}. ${AFTER_FAILURE}`,
      ...trackingLines(tracking),
      "Please check the address on the page of your order.",
    ],
  })),

  RETURNED: whileStanding("RETURNED", (_, whose, { payment }) => ({
    subject: ORDER_TITLES.RETURNED,
    blocks: [
      `The carrier brought the shipment ${whose} back to us.`,
      payment.status === "REFUNDED" ? null : AFTER_RETURN,
    ],
  })),

  TRACKING_CORRECTED(order, about) {
    const { shipment, whose } = shipmentOf(order, about);
    if (!shipment?.tracking) return null;
    const another = `The shipment ${whose} has another tracking number than we told you.`;
    return {
      subject: "another tracking number",
      blocks: [another, ...trackingLines(shipment.tracking)],
    };
  },

  ADDRESS_CHANGED(order, about) {
    const { shipment } = shipmentOf(order, about);
    if (!shipment) return null;
    return {
      subject: "your shipment goes to another address",
      blocks: [
        "One of your shipments now goes to:",
        parcel(shipment, addressLines(shipment.address)),
        "What you paid stays as it is. If this is not what you wanted, tell us before it leaves.",
      ],
    };
  },
};

/** Tells of a step as long as the shipment stands there; null where that is over by now. */
function whileStanding(
  stands: NamedShipment["status"],
  tell: (shipment: NamedShipment, whose: string, order: NamedOrder) => LetterText,
): (order: NamedOrder, about: LetterData) => LetterText | null {
  return (order, about) => {
    const { shipment, whose } = shipmentOf(order, about);
    return shipment?.status === stands ? tell(shipment, whose, order) : null;
  };
}

const trackingLines = (tracking: NamedShipment["tracking"]): (Block | null)[] => [
  tracking ? `${oneLine(tracking.carrier)}, number ${oneLine(tracking.number)}` : null,
  tracking?.url ? { label: "Track package", url: tracking.url, button: "Track package" } : null,
];

const arrival = ({ estimated_delivery: due }: NamedOrder): string | null =>
  due && !due.days_late
    ? `It should arrive between ${dayOf(due.earliest)} and ${dayOf(due.latest)}.`
    : null;

/** Shipments to one address; `lines` follow the bags. */
export const parcel = ({ address, items }: NamedShipment, lines: readonly string[]) => ({
  title: `To ${oneLine(address.name)}`,
  lines: [...items.map(({ quantity, name }) => `${bags(quantity)} of ${name}`), ...lines],
});

export const addressLines = ({
  line1,
  line2,
  city,
  region,
  postal_code,
}: NamedShipment["address"]) =>
  [line1, line2, `${city}, ${region} ${postal_code}`].flatMap((words) =>
    words ? [oneLine(words)] : [],
  );

function shipmentOf({ shipments }: NamedOrder, { shipment_id }: LetterData) {
  const shipment = shipments.find(({ id }) => id === shipment_id);
  const whose = shipment ? `to ${oneLine(shipment.address.name)}` : "of your order";
  return { shipment, whose };
}

/**
 * What the buyer is told of canceling: what was decided, and what becomes of the money by then. What is
 * refunded has a letter of its own once it is on its way.
 */
export const CANCEL_LETTERS: OrderLetters = {
  CANCEL_RECEIVED: ({ cancel_request: request }, { cancel_request_id }) => ({
    subject: "we got your request to cancel",
    blocks: [
      "We'll review it and email you. Until then your order goes on, and you can take the request back " +
        "on the page of your order.",
      request?.message && request.id === cancel_request_id
        ? { by: "The request says:", quote: request.message }
        : null,
    ],
  }),

  CANCELED: (order, { reason, cancel_request_id, canceled_at }) => ({
    subject: ORDER_TITLES.CANCELED,
    blocks: [
      cancel_request_id === undefined
        ? "The shop canceled your order."
        : "Your order was canceled, as you asked.",
      theirWords(merchantWords(reason)),
      testMoneyNotice(order),
      moneyBackText(order.payment, canceled_at ?? 0),
    ],
  }),

  /** Null where all of it was canceled before this letter left: that is told by another. */
  CANCELED_IN_PART: (order, { shipment_ids = [], reason, canceled_at }) =>
    order.status === "CANCELED"
      ? null
      : {
          subject: "a part of your order was canceled",
          blocks: [
            reason === undefined
              ? "The shop canceled what was asked for:"
              : "The shop canceled a part of your order:",
            order.shipments
              .filter(({ id }) => shipment_ids.includes(id))
              .map(({ address, items }) => `To ${oneLine(address.name)}: ${bagList(items)}`)
              .join("\n"),
            theirWords(merchantWords(reason)),
            order.status === "COMPLETED" ? null : "The rest of your order goes on.",
            testMoneyNotice(order),
            moneyBackText(order.payment, canceled_at ?? 0),
          ],
        },

  /** Null where it was canceled after all before this letter left. */
  CANCEL_DECLINED: ({ status }, { decision }) =>
    status === "CANCELED"
      ? null
      : {
          subject: "your order goes on",
          blocks: [
            "The shop was asked to cancel, and declined that. Your order goes on.",
            theirWords(decision ?? null),
          ],
        },
};

const theirWords = (words: string | null): Block | null =>
  words ? { by: "The shop wrote:", quote: words } : null;
