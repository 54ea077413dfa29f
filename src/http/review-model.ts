import type { Catalog } from "../domain/catalog/catalog.ts";
import { quoteStatus, type ShortBean } from "../domain/quote/quote.ts";
import type { Terms } from "../domain/quote/quote-answer.ts";
import { addressKey } from "../domain/shared/address.ts";
import { DELIVERY_DAYS, estimatedDelivery, iso, SHIPPING } from "../domain/shared/policy.ts";
import type { CancelRequestRow, OrderRow, ShipmentRow } from "../domain/shared/records.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Review } from "../merchant/payments.ts";
import type {
  InvalidReason,
  PolicyView,
  ReviewState,
  ReviewView,
  ShipmentView,
} from "./pages/index.ts";
import { lineView, pricingView } from "./price-view.ts";

export const POLICY_VIEW: PolicyView = {
  shippingMinor: SHIPPING.per_address_minor,
  freeShippingAtMinor: SHIPPING.free_from_minor,
  deliveryDays: DELIVERY_DAYS,
};

interface Ordered {
  order: OrderRow;
  shipments: readonly ShipmentRow[];
  cancelRequest: CancelRequestRow | undefined;
}

const MINUTES_MS = 60_000;
/** A buyer who paid for the same bags this short a while ago has probably clicked twice. */
const JUST_NOW_MS = 30 * MINUTES_MS;

/** What the page of a review link shows: rows read, nothing changed, no provider asked (contract §5). */
export async function reviewModel(
  merchant: Merchant,
  found: Review,
  page: { url: string; returned: boolean; problem?: "PROVIDER_DOWN" | undefined },
): Promise<ReviewView> {
  const { queries } = merchant.context.store;
  const { quote, terms } = found;
  const order = await queries.orderOfQuote(quote.id);
  const ordered: Ordered | undefined = order && {
    order,
    shipments: await queries.shipmentsOfOrders([order.id]),
    cancelRequest: (await queries.openCancelRequests([order.id])).at(-1),
  };
  const recent = ordered ? undefined : await paidRecently(merchant, found);
  return {
    mode: merchant.context.provider.mode,
    policy: POLICY_VIEW,
    url: page.url,
    origin: quote.agent_id === null ? "QUICK_CHECKOUT" : "AGENT",
    buyerEmail: quote.buyer_email,
    quoteHash: quote.quote_hash,
    expiresAt: iso(quote.expires_at),
    destinations: destinations(found, ordered?.shipments ?? [], merchant.catalog),
    pricing: pricingView(terms.pricing, terms.discount_code),
    supportEmail: merchant.context.supportEmail,
    state: stateOf(merchant, found, ordered, {
      ...page,
      failed: await lastFailed(merchant, found),
    }),
    ...(recent && { paidRecently: recent }),
  };
}

function stateOf(
  merchant: Merchant,
  found: Review,
  ordered: Ordered | undefined,
  page: { returned: boolean; problem?: "PROVIDER_DOWN" | undefined; failed: boolean },
): ReviewState {
  if (ordered) return { kind: "paid", order: orderOf(ordered) };
  const now = merchant.context.clock();
  const status = quoteStatus(found.quote, found.state, now, found.revoked);
  switch (status) {
    case "PROCESSING":
      return { kind: "processing" };
    case "EXPIRED":
      return { kind: "expired" };
    case "INVALIDATED":
      return { kind: "invalidated", reason: reasonOf(found) };
    case "WAITLIST_OFFERED":
      return { kind: "waitlist", shortBeans: shortBeans(found, merchant.catalog) };
    case "PAID":
      return { kind: "confirming" };
  }
  if (page.problem === "PROVIDER_DOWN") return { kind: "provider_down" };
  if (page.returned && found.state.paying_until !== null) return { kind: "confirming" };
  return page.failed ? { kind: "payable", problem: BANK_SAID_NO } : { kind: "payable" };
}

const BANK_SAID_NO = "Your bank did not let the debit through.";

/** A bank debit that came to nothing days later: whoever opens the link again is to know why. */
async function lastFailed(merchant: Merchant, { quote }: Review): Promise<boolean> {
  const attempts = await merchant.context.store.queries.attemptsOfQuote(quote.id);
  return attempts.at(-1)?.outcome === "FAILED";
}

const REASONS = new Set(["OUT_OF_STOCK", "COURTESY_USED", "PAID_TOO_LATE", "WRONG_AMOUNT"]);

function reasonOf({ state, revoked }: Review): InvalidReason {
  if (state.reason !== null && REASONS.has(state.reason)) return state.reason as InvalidReason;
  return state.reason === null && revoked ? "KEY_REVOKED" : "OTHER";
}

const shortBeans = ({ state, terms }: Review, catalog: Catalog) =>
  (JSON.parse(state.short ?? "[]") as ShortBean[]).flatMap(({ product_id, requested }) => {
    const line = terms.shipments.flatMap((s) => s.items).find((i) => i.product_id === product_id);
    return line ? [{ name: lineView(catalog, line).name, wanted: requested }] : [];
  });

const orderOf = ({ order, cancelRequest }: Ordered) => ({
  orderId: order.id,
  status: order.status,
  paidAt: iso(order.paid_at),
  method: order.payment_method,
  paymentStatus: order.payment_status,
  estimatedDelivery: estimatedDelivery(order.created_at),
  ...(cancelRequest && { cancelRequest: cancelRequest.status }),
});

/** Parcels grouped by address, as shipping is charged (contract §2). */
function destinations(
  { quote, terms }: Review,
  rows: readonly ShipmentRow[],
  catalog: Catalog,
): ReviewView["destinations"] {
  const parcels = terms.shipments.map((shipment, position) => ({
    shipment,
    row: rows.find((row) => row.position === position),
  }));
  const groups = Map.groupBy(parcels, ({ shipment }) => addressKey(shipment.address));
  return [...groups.values()].map((group) => ({
    subtotalMinor: group.reduce((n, { shipment }) => n + shipment.subtotal_minor, 0),
    shippingMinor: group.reduce((n, { shipment }) => n + shipment.shipping_minor, 0),
    shipments: group.map(({ shipment, row }) => ({
      ...shipmentOf(shipment, row),
      // An agent's own name for a recipient; a buyer who typed the address needs none.
      ...(quote.agent_id !== null && { recipientRef: shipment.recipient_ref }),
      lines: shipment.items.map((item) => lineView(catalog, item)),
    })),
  }));
}

function shipmentOf(
  shipment: Terms["shipments"][number],
  row: ShipmentRow | undefined,
): Omit<ShipmentView, "lines"> {
  const { name, line1, line2, city, region, postal_code, country } = shipment.address;
  return {
    address: { name, line1, line2, city, region, postalCode: postal_code, country },
    giftNotes: shipment.gift_notes,
    ...(row && { progress: { status: row.status, tracking: trackingOf(row) } }),
  };
}

const trackingOf = ({ carrier, tracking_number, tracking_url }: ShipmentRow) =>
  carrier === null || tracking_number === null
    ? null
    : { carrier, number: tracking_number, url: tracking_url };

/** Two quotes of the same content are two approvals; but the page says so before the second one. */
async function paidRecently(merchant: Merchant, { quote, terms }: Review) {
  // Only of the same key: nobody learns here what a buyer has bought through others, or alone.
  if (quote.agent_id === null) return undefined;
  const { store, clock } = merchant.context;
  const recent = await store.queries.ordersOfBuyer(quote.buyer_email, clock() - JUST_NOW_MS);
  const orders = recent.filter((order) => order.agent_id === quote.agent_id);
  const quotes = await store.queries.quotesByIds(orders.map((order) => order.quote_id));
  const same = quotes.find(
    (other) => other.customer === quote.customer && parcelsOf(other.terms) === parcelsOf(terms),
  );
  const order = orders.find((o) => o.quote_id === same?.id);
  if (!order) return undefined;
  return { minutesAgo: Math.max(0, Math.floor((clock() - order.paid_at) / MINUTES_MS)) };
}

const parcelsOf = (terms: string | Terms): string => {
  const { shipments } = typeof terms === "string" ? (JSON.parse(terms) as Terms) : terms;
  return JSON.stringify(shipments.map((s) => [addressKey(s.address), s.items]));
};
