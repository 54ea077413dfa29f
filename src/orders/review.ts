import { addressKey } from "../core/address.ts";
import type { Short } from "../core/bags.ts";
import { sum } from "../core/money.ts";
import { cancellationsIn, type EventType, type LogEntry } from "../core/order-log.ts";
import type { Asker, ShipmentRow, ShipmentStatus } from "../core/records.ts";
import type { ReviewedQuote } from "../payments/checkout-request.ts";
import type { Payment } from "../payments/payment-answer.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import type { Standing } from "../quotes/standing.ts";
import { merchantWords } from "./cancel-order.ts";
import { currentAddress, type OrderParts } from "./standing.ts";

export interface ReviewedOrder extends OrderParts {
  /** What was paid, what went back of it and how each refund stands, and whether it is disputed. */
  payment: Payment;
  /** From its log: when it went into the roaster, and who canceled it. */
  roastedAt: number | null;
  /** The merchant's corrections, oldest first. */
  corrections: Correction[];
  /** What was canceled last, all or a part. `reason`: the merchant's own words, where there are some. */
  canceled: { byBuyer: boolean; reason: string | null } | null;
  /** Who withdrew the last cancel request. Earlier versions did not record it. */
  withdrawnBy: Asker | null;
}

/** Content of the page behind a review link. */
export interface Review extends ReviewedQuote {
  standing: Standing;
  /** The buyer is back from the payment page, or an order is being written: a matter of moments. */
  confirming: boolean;
  destinations: Destination[];
  ordered: ReviewedOrder | undefined;
  /** Beans of which too few are left, if the quote cannot be paid for that reason. */
  short: Short[];
  /** What the agent that made the quote calls itself; null for a buyer's own. */
  agentName: string | null;
  /** When it is expected; of what is not ordered yet, if it were paid now. */
  arrival: { earliest: string; latest: string };
  /** Days past the estimate, or 0. */
  daysLate: number;
  /** Failed refunds that the shop still owes for this quote, even without an order. */
  owedMinor: number;
}

/** Something about a shipment that is other than it was told before. */
export interface Correction {
  shipmentId: string;
  kind: "STEP_UNDONE" | "TRACKING_CORRECTED" | "ADDRESS_CHANGED";
  /** Status that an undone step had claimed. */
  was: ShipmentStatus | null;
  at: number;
}

const CORRECTIONS: Partial<Record<string, Correction["kind"]>> = {
  "shipment.step_undone": "STEP_UNDONE",
  "shipment.tracking_corrected": "TRACKING_CORRECTED",
  "shipment.address_changed": "ADDRESS_CHANGED",
} satisfies Partial<Record<EventType, Correction["kind"]>>;

function corrections(events: readonly LogEntry[]): Correction[] {
  return events.flatMap(({ type, data, occurred_at: at }) => {
    const kind = CORRECTIONS[type];
    if (!kind) return [];
    const { shipment_id: shipmentId, previous_status: was = null } = JSON.parse(data);
    return [{ shipmentId, kind, was, at }];
  });
}

/** When it went into the roaster, where that was not taken back. */
function roastedAt(events: readonly LogEntry[]): number | null {
  const last = events.findLast(({ type }) => type.startsWith("order.roasting"));
  return last?.type === "order.roasting" ? last.occurred_at : null;
}

export function fromLog(events: readonly LogEntry[]) {
  const of = (type: EventType) => events.filter((event) => event.type === type);
  const canceled = cancellationsIn(events);
  const { data } = canceled.at(-1) ?? {};
  const reason = data?.reason ?? data?.decision;
  const withdrawn = of("cancel_request.withdrawn").at(-1);
  const { withdrawn_by: withdrawnBy = null } = JSON.parse(withdrawn?.data ?? "{}") as {
    withdrawn_by?: Asker;
  };
  return {
    roastedAt: roastedAt(events),
    corrections: corrections(events),
    withdrawnBy,
    canceled: data
      ? {
          // A request that was accepted stands right before what it canceled, with the same reason.
          byBuyer: canceled.slice(-2).some(({ data: { decision } }) => decision === reason),
          reason: merchantWords(reason),
        }
      : null,
  };
}

export type Destination = ReturnType<typeof destinations>[number];

/** Shipments grouped by address, since shipping is charged once per address (contract §2). */
export function destinations(terms: Terms, rows: readonly ShipmentRow[]) {
  const shipments = terms.shipments.map((approved, position) => {
    const row = rows.find((row) => row.position === position);
    const shipment = row ? { ...approved, address: currentAddress(row, approved) } : approved;
    return { approved, shipment, row };
  });
  // Shipping was charged by the addresses that were approved, wherever a shipment goes by now.
  const groups = Map.groupBy(shipments, ({ approved }) => addressKey(approved.address));
  return [...groups.values()].map((group) => ({
    subtotalMinor: sum(group.map(({ shipment }) => shipment.subtotal_minor)),
    shippingMinor: sum(group.map(({ shipment }) => shipment.shipping_minor)),
    shipments: group,
  }));
}
