import { type CancelOrder, cancelOrder } from "../order/cancel-order.ts";
import { requestedShipments } from "../order/cancel-request.ts";
import { inOrder } from "../order/shipment.ts";
import type { Terms } from "../quote/quote-answer.ts";
import type { Rule } from "../shared/command.ts";
import { sum } from "../shared/money.ts";
import type { RefundRow } from "../shared/records.ts";
import { newRefundOf, type RefundOrder, refundableMinor, refundOrder } from "./merchant-refund.ts";

export interface CancelAndRefund {
  cancel: CancelOrder & { requestId: string };
  refund: Omit<RefundOrder, "amountMinor">;
  /** By the shipment's position: see `paidByShipment`. */
  paid: readonly number[];
}

/**
 * Both or neither: the buyer never meets an order that is canceled and whose money was forgotten. Of
 * a part of the order, what was paid for that part goes back.
 */
export const cancelAndRefund: Rule<CancelAndRefund, RefundRow> = {
  reads: (c) => [
    ...cancelOrder.reads(c.cancel),
    ...refundOrder.reads({ ...c.refund, amountMinor: null }),
  ],
  decide(c, s) {
    const { writes } = cancelOrder.decide(c.cancel, s);
    const order = s.orders[0]!;
    const request = s.cancel_requests.find(({ id }) => id === c.cancel.requestId)!;
    const left = refundableMinor(order, s);
    const targets = requestedShipments(request, s.shipments);
    const amountMinor = shipmentsRefundMinor(targets, inOrder(s.shipments), { paid: c.paid, left });
    const refunded = newRefundOf(order, { ...c.refund, amountMinor }, s);
    return { reply: refunded.reply, writes: [...writes, ...refunded.writes] };
  },
};

/** What was paid for each shipment: its coffee without its share of the courtesy, and its shipping. */
export const paidByShipment = ({ shipments, pricing }: Terms): number[] =>
  shipments.map(({ subtotal_minor, shipping_minor }, i) => {
    const allocated = pricing.courtesy?.allocations.filter(({ shipment }) => shipment === i) ?? [];
    return subtotal_minor - sum(allocated.map((one) => one.amount_minor)) + shipping_minor;
  });

/** What goes back with these shipments of an order: never more than is left of what was paid. */
export function shipmentsRefundMinor(
  canceled: readonly { id: string }[],
  shipments: readonly { id: string }[],
  { paid, left }: { paid: readonly number[]; left: number },
): number {
  if (canceled.length === shipments.length) return left;
  const ids = new Set(canceled.map(({ id }) => id));
  const share = sum(paid.filter((_, i) => ids.has(shipments[i]!.id)));
  return Math.min(left, share);
}
