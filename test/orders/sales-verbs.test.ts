import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { insert } from "../../src/core/command.ts";
import type { ExportName } from "../../src/orders/sales-verbs.ts";
import { write } from "../db/rules.ts";
import { shop as openPayments, paidPage } from "../payments/steps.ts";
import { MINUTE } from "../payments/world.ts";
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
  expect(before).toEqual(["OR,1,2,44,0,44,0,44", "TX,1,1,22,10,32,0,32"]);
  await shop.admin.shipments.cancel({ shipment_ids: [first!.id, second!.id], reason: "No." });
  await shop.admin.customers.erase({ email: "buyer@example.com" });
  expect(await states()).toEqual(before);
});

/** One order of March in two states, its books by month, and acts on its money. */
async function marchOrder() {
  const world = await openPayments();
  const review = await world.quote({ shipments: 2 });
  const page = await paidPage(world, review);
  await world.process().reconciler.first();
  const { id: order_id } = (await world.store.queries.orderOfQuote(review.quote.id))!;
  const merchant = world.process();
  const admin = merchant.admin("cli");
  const [first, second] = (await admin.orders.show({ order_id })).shipments;
  await admin.shipments.changeAddress({
    shipment_id: second!.id,
    address: { ...second!.address, city: "Portland", region: "OR", postal_code: "97201" },
  });
  const rows = async (name: ExportName, month: string) => {
    let file = "";
    for await (const part of merchant.sales.csv(name, month)) file += part;
    const [heading = [], ...lines] = file
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
    return lines.map((line) => Object.fromEntries(line.map((cell, i) => [heading[i], cell])));
  };
  /** Sales before and after refunds, and after refunds by state. */
  const books = async (month: string) => {
    const { days } = await merchant.sales.figures(month);
    const total = (of: (day: (typeof days)[number]) => number) =>
      days.reduce((minor, day) => minor + of(day), 0);
    const states = await rows("states", month);
    const refunds = await rows("refunds", month);
    const after = total((day) => day.after_refunds_minor);
    const byState = states.map((row) => [row.state, Number(row.after_refunds_usd)]);
    const cents = (cells: (string | undefined)[]) =>
      Math.round(100 * cells.reduce((usd, cell) => usd + Number(cell), 0));
    expect(cents(states.map((row) => row.after_refunds_usd))).toBe(after);
    expect(cents(refunds.map((row) => row.amount_usd))).toBe(total((day) => day.refunded_minor));
    const [orders, shipments] = [await rows("orders", month), await rows("shipments", month)];
    expect(cents(orders.map((row) => row.refunded_usd))).toBe(
      cents(shipments.map((row) => row.refunded_usd)),
    );
    return [total((day) => day.takings_minor), after, Object.fromEntries(byState)];
  };
  /** Lets the shop hear from the provider. */
  const hear = () => merchant.settlements.settleSession(page);
  const ids = { order_id, first: first!.id, second: second!.id };
  return { world, page, admin, hear, books, rows, ...ids };
}

type MarchOrder = Awaited<ReturnType<typeof marchOrder>>;
type BookOf = [before: number, after: number, byState: Record<string, number>];
const SOLD: BookOf = [4400, 4400, { OR: 22, TX: 22 }];

test.each<
  [string, (m: MarchOrder) => Promise<unknown>, (m: MarchOrder) => Promise<unknown>, BookOf, BookOf]
>([
  ["nothing", async () => {}, async () => {}, SOLD, [0, 0, {}]],
  [
    "a refund in April",
    async () => {},
    ({ admin, order_id }) => admin.orders.refund({ order_id, amount_minor: 1000 }),
    SOLD,
    [0, -1000, { OR: -5, TX: -5 }],
  ],
  [
    "a canceled shipment",
    ({ admin, first }) =>
      admin.shipments.cancel({ shipment_ids: [first], reason: "No.", refund: true }),
    async () => {},
    [4400, 2200, { OR: 22, TX: 0 }],
    [0, 0, {}],
  ],
  [
    "a shipment canceled in March and refunded in April",
    ({ admin, second }) => admin.shipments.cancel({ shipment_ids: [second], reason: "No." }),
    ({ admin, order_id }) => admin.orders.refund({ order_id, amount_minor: 2200 }),
    SOLD,
    [0, -2200, { OR: -22 }],
  ],
  [
    "a refund that fails in April",
    async ({ world, page, hear }) => {
      await world.control.refundOutside(page, 1000);
      await hear();
    },
    async ({ world, page, hear }) => {
      await world.control.endRefund(page, "failed");
      await hear();
    },
    [4400, 3400, { OR: 17, TX: 17 }],
    [0, 1000, { OR: 5, TX: 5 }],
  ],
  [
    "a dispute lost in April",
    async ({ world, page, hear }) => {
      await world.control.dispute(page);
      await hear();
    },
    async ({ world, page, hear }) => {
      await world.control.closeDispute(page, "lost");
      await hear();
    },
    SOLD,
    [0, -4400, { OR: -22, TX: -22 }],
  ],
])("the books of March and April after %s", async (_, inMarch, inApril, march, april) => {
  const order = await marchOrder();
  await inMarch(order);
  expect(await order.books("2026-03")).toEqual(march);
  const shipments = await order.rows("shipments", "2026-03");
  order.world.clock.advance(31 * 24 * 60 * MINUTE);
  await inApril(order);
  expect(await order.books("2026-04")).toEqual(april);
  expect(await order.books("2026-03")).toEqual(march);
  const amounts = (rows: typeof shipments) => rows.map((row) => [row.shipment, row.refunded_usd]);
  expect(amounts(await order.rows("shipments", "2026-03"))).toEqual(amounts(shipments));
  expect(await order.world.problems()).toEqual([]);
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
