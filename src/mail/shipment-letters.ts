import { type LetterData, type LetterText, oneLine } from "../core/letter.ts";
import type { MailKind } from "../core/records.ts";
import { isAtShop } from "../orders/order.ts";
import type { Order, Shipment } from "../orders/order-answer.ts";

/** What a letter about an order tells, by the event; null where there is nothing to tell by now. */
export type OrderLetters = Partial<
  Record<MailKind, (order: Order, about: LetterData) => LetterText | null>
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
      subject: "your coffee is on its way",
      blocks: [left, ...trackingLines(shipment.tracking)],
    };
  },

  DELIVERED: (order, about) => ({
    subject: "your coffee has arrived",
    blocks: [`The shipment ${shipmentOf(order, about).whose} is delivered. Enjoy it.`],
  }),

  FAILED: whileStanding("FAILED", ({ tracking }, whose) => ({
    subject: "your coffee could not be delivered",
    blocks: [
      `The carrier could not deliver the shipment ${whose}. It is tried again, or it comes back to us.`,
      ...trackingLines(tracking),
      "Please check the address on the page of your order.",
    ],
  })),

  RETURNED: whileStanding("RETURNED", (_, whose, { payment }) => ({
    subject: "your coffee came back to us",
    blocks: [
      `The carrier brought the shipment ${whose} back to us.`,
      payment.status === "REFUNDED" ? null : "We will decide with you what happens next.",
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
    const { name, line1, line2, city, region, postal_code } = shipment.address;
    const lines = [name, line1, line2, `${city}, ${region} ${postal_code}`];
    return {
      subject: "your shipment goes to another address",
      blocks: [
        "One of your shipments now goes to:",
        lines.flatMap((words) => (words ? [oneLine(words)] : [])).join("\n"),
        "What you paid stays as it is. If this is not what you wanted, tell us before it leaves.",
      ],
    };
  },
};

/** Tells of a step as long as the shipment stands there; null where that is over by now. */
function whileStanding(
  stands: Shipment["status"],
  tell: (shipment: Shipment, whose: string, order: Order) => LetterText,
): (order: Order, about: LetterData) => LetterText | null {
  return (order, about) => {
    const { shipment, whose } = shipmentOf(order, about);
    return shipment?.status === stands ? tell(shipment, whose, order) : null;
  };
}

const trackingLines = (tracking: Shipment["tracking"]): (string | null)[] => [
  tracking ? `${oneLine(tracking.carrier)}, number ${oneLine(tracking.number)}` : null,
  tracking?.url ? `Follow it:\n${tracking.url}` : null,
];

function shipmentOf({ shipments }: Order, { shipment_id }: LetterData) {
  const shipment = shipments.find(({ id }) => id === shipment_id);
  const whose = shipment ? `to ${oneLine(shipment.address.name)}` : "of your order";
  return { shipment, whose };
}
