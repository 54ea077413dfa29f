import { LIMITS } from "../core/policy.ts";
import type { CancelRequestRow, OrderRow, ShipmentRow, ShipmentStatus } from "../core/records.ts";
import { ERASED } from "../core/records-sale.ts";
import type { PaymentRows } from "../payments/payment-answer.ts";
import type { OutAddress } from "../quotes/quote-answer.ts";
import type { Shipment } from "./order-answer.ts";

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

/** What an order's page says first: where the coffee is. Shipments that were canceled do not count. */
export type Headline = ReturnType<typeof headlineOf>;

export type OrderProgress = ReturnType<typeof orderProgress>;

interface ProgressInput {
  shipments: readonly { status: ShipmentStatus }[];
  order: Pick<OrderRow, "payment_status" | "amount_minor" | "refunded_minor">;
}

/** The truth about an order, from its shipments and its money together (contract §5). */
export function orderProgress({ shipments, order }: ProgressInput) {
  const live = shipments.map(({ status }) => status).filter((status) => status !== "CANCELED");
  return {
    headline: headlineOf(live),
    money: moneyState(order),
    /** Still to arrive, so that an arrival date makes sense. */
    underWay: shipments.some(isAwaited),
    /** Some shipments were canceled, others were not. */
    partlyCanceled: live.length > 0 && live.length < shipments.length,
  } as const;
}

function moneyState({ payment_status, amount_minor, refunded_minor }: ProgressInput["order"]) {
  if (payment_status === "DISPUTED") return "DISPUTED";
  if (payment_status === "REFUNDED" || (refunded_minor > 0 && refunded_minor >= amount_minor)) {
    return "REFUNDED";
  }
  return refunded_minor > 0 ? "PARTLY_REFUNDED" : "PAID";
}

const MOVING: readonly ShipmentStatus[] = ["SHIPPED", "IN_TRANSIT", "OUT_FOR_DELIVERY", "FAILED"];

/** What is wrong comes before what is well, and what is near before what is far. */
function headlineOf(live: readonly ShipmentStatus[]) {
  const all = (...of: ShipmentStatus[]) => live.every((status) => of.includes(status));
  const some = (...of: ShipmentStatus[]) => live.some((status) => of.includes(status));
  if (live.length === 0) return "CANCELED";
  // A delivery did not work, and is tried again or comes back.
  if (some("FAILED")) return "DELIVERY_FAILED";
  if (all("RETURNED")) return "RETURNED";
  if (some("RETURNED")) return "PARTLY_RETURNED";
  if (all("DELIVERED")) return "DELIVERED";
  if (some("OUT_FOR_DELIVERY")) return "OUT_FOR_DELIVERY";
  if (some("DELIVERED")) return "PARTLY_DELIVERED";
  if (all(...MOVING)) return "ON_ITS_WAY";
  if (some(...MOVING)) return "PARTLY_ON_ITS_WAY";
  return all("PENDING") ? "ORDERED" : "ROASTING";
}

/** One station of a shipment's way. A date is there where the moment is known. */
export interface ProgressStep {
  name: "ORDERED" | "ROASTING" | "SHIPPED" | "OUT_FOR_DELIVERY" | "DELIVERED";
  state: "done" | "now" | "ahead";
  /** Milliseconds since the epoch. */
  at: number | null;
}

interface StepInput extends Pick<ShipmentRow, "status" | "shipped_at" | "delivered_at"> {
  ordered_at: number;
  /** When the order went into the roaster, if it has. */
  roasted_at: number | null;
}

/** The way, with the statuses in which a shipment is at each station, and when it came there. */
const WAY: readonly {
  name: ProgressStep["name"];
  statuses: readonly ShipmentStatus[];
  at: (shipment: StepInput) => number | null;
}[] = [
  { name: "ORDERED", statuses: ["PENDING"], at: ({ ordered_at }) => ordered_at },
  { name: "ROASTING", statuses: ["ROASTING"], at: ({ roasted_at }) => roasted_at },
  { name: "SHIPPED", statuses: ["SHIPPED", "IN_TRANSIT"], at: ({ shipped_at }) => shipped_at },
  { name: "OUT_FOR_DELIVERY", statuses: ["OUT_FOR_DELIVERY"], at: () => null },
  { name: "DELIVERED", statuses: ["DELIVERED"], at: ({ delivered_at }) => delivered_at },
];

/** The way of one shipment; empty where it left the usual way: failed, returned, canceled. */
export function shipmentSteps(shipment: StepInput): ProgressStep[] {
  const now = WAY.findIndex(({ statuses }) => statuses.includes(shipment.status));
  if (now === -1) return [];
  const arrived = now === WAY.length - 1;
  return WAY.map(({ name, at }, i) => ({
    name,
    state: i < now || arrived ? "done" : i === now ? "now" : "ahead",
    at: i <= now ? at(shipment) : null,
  }));
}

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

export const trackingOf = (
  row: Pick<ShipmentRow, "carrier" | "tracking_number" | "tracking_url">,
): Shipment["tracking"] =>
  row.carrier === null || row.tracking_number === null
    ? null
    : { carrier: row.carrier, number: row.tracking_number, url: row.tracking_url };

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
