import { type CancelOrder, cancelOrder } from "../order/cancel-order.ts";
import type { Rule } from "../shared/command.ts";
import type { RefundRow } from "../shared/records.ts";
import { type RefundOrder, refundOrder } from "./merchant-refund.ts";

export interface CancelAndRefund {
  cancel: CancelOrder;
  refund: RefundOrder;
}

/** Both or neither: the buyer never meets an order that is canceled and whose money was forgotten. */
export const cancelAndRefund: Rule<CancelAndRefund, RefundRow> = {
  reads: (c) => [...cancelOrder.reads(c.cancel), ...refundOrder.reads(c.refund)],
  decide(c, s) {
    const { writes } = cancelOrder.decide(c.cancel, s);
    const refunded = refundOrder.decide(c.refund, s);
    return { reply: refunded.reply, writes: [...writes, ...refunded.writes] };
  },
};
