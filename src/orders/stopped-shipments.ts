import type { Context } from "../core/context.ts";
import { iso } from "../core/policy.ts";
import type { DeskTaskRow } from "../core/records.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { paidByShipment, refundableMinor, shipmentsRefundMinor } from "./merchant-refund.ts";
import { orderVersion } from "./order-steps.ts";
import { orderParts } from "./order-verbs.ts";
import { currentAddress, inOrder, isSendable } from "./standing.ts";

/** Shipments that were not delivered or came back, and what a refund of each would be. */
export async function stoppedShipments(store: Context["store"], tasks: readonly DeskTaskRow[]) {
  const { queries } = store;
  const shipments = await Promise.all(tasks.map(({ subject }) => queries.shipment(subject)));
  const orders = await queries.ordersByIds([...new Set(shipments.map((row) => row!.order_id))]);
  const [parts, quotes] = await Promise.all([
    orderParts(store, orders),
    queries.quotesByIds(orders.map(({ quote_id }) => quote_id)),
  ]);
  return tasks.map(({ id, created_at }, i) => {
    const shipment = shipments[i]!;
    const all = parts.find(({ order }) => order.id === shipment.order_id)!;
    const { order } = all;
    const terms = JSON.parse(quotes.find((one) => one.id === order.quote_id)!.terms) as Terms;
    const left = refundableMinor(order, all);
    return {
      id,
      since: iso(created_at),
      order_id: order.id,
      number: order.number,
      shipment_id: shipment.id,
      sendable: isSendable(shipment, order),
      address: currentAddress(shipment, terms.shipments[shipment.position]!),
      refund_minor: shipmentsRefundMinor([shipment], inOrder(all.shipments), {
        paid: paidByShipment(terms),
        left,
      }),
      /** The version of its order. */
      version: orderVersion(order, all.refunds),
    };
  });
}
