/** Acts of the merchant on random orders while people shop. */

import type { Admin } from "../../src/merchant/merchant.ts";
import type { MerchantOrder } from "../../src/orders/admin-orders.ts";
import { nextShipmentSteps } from "../../src/orders/order-steps.ts";
import { ADDRESS } from "../support/shopper.ts";
import type { Random } from "./random.ts";

interface Chosen {
  order: MerchantOrder;
  shipment: MerchantOrder["shipments"][number];
  fate: Random;
}

const REASON = "The roaster broke down.";

const ACTS: readonly (readonly [weight: number, act: (admin: Admin, on: Chosen) => unknown])[] = [
  [20, goOn],
  [3, ({ shipments }, { shipment }) => shipments.undo({ shipment_id: shipment.id })],
  [
    3,
    ({ refunds }, { order }) => refunds.retry({ refund_id: order.refunds.at(-1)?.id ?? "rf_none" }),
  ],
  [2, ({ shipments }, { shipment }) => shipments.refund({ shipment_id: shipment.id })],
  [
    1,
    ({ shipments }, { shipment }) =>
      shipments.changeAddress({ shipment_id: shipment.id, address: ADDRESS }),
  ],
  [
    2,
    ({ orders }, { order, fate }) =>
      orders.cancel({ order_id: order.id, reason: REASON, refund: fate.chance(0.7) }),
  ],
  [
    3,
    ({ shipments }, { shipment, fate }) =>
      shipments.cancel({ shipment_ids: [shipment.id], reason: REASON, refund: fate.chance(0.7) }),
  ],
  [
    8,
    ({ orders }, { order, fate }) =>
      orders.refund({ order_id: order.id, amount_minor: amountOf(order, fate) }),
  ],
];

/** Does one random act. Rejects if the order does not allow it. */
export async function merchantActs(admin: Admin, fate: Random): Promise<void> {
  const request = fate.chance(0.1) && (await admin.cancellations.list()).find(isOpen);
  if (request) {
    const { accept, decline } = admin.cancellations;
    const decide = fate.pick([
      [1, () => accept({ request_id: request.id })],
      [2, () => accept({ request_id: request.id, refund: true })],
      [1, () => decline({ request_id: request.id, reason: REASON })],
    ]);
    return void (await decide());
  }
  const all = await admin.orders.list({ limit: 500 });
  if (all.length === 0) return;
  const order = await admin.orders.show({ order_id: all[fate.whole(0, all.length - 1)]!.id });
  const shipment = order.shipments[fate.whole(0, order.shipments.length - 1)]!;
  await fate.pick(ACTS)(admin, { order, shipment, fate });
}

const isOpen = ({ status }: { status: string }) => status === "REQUESTED";

/** Moves a shipment one step on. Each shipping has a new label. */
function goOn({ orders, shipments }: Admin, { order, shipment: { id, status }, fate }: Chosen) {
  if (status === "PENDING") return orders.roast({ order_id: order.id });
  const step = fate.pick(nextShipmentSteps(status).map((one) => [1, one]));
  if (step !== "SHIPPED") return shipments.move({ shipment_id: id, to: step });
  return shipments.ship({
    shipment_id: id,
    tracking: { carrier: "USPS", number: String(fate.whole(0, 2 ** 40)) },
  });
}

/** Null for everything left, or a third of the total. */
const amountOf = ({ pricing }: MerchantOrder, fate: Random) =>
  fate.chance(0.6) ? Math.ceil(pricing.total_minor / 3) : null;
