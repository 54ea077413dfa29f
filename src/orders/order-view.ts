import { playMoney, sameFields } from "../core/answer.ts";
import { mergeBags } from "../core/bags.ts";
import type { NextStep } from "../core/errors.ts";
import type { OrderId } from "../core/ids.ts";
import { sum } from "../core/money.ts";
import { step } from "../core/next-step.ts";
import { iso, isoOrNull } from "../core/policy.ts";
import type { EventRow, QuoteRow, ShipmentRow } from "../core/records.ts";
import { days } from "../core/time.ts";
import { ownRefunds } from "../payments/payment-answer.ts";
import { Item, Pricing, type Terms } from "../quotes/quote-answer.ts";
import { owedText } from "../quotes/quote-words.ts";
import { cancelRequestView } from "./cancel-request.ts";
import {
  type NamedOrder,
  type NamedShipment,
  type OpenOrder,
  Order,
  OrderEvent,
  OrderSummary,
  type Shipment,
} from "./order-answer.ts";
import {
  currentAddress,
  inOrder,
  type OrderParts,
  type OrderStanding,
  trackingOf,
} from "./standing.ts";

/** An order's rows with its standing and estimate. */
interface StandingOrder extends OrderParts {
  payment: Order["payment"];
  standing: OrderStanding;
  delivery: { earliest: string; latest: string };
}

/** An order for people (contract §5): its approved terms and its current state. */
export function orderView(
  { order, shipments, cancelRequests, payment, standing, delivery }: StandingOrder,
  quote: QuoteRow,
  orderUrl: string,
): NamedOrder {
  const cancelRequest = cancelRequests.at(-1);
  const terms = JSON.parse(quote.terms) as Terms;
  const views = inOrder(shipments).map((row) => shipmentView(row, terms));
  const isLive = ({ status }: Shipment) => status !== "CANCELED" || standing.status === "CANCELED";
  const { lateness } = standing;
  const notice = playMoney(payment.mode);
  return {
    ...sameFields(Order, order),
    ...(notice !== null && { notice }),
    quote_hash: quote.quote_hash,
    created_at: iso(order.created_at),
    order_url: orderUrl,
    items: mergeBags(views.filter(isLive).flatMap(({ items }) => items)),
    pricing: sameFields(Pricing, terms.pricing),
    payment,
    shipments: views,
    estimated_delivery:
      standing.status === "CANCELED"
        ? null
        : { ...delivery, ...(lateness && { days_late: lateness.days }) },
    ...(cancelRequest && { cancel_request: cancelRequestView(cancelRequest) }),
    next: [
      step("list_order_events", "Follow the order: read events after the last sequence.", order.id),
      ...openSteps(standing, payment),
      ...cancelSteps(standing, order.id),
    ],
  };
}

/** An order for its agent. Shipments repeat no name or price of the order's `items`. */
export const orderAnswer = (order: NamedOrder): Order => {
  const named = new Set(order.items.map(({ product_id }) => product_id));
  return {
    ...order,
    shipments: order.shipments.map((shipment) => ({
      ...shipment,
      items: shipment.items.map(({ product_id, name, quantity }) =>
        named.has(product_id) ? { product_id, quantity } : { product_id, name, quantity },
      ),
    })),
  };
};

/** Name of a parcel: "1043-1", or the order's number if it has only one. */
export const parcelName = (
  { number, id, shipments }: Pick<NamedOrder, "number" | "id" | "shipments">,
  index: number,
): string => `${number ?? id}${shipments.length > 1 ? `-${index + 1}` : ""}`;

/** The same order without names, addresses and emails, for whoever has an address of its checkout. */
export function openOrder(order: NamedOrder): OpenOrder {
  const { number, status, items, pricing, payment, estimated_delivery, cancel_request } = order;
  const refunds = ownRefunds(payment);
  const gift_notes = sum(order.shipments.map((shipment) => shipment.gift_notes.length));
  const parcels = order.shipments.map((shipment, i) => ({
    ...shipment,
    parcel: parcelName(order, i),
  }));
  const asked = parcels.filter(({ id }) => cancel_request?.shipment_ids.includes(id));
  return {
    number,
    order_status: status,
    items,
    ...(gift_notes > 0 && { gift_notes }),
    total_minor: pricing.total_minor,
    total_display: pricing.total_display,
    paid_minor: payment.amount_minor,
    ...(refunds.length > 0 && { refunds }),
    ...(cancel_request && { cancel_request: cancel_request.status }),
    ...(asked.length > 0 &&
      asked.length < parcels.length && {
        cancel_request_for: asked.map(({ parcel }) => parcel),
      }),
    shipments: parcels.map(({ parcel, status, items, tracking }) => ({
      parcel,
      status,
      contents: contentsOf(items),
      ...(tracking && { carrier: tracking.carrier, number: tracking.number }),
      ...(tracking?.url && { url: tracking.url }),
    })),
    estimated_delivery,
  };
}

const contentsOf = (items: readonly { quantity: number; name: string }[]): string =>
  items.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ");

/** Problems to tell the merchant. Without this step an agent would take the order for done. */
function openSteps(standing: OrderStanding, { refunds }: Order["payment"]): NextStep[] {
  const { money, lateness } = standing;
  const open = [
    money.isNothingBack &&
      (refunds.length > 0
        ? "Nothing was refunded since the cancellation so far."
        : "Nothing was refunded for the cancellation so far."),
    standing.hasFailedDelivery && "The carrier could not deliver.",
    standing.hasReturn &&
      money.state !== "REFUNDED" &&
      `A shipment came back to the merchant.${standing.isReturnUndecided ? " It can be sent again, to another address too." : ""}`,
    money.owedMinor > 0 && owedText(money.owedMinor),
    lateness && `The order is ${days(lateness.days)} later than estimated${LATE[lateness.where]}.`,
  ].filter((one) => typeof one === "string");
  if (open.length > 0) open.push("Tell the merchant what the buyer wants, with order_id.");
  else if (standing.hasLeft) {
    open.push("If something is missing or damaged, tell the merchant, with order_id.");
  }
  return open.length > 0 ? [step("send_feedback", open.join(" "))] : [];
}

const LATE = {
  AT_SHOP: " and has not left the merchant",
  PARTLY_AT_SHOP: ", and a part of it has not left the merchant",
  NOT_ARRIVED: ", and its arrival is not known yet",
  PARTLY_ARRIVED: ", and the arrival of a part of it is not known yet",
};

function cancelSteps({ cancelStep, hasLeft }: OrderStanding, orderId: OrderId): NextStep[] {
  switch (cancelStep) {
    case "request_cancellation": {
      const which = hasLeft ? ", by shipment_ids, what is PENDING or ROASTING" : "";
      const why = `Ask the merchant to cancel${which}; the merchant decides.`;
      return [step(cancelStep, why, orderId)];
    }
    case "withdraw_cancellation":
      return [
        step(cancelStep, "Withdraw the cancel request before the merchant decides.", orderId),
      ];
    default:
      return [];
  }
}

/** `refs`: each shipment's recipient_ref, by its id. */
export function eventView(
  row: EventRow,
  refs: ReadonlyMap<string, string> = new Map(),
): OrderEvent {
  const data = JSON.parse(row.data) as OrderEvent["data"];
  const { shipment_id: id, shipment_ids: ids } = data;
  const refOf = (one: unknown) => refs.get(String(one));
  const ref = refOf(id);
  const all = Array.isArray(ids) ? ids.flatMap((one) => refOf(one) ?? []) : [];
  return {
    ...sameFields(OrderEvent, row),
    occurred_at: iso(row.occurred_at),
    data: {
      ...data,
      ...(ref !== undefined && { recipient_ref: ref }),
      ...(all.length > 0 && { recipient_refs: all }),
    },
  };
}

/** Each shipment's recipient_ref, by its id. */
export const recipientRefs = (
  quote: Pick<QuoteRow, "terms">,
  shipments: readonly Pick<ShipmentRow, "id" | "position">[],
): Map<string, string> => {
  const terms = JSON.parse(quote.terms) as Terms;
  return new Map(
    shipments.map(({ id, position }) => [id, terms.shipments[position]!.recipient_ref]),
  );
};

function shipmentView(row: ShipmentRow, terms: Terms): NamedShipment {
  const approved = terms.shipments[row.position]!;
  return {
    id: row.id,
    recipient_ref: approved.recipient_ref,
    status: row.status,
    tracking: trackingOf(row),
    address: currentAddress(row, approved),
    items: approved.items.map((item) => sameFields(Item, item)),
    gift_notes: approved.gift_notes,
    shipped_at: isoOrNull(row.shipped_at),
    delivered_at: isoOrNull(row.delivered_at),
  };
}

/** Assigns each gift note to a bag: note i to bag i, counted over the lines (contract §3). */
export function notesByBag(
  notes: readonly string[],
  lines: readonly { name: string; quantity: number }[],
): { bag: number; name: string | undefined; note: string }[] {
  const names = lines.flatMap(({ name, quantity }) => Array.from({ length: quantity }, () => name));
  return notes.map((note, i) => ({ bag: i + 1, name: names[i], note }));
}

/** Shipments named in a list of orders. An order can have fifty. */
const LINES = 3;

/** An order in a list (contract §5). */
export function orderSummary(order: Order): OrderSummary {
  const { items, pricing, payment, shipments, estimated_delivery: due } = order;
  const more = shipments.length - LINES;
  return {
    ...sameFields(OrderSummary, order),
    contents: contentsOf(items),
    total_minor: pricing.total_minor,
    total_display: pricing.total_display,
    payment_status: payment.status,
    shipment_lines: [
      ...shipments.slice(0, LINES).map(lineOf),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    ...(due?.days_late && { days_late: due.days_late }),
    next: [step("get_order", "Read the whole order.", order.id)],
  };
}

const lineOf = ({ address: { name, city, region }, status, tracking }: Shipment): string =>
  `${name}, ${city} ${region}: ${status}${tracking ? `, ${tracking.carrier} ${tracking.number}` : ""}`;
