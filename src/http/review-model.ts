import type { Catalog } from "../domain/catalog/catalog.ts";
import { trackingOf } from "../domain/order/shipment.ts";
import type { PaymentObstacle } from "../domain/payment/refusal.ts";
import type { ShortBean } from "../domain/quote/quote.ts";
import type { Terms } from "../domain/quote/quote-answer.ts";
import { orderProgress, shipmentSteps } from "../domain/review/order-progress.ts";
import type { ReviewedOrder } from "../domain/review/review.ts";
import { DELIVERY_DAYS, estimatedDelivery, iso, SHIPPING } from "../domain/shared/policy.ts";
import type { ShipmentRow } from "../domain/shared/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Review } from "../merchant/reviews.ts";
import type { PolicyView, ReviewPageState, ReviewView, ShipmentView } from "./pages/index.ts";
import { lineView, pricingView } from "./price-view.ts";

export const POLICY_VIEW: PolicyView = {
  shippingMinor: SHIPPING.per_address_minor,
  freeShippingAtMinor: SHIPPING.free_from_minor,
  deliveryDays: DELIVERY_DAYS,
};

/** A review as its page wants it. `notNow`: what the buyer met who has just pressed pay. */
export function reviewModel(
  { mode, supportEmail, catalog }: Merchant,
  review: Review,
  page: { url: string; notNow?: PaymentObstacle },
): ReviewView {
  const { quote, terms, minutesSinceSamePaid } = review;
  return {
    mode,
    policy: POLICY_VIEW,
    url: page.url,
    origin: quote.agent_id === null ? "QUICK_CHECKOUT" : "AGENT",
    buyerEmail: quote.buyer_email,
    agentName: review.agentName,
    arrival: review.arrival,
    quoteHash: quote.quote_hash,
    expiresAt: iso(quote.expires_at),
    destinations: destinationViews(review, catalog),
    pricing: pricingView(terms.pricing, terms.discount_code),
    supportEmail,
    state: stateView(review, catalog, page.notNow),
    ...(minutesSinceSamePaid !== null && { paidRecently: { minutesAgo: minutesSinceSamePaid } }),
  };
}

function stateView(
  { status, ordered, terms }: Review,
  catalog: Catalog,
  notNow: PaymentObstacle | undefined,
): ReviewPageState {
  if (ordered) return { kind: "paid", order: orderView(ordered) };
  switch (status.kind) {
    case "payable":
      return notNow ? obstacleView(notNow, terms, catalog) : status;
    case "waitlist":
      return { kind: "waitlist", shortBeans: shortBeans(status.short, terms, catalog) };
    case "paid":
      return { kind: "confirming" };
    default:
      return status;
  }
}

function obstacleView(why: PaymentObstacle, { pricing }: Terms, catalog: Catalog): ReviewPageState {
  switch (why.kind) {
    case "unavailable":
      return { kind: "provider_down" };
    case "too_many": {
      const name = catalog.known(why.product_id)?.name_to_use_with_humans ?? why.product_id;
      return { kind: "too_many", name, most: why.most };
    }
    case "taken": {
      const fullPriceMinor =
        why.what === "COURTESY" ? pricing.subtotal_minor + pricing.shipping_minor : null;
      return { kind: "held", what: why.what, until: iso(why.until), fullPriceMinor };
    }
  }
}

const shortBeans = (short: readonly ShortBean[], terms: Terms, catalog: Catalog) =>
  short.flatMap(({ product_id, requested }) => {
    const line = terms.shipments.flatMap((s) => s.items).find((i) => i.product_id === product_id);
    return line ? [{ name: lineView(catalog, line).name, wanted: requested }] : [];
  });

const orderView = ({ order, shipments, cancelRequest, payment, canceled }: ReviewedOrder) => ({
  orderId: order.id,
  number: order.number,
  payment,
  ...orderProgress({ order, shipments }),
  estimatedDelivery: estimatedDelivery(order.created_at),
  ...(canceled && { canceled }),
  ...(cancelRequest && {
    cancelRequest: { status: cancelRequest.status, decision: cancelRequest.decision },
  }),
});

const destinationViews = (
  { quote, destinations, ordered }: Review,
  catalog: Catalog,
): ReviewView["destinations"] =>
  destinations.map(({ shipments, ...sums }) => ({
    ...sums,
    shipments: shipments.map(({ shipment, row }) => ({
      ...shipmentView(shipment, row, ordered),
      // An agent's own name for a recipient; a buyer who typed the address needs none.
      ...(quote.agent_id !== null && { recipientRef: shipment.recipient_ref }),
      lines: shipment.items.map((item) => lineView(catalog, item)),
    })),
  }));

function shipmentView(
  shipment: Terms["shipments"][number],
  row: ShipmentRow | undefined,
  ordered: ReviewedOrder | undefined,
): Omit<ShipmentView, "lines"> {
  const { name, line1, line2, city, region, postal_code, country } = shipment.address;
  return {
    address: { name, line1, line2, city, region, postalCode: postal_code, country },
    giftNotes: shipment.gift_notes,
    ...(row && ordered && { progress: progressOf(row, ordered) }),
  };
}

const progressOf = (row: ShipmentRow, { order, roastedAt, corrections }: ReviewedOrder) => ({
  status: row.status,
  tracking: trackingOf(row),
  corrections: corrections
    .filter(({ shipmentId }) => shipmentId === row.id)
    .map(({ kind, was, at }) => ({ kind, was, at: iso(at) })),
  steps: shipmentSteps({ ...row, ordered_at: order.created_at, roasted_at: roastedAt }).map(
    ({ at, ...step }) => ({ ...step, at: at === null ? null : iso(at) }),
  ),
});
