import { refundDecided, refundTasks } from "../desk/tasks.ts";
import { illegalStep, unknownTo } from "../order/order-log.ts";
import { type AuditAuthor, audited } from "../shared/audit.ts";
import { insert, lock, type Rule } from "../shared/command.ts";
import { display } from "../shared/money.ts";
import type { OrderRow, RefundRow } from "../shared/records.ts";
import { doneMinor, promisedMinor } from "./money-back.ts";
import { newRefund } from "./refund.ts";

export interface RefundOrder {
  now: number;
  id: string;
  orderId: string;
  paymentRef: string;
  /** Null for all that has not been refunded yet. */
  amountMinor: number | null;
  /** What could be refunded when the merchant decided; a page may be old. */
  seenMinor?: number | undefined;
  by: AuditAuthor;
}

/**
 * The merchant gives money back: written down first, then made at the provider, whose word moves the
 * order (contract §5, §15). Any number of parts, never more together than was paid. A refund that still
 * waits to be made is not asked for twice: the same amount again is the same refund, tried again.
 */
export const refundOrder: Rule<RefundOrder, RefundRow> = {
  reads: (c) => [
    lock("orders", { id: c.orderId }),
    lock("refunds", { payment_ref: c.paymentRef }),
    refundTasks(c.orderId),
  ],
  decide(c, s) {
    const order = s.orders[0];
    if (!order) throw unknownTo("order");
    const left = refundableMinor(order, s.refunds);
    const waiting = s.refunds.find(
      (row) =>
        row.reason === "MERCHANT" &&
        row.status === "PENDING" &&
        row.provider_ref === null &&
        (c.amountMinor === row.amount_minor || (c.amountMinor === null && left === 0)),
    );
    if (waiting) return { reply: waiting, writes: [] };
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
        audited(c.by, "orders.refund", order.id, c.now, { amount_minor, refund_id: refund.id }),
      ],
    };
  },
};

/** What can still be given back of an order's own payment. */
export function refundableMinor(order: OrderRow, refunds: readonly RefundRow[]): number {
  const own = refunds.filter((row) => row.payment_ref === order.payment_ref);
  return Math.max(0, order.amount_minor - promisedMinor(own));
}

function standing(order: OrderRow, { refunds }: { refunds: readonly RefundRow[] }): string {
  const promised = promisedMinor(refunds);
  const done = doneMinor(refunds);
  const underWay = promised > done ? `, and ${display(promised - done)} is on its way` : "";
  return (
    `${display(refundableMinor(order, refunds))} of this order can be refunded: it was ` +
    `${display(order.amount_minor)}, ${display(done)} went back already${underWay}.`
  );
}
