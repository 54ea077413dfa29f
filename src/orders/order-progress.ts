import type { OrderRow, ShipmentRow, ShipmentStatus } from "../core/records.ts";
import { isAwaited } from "./order.ts";

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
