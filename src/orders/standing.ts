import { LIMITS } from "../core/policy.ts";
import {
  type CancelRequestRow,
  ERASED,
  type OrderRow,
  type ShipmentRow,
  type ShipmentStatus,
} from "../core/records.ts";
import { nothingBack, type Payment, type PaymentRows } from "../payments/payment-answer.ts";
import type { OutAddress } from "../quotes/quote-answer.ts";
import type { Shipment } from "./order-answer.ts";
import { trackingPage } from "./tracking.ts";

/** An order with its own rows. */
export interface OrderParts extends PaymentRows {
  shipments: readonly ShipmentRow[];
  /** Oldest first; the newest counts. */
  cancelRequests: readonly CancelRequestRow[];
  /** Time of the last cancellation, or 0. */
  canceledAt: number;
  /** A shipment came back, and the merchant has not decided what to do. */
  isToDecide: boolean;
}

/** Rows that decide an order's standing. */
interface StandingRows extends Pick<OrderParts, "canceledAt" | "isToDecide" | "owedMinor"> {
  shipments: readonly Pick<ShipmentRow, "status">[];
  cancelRequests: readonly Pick<CancelRequestRow, "status">[];
  payment: Pick<Payment, "status" | "amount_minor" | "refunded_minor" | "refunds" | "dispute">;
}

export type OrderStanding = ReturnType<typeof orderStanding>;

/** One word for the place of the coffee. Canceled shipments count only if all are canceled. */
export type OrderReason = ReturnType<typeof reasonOf>;

/**
 * Status, reason, lateness and money of an order (contract §5). Every text about an order is built from
 * this. `daysPast`: days past the estimate by the shop's calendar, below 1 if it is not late.
 */
export function orderStanding(rows: StandingRows, daysPast: number) {
  const { shipments, payment } = rows;
  const live = shipments.filter(({ status }) => status !== "CANCELED");
  const hasAny = (wanted: ShipmentStatus) => live.some(({ status }) => status === wanted);
  const isCanceled = live.length < shipments.length;
  return {
    status: orderStatus(shipments),
    reason: reasonOf(live.map(({ status }) => status)),
    /** Null if it is not late. */
    lateness: latenessOf(live, payment, daysPast),
    /** A shipment is still to arrive. */
    isUnderWay: live.some(isAwaited),
    hasLeft: live.some(hasLeft),
    hasFailedDelivery: hasAny("FAILED"),
    hasReturn: hasAny("RETURNED"),
    isReturnUndecided: hasAny("RETURNED") && rows.isToDecide,
    canceled: !isCanceled ? "NONE" : live.length > 0 ? "PARTLY" : "ALL",
    money: {
      state: moneyState(payment),
      paidMinor: payment.amount_minor,
      refundedMinor: payment.refunded_minor,
      /** Failed refunds that the shop still owes. */
      owedMinor: rows.owedMinor,
      dispute: payment.dispute?.status ?? null,
      /** Something was canceled, and no money went back since. */
      isNothingBack: isCanceled && nothingBack(payment, rows.canceledAt),
    },
    cancelStep: cancelStep(rows),
  } as const;
}

function moneyState({ status, amount_minor, refunded_minor }: StandingRows["payment"]) {
  if (status === "DISPUTED") return "DISPUTED";
  if (status === "REFUNDED" || (refunded_minor > 0 && refunded_minor >= amount_minor)) {
    return "REFUNDED";
  }
  return refunded_minor > 0 ? "PARTLY_REFUNDED" : "PAID";
}

/** How late an order is, and where the late part is. Nothing refunded or arrived is late. */
function latenessOf(
  live: StandingRows["shipments"],
  { status }: StandingRows["payment"],
  days: number,
) {
  if (status === "REFUNDED" || days < 1 || !live.some(isAwaited)) return null;
  const where = live.every(isHere)
    ? "AT_SHOP"
    : live.some(isHere)
      ? "PARTLY_AT_SHOP"
      : live.every(isAwaited)
        ? "NOT_ARRIVED"
        : "PARTLY_ARRIVED";
  // Once all has left, the carrier knows more, and people are not told that it is late.
  return { days, where, isAtShop: live.some(isHere) } as const;
}

const MOVING: readonly ShipmentStatus[] = ["SHIPPED", "IN_TRANSIT", "OUT_FOR_DELIVERY", "FAILED"];

/** With the carrier. */
export const isMoving = ({ status }: Pick<ShipmentRow, "status">): boolean =>
  MOVING.includes(status);

/** Trouble comes before good news, and near before far. */
function reasonOf(live: readonly ShipmentStatus[]) {
  const all = (...of: ShipmentStatus[]) => live.every((status) => of.includes(status));
  const some = (...of: ShipmentStatus[]) => live.some((status) => of.includes(status));
  if (live.length === 0) return "CANCELED";
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

/** One step of a shipment. */
interface ProgressStep {
  name: (typeof STEPS)[number][0];
  state: "done" | "now" | "ahead";
}

/** The four steps, each with its statuses. */
const STEPS = [
  ["PAID", ["PENDING"]],
  ["ROASTING", ["ROASTING"]],
  ["SHIPPED", ["SHIPPED", "IN_TRANSIT", "OUT_FOR_DELIVERY"]],
  ["DELIVERED", ["DELIVERED"]],
] as const satisfies [string, ShipmentStatus[]][];

/** Steps of a shipment; empty if it failed, came back or was canceled. */
export function shipmentSteps(status: ShipmentStatus): ProgressStep[] {
  const now = STEPS.findIndex(([, statuses]) => statuses.some((one) => one === status));
  if (now === -1) return [];
  const arrived = now === STEPS.length - 1;
  return STEPS.map(([name], i) => ({
    name,
    state: i < now || arrived ? "done" : i === now ? "now" : "ahead",
  }));
}

/** Status of an order, from the statuses of its shipments (contract §5). */
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

/** Sorted by position, because a database returns rows in any order. */
export const inOrder = (rows: readonly ShipmentRow[]): ShipmentRow[] =>
  rows.toSorted((a, b) => a.position - b.position);

/** Not handed to the carrier yet: it can be canceled, and its address changed. */
export const isHere = ({ status }: Pick<ShipmentRow, "status">): boolean =>
  status === "PENDING" || status === "ROASTING";

/** Handed to the carrier at some time: it cannot be canceled any more. */
export const hasLeft = (row: Pick<ShipmentRow, "status">): boolean =>
  !isHere(row) && row.status !== "CANCELED";

/** Still to arrive. */
const isAwaited = ({ status }: Pick<ShipmentRow, "status">): boolean =>
  status !== "DELIVERED" && status !== "RETURNED" && status !== "CANCELED";

/** At the shop: not shipped yet, or returned. */
export const isAtShop = (row: Pick<ShipmentRow, "status">): boolean =>
  isHere(row) || row.status === "RETURNED";

/** Whether it can be shipped: it is at the shop, and its buyer was not erased. */
export const isSendable = (
  row: Pick<ShipmentRow, "status">,
  { buyer_email }: Pick<OrderRow, "buyer_email">,
): boolean => isAtShop(row) && buyer_email !== ERASED;

/** Address of a shipment: the approved one, or the merchant's later change. */
export const currentAddress = (
  row: Pick<ShipmentRow, "address">,
  approved: { address: OutAddress },
): OutAddress => (row.address === null ? approved.address : JSON.parse(row.address));

export const trackingOf = (
  row: Pick<ShipmentRow, "carrier" | "tracking_number" | "tracking_url">,
): Shipment["tracking"] =>
  row.carrier === null || row.tracking_number === null
    ? null
    : {
        carrier: row.carrier,
        number: row.tracking_number,
        url: row.tracking_url ?? trackingPage(row.carrier, row.tracking_number),
      };

/** Cancel step of agent and buyer: request one before shipments leave, or withdraw an open one. */
export function cancelStep({
  shipments,
  cancelRequests,
}: Pick<StandingRows, "shipments" | "cancelRequests">) {
  if (cancelRequests.at(-1)?.status === "REQUESTED") return "withdraw_cancellation";
  const mayAsk = cancelRequests.length < LIMITS.cancel_requests_per_order;
  return mayAsk && shipments.some(isHere) ? "request_cancellation" : null;
}
