import type { Merchant } from "../merchant/merchant.ts";
import type { AgentPurchase } from "./agent.ts";
import type { AnyJson, Scene, Story } from "./scene.ts";

const DECLINED = "4000000000000002";
const GOOD = "4242424242424242";

/** The buyer's half: a person with a browser and no JavaScript, from the link to "paid". */
export async function pay({ story, web }: Scene, { quote, reviewUrl }: AgentPurchase) {
  story.chapter("The buyer", "opens the link in a browser");
  const review = await web.page(reviewUrl);
  story.check(review.includes(quote.total_display), "the page shows the exact total");
  story.check(review.includes("Happy birthday, Sam!"), "the page shows the gift note");
  story.tell(`sees every line, both addresses, the gift note and ${quote.total_display}`);

  const hosted = await web.form(reviewUrl);
  story.check((await web.page(hosted)).includes(quote.total_display), "the same total to pay");
  story.tell("presses Pay, and comes to the payment page with the same total");

  const declined = await web.form(`${hosted}/pay`, { card: DECLINED });
  await web.page(declined);
  story.tell("tries a card that is declined: nothing happens, nothing is lost");

  const paid = await web.form(await web.form(reviewUrl).then((url) => `${url}/pay`), {
    card: GOOD,
  });
  story.check(paid.startsWith(reviewUrl), "the payment leads back to the shop", paid);
  const thanks = await web.page(paid);
  story.check(thanks.includes("Your coffee is ordered"), "the shop's page says so");
  story.tell("pays with another card, and is back on the shop's page");
}

/** The merchant's half: the verbs behind the merchant's command line. */
export async function ship(story: Story, merchant: Merchant, order: AnyJson): Promise<void> {
  story.chapter("The merchant", "works through the order");
  const { orders, shipments } = merchant.admin("cli");
  const roasting = await orders.show({ order_id: await orders.roast({ order_id: order.id }) });
  story.check(roasting.status === "ROASTING", "the order is being roasted", roasting.status);
  story.tell("roasts");
  for (const [i, shipment] of order.shipments.entries()) {
    const number = `9400 0000 0000 000${i}`;
    const act = shipments.ship({ shipment_id: shipment.id, tracking: { carrier: "USPS", number } });
    const shipped = await orders.show({ order_id: await act });
    story.tell(
      `ships the shipment for ${shipment.recipient_ref}: USPS ${number} → ${shipped.status}`,
    );
  }
}

/** Then the carrier has delivered them all. */
export async function deliver(story: Story, merchant: Merchant, order: AnyJson): Promise<void> {
  story.chapter("The merchant", "hears from the carrier");
  const { orders, shipments } = merchant.admin("cli");
  for (const shipment of order.shipments)
    await shipments.move({ shipment_id: shipment.id, to: "DELIVERED" });
  const { status } = await orders.show({ order_id: order.id });
  story.check(status === "COMPLETED", "all shipments delivered complete the order", status);
  story.tell(`both shipments are delivered: ${status}`);
}
