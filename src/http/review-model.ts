import { type Catalog, nameForPeople } from "../domain/catalog/catalog.ts";
import { trackingOf } from "../domain/order/shipment.ts";
import type { PaymentObstacle } from "../domain/payment/refusal.ts";
import type { ShortBean } from "../domain/quote/quote.ts";
import type { Terms } from "../domain/quote/quote-answer.ts";
import { orderProgress, shipmentSteps } from "../domain/review/order-progress.ts";
import type { ReviewedOrder } from "../domain/review/review.ts";
import { estimatedDelivery } from "../domain/shared/policy.ts";
import type { ShipmentRow } from "../domain/shared/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Review } from "../merchant/reviews.ts";
import { lineForPeople } from "./bean-pictures.ts";
import type { OrderView, ReviewPageState, ReviewView } from "./pages/review-view.ts";

/** A review as its page wants it. `notNow`: what the buyer met who has just pressed pay. */
export function reviewModel(
  { mode, supportEmail, catalog }: Merchant,
  review: Review,
  { url, notNow }: { url: string; notNow?: PaymentObstacle },
): ReviewView {
  const { quote, terms, agentName, arrival, minutesSinceSamePaid } = review;
  return {
    ...{ mode, supportEmail, url, quote, agentName, arrival, minutesSinceSamePaid },
    destinations: destinationViews(review, catalog),
    pricing: { ...terms.pricing, discount_code: terms.discount_code },
    state: stateView(review, catalog, notNow),
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
      return { kind: "held", what: why.what, until: why.until, fullPriceMinor };
    }
  }
}

const shortBeans = (short: readonly ShortBean[], terms: Terms, catalog: Catalog) =>
  short.flatMap(({ product_id, requested }) => {
    const line = terms.shipments.flatMap((s) => s.items).find((i) => i.product_id === product_id);
    return line ? [{ name: nameForPeople(catalog, line), wanted: requested }] : [];
  });

const orderView = (ordered: ReviewedOrder): OrderView => ({
  ...ordered,
  ...orderProgress(ordered),
  estimatedDelivery: estimatedDelivery(ordered.order.created_at),
});

const destinationViews = (
  { quote, destinations, ordered }: Review,
  catalog: Catalog,
): ReviewView["destinations"] =>
  destinations.map(({ shipments, ...sums }) => ({
    ...sums,
    shipments: shipments.map(({ shipment, row }) => ({
      ...shipment,
      // An agent's own name for a recipient; a buyer who typed the address needs none.
      recipient_ref: quote.agent_id === null ? undefined : shipment.recipient_ref,
      items: shipment.items.map((item) => lineForPeople(catalog, item)),
      progress: row && ordered && progressOf(row, ordered),
    })),
  }));

const progressOf = (row: ShipmentRow, { order, roastedAt, corrections }: ReviewedOrder) => ({
  status: row.status,
  tracking: trackingOf(row),
  corrections: corrections.filter(({ shipmentId }) => shipmentId === row.id),
  steps: shipmentSteps({ ...row, ordered_at: order.created_at, roasted_at: roastedAt }),
});
