import { refundDecided, refundTasks } from "../desk/tasks.ts";
import { orderOf } from "../order/order-act.ts";
import { audited, type MerchantAct } from "../shared/audit.ts";
import { type Decision, insert, lock, type Rule, type State } from "../shared/command.ts";
import { illegalStep } from "../shared/errors.ts";
import { display } from "../shared/money.ts";
import type { DisputeRow, OrderRow, RefundRow } from "../shared/records.ts";
import { moneyReads } from "./after-payment.ts";
import { doneMinor, lostMinor, promisedMinor } from "./money-back.ts";
import type { PaymentRows } from "./payment-answer.ts";
import { newRefund } from "./refund.ts";

export interface RefundOrder extends MerchantAct {
  id: string;
  orderId: string;
  paymentRef: string;
  /** Null for all that has not been refunded yet. */
  amountMinor: number | null;
  /** What could be refunded when the merchant decided; a page may be old. */
  seenMinor?: number | undefined;
}

/**
 * The merchant gives money back: written down first, then made at the provider, whose word moves the
 * order (contract §5, §15). Any number of parts, never more together than was paid. A refund that still
 * waits to be made is not asked for twice: the same amount again is the same refund, tried again.
 */
export const refundOrder: Rule<RefundOrder, RefundRow> = {
  reads: (c) => [
    lock("orders", { id: c.orderId }),
    ...moneyReads(c.paymentRef),
    refundTasks(c.orderId),
  ],
  decide(c, s) {
    const order = orderOf(s);
    const left = refundableMinor(order, s);
    const waiting = s.refunds.find(
      (row) =>
        row.reason === "MERCHANT" &&
        row.status === "PENDING" &&
        row.provider_ref === null &&
        (c.amountMinor === row.amount_minor || (c.amountMinor === null && left === 0)),
    );
    return waiting ? { reply: waiting, writes: [] } : newRefundOf(order, c, s);
  },
};

/** A refund of its own, whatever others wait to be made. */
export function newRefundOf(order: OrderRow, c: RefundOrder, s: State): Decision<RefundRow> {
  const left = refundableMinor(order, s);
  if (c.seenMinor !== undefined && c.seenMinor !== left) {
    throw illegalStep(`Nothing was refunded just now: this page is old. ${standing(order, s)}`);
  }
  const amount_minor = c.amountMinor ?? left;
  if (amount_minor < 1 || amount_minor > left) throw illegalStep(standing(order, s));
  const refund: RefundRow = {
    id: c.id,
    attempt_id: order.attempt_id,
    order_id: order.id,
    payment_ref: c.paymentRef,
    amount_minor,
    reason: "MERCHANT",
    ...newRefund(c.now),
  };
  return {
    reply: refund,
    writes: [
      insert("refunds", refund),
      ...refundDecided(s, c),
      audited(c, "orders.refund", order.id, { amount_minor, refund_id: refund.id }),
    ],
  };
}

/** What can still be given back of an order's own payment: not what its bank has taken back already. */
export function refundableMinor(
  order: OrderRow,
  { refunds, disputes }: Omit<PaymentRows, "order">,
): number {
  const isOwn = (row: RefundRow | DisputeRow) => row.payment_ref === order.payment_ref;
  const gone = promisedMinor(refunds.filter(isOwn)) + lostMinor(disputes.filter(isOwn));
  return Math.max(0, order.amount_minor - gone);
}

function standing(order: OrderRow, s: State): string {
  const { refunds, disputes } = s;
  const promised = promisedMinor(refunds);
  const done = doneMinor(refunds);
  const lost = lostMinor(disputes);
  const underWay = promised > done ? `, and ${display(promised - done)} is on its way` : "";
  const taken = lost > 0 ? `, and the buyer's bank took ${display(lost)} back` : "";
  return (
    `${display(refundableMinor(order, s))} of this order can be refunded: it was ` +
    `${display(order.amount_minor)}, ${display(done)} went back already${underWay}${taken}.`
  );
}
