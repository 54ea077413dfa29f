import { audited } from "../core/audit.ts";
import { type Decision, insert, lock, type Read, type Rule, type State } from "../core/command.ts";
import { isOpen, refundTasks, shipmentTasks, tasksDecided } from "../core/desk-tasks.ts";
import { illegalStep, MerchantError, unknownTo } from "../core/errors.ts";
import type { ShipmentId } from "../core/ids.ts";
import { cents, display, sum } from "../core/money.ts";
import { MINUTE_MS } from "../core/policy.ts";
import {
  type DeskTaskRow,
  type DisputeRow,
  newRow,
  type OrderRow,
  type RefundRow,
  type ShipmentRow,
  type ShipmentStatus,
} from "../core/records.ts";
import {
  doneMinor,
  isToBeMade,
  lostMinor,
  moneyReads,
  promisedMinor,
} from "../payments/money-back.ts";
import type { PaymentRows } from "../payments/payment-answer.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { courtesyByLine } from "../quotes/quote-terms.ts";
import { type CancelOrder, cancelOrder, shipmentsToCancel } from "./cancel-order.ts";
import type { Order } from "./order-answer.ts";
import {
  noteOf,
  type OrderAct,
  orderOf,
  orderReads,
  refuseIfOrderChanged,
  shipmentOf,
} from "./order-steps.ts";
import { inOrder } from "./standing.ts";

/** An act on the money of an order. */
interface MoneyAct extends Omit<OrderAct, "eventIds"> {
  paymentRef: string;
}

/** `id`: of the refund. */
interface RefundAct extends MoneyAct {
  id: string;
}

interface RefundOrder extends RefundAct {
  /** Null for all that has not been refunded yet. */
  amountMinor: number | null;
  /** The shipments that it is for; none for those that nobody got. */
  shipmentIds: readonly ShipmentId[];
  /** Refunds an amount that another refund of the last minute had. */
  again: boolean;
  /** Why, as an internal note. */
  note: { id: string; text: string } | null;
}

/**
 * Records a refund, which is then sent to the provider (contract §5, §15). An order can be refunded in parts,
 * up to the paid amount. The same amount again is refused for a minute, and while the first one waits, unless
 * the merchant says that it is another refund.
 */
export const refundOrder: Rule<RefundOrder, RefundRow> = {
  reads: refundReads,
  decide(c, s) {
    const order = orderOf(s);
    const left = refundableMinor(order, s);
    // The books count it for bags that nobody got, as far as these were not refunded yet.
    const named = new Set(c.shipmentIds);
    const isFor = ({ id, status }: ShipmentRow) =>
      named.size === 0 ? STOPPED.has(status) : named.has(id);
    const shipmentIds = s.shipments.filter(isFor).map(({ id }) => id);
    if (shipmentIds.length < named.size) throw unknownTo("shipment of this order");
    const refund = newRefundOf(order, { ...c, amountMinor: c.amountMinor ?? left }, shipmentIds, s);
    const { amount_minor } = refund.reply;
    const same = s.refunds.find(
      (row) =>
        row.reason === "MERCHANT" &&
        row.amount_minor === amount_minor &&
        (isToBeMade(row) || (isPromised(row) && c.now - row.created_at < MINUTE_MS)),
    );
    if (same && !c.again) throw illegalStep(repeatedText(same));
    if (c.note === null) return refund;
    return { ...refund, writes: [...refund.writes, noteOf(c, order.id, c.note)] };
  },
};

const STOPPED: ReadonlySet<ShipmentStatus> = new Set(["CANCELED", "RETURNED"]);

const isPromised = ({ status }: RefundRow) => status === "PENDING" || status === "DONE";

function refundReads({ orderId, paymentRef }: RefundAct): Read[] {
  return [
    lock("orders", { id: orderId }),
    lock("shipments", { order_id: orderId }),
    ...moneyReads(paymentRef),
    refundTasks(orderId),
  ];
}

/** The amount's field in the desk's form. */
const AMOUNT = "/amount";

function repeatedText(refund: RefundRow): string {
  const amount = display(refund.amount_minor);
  const state = isToBeMade(refund)
    ? "waits for the payment provider and is tried again"
    : "was made less than a minute ago";
  return (
    `A refund of ${amount} ${state} (${refund.id}). To refund another ${amount}, ` +
    "wait until it is done and a minute old, or add --again on the command line."
  );
}

/** Records a new refund, even if others wait, and closes the tasks that it decides. */
function newRefundOf(
  order: OrderRow,
  c: RefundAct & { amountMinor: number },
  shipmentIds: readonly ShipmentId[],
  s: State,
  desk_tasks: readonly DeskTaskRow[] = s.desk_tasks,
): Decision<RefundRow> {
  const left = refundableMinor(order, s);
  refuseIfOrderChanged(c, s);
  const amount_minor = c.amountMinor;
  if (amount_minor < 1 || amount_minor > left) {
    throw new MerchantError("ILLEGAL_STEP", refundableText(order, s), { at: AMOUNT });
  }
  const refund = newRow("refunds", {
    id: c.id,
    attempt_id: order.attempt_id,
    order_id: order.id,
    payment_ref: c.paymentRef,
    amount_minor,
    reason: "MERCHANT",
    status: "PENDING",
    shipment_ids: shipmentIds.length > 0 ? JSON.stringify(shipmentIds) : null,
    try_at: c.now,
    created_at: c.now,
  });
  return {
    reply: refund,
    writes: [
      insert("refunds", refund),
      ...tasksDecided({ desk_tasks }, c),
      audited(c, "orders.refund", order.id, { amount_minor, refund_id: refund.id }),
    ],
  };
}

/** Amount of an order's own payment that can still be refunded, less what its bank has taken back. */
export function refundableMinor(
  order: OrderRow,
  { refunds, disputes }: Pick<PaymentRows, "refunds" | "disputes">,
): number {
  const isOwn = (row: RefundRow | DisputeRow) => row.payment_ref === order.payment_ref;
  const gone = promisedMinor(refunds.filter(isOwn)) + lostMinor(disputes.filter(isOwn));
  return Math.max(0, order.amount_minor - gone);
}

/** Refunds of an order's own payment that have neither arrived nor failed yet. */
export function pendingMinor(order: OrderRow, refunds: readonly RefundRow[]): number {
  const own = refunds.filter(
    (row) => row.order_id === order.id && row.payment_ref === order.payment_ref,
  );
  return promisedMinor(own) - doneMinor(own);
}

function refundableText(order: OrderRow, s: State): string {
  const { refunds, disputes } = s;
  const promised = promisedMinor(refunds);
  const done = doneMinor(refunds);
  const lost = lostMinor(disputes);
  const underWay = promised > done ? `, and ${display(promised - done)} is on its way` : "";
  const taken = lost > 0 ? `, and the buyer's bank took ${display(lost)} back` : "";
  return (
    `${display(refundableMinor(order, s))} of this order can be refunded: of ` +
    `${display(order.amount_minor)} paid, ${display(done)} went back already${underWay}${taken}.`
  );
}

interface CancelAndRefund {
  cancel: CancelOrder;
  refund: RefundAct;
  /** By the shipment's position: see `paidByShipment`. */
  paid: readonly number[];
}

/** Cancels shipments and refunds their price. */
export const cancelAndRefund: Rule<CancelAndRefund, RefundRow> = {
  reads: (c) => [...cancelOrder.reads(c.cancel), ...refundReads(c.refund)],
  decide(c, s) {
    const { writes } = cancelOrder.decide(c.cancel, s);
    const order = orderOf(s);
    const left = refundableMinor(order, s);
    const targets = shipmentsToCancel(c.cancel, s);
    const amountMinor = shipmentsRefundMinor(targets, inOrder(s.shipments), { paid: c.paid, left });
    // Money of an earlier cancellation stays undecided.
    const decided = amountMinor < left ? [] : s.desk_tasks;
    const ids = targets.map(({ id }) => id);
    const refunded = newRefundOf(order, { ...c.refund, amountMinor }, ids, s, decided);
    return { reply: refunded.reply, writes: [...writes, ...refunded.writes] };
  },
};

interface RefundReturned extends RefundAct {
  shipmentId: ShipmentId;
  /** By the shipment's position: see `paidByShipment`. */
  paid: readonly number[];
}

/** Refunds what was paid for a returned shipment, once, which decides its task. */
export const refundReturned: Rule<RefundReturned, RefundRow> = {
  reads: (c) => [...orderReads(c), ...moneyReads(c.paymentRef), shipmentTasks(c.shipmentId)],
  decide(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    if (shipment.status !== "RETURNED" || !s.desk_tasks.some(isOpen)) {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status} and needs no decision. ` +
          "Refund an amount on its order instead.",
      );
    }
    const left = refundableMinor(order, s);
    const of = { paid: c.paid, left };
    const amountMinor = shipmentsRefundMinor([shipment], inOrder(s.shipments), of);
    return newRefundOf(order, { ...c, amountMinor }, [shipment.id], s);
  },
};

/** Amount paid for each shipment: coffee less its share of the courtesy, plus shipping. */
export function paidByShipment(terms: Terms): number[] {
  const courtesy = courtesyByLine(terms).map(sum);
  return terms.shipments.map(
    ({ subtotal_minor, shipping_minor }, i) => subtotal_minor - courtesy[i]! + shipping_minor,
  );
}

/** Amount paid for the bags of each line, by shipment. */
export const paidByLine = (terms: Terms): number[][] =>
  courtesyByLine(terms).map((courtesy, shipment) =>
    terms.shipments[shipment]!.items.map(
      ({ quantity, unit_price_minor }, line) => quantity * unit_price_minor - courtesy[line]!,
    ),
  );

/** Amount paid for each shipment (`paidByShipment`), and the amount that can still be refunded. */
interface RefundableMoney {
  paid: readonly number[];
  left: number;
}

/** Refund that comes with accepting the open cancel request, or null. */
export function requestRefundMinor(
  { cancel_request: request, shipments }: Pick<Order, "cancel_request" | "shipments">,
  money: RefundableMoney,
): number | null {
  if (request?.status !== "REQUESTED") return null;
  const targets = shipments.filter(({ id }) => request.shipment_ids.includes(id));
  return shipmentsRefundMinor(targets, shipments, money);
}

/** Amount paid for canceled shipments and not refunded yet, or null if none is canceled. */
export function canceledRefundMinor(
  { amount_minor: most }: Pick<OrderRow, "amount_minor">,
  { shipments }: Pick<Order, "shipments">,
  { paid, left }: RefundableMoney,
): number | null {
  const canceled = shipments.filter(({ status }) => status === "CANCELED");
  if (canceled.length === 0) return null;
  const back = shipmentsRefundMinor(canceled, shipments, { paid, left: most });
  return Math.max(0, back - (most - left));
}

/** Refund for these shipments, at most what is left of the payment. */
export function shipmentsRefundMinor(
  canceled: readonly { id: string }[],
  shipments: readonly { id: string }[],
  { paid, left }: RefundableMoney,
): number {
  if (canceled.length === shipments.length) return left;
  const ids = new Set(canceled.map(({ id }) => id));
  const share = sum(paid.filter((_, i) => ids.has(shipments[i]!.id)));
  return Math.min(left, share);
}

/** A typed amount in cents; null if empty, which means all that is left. */
export function amountTyped(text = ""): number | null {
  const minor = text === "" ? null : cents(text);
  if (minor || text === "") return minor;
  const expected = "An amount in dollars, such as 12.50 or 12.";
  throw new MerchantError("VALIDATION_FAILED", expected, { at: AMOUNT });
}
