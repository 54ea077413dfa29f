import { expect, it } from "vitest";
import { roastSheet } from "../../src/orders/roast-sheet.ts";

const item = (product_id: string, quantity: number) => ({
  product_id,
  name: `Bean ${product_id}`,
  quantity,
});

const pending = (...items: ReturnType<typeof item>[]) => ({ status: "PENDING", items }) as const;

const summed = (orders: Parameters<typeof roastSheet>[0]) =>
  roastSheet(orders).map(({ product_id, bags, orders }) => [product_id, bags, orders]);

it("sums the bags of each bean over all orders, most first", () => {
  const orders = [
    { shipments: [pending(item("a", 2)), pending(item("b", 1))] },
    { shipments: [pending(item("b", 2)), pending(item("b", 2))] },
    { shipments: [pending(item("c", 2))] },
  ];
  expect(summed(orders)).toEqual([
    ["b", 5, 2],
    ["a", 2, 1],
    ["c", 2, 1],
  ]);
});

it("leaves out canceled shipments of a continuing order", () => {
  const canceled = { status: "CANCELED", items: [item("b", 3)] } as const;
  expect(summed([{ shipments: [pending(item("a", 2)), canceled] }])).toEqual([["a", 2, 1]]);
});
