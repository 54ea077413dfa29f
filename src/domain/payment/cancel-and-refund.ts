import { type CancelOrder, cancelOrder } from "../order/cancel-order.ts";
import { requestedShipments } from "../order/cancel-request.ts";
import { illegalStep } from "../order/order-log.ts";
import type { Rule, State } from "../shared/command.ts";
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
    refusePart(c.cancel, s);
    const { writes } = cancelOrder.decide(c.cancel, s);
    const refunded = refundOrder.decide(c.refund, s);
    return { reply: refunded.reply, writes: [...writes, ...refunded.writes] };
  },
};

/** What some of the shipments came to is the merchant's to say; all that was paid is too much. */
function refusePart({ requestId }: CancelOrder, s: State): void {
  const request = s.cancel_requests.find(({ id }) => id === requestId);
  if (!request || requestedShipments(request, s.shipments).length === s.shipments.length) return;
  throw illegalStep(
    "This request is about some of the shipments only: accept it, then refund what they came to.",
  );
}
