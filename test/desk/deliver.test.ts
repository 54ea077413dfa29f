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

it("a parcel that failed or came back is decided on its order's page, not in a list", async () => {
  const { baseUrl, stop, service } = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(stop);
  const desk = await merchantAt(baseUrl);
  const { order } = await orderAt(baseUrl, desk, 4);
  const admin = service.merchant.admin("cli");
  await admin.orders.roast({ order_id: order.id });
  const [waits, leaves, failed, back] = order.shipments.map(({ id }: { id: string }) => id);
  for (const [shipment_id, to] of [[leaves], [failed, "FAILED"], [back, "RETURNED"]] as const) {
    await admin.shipments.ship({ shipment_id, tracking: { carrier: "Bike", number: shipment_id } });
    if (to) await admin.shipments.move({ shipment_id, to });
  }
  const listed = async (path: string, row: RegExp) =>
    [...(await desk.get(path)).text.matchAll(row)].map(([, id]) => id);
  expect(await listed("/desk/ship", /name="number\.(\w+)"/g)).toEqual([waits]);
  expect(
    await listed("/desk/deliver", /type="checkbox" name="shipment_id" value="(\w+)"/g),
  ).toEqual([leaves]);
});
