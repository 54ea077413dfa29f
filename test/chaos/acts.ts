/** What the merchant does to orders while people shop: whatever can be done, to any of them. */
import { nextShipmentSteps } from "../../src/domain/order/order-steps.ts";
import type { MerchantOrder } from "../../src/merchant/admin-orders.ts";
import type { Admin } from "../../src/merchant/merchant.ts";
import { ADDRESS } from "../support/shopper.ts";
import type { Random } from "./random.ts";

interface Chosen {
  order: MerchantOrder;
  shipment: MerchantOrder["shipments"][number];
  fate: Random;
}

const REASON = "The roaster broke down.";

const ACTS: readonly (readonly [weight: number, act: (admin: Admin, on: Chosen) => unknown])[] = [
  [6, ({ orders }, { order }) => orders.roast(order.id)],
  [6, ({ shipments }, { shipment: { id } }) => shipments.ship(id, { carrier: "USPS", number: id })],
  [6, ({ shipments }, { shipment, fate }) => shipments.move(shipment.id, stepOf(shipment, fate))],
  [3, ({ shipments }, { shipment }) => shipments.undo(shipment.id)],
  [1, ({ shipments }, { shipment }) => shipments.changeAddress(shipment.id, ADDRESS)],
  [2, ({ orders }, { order, fate }) => orders.cancel(order.id, REASON, fate.chance(0.7))],
  [
    3,
    ({ shipments }, { shipment, fate }) =>
      shipments.cancel([shipment.id], REASON, fate.chance(0.7)),
  ],
  [8, ({ orders }, { order, fate }) => orders.refund(order.id, amountOf(order, fate))],
];

/** The id of the order that it was done to; rejects where it could not be done. */
export async function merchantActs(admin: Admin, fate: Random): Promise<void> {
  const request = fate.chance(0.1) && (await admin.cancellations.list()).find(isOpen);
  if (request) {
    const { accept, acceptAndRefund, decline } = admin.cancellations;
    const decide = fate.pick([
      [1, accept],
      [2, acceptAndRefund],
      [1, (id: string) => decline(id, REASON)],
    ]);
    return void (await decide(request.id));
  }
  const all = await admin.orders.list({ limit: 500 });
  if (all.length === 0) return;
  const order = await admin.orders.show(all[fate.whole(0, all.length - 1)]!.id);
  const shipment = order.shipments[fate.whole(0, order.shipments.length - 1)]!;
  await fate.pick(ACTS)(admin, { order, shipment, fate });
}

const isOpen = ({ status }: { status: string }) => status === "REQUESTED";

function stepOf({ status }: Chosen["shipment"], fate: Random) {
  const steps = nextShipmentSteps(status).filter((step) => step !== "SHIPPED");
  return fate.pick(steps.map((step) => [1, step]));
}

/** All that is left, or a third of the whole. */
const amountOf = ({ pricing }: MerchantOrder, fate: Random) =>
  fate.chance(0.6) ? Math.ceil(pricing.total_minor / 3) : null;
