import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { insert } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import { TWO_SHIPMENTS } from "../support/ordered.ts";
import { newAgent, openShop, paidOrder } from "../support/shop.ts";
import { usualStore } from "../support/stores.ts";

test("sales by state count each shipment where it goes, also after its address changed and its buyer is erased", async () => {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  const shop = await openShop(store);
  const agentId = await newAgent(shop);
  const order_id = await paidOrder(shop, { agentId, shipments: TWO_SHIPMENTS });
  const [first, second] = (await shop.admin.orders.show({ order_id })).shipments;
  await shop.admin.shipments.changeAddress({
    shipment_id: second!.id,
    address: { ...second!.address, city: "Portland", region: "OR", postal_code: "97201" },
  });
  const states = async () => {
    let file = "";
    for await (const part of shop.merchant.sales.csv("states")) file += part;
    return file.trimEnd().split("\r\n").slice(1);
  };
  const before = await states();
  expect(before).toEqual(["OR,1,2,44,0,44", "TX,1,1,22,10,32"]);
  await shop.admin.shipments.cancel({ shipment_ids: [first!.id, second!.id], reason: "No." });
  await shop.admin.customers.erase({ email: "buyer@example.com" });
  expect(await states()).toEqual(before);
});

test("figures and exports of many orders let other requests run in between", async () => {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  const shop = await openShop(store);
  const orderId = await paidOrder(shop, { agentId: await newAgent(shop) });
  const order = (await store.queries.order(orderId))!;
  const { quote } = (await store.queries.quote(order.quote_id))!;
  const copies = Array.from({ length: 1200 }, (_, i) => [
    insert("quotes", { ...quote, id: `qte_${i}` }),
    insert("orders", {
      ...order,
      id: `ord_${i}`,
      quote_id: `qte_${i}`,
      number: 5000 + i,
      agent_id: null,
    }),
  ]);
  await store.run(write, copies.flat());

  let turns = 0;
  let making = true;
  const others = (async () => {
    for (; making; turns++) await setImmediate();
  })();
  const { days } = await shop.merchant.sales.figures(7);
  expect(days.at(-1)?.orders).toBe(1201);
  expect(turns).toBeGreaterThan(1);
  turns = 0;
  const lines: string[] = [];
  for await (const part of shop.merchant.sales.csv("orders")) lines.push(...part.match(/\r\n/g)!);
  expect(lines).toHaveLength(1202);
  expect(turns).toBeGreaterThan(1);
  making = false;
  await others;
});
