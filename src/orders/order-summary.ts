import { sameFields } from "../core/answer.ts";
import { step } from "../core/next-step.ts";
import { type Order, OrderSummary, type Shipment } from "./order-answer.ts";

/** An order can go to fifty addresses; so many are named in a list of orders. */
const LINES = 3;

/** An order in short, for a list: whose and where it is, and how to read the whole (contract §5). */
export function orderSummary(order: Order): OrderSummary {
  const { items, pricing, payment, shipments, estimated_delivery: due } = order;
  const more = shipments.length - LINES;
  return {
    ...sameFields(OrderSummary, order),
    contents: items.map(({ quantity, name }) => `${quantity} × ${name}`).join(", "),
    total_minor: pricing.total_minor,
    total_display: pricing.total_display,
    payment_status: payment.status,
    shipment_lines: [
      ...shipments.slice(0, LINES).map(lineOf),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    ...(due?.days_late && { days_late: due.days_late }),
    next: [step("get_order", "All of it.", order.id)],
  };
}

const lineOf = ({ address: { name, city, region }, status, tracking }: Shipment): string =>
  `${name}, ${city} ${region}: ${status}${tracking ? `, ${tracking.carrier} ${tracking.number}` : ""}`;
