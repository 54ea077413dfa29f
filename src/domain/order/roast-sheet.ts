import { type Bags, bagCount, mergeBags } from "../shared/bags.ts";

/** What goes into the roaster together: bags per bean over the orders that wait, most first. */
export const roastSheet = (orders: readonly { items: readonly (Bags & { name: string })[] }[]) =>
  [
    ...Map.groupBy(
      orders.flatMap(({ items }) => mergeBags(items)),
      (item) => item.product_id,
    ),
  ]
    .map(([product_id, items]) => ({
      product_id,
      name: items[0]!.name,
      bags: bagCount(items),
      orders: items.length,
    }))
    .sort((a, b) => b.bags - a.bags || (a.name < b.name ? -1 : 1));

export type RoastLine = ReturnType<typeof roastSheet>[number];
