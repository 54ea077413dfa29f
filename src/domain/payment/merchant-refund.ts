import { illegalStep, unknownTo } from "../order/order-log.ts";
import { audited, type By } from "../shared/audit.ts";
import { insert, type Rule, read } from "../shared/command.ts";
import { display } from "../shared/money.ts";
import type { RefundRow } from "../shared/records.ts";

export interface RefundOrder {
  now: number;
  id: string;
  orderId: string;
  paymentRef: string;
  /** Null for all that has not been refunded yet. */
  amountMinor: number | null;
  by: By;
}

const SAID: Record<RefundRow["status"], (amount: string) => string> = {
  DONE: (amount) => `${amount} of this order went back already.`,
  PENDING: (amount) =>
    `A refund of ${amount} is under way; asked without an amount it is tried again.`,
  FAILED: (amount) => `The payment provider refused to send ${amount} of this order back.`,
};

const BY_HAND = "Any other refund of this order is made at the payment provider itself.";

/**
 * The seller gives money back: written down first, then made at the provider, whose word moves the
 * order (contract §5, §15). Once per order by this way; asked again while it is PENDING, it is the same
 * refund, tried again.
 */
export const refundOrder: Rule<RefundOrder, RefundRow> = {
  reads: (c) => [
    read("orders", { id: c.orderId }),
    read("refunds", { payment_ref: c.paymentRef, reason: "SELLER" }),
  ],
  decide(c, s) {
    const order = s.orders[0];
    if (!order) throw unknownTo("order");
    const left = order.amount_minor - order.refunded_minor;
    const amount_minor = c.amountMinor ?? left;
    const [begun] = s.refunds;
    if (begun?.status === "PENDING" && [null, begun.amount_minor].includes(c.amountMinor)) {
      return { reply: begun, writes: [] };
    }
    if (begun) throw illegalStep(`${SAID[begun.status](display(begun.amount_minor))} ${BY_HAND}`);
    if (amount_minor < 1 || amount_minor > left) {
      throw illegalStep(
        `${display(left)} of this order can be refunded: it was ${display(order.amount_minor)}, ` +
          `and ${display(order.refunded_minor)} went back already.`,
      );
    }
    const refund: RefundRow = {
      id: c.id,
      attempt_id: order.attempt_id,
      order_id: order.id,
      payment_ref: c.paymentRef,
      amount_minor,
      reason: "SELLER",
      status: "PENDING",
      created_at: c.now,
      done_at: null,
    };
    return {
      reply: refund,
      writes: [
        insert("refunds", refund),
        audited(c.by, "orders.refund", order.id, c.now, { amount_minor, refund_id: refund.id }),
      ],
    };
  },
};
