import type { Merchant } from "../merchant/merchant.ts";
import type { Story } from "./story.ts";
import type { AnyJson } from "./web.ts";

/** The merchant's half: the verbs behind the merchant's command line. */
export async function ship(story: Story, merchant: Merchant, order: AnyJson): Promise<void> {
  story.chapter("The merchant", "works through the order");
  const { orders, shipments } = merchant.admin("cli");
  const roasting = await orders.show(await orders.roast(order.id));
  story.check(roasting.status === "ROASTING", "the order is being roasted", roasting.status);
  story.tell("roasts");
  for (const [i, shipment] of order.shipments.entries()) {
    const number = `9400 0000 0000 000${i}`;
    const act = shipments.ship(shipment.id, { carrier: "USPS", number });
    const shipped = await orders.show(await act);
    story.tell(
      `ships the shipment for ${shipment.recipient_ref}: USPS ${number} → ${shipped.status}`,
    );
  }
}

/** Then the carrier has delivered them all. */
export async function deliver(story: Story, merchant: Merchant, order: AnyJson): Promise<void> {
  story.chapter("The merchant", "hears from the carrier");
  const { orders, shipments } = merchant.admin("cli");
  for (const shipment of order.shipments) await shipments.move(shipment.id, "DELIVERED");
  const { status } = await orders.show(order.id);
  story.check(status === "COMPLETED", "all shipments delivered complete the order", status);
  story.tell(`both shipments are delivered: ${status}`);
}
