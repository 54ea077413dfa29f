import type { Act } from "../core/act-context.ts";
import type { Context } from "../core/context.ts";
import { newId } from "../core/ids.ts";
import {
  ADMIN_FIELDS,
  dated,
  LIST_ROWS,
  type ListPage,
  validated,
} from "../merchant/admin-fields.ts";
import { type ListedOrder, listedOrders } from "../merchant/admin-views.ts";
import { isOpen } from "../merchant/tasks.ts";
import { isToBeMade } from "../payments/money-back.ts";
import { refundView } from "../payments/payment-answer.ts";
import { adminCancellations, refunding } from "./admin-cancellations.ts";
import { adminShipments } from "./admin-shipments.ts";
import {
  canceledRefundMinor,
  paidByShipment,
  refundableMinor,
  refundOrder,
  requestRefundMinor,
} from "./merchant-refund.ts";
import { addNote } from "./notes.ts";
import { type Doubt, roastOrder } from "./order-steps.ts";
import { agreedOf, foundOrder, type orderVerbs } from "./order-verbs.ts";
import type { Settlements } from "./settlements.ts";
import { stoppedShipments } from "./stopped-shipments.ts";
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
  const { cancelOrder, cancelShipments, cancellations } = adminCancellations(
    context,
    settling,
    act,
  );
  const found = (called: string) => foundOrder(store, called);

  async function show(called: string) {
    const order = await found(called);
    const { agent_id } = order;
    const [[view], { terms }, agent, refunds, disputes, undoable, notes] = await Promise.all([
      orders.viewsForPeople([order]),
      agreedOf(store, order),
      agent_id === null ? undefined : store.queries.agent(agent_id),
      store.queries.refundsOfOrders([order.id]),
      store.queries.disputesOfOrders([order.id]),
      undoableSteps(context, [order]),
      store.queries.notesOfOrder(order.id),
    ]);
    const back = view!.shipments.filter(({ status }) => status === "RETURNED");
    const tasks = (await store.queries.tasksAbout(back.map(({ id }) => id))).filter(isOpen);
    const returned = await stoppedShipments(store, tasks);
    const paid = paidByShipment(terms);
    const money = { paid, left: refundableMinor(order, { refunds, disputes }) };
    return {
      ...view!,
      /**
       * With what was paid for each: what goes back with it, as far as so much is left. `returned`: it came
       * back, and what becomes of it is to be decided.
       */
      shipments: view!.shipments.map((row, i) => ({
        ...row,
        paid_minor: paid[i]!,
        returned: returned.find(({ shipment_id }) => shipment_id === row.id) ?? null,
      })),
      agent_id,
      /** What its agent calls itself. */
      agent_name: agent?.name ?? null,
      /** As in `payment`, with what only the merchant needs: its id, and why it waits or failed. */
      refunds: refunds.map((row) => ({
        ...refundView(row),
        id: row.id,
        problem: row.problem,
        to_be_made: isToBeMade(row),
      })),
      /** What can still be given back: neither refunded nor on its way. */
      refundable_minor: money.left,
      request_refund_minor: requestRefundMinor(view!, money),
      canceled_refund_minor: canceledRefundMinor(order, view!, money),
      /** Steps of the last minutes that can be taken back, each by its shipment. */
      undoable,
      notes: notes.map(({ order_id: _, ...row }) => dated(row)),
    };
  }

  return {
    orders: {
      list: validated(ADMIN_FIELDS.page, async (page: ListPage = {}): Promise<ListedOrder[]> => {
        const { before, limit = LIST_ROWS } = page;
        return listedOrders(orders, await store.queries.ordersBehind({ before, limit }));
      }),
      show: validated(ADMIN_FIELDS.order, show),
      roast: validated(
        ADMIN_FIELDS.roast,
        async (called: string, known?: readonly Doubt[]): Promise<string> => {
          const { id: orderId } = await found(called);
          await store.run(roastOrder, { ...act(), orderId, known });
          return orderId;
        },
      ),
      note: validated(ADMIN_FIELDS.note, async (called: string, text: string, form?: string) => {
        const { id: orderId } = await found(called);
        const base = act(form ? [form, orderId, text] : undefined);
        await store.run(addNote, { ...base, id: newId("note", base.now), orderId, text });
        return orderId;
      }),
      cancel: cancelOrder,
      /**
       * Written down, then made at the provider; PENDING where that did not answer yet. `seenMinor`: what
       * could be refunded when the merchant decided; a page may be old.
       */
      refund: validated(
        ADMIN_FIELDS.refund,
        async (called: string, amountMinor: number | null, seen?: number): Promise<string> => {
          const refund = { ...refunding(act(), await found(called), seen), amountMinor };
          await settling.makeRefund(await store.run(refundOrder, refund));
          return refund.orderId;
        },
      ),
    },
    shipments: { ...adminShipments(context, settling, act), cancel: cancelShipments },
    cancellations,
  };
}
