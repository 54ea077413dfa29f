/** Two people at the desk, each at an instance of their own, on one database. */
import { expect, it, onTestFinished } from "vitest";
import { lastingDatabase } from "../support/lasting-database.ts";
import { purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { ADDRESS } from "../support/shopper.ts";
import { merchantAt, SECRET, text, visitor } from "./visitor.ts";

it("one of them acts, the other learns that it is done", async () => {
  const { url } = await lastingDatabase();
  const env = { DATABASE_URL: url, MERCHANT_SECRET: SECRET };
  const instances = [await startService(env), await startService(env)] as const;
  const service = (order_id: string) =>
    instances[0].service.merchant.admin("cli").orders.show({ order_id });
  for (const instance of instances) onTestFinished(() => instance.stop());
  const [{ baseUrl, store }, beside] = instances;
  const { order } = await purchase(baseUrl);
  const one = await merchantAt(baseUrl);
  const merchants = [one, visitor(beside.baseUrl, one.cookie)];
  const path = `/desk/orders/${order.id}`;
  const press = async (fields: Record<string, string>) => {
    const answers = await Promise.all(merchants.map((merchant) => merchant.post(path, fields)));
    return answers.map(({ status }) => status).sort();
  };
  const shipment = order.shipments[0].id as string;
  expect(await press({ act: "orders.roast" })).toEqual([303, 409]);
  const tracking = { act: "shipments.ship", shipment_id: shipment, carrier: "USPS", number: "1" };
  expect(await press(tracking)).toEqual([303, 409]);
  const { version } = await service(order.id);
  expect(
    await press({
      act: "shipments.move",
      to: "DELIVERED",
      shipment_id: shipment,
      seen: String(version),
    }),
  ).toEqual([303, 409]);
  const events = await store.queries.events(order.id, 0, 100);
  expect(events.map(({ type }) => type)).toEqual([
    "order.confirmed",
    "payment.verified",
    "order.roasting",
    "shipment.updated",
    "order.shipped",
    "shipment.updated",
    "order.completed",
  ]);
  const acts = (await store.queries.allAudit()).map(({ act }) => act);
  expect(acts.filter((act) => act !== "desk.sign-in")).toHaveLength(3);
});

it("a correction is not overwritten from the other's older page", async () => {
  const { baseUrl, stop } = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(stop);
  const { order } = await purchase(baseUrl);
  const desk = await merchantAt(baseUrl);
  const path = `/desk/orders/${order.id}`;
  const shipment = order.shipments[0].id as string;
  /** Version on the page that is open now. */
  const formOf = async (act: string, fields: Record<string, string>) => {
    const form = new RegExp(`name="act" value="${act}">[^]*?name="seen" value="(\\w+)"`);
    const [, seen = ""] = form.exec((await desk.get(path)).text) ?? [];
    return { act, shipment_id: shipment, seen, ...fields };
  };
  await desk.post(path, { act: "orders.roast" });
  const flat = { ...ADDRESS, line2: "Apt 7" };
  const older = await formOf("shipments.changeAddress", flat);
  await desk.post(
    path,
    await formOf("shipments.changeAddress", { ...ADDRESS, line1: "7 Right Street" }),
  );
  const refused = await desk.post(path, older);
  expect([refused.status, refused.text.includes('value="Apt 7"')]).toEqual([409, true]);
  expect(text(refused)).toContain("This order has changed since you opened this page.");
  expect(text(refused)).toContain("7 Right Street");
  expect((await desk.post(path, await formOf("shipments.changeAddress", flat))).status).toBe(303);

  await desk.post(path, {
    act: "shipments.ship",
    shipment_id: shipment,
    carrier: "USPS",
    number: "WRONG",
  });
  const carrier = await formOf("shipments.correct", { carrier: "UPS", number: "WRONG" });
  await desk.post(path, await formOf("shipments.correct", { carrier: "USPS", number: "RIGHT" }));
  const late = await desk.post(path, carrier);
  expect(late.status).toBe(409);
  expect(text(late)).toContain("This order has changed since you opened this page.");
  expect(text(await desk.get(path))).toContain("USPS, tracking number RIGHT");
});
