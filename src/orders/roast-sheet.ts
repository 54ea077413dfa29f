import { type Bags, bagCount, mergeBags } from "../core/bags.ts";
import type { ShipmentStatus } from "../core/records.ts";

/** The shipments of an order that wait for the roaster: what is canceled does not. */
export const toRoast = <S extends { status: ShipmentStatus }>(order: { shipments: readonly S[] }) =>
  order.shipments.filter(({ status }) => status === "PENDING");

interface ShipmentToRoast {
  status: ShipmentStatus;
  items: readonly (Bags & { name: string })[];
}

/** What goes into the roaster together: bags per bean over the orders that wait, most first. */
export const roastSheet = (orders: readonly { shipments: readonly ShipmentToRoast[] }[]) =>
  [
    ...Map.groupBy(
      orders.flatMap((order) => mergeBags(toRoast(order).flatMap(({ items }) => items))),
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
