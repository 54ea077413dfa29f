import type { Act, ActContext } from "../core/act-context.ts";
import { mergeBags } from "../core/bags.ts";
import type { Context } from "../core/context.ts";
import { unknownTo } from "../core/errors.ts";
import { newId, newIds } from "../core/ids.ts";
import type { OrderRow } from "../core/records.ts";
import { ADMIN_FIELDS, paged, validated } from "../merchant/admin-fields.ts";
import { queueHeads } from "../waitlist/queue-heads.ts";
import { ACCEPTED, type CancelOrder, cancelOrder, declineCancellation } from "./cancel-order.ts";
import { cancelRequestView } from "./cancel-request-view.ts";
import { cancelAndRefund, paidByShipment } from "./merchant-refund.ts";
import { agreedOf, foundOrder } from "./order-verbs.ts";
import type { Settlements } from "./settlements.ts";

/** The merchant cancels, asked or unasked, with or without the money (contract §5, §15). */
export function adminCancellations({ store }: Context, settling: Settlements, act: Act) {
  /** With its refund, canceled and what was paid for it refunded: one decision, or none. */
  async function cancel(
    called: string,
    what: Partial<Pick<CancelOrder, "requestId" | "shipmentIds">> & { reason: string },
    refund?: { seenMinor: number | undefined } | false,
  ): Promise<string> {
    const order = await foundOrder(store, called);
    const { terms } = await agreedOf(store, order);
    const bags = terms.shipments.map(({ items }) =>
      items.map(({ product_id, quantity }) => ({ product_id, quantity })),
    );
    const base = act();
    const command: CancelOrder = {
      ...base,
      // An entry for each shipment, one for a request, and one for the order.
      eventIds: newIds("evt", base.now, bags.length + 2),
      orderId: order.id,
      requestId: null,
      shipmentIds: null,
      ...what,
      bagsByShipment: bags,
      heads: await queueHeads(store.queries, mergeBags(bags.flat())),
    };
    if (!refund) await store.run(cancelOrder, command);
    else {
      const both = {
        cancel: command,
        refund: refunding(act(), order, refund.seenMinor),
        paid: paidByShipment(terms),
      };
      await settling.makeRefund(await store.run(cancelAndRefund, both));
    }
    return order.id;
  }

  async function requested(requestId: string) {
    const request = await store.queries.cancelRequest(requestId);
    if (!request) throw unknownTo("cancel request");
    return request;
  }

  return {
    cancelOrder: validated(
      ADMIN_FIELDS.cancelOrder,
      (called: string, reason: string, refund?: boolean, seenMinor?: number) =>
        cancel(called, { reason }, refund && { seenMinor }),
    ),
    /** Some of an order: all of them are of the one that the first is of. */
    cancelShipments: validated(
      ADMIN_FIELDS.cancelShipments,
      async (shipmentIds: string[], reason: string, refund?: boolean, seenMinor?: number) => {
        const shipment = await store.queries.shipment(shipmentIds[0]!);
        if (!shipment) throw unknownTo("shipment");
        return cancel(shipment.order_id, { shipmentIds, reason }, refund && { seenMinor });
      },
    ),
    cancellations: {
      list: paged(store.queries.allCancelRequests, (rows) =>
        rows.map((row) => cancelRequestView(row)),
      ),
      accept: validated(ADMIN_FIELDS.request, async (requestId: string): Promise<string> => {
        const { order_id } = await requested(requestId);
        return cancel(order_id, { requestId, reason: ACCEPTED });
      }),
      acceptAndRefund: validated(
        ADMIN_FIELDS.acceptAndRefund,
        async (requestId: string, seenMinor?: number): Promise<string> => {
          const { order_id } = await requested(requestId);
          return cancel(order_id, { requestId, reason: ACCEPTED }, { seenMinor });
        },
      ),
      decline: validated(ADMIN_FIELDS.declineRequest, async (requestId: string, reason: string) => {
        const { order_id: orderId } = await requested(requestId);
        await store.run(declineCancellation, { ...act(), orderId, requestId, reason });
        return orderId;
      }),
    },
  };
}

export function refunding(
  base: ActContext,
  { id: orderId, payment_ref: paymentRef }: OrderRow,
  seenMinor?: number,
) {
  return { ...base, id: newId("rf", base.now), orderId, paymentRef, seenMinor };
}
