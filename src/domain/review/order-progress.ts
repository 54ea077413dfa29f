import type { OrderRow, ShipmentRow, ShipmentStatus } from "../shared/records.ts";

/** What an order's page says first: where the coffee is. Shipments that were canceled do not count. */
export type Headline =
  | "ORDERED"
  | "ROASTING"
  | "PARTLY_ON_ITS_WAY"
  | "ON_ITS_WAY"
  | "OUT_FOR_DELIVERY"
  | "PARTLY_DELIVERED"
  | "DELIVERED"
  /** A delivery did not work, and is tried again or comes back. */
  | "DELIVERY_FAILED"
  | "PARTLY_RETURNED"
  | "RETURNED"
  | "CANCELED";

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
    underWay: live.some((status) => status !== "DELIVERED" && status !== "RETURNED"),
    /** Some shipments were canceled, others go on. */
    partlyCanceled: live.length > 0 && live.length < shipments.length,
  };
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
function headlineOf(live: readonly ShipmentStatus[]): Headline {
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

/** One station of a shipment's way. A date is there where the moment is known. */
export interface ProgressStep {
  name: "ORDERED" | "ROASTING" | "SHIPPED" | "OUT_FOR_DELIVERY" | "DELIVERED";
  state: "done" | "now" | "ahead";
  /** Milliseconds since the epoch. */
  at: number | null;
}

const WAY = ["ORDERED", "ROASTING", "SHIPPED", "OUT_FOR_DELIVERY", "DELIVERED"] as const;

/** How far along the way each status is. */
const REACHED: Partial<Record<ShipmentStatus, (typeof WAY)[number]>> = {
  PENDING: "ORDERED",
  ROASTING: "ROASTING",
  SHIPPED: "SHIPPED",
  IN_TRANSIT: "SHIPPED",
  OUT_FOR_DELIVERY: "OUT_FOR_DELIVERY",
  DELIVERED: "DELIVERED",
};

interface StepInput extends Pick<ShipmentRow, "status" | "shipped_at" | "delivered_at"> {
  ordered_at: number;
  /** When the order went into the roaster, if it has. */
  roasted_at: number | null;
}

/** The way of one shipment; empty where it left the usual way: failed, returned, canceled. */
export function shipmentSteps(shipment: StepInput): ProgressStep[] {
  const reached = REACHED[shipment.status];
  if (reached === undefined) return [];
  const now = WAY.indexOf(reached);
  const at = {
    ORDERED: shipment.ordered_at,
    SHIPPED: shipment.shipped_at,
    DELIVERED: shipment.delivered_at,
    ROASTING: shipment.roasted_at,
    OUT_FOR_DELIVERY: null,
  };
  const last = WAY.length - 1;
  return WAY.map((name, i) => ({
    name,
    state: i < now || now === last ? "done" : i === now ? "now" : "ahead",
    at: i <= now ? at[name] : null,
  }));
}
