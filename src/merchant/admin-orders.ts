import { addNote } from "../domain/desk/notes.ts";
import { ACCEPTED, cancelOrder, declineCancellation } from "../domain/order/cancel-order.ts";
import { cancelRequestView } from "../domain/order/order.ts";
import type { Order } from "../domain/order/order-answer.ts";
import { roastOrder } from "../domain/order/order-steps.ts";
import {
  cancelAndRefund,
  paidByShipment,
  refundableMinor,
  refundOrder,
  shipmentsRefundMinor,
} from "../domain/payment/merchant-refund.ts";
import { refundView } from "../domain/payment/payment-answer.ts";
import type { Terms } from "../domain/quote/quote-answer.ts";
import { mergeBags } from "../domain/shared/bags.ts";
import { unknownTo } from "../domain/shared/errors.ts";
import type { OrderRow } from "../domain/shared/records.ts";
import type { Act } from "./act-context.ts";
import { ADMIN_FIELDS, dated, LIST_ROWS, type ListPage, paged, validated } from "./admin-fields.ts";
import { adminShipments } from "./admin-shipments.ts";
import { type ListedOrder, listedOrders } from "./admin-views.ts";
import type { Context } from "./context.ts";
import { newId } from "./ids.ts";
import { orderCalled, type orderVerbs } from "./orders.ts";
import { queueHeads } from "./queue-heads.ts";
import type { Settlements } from "./settlements.ts";
import { undoableSteps } from "./undoable-steps.ts";

/** An order as the merchant reads it: with the key it came by, and the money that went back. */
export type MerchantOrder = Awaited<ReturnType<ReturnType<typeof adminOrders>["orders"]["show"]>>;

/** Orders move because the merchant moves them (contract §15). Every act answers the order's id. */
export function adminOrders(
  context: Context,
  orders: ReturnType<typeof orderVerbs>,
  settling: Settlements,
  act: Act,
) {
  const { store } = context;

  async function show(called: string) {
    const order = await found(called);
    const { agent_id } = order;
    const [[view], agent, refunds, disputes, undoable, notes] = await Promise.all([
      orders.viewsForPeople([order]),
      agent_id === null ? undefined : store.queries.agent(agent_id),
      store.queries.refundsOfOrders([order.id]),
      store.queries.disputesOfOrders([order.id]),
      undoableSteps(context, [order]),
      store.queries.notesOfOrder(order.id),
    ]);
    const left = refundableMinor(order, { refunds, disputes });
    return {
      ...view!,
      agent_id,
      /** What its agent calls itself. */
      agent_name: agent?.name ?? null,
      /** As in `payment`, with what only the merchant needs: its id, and why it waits or failed. */
      refunds: refunds.map((row) => ({ ...refundView(row), id: row.id, problem: row.problem })),
      /** What can still be given back: neither refunded nor on its way. */
      refundable_minor: left,
      /** Of these, what goes back with an accepted cancel request; null where none is open. */
      request_refund_minor: await requestRefundMinor(order, view!, left),
      /** Of these, what was paid for canceled shipments; null where none is canceled. */
      canceled_refund_minor: await canceledRefundMinor(order, view!, left),
      /** Steps of the last minutes that can be taken back, each by its shipment. */
      undoable,
      /** Internal: no agent and no buyer reads them. */
      notes: notes.map(({ order_id: _, ...row }) => dated(row)),
    };
  }

  async function requestRefundMinor(row: OrderRow, order: Order, left: number) {
    const { cancel_request: request, shipments } = order;
    if (request?.status !== "REQUESTED") return null;
    const targets = shipments.filter(({ id }) => request.shipment_ids.includes(id));
    const paid = paidByShipment(await termsOf(row));
    return shipmentsRefundMinor(targets, shipments, { paid, left });
  }

  /** What went back already counts as theirs. */
  async function canceledRefundMinor(row: OrderRow, { shipments }: Order, left: number) {
    const canceled = shipments.filter(({ status }) => status === "CANCELED");
    if (canceled.length === 0) return null;
    const paid = paidByShipment(await termsOf(row));
    const back = shipmentsRefundMinor(canceled, shipments, { paid, left: row.amount_minor });
    return Math.max(0, back - (row.amount_minor - left));
  }

  async function found(called: string): Promise<OrderRow> {
    const order = await orderCalled(store, called);
    if (!order) throw unknownTo("order");
    return order;
  }

  /** They never change, so they are read beforehand. */
  async function termsOf(order: OrderRow): Promise<Terms> {
    const quote = await store.queries.quote(order.quote_id);
    if (!quote) throw new Error(`order ${order.id} without its quote`);
    return JSON.parse(quote.quote.terms) as Terms;
  }

  async function canceling<R extends string | null>(
    terms: Terms,
    { orderId, requestId, reason }: { orderId: string; requestId: R; reason: string },
  ) {
    const bags = terms.shipments.map(({ items }) =>
      items.map(({ product_id, quantity }) => ({ product_id, quantity })),
    );
    const heads = await queueHeads(store.queries, mergeBags(bags.flat()));
    return { ...act(), orderId, requestId, reason, bagsByShipment: bags, heads };
  }

  async function cancel(called: string, requestId: string | null, reason: string) {
    const order = await found(called);
    const orderId = order.id;
    const terms = await termsOf(order);
    await store.run(cancelOrder, await canceling(terms, { orderId, requestId, reason }));
    return orderId;
  }

  function refunding({ id: orderId, payment_ref: paymentRef }: OrderRow, seenMinor?: number) {
    const base = act();
    return { ...base, id: newId("rf", base.now), orderId, paymentRef, seenMinor };
  }

  async function requested(requestId: string) {
    const request = await store.queries.cancelRequest(requestId);
    if (!request) throw unknownTo("cancel request");
    return request;
  }

  return {
    orders: {
      list: validated(ADMIN_FIELDS.page, async (page: ListPage = {}): Promise<ListedOrder[]> => {
        const { before, limit = LIST_ROWS } = page;
        return listedOrders(orders, await store.queries.ordersBehind({ before, limit }));
      }),
      show: validated(ADMIN_FIELDS.order, show),
      roast: validated(ADMIN_FIELDS.order, async (called: string): Promise<string> => {
        const { id: orderId } = await found(called);
        await store.run(roastOrder, { ...act(), orderId });
        return orderId;
      }),
      note: validated(ADMIN_FIELDS.note, async (called: string, text: string, form?: string) => {
        const { id: orderId } = await found(called);
        const base = act(form ? [form, orderId, text] : undefined);
        await store.run(addNote, { ...base, id: newId("note", base.now), orderId, text });
        return orderId;
      }),
      cancel: validated(ADMIN_FIELDS.cancelOrder, (called: string, reason: string) =>
        cancel(called, null, reason),
      ),
      /**
       * Written down, then made at the provider; PENDING where that did not answer yet. `seenMinor`: what
       * could be refunded when the merchant decided; a page may be old.
       */
      refund: validated(
        ADMIN_FIELDS.refund,
        async (called: string, amountMinor: number | null, seen?: number): Promise<string> => {
          const refund = { ...refunding(await found(called), seen), amountMinor };
          await settling.makeRefund(await store.run(refundOrder, refund));
          return refund.orderId;
        },
      ),
    },
    shipments: adminShipments(context, act),
    cancellations: {
      list: paged(store.queries.allCancelRequests, (rows) =>
        rows.map((row) => cancelRequestView(row)),
      ),
      accept: validated(ADMIN_FIELDS.request, async (requestId: string): Promise<string> => {
        const { order_id } = await requested(requestId);
        return cancel(order_id, requestId, ACCEPTED);
      }),
      /** Accepted, canceled and what was paid for it refunded: one decision, or none. */
      acceptAndRefund: validated(
        ADMIN_FIELDS.acceptAndRefund,
        async (requestId: string, seenMinor?: number): Promise<string> => {
          const { order_id: orderId } = await requested(requestId);
          const order = await found(orderId);
          const terms = await termsOf(order);
          const command = {
            cancel: await canceling(terms, { orderId, requestId, reason: ACCEPTED }),
            refund: refunding(order, seenMinor),
            paid: paidByShipment(terms),
          };
          await settling.makeRefund(await store.run(cancelAndRefund, command));
          return orderId;
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
