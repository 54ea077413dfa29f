import { type Bags, bagCount, mergeBags } from "../core/bags.ts";
import type { ShipmentStatus } from "../core/records.ts";

/** Shipments of an order that wait for the roaster. */
export const toRoast = <S extends { status: ShipmentStatus }>(order: { shipments: readonly S[] }) =>
  order.shipments.filter(({ status }) => status === "PENDING");

interface ShipmentToRoast {
  status: ShipmentStatus;
  items: readonly (Bags & { name: string })[];
}

/** Bags to roast per bean over all waiting orders, most first. */
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
