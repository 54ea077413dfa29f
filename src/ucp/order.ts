import { CURRENCY } from "../core/money.ts";
import { iso } from "../core/policy.ts";
import type { ShipmentStatus } from "../core/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { OrderChange, SessionOrder } from "../orders/session-order.ts";
import { hasLeft } from "../orders/standing.ts";
import type { Content } from "./envelope.ts";
import { line, named, totals } from "./session.ts";

/** An order as UCP's order entity, whole in each answer. */
export function orderView(merchant: Merchant, order: SessionOrder): Content {
  const lines = order.items.map((item, i) => line(item, i, merchant.baseUrl));
  const bags = lines.map(({ id, quantity }) => ({ id, quantity }));
  return {
    uses: ["order"],
    ...named(merchant, order),
    checkout_id: order.token,
    currency: CURRENCY.toUpperCase(),
    line_items: lines.map((one) => ({ ...one, ...progress(one.quantity, order) })),
    fulfillment: {
      expectations: expectations(order, bags),
      events: order.steps.map(({ id, at, to, tracking }) => ({
        id,
        type: EVENTS[to],
        occurred_at: iso(at),
        line_items: bags,
        ...(tracking && { carrier: tracking.carrier, tracking_number: tracking.number }),
        ...(tracking?.url && { tracking_url: tracking.url }),
      })),
    },
    adjustments: order.changes.map((change) => adjustment(change, bags)),
    totals: totals(order.pricing),
  };
}

type LineBags = { id: string; quantity: number }[];

function progress(original: number, { order_status, shipments: [shipment] }: SessionOrder) {
  const isCanceled = order_status === "CANCELED";
  const isFulfilled = hasLeft(shipment!) && shipment!.status !== "RETURNED";
  const total = isCanceled ? 0 : original;
  const fulfilled = isFulfilled ? total : 0;
  const status = isCanceled ? "removed" : isFulfilled ? "fulfilled" : "processing";
  return { quantity: { original, total, fulfilled }, status };
}

/** The buyer typed the address on our page, not into the agent: only the country is told. */
function expectations({ estimated_delivery: due }: SessionOrder, line_items: LineBags) {
  if (due === null) return [];
  const description = `Estimated for ${due.earliest} to ${due.latest}, not promised`;
  const destination = { address_country: "US" };
  return [{ id: "delivery", line_items, method_type: "shipping", destination, description }];
}

const EVENTS: Record<ShipmentStatus, string> = {
  PENDING: "processing",
  ROASTING: "processing",
  SHIPPED: "shipped",
  IN_TRANSIT: "in_transit",
  OUT_FOR_DELIVERY: "out_for_delivery",
  DELIVERED: "delivered",
  FAILED: "failed_attempt",
  RETURNED: "returned_to_sender",
  CANCELED: "canceled",
};

const ADJUSTMENTS: Record<OrderChange["kind"], { type: string; description: string }> = {
  CANCEL_REQUEST: {
    type: "cancellation",
    description: "The buyer asked to cancel. The shop decides.",
  },
  CANCELLATION: { type: "cancellation", description: "The shop canceled the order." },
  REFUND: { type: "refund", description: "Money of this order goes back to the buyer." },
  SECOND_PAYMENT: {
    type: "second_payment_refund",
    description: "A second payment for this order goes back in full, besides the order's total.",
  },
  RELEASED_PAYMENT: {
    type: "payment_released",
    description: "Another payment was authorized and released. Nothing was charged for it.",
  },
  DISPUTE: { type: "dispute", description: "The buyer's bank disputes the payment." },
};

const STATUSES = { PENDING: "pending", DONE: "completed", FAILED: "failed" } as const;

/** Reductions are negative. */
function adjustment({ id, kind, at, status, backMinor }: OrderChange, bags: LineBags) {
  return {
    id,
    ...ADJUSTMENTS[kind],
    occurred_at: iso(at),
    status: STATUSES[status],
    ...((kind === "CANCELLATION" || kind === "CANCEL_REQUEST") && {
      line_items: bags.map(({ id, quantity }) => ({ id, quantity: -quantity })),
    }),
    ...(backMinor !== null && { totals: [{ type: "total", amount: -backMinor }] }),
  };
}
