import { currentAddress, inOrder } from "../domain/order/order.ts";
import {
  paidByShipment,
  refundableMinor,
  shipmentsRefundMinor,
} from "../domain/payment/merchant-refund.ts";
import { iso } from "../domain/shared/policy.ts";
import type { DeskTaskRow } from "../domain/shared/records.ts";
import type { Context } from "./context.ts";
import { orderParts, termsOf } from "./orders.ts";

/** A shipment that was not delivered or came back, and what a refund of it would be. */
export async function stoppedShipment(
  { store }: Pick<Context, "store">,
  { id, subject, created_at }: DeskTaskRow,
) {
  const shipment = (await store.queries.shipment(subject))!;
  const order = (await store.queries.order(shipment.order_id))!;
  const [terms, [parts]] = await Promise.all([termsOf(store, order), orderParts(store, [order])]);
  const left = refundableMinor(order, parts!);
  return {
    id,
    since: iso(created_at),
    order_id: order.id,
    number: order.number,
    shipment_id: shipment.id,
    address: currentAddress(shipment, terms.shipments[shipment.position]!),
    refund_minor: shipmentsRefundMinor([shipment], inOrder(parts!.shipments), {
      paid: paidByShipment(terms),
      left,
    }),
    /** Of its order, all in all: a page may be old. */
    refundable_minor: left,
  };
}
