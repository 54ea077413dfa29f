/** Two people at the desk, each at an instance of their own, on one database. */
import { expect, it, onTestFinished } from "vitest";
import { lastingDatabase } from "../../support/lasting-database.ts";
import { purchase } from "../../support/purchase.ts";
import { startService } from "../../support/service.ts";
import { merchantAt, SECRET, visitor } from "./visitor.ts";

it("one of them does it, the other is told that it is done", async () => {
  const { url, remove } = await lastingDatabase();
  onTestFinished(remove);
  const env = { DATABASE_URL: url, MERCHANT_SECRET: SECRET };
  const instances = [await startService(env), await startService(env)] as const;
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
  expect(await press({ act: "roast" })).toEqual([303, 409]);
  const tracking = { act: "ship", shipment, carrier: "USPS", number: "1" };
  expect(await press(tracking)).toEqual([303, 409]);
  expect(await press({ act: "deliver", shipment, seen: "SHIPPED" })).toEqual([303, 409]);
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
