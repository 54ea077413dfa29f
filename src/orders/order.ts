import { sameFields } from "../core/answer.ts";
import { mergeBags } from "../core/bags.ts";
import { days } from "../core/calendar.ts";
import type { NextStep } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { iso, isoOrNull, LIMITS } from "../core/policy.ts";
import type {
  CancelRequestRow,
  EventRow,
  OrderRow,
  QuoteRow,
  ShipmentRow,
} from "../core/records.ts";
import { ERASED } from "../core/records-sale.ts";
import { nothingBack, type PaymentRows, paymentView } from "../payments/payment-answer.ts";
import { owedText } from "../quotes/last-payment.ts";
import { Item, type OutAddress, Pricing, type Terms } from "../quotes/quote-answer.ts";
import { cancelRequestView } from "./cancel-request-view.ts";
import { Order, OrderEvent, type Shipment } from "./order-answer.ts";

/** An order with its own rows. */
export interface OrderParts extends PaymentRows {
  shipments: readonly ShipmentRow[];
  /** Oldest first; the newest counts. */
  cancelRequests: readonly CancelRequestRow[];
  /** When something of it was canceled last; 0 where nothing was. */
  canceledAt: number;
  /** Something of it came back: whether that is sent again, refunded or neither is not decided yet. */
  isToDecide: boolean;
}

/** When an order is expected, and by how many days that is over; below 1 where it is not. */
interface Estimate {
  delivery: { earliest: string; latest: string };
  daysPast: number;
}

/** An order as its agent reads it (contract §5): what was approved, and where it is now. */
export function orderView(
  { delivery, daysPast, ...parts }: OrderParts & Estimate,
  quote: QuoteRow,
  orderUrl: string,
): Order {
  const { order, shipments, cancelRequests } = parts;
  const cancelRequest = cancelRequests.at(-1);
  const terms = JSON.parse(quote.terms) as Terms;
  const payment = paymentView(parts);
  const late = daysLate(parts, daysPast);
  return {
    ...sameFields(Order, order),
    quote_hash: quote.quote_hash,
    created_at: iso(order.created_at),
    order_url: orderUrl,
    items: mergeBags(terms.shipments.flatMap((shipment) => itemsOf(shipment))),
    // The currency stands with the payment.
    pricing: sameFields(Pricing, terms.pricing),
    payment,
    shipments: inOrder(shipments).map((row) => shipmentView(row, terms)),
    estimated_delivery:
      order.status === "CANCELED" ? null : { ...delivery, ...(late > 0 && { days_late: late }) },
    ...(cancelRequest && { cancel_request: cancelRequestView(cancelRequest, shipments) }),
    next: [
      step(
        "list_order_events",
        "Follow what happens: read events after the last sequence.",
        order.id,
      ),
      ...openSteps(parts, payment, late),
      ...cancelSteps(parts),
    ],
  };
}

/** What the buyer's page leads to the merchant with; without it the agent would take it for the end. */
function openSteps(parts: OrderParts, payment: Order["payment"], late: number): NextStep[] {
  const isAny = (wanted: ShipmentRow["status"]) =>
    parts.shipments.some((one) => one.status === wanted);
  const open = [
    isAny("CANCELED") &&
      nothingBack(payment, parts.canceledAt) &&
      (payment.refunds.length > 0
        ? "Nothing was refunded since it was canceled so far."
        : "Nothing was refunded of what was canceled so far."),
    isAny("FAILED") && "The carrier could not deliver.",
    isAny("RETURNED") &&
      payment.status !== "REFUNDED" &&
      `A shipment came back to the merchant.${parts.isToDecide ? " It can be sent again, to another address too." : ""}`,
    parts.owedMinor > 0 && owedText(parts.owedMinor),
    late > 0 && `The order is ${days(late)} later than estimated${whereLate(parts)}.`,
  ].filter((one) => one !== false);
  if (open.length > 0) open.push("Tell the merchant what the buyer wants, with order_id.");
  else if (parts.shipments.some(hasLeft)) {
    open.push("Something does not arrive, or not as it should? Tell the merchant, with order_id.");
  }
  return open.length > 0 ? [step("send_feedback", open.join(" "))] : [];
}

function whereLate({ shipments }: Pick<OrderParts, "shipments">): string {
  const live = shipments.filter(({ status }) => status !== "CANCELED");
  if (live.every(isHere)) return " and has not left the merchant";
  if (live.some(isHere)) return ", and a part of it has not left the merchant";
  return `, and that ${live.every(isAwaited) ? "it" : "all of it"} arrived is not known`;
}

type CancelParts = Pick<OrderParts, "shipments" | "cancelRequests">;

/**
 * What can be done about canceling, by an order's agent and on its buyer's page alike: ask for what has
 * not left, or take back what was asked and is not decided yet.
 */
export function cancelStep({ shipments, cancelRequests }: CancelParts) {
  if (cancelRequests.at(-1)?.status === "REQUESTED") return "withdraw_cancellation";
  const mayAsk = cancelRequests.length < LIMITS.cancel_requests_per_order;
  return mayAsk && shipments.some(isHere) ? "request_cancellation" : null;
}

const CANCEL_WHY = {
  request_cancellation: "Ask the merchant to cancel; the merchant decides.",
  withdraw_cancellation: "Take back the cancel request while the merchant has not decided it.",
};

function cancelSteps(parts: OrderParts): NextStep[] {
  const tool = cancelStep(parts);
  return tool === null ? [] : [step(tool, CANCEL_WHY[tool], parts.order.id)];
}

export const eventView = (row: EventRow): OrderEvent => ({
  ...sameFields(OrderEvent, row),
  occurred_at: iso(row.occurred_at),
  data: JSON.parse(row.data) as OrderEvent["data"],
});

/** Where an order is, from where its shipments are (contract §5). */
export function orderStatus(shipments: readonly Pick<ShipmentRow, "status">[]) {
  const live = shipments.filter(({ status }) => status !== "CANCELED");
  if (live.length === 0) return "CANCELED";
  if (live.every(({ status }) => status === "DELIVERED" || status === "RETURNED")) {
    return "COMPLETED";
  }
  const here = live.filter(isHere);
  if (here.length === 0) return "SHIPPED";
  if (here.length < live.length) return "PARTIALLY_SHIPPED";
  return here.every(({ status }) => status === "PENDING") ? "CONFIRMED" : "ROASTING";
}

/** In the order's own order: a database returns rows in any. */
export const inOrder = (rows: readonly ShipmentRow[]): ShipmentRow[] =>
  rows.toSorted((a, b) => a.position - b.position);

/** Not handed to the carrier yet: it can be canceled, or sent to another address. */
export const isHere = ({ status }: Pick<ShipmentRow, "status">): boolean =>
  status === "PENDING" || status === "ROASTING";

/** Handed to the carrier, whatever became of it since: it cannot be canceled any more. */
export const hasLeft = (row: Pick<ShipmentRow, "status">): boolean =>
  !isHere(row) && row.status !== "CANCELED";

/** Still to arrive: what was canceled never does, and what came back is told as that. */
export const isAwaited = ({ status }: Pick<ShipmentRow, "status">): boolean =>
  status !== "DELIVERED" && status !== "RETURNED" && status !== "CANCELED";

/** By how many days an order is past its estimate; 0 where it is not, or nothing of it is awaited. */
export const daysLate = (
  { order, shipments }: Pick<OrderParts, "order" | "shipments">,
  daysPast: number,
): number =>
  order.payment_status !== "REFUNDED" && shipments.some(isAwaited) ? Math.max(0, daysPast) : 0;

/** In the merchant's hands: before it leaves, or after it came back. */
export const isAtShop = (row: Pick<ShipmentRow, "status">): boolean =>
  isHere(row) || row.status === "RETURNED";

/** It can be sent, and its address changed: it is at the shop, and its buyer is known. */
export const isSendable = (
  row: Pick<ShipmentRow, "status">,
  { buyer_email }: Pick<OrderRow, "buyer_email">,
): boolean => isAtShop(row) && buyer_email !== ERASED;

/** Where a shipment goes: as it was approved, or as the merchant has changed it since. */
export const currentAddress = (
  row: Pick<ShipmentRow, "address">,
  approved: { address: OutAddress },
): OutAddress => (row.address === null ? approved.address : JSON.parse(row.address));

function shipmentView(row: ShipmentRow, terms: Terms): Shipment {
  const approved = terms.shipments[row.position]!;
  return {
    id: row.id,
    recipient_ref: approved.recipient_ref,
    status: row.status,
    tracking: trackingOf(row),
    address: currentAddress(row, approved),
    items: itemsOf(approved),
    gift_notes: approved.gift_notes,
    shipped_at: isoOrNull(row.shipped_at),
    delivered_at: isoOrNull(row.delivered_at),
  };
}

export const trackingOf = (
  row: Pick<ShipmentRow, "carrier" | "tracking_number" | "tracking_url">,
): Shipment["tracking"] =>
  row.carrier === null || row.tracking_number === null
    ? null
    : { carrier: row.carrier, number: row.tracking_number, url: row.tracking_url };

/** Terms of earlier versions say more of each item. */
const itemsOf = ({ items }: Terms["shipments"][number]): Item[] =>
  items.map((item) => sameFields(Item, item));

/** Which bag each gift note goes into: note i into bag i, counted through the lines (contract §3). */
export function notesByBag(
  notes: readonly string[],
  lines: readonly { name: string; quantity: number }[],
): { bag: number; name: string | undefined; note: string }[] {
  const names = lines.flatMap(({ name, quantity }) => Array.from({ length: quantity }, () => name));
  return notes.map((note, i) => ({ bag: i + 1, name: names[i], note }));
}
