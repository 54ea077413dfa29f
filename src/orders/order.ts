import { sameFields } from "../core/answer.ts";
import { mergeBags } from "../core/bags.ts";
import type { NextStep } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { iso, isoOrNull } from "../core/policy.ts";
import type { EventRow, QuoteRow, ShipmentRow } from "../core/records.ts";
import { days } from "../core/time.ts";
import { Item, Pricing, type Terms } from "../quotes/quote-answer.ts";
import { owedText } from "../quotes/quote-view.ts";
import { cancelRequestView } from "./cancel-request.ts";
import {
  type NamedOrder,
  type NamedShipment,
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

/** An order's rows with where it stands and when it is expected. */
export interface StandingOrder extends OrderParts {
  payment: Order["payment"];
  standing: OrderStanding;
  delivery: { earliest: string; latest: string };
}

/** An order (contract §5): what was approved, and where it is now. */
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
  return {
    ...sameFields(Order, order),
    quote_hash: quote.quote_hash,
    created_at: iso(order.created_at),
    order_url: orderUrl,
    items: mergeBags(views.filter(isLive).flatMap(({ items }) => items)),
    // The currency stands with the payment.
    pricing: sameFields(Pricing, terms.pricing),
    payment,
    shipments: views,
    estimated_delivery:
      standing.status === "CANCELED"
        ? null
        : { ...delivery, ...(lateness && { days_late: lateness.days }) },
    ...(cancelRequest && { cancel_request: cancelRequestView(cancelRequest, shipments) }),
    next: [
      step(
        "list_order_events",
        "Follow what happens: read events after the last sequence.",
        order.id,
      ),
      ...openSteps(standing, payment),
      ...cancelSteps(standing.cancelStep, order.id),
    ],
  };
}

/** An order as its agent reads it: each bean has its name and price once. */
export const orderAnswer = (order: NamedOrder): Order => ({
  ...order,
  shipments: order.shipments.map((shipment) => ({
    ...shipment,
    items: shipment.items.map(({ product_id, quantity }) => ({ product_id, quantity })),
  })),
});

/** Trouble that the merchant must hear of; without it the agent would take the order for done. */
function openSteps(standing: OrderStanding, { refunds }: Order["payment"]): NextStep[] {
  const { money, lateness } = standing;
  const open = [
    money.isNothingBack &&
      (refunds.length > 0
        ? "Nothing was refunded since it was canceled so far."
        : "Nothing was refunded of what was canceled so far."),
    standing.hasFailedDelivery && "The carrier could not deliver.",
    standing.hasReturn &&
      money.state !== "REFUNDED" &&
      `A shipment came back to the merchant.${standing.isReturnUndecided ? " It can be sent again, to another address too." : ""}`,
    money.owedMinor > 0 && owedText(money.owedMinor),
    lateness && `The order is ${days(lateness.days)} later than estimated${LATE[lateness.where]}.`,
  ].filter((one) => typeof one === "string");
  if (open.length > 0) open.push("Tell the merchant what the buyer wants, with order_id.");
  else if (standing.hasLeft) {
    open.push("Something does not arrive, or not as it should? Tell the merchant, with order_id.");
  }
  return open.length > 0 ? [step("send_feedback", open.join(" "))] : [];
}

const LATE = {
  AT_SHOP: " and has not left the merchant",
  PARTLY_AT_SHOP: ", and a part of it has not left the merchant",
  NOT_ARRIVED: ", and that it arrived is not known",
  PARTLY_ARRIVED: ", and that all of it arrived is not known",
};

const CANCEL_WHY = {
  request_cancellation: "Ask the merchant to cancel; the merchant decides.",
  withdraw_cancellation: "Take back the cancel request while the merchant has not decided it.",
};

const cancelSteps = (tool: OrderStanding["cancelStep"], orderId: string): NextStep[] =>
  tool === null ? [] : [step(tool, CANCEL_WHY[tool], orderId)];

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
    items: itemsOf(approved),
    gift_notes: approved.gift_notes,
    shipped_at: isoOrNull(row.shipped_at),
    delivered_at: isoOrNull(row.delivered_at),
  };
}

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
