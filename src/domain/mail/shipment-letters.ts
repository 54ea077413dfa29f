import type { Shipment } from "../order/order-answer.ts";
import {
  aboutOrder,
  type Letter,
  type LetterData,
  type OrderFacts,
  oneLine,
  type Sender,
} from "./letter.ts";

/** Letters about where a shipment is. Made when they are sent: null where there is nothing to tell by then. */

/** Null where it has not left after all. */
export function shipped(sender: Sender, facts: OrderFacts, about: LetterData): Letter | null {
  const { shipment, whose } = shipmentOf(facts, about);
  if (!shipment?.shipped_at) return null;
  return aboutOrder(
    sender,
    facts,
    "your coffee is on its way",
    `The shipment ${whose} has left the roaster.`,
    ...trackingLines(shipment.tracking),
  );
}

export function delivered(sender: Sender, facts: OrderFacts, about: LetterData): Letter {
  return aboutOrder(
    sender,
    facts,
    "your coffee has arrived",
    `The shipment ${shipmentOf(facts, about).whose} is delivered. Enjoy it.`,
  );
}

/** `status`: what the first letter told. Null where it is true again by now. */
export function stepUndone(sender: Sender, facts: OrderFacts, about: LetterData): Letter | null {
  const { shipment, whose } = shipmentOf(facts, about);
  const was = about.status;
  if (!shipment) return null;
  const again = was === "SHIPPED" ? shipment.shipped_at : shipment.delivered_at;
  if (again !== null) return null;
  return aboutOrder(
    sender,
    facts,
    was === "SHIPPED" ? "your coffee has not left yet" : "your coffee is still on its way",
    was === "SHIPPED"
      ? `We told you too early that the shipment ${whose} had left. We write again when it does.`
      : `We told you too early that the shipment ${whose} had arrived. It is still on its way.`,
  );
}

export function trackingCorrected(
  sender: Sender,
  facts: OrderFacts,
  about: LetterData,
): Letter | null {
  const { shipment, whose } = shipmentOf(facts, about);
  if (!shipment?.tracking) return null;
  return aboutOrder(
    sender,
    facts,
    "another tracking number",
    `The shipment ${whose} has another tracking number than we told you.`,
    ...trackingLines(shipment.tracking),
  );
}

export function addressChanged(
  sender: Sender,
  facts: OrderFacts,
  about: LetterData,
): Letter | null {
  const { shipment } = shipmentOf(facts, about);
  if (!shipment) return null;
  const { name, line1, line2, city, region, postal_code } = shipment.address;
  const lines = [name, line1, line2, `${city}, ${region} ${postal_code}`];
  return aboutOrder(
    sender,
    facts,
    "your shipment goes to another address",
    "One of your shipments now goes to:",
    lines.flatMap((words) => (words ? [oneLine(words)] : [])).join("\n"),
    "What you paid stays as it is. If this is not what you wanted, tell us before it leaves.",
  );
}

const trackingLines = (tracking: Shipment["tracking"]): (string | null)[] => [
  tracking ? `${oneLine(tracking.carrier)}, number ${oneLine(tracking.number)}` : null,
  tracking?.url ? `Follow it:\n${tracking.url}` : null,
];

function shipmentOf({ order }: OrderFacts, { shipment_id }: LetterData) {
  const shipment = order.shipments.find(({ id }) => id === shipment_id);
  const whose = shipment ? `to ${oneLine(shipment.address.name)}` : "of your order";
  return { shipment, whose };
}
