import { z } from "zod";
import { queueHeads } from "../catalog/queue-heads.ts";
import { Address } from "../core/address.ts";
import {
  type Act,
  type ActContext,
  adminVerb,
  dated,
  Id,
  LIST_PAGE,
  LIST_ROWS,
  paged,
  Reason,
  ShipmentIds,
} from "../core/admin-verb.ts";
import { mergeBags } from "../core/bags.ts";
import { handledTask, isOpen } from "../core/desk-tasks.ts";
import { illegalStep, unknownTo } from "../core/errors.ts";
import { prose, whole } from "../core/fields.ts";
import { newId, newIds, type OrderId, type ShipmentId } from "../core/ids.ts";
import { sum } from "../core/money.ts";
import { ORDER_TOTAL } from "../core/policy.ts";
import { ERASED, type OrderRow, type RefundRow, type ShipmentRow } from "../core/records.ts";
import { agreedOf } from "../payments/checkout-request.ts";
import { isToBeMade, promisedMinor } from "../payments/money-back.ts";
import { refundView } from "../payments/payment-answer.ts";
import type { Context } from "../payments/provider.ts";
import type { Settlements } from "../payments/settlements.ts";
import { stoppedShipments } from "./admin-views.ts";
import { ACCEPTED, type CancelOrder, cancelOrder, declineCancellation } from "./cancel-order.ts";
import { cancelRequestView } from "./cancel-request.ts";
import { foundOrder } from "./found-orders.ts";
import { alsoOn } from "./label-verbs.ts";
import { lateLetters, lateSince } from "./late-letters.ts";
import {
  cancelAndRefund,
  canceledRefundMinor,
  paidByLine,
  paidByShipment,
  pendingMinor,
  refundableMinor,
  refundOrder,
  refundReturned,
  requestRefundMinor,
} from "./merchant-refund.ts";
import {
  addNote,
  OrderNote,
  orderVersion,
  SHIPMENT_STEPS,
  type ShipmentStep,
} from "./order-steps.ts";
import type { orderVerbs } from "./order-verbs.ts";
import { refundedByShipment } from "./sales.ts";
import { changeAddress, correctTracking, moveShipment, roastOrder } from "./shipment-steps.ts";
import { inOrder } from "./standing.ts";
import {
  completeTracking,
  doubtAbout,
  type Label,
  refuseNumber,
  TypedTracking,
} from "./tracking.ts";
import { undoableSteps, undoStep } from "./undo.ts";
import { writeToBuyer } from "./write-to-buyer.ts";

/** An order as the merchant reads it, with its agent, refunds and notes. */
export type MerchantOrder = Awaited<ReturnType<ReturnType<typeof adminOrders>["orders"]["show"]>>;

/** Other orders of a buyer on an order's page. */
const MOST_OTHERS = 10;

const order_id = Id.describe("The order's id or number.");
/** The version of the order that a page showed. */
const seen = whole({ least: 0, most: 1e9 }).optional();
const refund = z.boolean().optional().describe("Refund what was paid for it.");
/** For scanners and lists, which make such mistakes. */
const check = z
  .boolean()
  .optional()
  .describe("Refuse every number that isn't one of its carrier's, as a scanner may read.");
const Answer = prose("The letter", 1000).describe("The letter, as the buyer reads it.");
const again = z
  .boolean()
  .optional()
  .describe("Keep a number that another parcel has or that looks mistyped.");
const twice = z
  .boolean()
  .optional()
  .describe("Refund this amount once more, though it was refunded a minute ago or waits.");
const steps = Object.keys(SHIPMENT_STEPS).filter((to) => to !== "SHIPPED");

/** Amount of the refunds under way or done that were made for each shipment. */
function refundedBy(
  shipments: readonly ShipmentRow[],
  { refunds, paid }: { refunds: readonly RefundRow[]; paid: readonly number[] },
): number[] {
  const promised = refunds.filter((row) => row.shipment_ids !== null && promisedMinor([row]) > 0);
  const lines = promised.map(({ id, amount_minor }) => ({
    cause: id,
    amount_minor: -amount_minor,
  }));
  const shares = refundedByShipment(lines, paid, (cause) => {
    const named = promised.find(({ id }) => id === cause)?.shipment_ids ?? null;
    const ids: string[] | null = named && JSON.parse(named);
    return ids && new Set(shipments.flatMap(({ id }, i) => (ids.includes(id) ? [i] : [])));
  });
  return paid.map((_, i) => sum(shares.map((share) => share[i]!)));
}

/** Orders move because the merchant moves them (contract §5, §15). Every act returns the order's id. */
export function adminOrders(
  context: Context,
  orders: ReturnType<typeof orderVerbs>,
  settling: Settlements,
  act: Act,
) {
  const { store, clock } = context;
  const { queries } = store;

  const refundOf = (
    base: ActContext,
    { id: orderId, payment_ref: paymentRef }: OrderRow,
    seen?: number,
  ) => ({ ...base, id: newId("rf", base.now), orderId, paymentRef, seen });

  async function show(called: string) {
    const order = await foundOrder(store, called);
    const { agent_id } = order;
    const [
      [view],
      { terms },
      agent,
      refunds,
      disputes,
      shipments,
      notes,
      written,
      letters,
      bought,
    ] = await Promise.all([
      orders.viewsForPeople([order]),
      agreedOf(store, order),
      agent_id === null ? undefined : queries.agent(agent_id),
      queries.refundsOfOrders([order.id]),
      queries.disputesOfOrders([order.id]),
      queries.shipmentsOfOrders([order.id]),
      queries.notesOfOrder(order.id),
      queries.feedbackOfOrders([order.id]),
      lateLetters(context, [order.id]),
      order.buyer_email === ERASED ? [] : queries.ordersOfBuyer(order.buyer_email, 0),
    ]);
    const cameBack = view!.shipments.filter(({ status }) => status === "RETURNED");
    const tasks = (await queries.tasksAbout(cameBack.map(({ id }) => id))).filter(isOpen);
    const answered = await queries.tasksByIds(written.map(({ id }) => id));
    const returned = await stoppedShipments(store, tasks);
    const paid = paidByShipment(terms);
    const ofLines = paidByLine(terms);
    const money = { paid, left: refundableMinor(order, { refunds, disputes }) };
    const back = refundedBy(inOrder(shipments), { refunds, paid });
    return {
      ...view!,
      // From the refunds shown below, so that a form of this page is never accepted after a newer one.
      version: orderVersion(order, refunds),
      refunding_minor: pendingMinor(order, refunds),
      /**
       * `paid_minor` is what was paid for a line or a shipment. A refund of a shipment returns at most that, as far
       * as it is left. `refunded_minor` went back for the shipment, or is on its way.
       * `returned` is set while the merchant has to decide about a shipment that came back.
       */
      shipments: view!.shipments.map((row, i) => ({
        ...row,
        items: row.items.map((item, line) => ({ ...item, paid_minor: ofLines[i]![line]! })),
        paid_minor: paid[i]!,
        refunded_minor: back[i]!,
        returned: returned.find(({ shipment_id }) => shipment_id === row.id) ?? null,
      })),
      /** The name that the agent gave itself. */
      agent_name: agent?.name ?? null,
      /** The refunds of `payment`, with facts for the merchant alone. */
      refunds: refunds.map((row) => {
        const { id, problem } = row;
        return { ...refundView(row), id, problem, to_be_made: isToBeMade(row) };
      }),
      /** The amount that is neither refunded nor on its way back. */
      refundable_minor: money.left,
      request_refund_minor: requestRefundMinor(view!, money),
      canceled_refund_minor: canceledRefundMinor(order, view!, money),
      /** Steps of the last minutes that can be undone, each by its shipment. */
      undoable: undoableSteps([order], shipments, clock()),
      notes: notes.map(({ order_id: _, ...row }) => dated(row)),
      /** What the agent wrote about it, with who answered. */
      messages: written.map(({ id, message, created_at }) => ({
        ...dated({ id, message, created_at }),
        ...handledTask(answered.find((task) => task.id === id)),
      })),
      /** The letter about its delay, and who wrote it. */
      late_letter: handledTask(letters.get(order.id)),
      /** Other orders of this buyer, newest first. */
      other_orders: bought
        .filter(({ id }) => id !== order.id)
        .slice(0, MOST_OTHERS)
        .map(({ id, number, created_at, amount_minor, status }) =>
          dated({ id, number, created_at, amount_minor, status }),
        ),
    };
  }

  /** With `refund`, cancels and refunds in one decision. */
  async function cancel(
    called: string,
    what: Partial<Pick<CancelOrder, "requestId" | "shipmentIds" | "seen">> & { reason: string },
    refund?: boolean,
  ): Promise<string> {
    const order = await foundOrder(store, called);
    const { terms } = await agreedOf(store, order);
    const bags = terms.shipments.map(({ items }) =>
      items.map(({ product_id, quantity }) => ({ product_id, quantity })),
    );
    const base = act();
    const command: CancelOrder = {
      ...base,
      // One event for each shipment, one for a request, and one for the order.
      eventIds: newIds("evt", base.now, bags.length + 2),
      orderId: order.id,
      requestId: null,
      shipmentIds: null,
      ...what,
      bagsByShipment: bags,
      heads: await queueHeads(context, mergeBags(bags.flat())),
    };
    if (!refund) await store.run(cancelOrder, command);
    else {
      const both = {
        cancel: command,
        refund: refundOf(act(), order),
        paid: paidByShipment(terms),
      };
      await settling.makeRefund(await store.run(cancelAndRefund, both));
    }
    return order.id;
  }

  /** Runs an act on an order and returns the order's id. */
  async function onOrder(
    called: string,
    run: (base: ActContext & { orderId: OrderId }, order: OrderRow) => Promise<unknown>,
  ): Promise<string> {
    const order = await foundOrder(store, called);
    await run({ ...act(), orderId: order.id }, order);
    return order.id;
  }

  async function requested(requestId: string) {
    const request = await queries.cancelRequest(requestId);
    if (!request) throw unknownTo("cancel request");
    return request;
  }

  async function foundShipment(shipmentId: ShipmentId): Promise<ShipmentRow> {
    const shipment = await queries.shipment(shipmentId);
    if (!shipment) throw unknownTo("shipment. Orders list their shipments' ids");
    return shipment;
  }

  /** Runs an act on a shipment and returns its order's id. */
  async function onShipment(
    shipmentId: ShipmentId,
    run: (
      base: ActContext & { orderId: OrderId; shipmentId: ShipmentId },
      shipment: ShipmentRow,
    ) => Promise<unknown>,
  ): Promise<string> {
    const shipment = await foundShipment(shipmentId);
    await run({ ...act(), orderId: shipment.order_id, shipmentId }, shipment);
    return shipment.order_id;
  }

  async function labelFor(
    { id: shipment_id }: ShipmentRow,
    typed: z.infer<typeof TypedTracking>,
    again = false,
  ): Promise<Label> {
    const tracking = completeTracking(typed);
    const { number } = tracking;
    return {
      tracking,
      doubt: again
        ? null
        : doubtAbout(number, await alsoOn(context, orders, { shipment_id, number })),
    };
  }

  return {
    orders: {
      list: adminVerb(LIST_PAGE, async ({ before, limit = LIST_ROWS }) =>
        orders.viewsForPeople(await queries.ordersBehind({ before, limit })),
      ),
      show: adminVerb({ order_id }, ({ order_id }) => show(order_id)),
      roast: adminVerb({ order_id, seen }, ({ order_id, seen }) =>
        onOrder(order_id, (base) => store.run(roastOrder, { ...base, seen })),
      ),
      note: adminVerb({ order_id, text: OrderNote }, ({ order_id, text }) =>
        onOrder(order_id, (base) =>
          store.run(addNote, { ...base, id: newId("note", base.now), text }),
        ),
      ),
      /** Sends these words to the buyer and keeps them on the order. */
      write: adminVerb(
        { order_id, text: Answer, task_id: Id.optional().describe("The message that it answers.") },
        ({ order_id, text, task_id: taskId = null }) =>
          onOrder(order_id, (base) => {
            const id = newId("note", base.now);
            return store.run(writeToBuyer, {
              ...base,
              id,
              text,
              taskId,
              since: lateSince(context),
            });
          }),
      ),
      cancel: adminVerb(
        { order_id, reason: Reason, refund, seen },
        ({ order_id, reason, refund, seen }) => cancel(order_id, { reason, seen }, refund),
      ),
      /** Records a refund and sends it. It stays PENDING until the provider answers. */
      refund: adminVerb(
        {
          order_id,
          amount_minor: whole({ least: 1, most: ORDER_TOTAL.max_minor, of: "cents" })
            .nullable()
            .describe("Such as 12.50; all that is left if left out."),
          note: OrderNote.optional().describe("Why; kept as an internal note."),
          shipment_ids: ShipmentIds.optional().describe("The shipments that it is for."),
          again: twice,
          seen,
        },
        ({
          order_id,
          amount_minor: amountMinor,
          note: text,
          shipment_ids: shipmentIds = [],
          again = false,
          seen,
        }) =>
          onOrder(order_id, async (base, order) => {
            const note = text ? { id: newId("note", base.now), text } : null;
            const refund = {
              ...refundOf(base, order, seen),
              amountMinor,
              shipmentIds,
              again,
              note,
            };
            await settling.makeRefund(await store.run(refundOrder, refund));
          }),
      ),
    },
    refunds: {
      /** Refunds that the provider has not taken yet, next to send first. */
      waiting: adminVerb({}, async () => {
        const rows = await queries.dueRefunds(Number.MAX_SAFE_INTEGER, LIST_ROWS);
        const ids = rows.flatMap(({ order_id }) => order_id ?? []);
        const ordered = await queries.ordersByIds([...new Set(ids)]);
        return rows.map((row) => {
          const { id, order_id, amount_minor, problem } = row;
          const number = ordered.find((order) => order.id === order_id)?.number;
          return { id, order_id, number, amount_minor, problem };
        });
      }),
      /** Asks the provider again, before the next try is due. */
      retry: adminVerb({ refund_id: Id }, async ({ refund_id }) => {
        const refund = await queries.refund(refund_id);
        if (!refund) throw unknownTo("refund");
        if (!isToBeMade(refund)) throw illegalStep(`This refund is ${refund.status}, not waiting.`);
        await settling.makeRefund(refund);
        return refund.order_id;
      }),
    },
    shipments: {
      /** Ships a shipment, or ships again one that came back. */
      ship: adminVerb(
        { shipment_id: Id, tracking: TypedTracking, check, again, seen },
        ({ shipment_id, tracking, check, again, seen }) =>
          onShipment(shipment_id, async (base, shipment) => {
            if (check) refuseNumber(tracking);
            const label = await labelFor(shipment, tracking, again);
            return store.run(moveShipment, { ...base, to: "SHIPPED", label, seen });
          }),
      ),
      move: adminVerb(
        { shipment_id: Id, to: z.enum(steps as Exclude<ShipmentStep, "SHIPPED">[]), seen },
        ({ shipment_id, to, seen }) =>
          onShipment(shipment_id, (base) =>
            store.run(moveShipment, { ...base, to, label: null, seen }),
          ),
      ),
      /** Undoes the newest step within ten minutes; for roasting, of every shipment roasted with it. */
      undo: adminVerb({ shipment_id: Id, seen }, ({ shipment_id, seen }) =>
        onShipment(shipment_id, (base) => store.run(undoStep, { ...base, seen })),
      ),
      correct: adminVerb(
        { shipment_id: Id, tracking: TypedTracking, again, seen },
        ({ shipment_id, tracking, again, seen }) =>
          onShipment(shipment_id, async (base, shipment) => {
            const label = await labelFor(shipment, tracking, again);
            return store.run(correctTracking, { ...base, label, seen });
          }),
      ),
      changeAddress: adminVerb(
        { shipment_id: Id, address: Address, seen },
        ({ shipment_id, address, seen }) =>
          onShipment(shipment_id, (base) => store.run(changeAddress, { ...base, address, seen })),
      ),
      /** Refunds what was paid for a shipment that came back. */
      refund: adminVerb({ shipment_id: Id, seen }, ({ shipment_id, seen }) =>
        onShipment(shipment_id, async (base) => {
          const order = (await queries.order(base.orderId))!;
          const { terms } = await agreedOf(store, order);
          const paid = paidByShipment(terms);
          const refund = { ...refundOf(base, order, seen), shipmentId: shipment_id, paid };
          await settling.makeRefund(await store.run(refundReturned, refund));
        }),
      ),
      /** Cancels shipments of the order of the first one. */
      cancel: adminVerb(
        { shipment_ids: ShipmentIds, reason: Reason, refund, seen },
        async ({ shipment_ids: shipmentIds, reason, refund, seen }) => {
          const { order_id } = await foundShipment(shipmentIds[0]!);
          return cancel(order_id, { shipmentIds, reason, seen }, refund);
        },
      ),
    },
    cancellations: {
      list: paged(queries.allCancelRequests, (rows) => rows.map((row) => cancelRequestView(row))),
      accept: adminVerb(
        { request_id: Id, refund, seen },
        async ({ request_id: requestId, refund, seen }) => {
          const { order_id } = await requested(requestId);
          return cancel(order_id, { requestId, reason: ACCEPTED, seen }, refund);
        },
      ),
      decline: adminVerb(
        { request_id: Id, reason: Reason, seen },
        async ({ request_id: requestId, reason, seen }) => {
          const { order_id: orderId } = await requested(requestId);
          await store.run(declineCancellation, { ...act(), orderId, requestId, reason, seen });
          return orderId;
        },
      ),
    },
  };
}
