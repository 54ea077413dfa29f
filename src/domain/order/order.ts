import { type PaymentRows, paymentView } from "../payment/payment-answer.ts";
import type { Pricing, Terms } from "../quote/quote-answer.ts";
import { mergeBags } from "../shared/bags.ts";
import type { NextStep } from "../shared/errors.ts";
import { step } from "../shared/next-step.ts";
import { estimatedDelivery, iso } from "../shared/policy.ts";
import type {
  CancelRequestRow,
  EventRow,
  OrderStatus,
  QuoteRow,
  ShipmentRow,
  ShipmentStatus,
} from "../shared/records.ts";
import type { CancelRequest, Order, OrderEvent } from "./order-answer.ts";
import { inOrder, itemsOf, shipmentView } from "./shipment.ts";

interface OrderParts extends PaymentRows {
  shipments: readonly ShipmentRow[];
  quote: Pick<QuoteRow, "quote_hash" | "terms">;
  /** The newest cancel request, if there was one. */
  cancelRequest?: CancelRequestRow | undefined;
}

/** An order as its agent reads it (contract §5): what was approved, and where it is now. */
export function orderView(parts: OrderParts): Order {
  const { order, shipments, quote, cancelRequest, refunds, disputes } = parts;
  const terms = JSON.parse(quote.terms) as Terms;
  return {
    id: order.id,
    number: order.number,
    quote_id: order.quote_id,
    quote_hash: quote.quote_hash,
    buyer_email: order.buyer_email,
    status: order.status,
    created_at: iso(order.created_at),
    items: mergeBags(terms.shipments.flatMap((shipment) => itemsOf(shipment))),
    pricing: pricingOf(terms),
    payment: paymentView({ order, refunds, disputes }),
    shipments: inOrder(shipments).map((row) => shipmentView(row, terms)),
    estimated_delivery: estimatedDelivery(order.created_at),
    ...(cancelRequest && { cancel_request: cancelRequestView(cancelRequest, shipments) }),
    next: [
      step(
        "list_order_events",
        "Follow what happens: read events after the last sequence.",
        order.id,
      ),
      ...cancelSteps(parts),
    ],
  };
}

/** Asking to cancel what has not left, or taking back what was asked and is not decided yet. */
function cancelSteps({ order, shipments, cancelRequest }: OrderParts): NextStep[] {
  if (cancelRequest?.status === "REQUESTED") {
    const why = "Take back the cancel request while the merchant has not decided it.";
    return [step("withdraw_cancellation", why, order.id)];
  }
  const leftToAsk = shipments.some(({ status }) => !GONE.has(status) && !ENDED.has(status));
  const why = "Ask the merchant to cancel; the merchant decides.";
  return leftToAsk ? [step("request_cancellation", why, order.id)] : [];
}

/** The currency stands with the payment. */
function pricingOf({ pricing }: Terms): Pricing {
  const { subtotal_minor, courtesy, shipping_minor, total_minor, total_display } = pricing;
  return { subtotal_minor, courtesy, shipping_minor, total_minor, total_display };
}

/** `all`: the shipments of its order, for requests of earlier versions, which are about all of them. */
export const cancelRequestView = (
  row: CancelRequestRow,
  all: readonly Pick<ShipmentRow, "id">[] = [],
): CancelRequest => ({
  id: row.id,
  order_id: row.order_id,
  shipment_ids:
    row.shipment_ids === null
      ? all.map(({ id }) => id)
      : (JSON.parse(row.shipment_ids) as string[]),
  status: row.status,
  reason_code: row.reason_code,
  message: row.message,
  created_at: iso(row.created_at),
  decided_at: row.decided_at === null ? null : iso(row.decided_at),
  decision: row.decision,
});

export const eventView = (row: EventRow): OrderEvent => ({
  id: row.id,
  sequence: row.sequence,
  type: row.type,
  occurred_at: iso(row.occurred_at),
  order_status: row.order_status,
  data: JSON.parse(row.data) as OrderEvent["data"],
});

const GONE = new Set<ShipmentStatus>(["SHIPPED", "IN_TRANSIT", "OUT_FOR_DELIVERY", "FAILED"]);
const ENDED = new Set<ShipmentStatus>(["DELIVERED", "RETURNED", "CANCELED"]);

/** Where an order is, from where its shipments are (contract §5); forward only. */
export function orderStatus(shipments: readonly { status: ShipmentStatus }[]): OrderStatus {
  const all = shipments.map((s) => s.status);
  if (all.every((status) => status === "CANCELED")) return "CANCELED";
  if (all.every((status) => ENDED.has(status))) return "COMPLETED";
  const left = all.filter((status) => status !== "CANCELED");
  const shipped = left.filter((status) => GONE.has(status) || ENDED.has(status));
  if (shipped.length === left.length) return "SHIPPED";
  if (shipped.length > 0) return "PARTIALLY_SHIPPED";
  return left.every((status) => status === "PENDING") ? "CONFIRMED" : "ROASTING";
}
