/** Arrival: what the desk follows, and what the buyer's page knows. */
import { expect, it, onTestFinished } from "vitest";
import { DAY, startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { merchantAt, orderAt, SECRET, text } from "./visitor.ts";

it("each row of Deliver has its tracking link, and the buyer's page says what is known, not that it is late", async () => {
  const { baseUrl, clock, stop, service } = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(stop);
  const { order, shipment, reviewUrl } = await orderAt(baseUrl, await merchantAt(baseUrl));
  const admin = service.merchant.admin("cli");
  await admin.orders.roast({ order_id: order.id });
  const tracking = { number: "9400111899223817576171" };
  await admin.shipments.ship({ shipment_id: shipment, tracking });
  const rows = (await (await merchantAt(baseUrl)).get("/desk/deliver")).text;
  expect(rows).toContain(tracking.number);
  expect(rows).toMatch(/href="https:[^"]+9400111899223817576171"[^>]*>Track</);
  const slip = await (await merchantAt(baseUrl)).get(`/desk/slips?order=${order.id}`);
  expect(text(slip)).toContain(`Order #${order.number}`);
  expect(slip.text).toContain("data-print");
  const page = async () => {
    const path = new URL(reviewUrl).pathname;
    return text(await send(baseUrl, path, { headers: { accept: "text/html" } }));
  };
  expect(await page()).toContain("Estimated delivery");
  clock.advance(20 * DAY);
  const late = await page();
  expect(late).toContain("Shipped Mar 2, 2026");
  expect(late).toContain("The carrier knows where it is now.");
  expect(late).not.toMatch(/ late|don’t know|Estimated delivery/);
  const desk = await merchantAt(baseUrl);
  expect(text(await desk.get("/desk/orders"))).not.toContain("days late");
  expect(text(await desk.get("/desk/deliver"))).toContain("Nothing is on the way.");
  expect(text(await desk.get("/desk/orders?show=done"))).toContain(`#${order.number}`);
});
