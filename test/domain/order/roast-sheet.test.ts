import { expect, it } from "vitest";
import { roastSheet } from "../../../src/domain/order/roast-sheet.ts";

const item = (product_id: string, quantity: number) => ({
  product_id,
  name: `Bean ${product_id}`,
  quantity,
});

it("sums the bags of each bean over all orders, most first", () => {
  const orders = [
    { items: [item("a", 2), item("b", 1)] },
    { items: [item("b", 4)] },
    { items: [item("c", 2)] },
  ];
  expect(
    roastSheet(orders).map(({ product_id, bags, orders }) => [product_id, bags, orders]),
  ).toEqual([
    ["b", 5, 2],
    ["a", 2, 1],
    ["c", 2, 1],
  ]);
});
