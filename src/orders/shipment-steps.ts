import { inSequence, type LogEntry } from "../core/order-log.ts";
import type { EventRow, ShipmentRow, ShipmentStatus } from "../core/records.ts";
import type { Shipment } from "./order-answer.ts";
import { trackingColumns } from "./tracking.ts";

/**
 * A step that stands: made, and not taken back. One that was a slip is taken back for ten minutes
 * (contract §5, §15). The log tells which one: it only grows, so a step that was taken back stands in it
 * with the entry that says so.
 */
export interface StandingStep {
  eventId: string;
  from: ShipmentStatus;
  to: ShipmentStatus;
  /** Milliseconds since the epoch. */
  at: number;
  /** Roasting takes all that was put into the roaster at once. */
  shipmentIds: readonly string[];
}

/** The standing steps of a shipment, out of its order's log, oldest first. */
export function standingSteps(log: readonly LogEntry[], shipmentId: string): StandingStep[] {
  const standing: StandingStep[] = [];
  for (const entry of log) {
    const shipmentIds = about(entry);
    if (!shipmentIds.includes(shipmentId)) continue;
    if (entry.type === "order.roasting_undone" || entry.type === "shipment.step_undone") {
      standing.pop();
      continue;
    }
    const { status = "ROASTING", previous_status = "PENDING" } = JSON.parse(entry.data) as Partial<
      Record<"status" | "previous_status", ShipmentStatus>
    >;
    const { id: eventId, occurred_at: at } = entry;
    standing.push({ eventId, from: previous_status, to: status, at, shipmentIds });
  }
  return standing;
}

/** The shipments whose step an entry tells; none where it tells something else. */
function about({ type, data }: LogEntry): string[] {
  if (type === "shipment.updated" || type === "shipment.step_undone") {
    return [(JSON.parse(data) as { shipment_id: string }).shipment_id];
  }
  if (type !== "order.roasting" && type !== "order.roasting_undone") return [];
  const { shipments } = JSON.parse(data) as { shipments: { shipment_id: string }[] };
  return shipments.map(({ shipment_id }) => shipment_id);
}

/** When and with what label a shipment had left before this step. */
export function leftBefore(
  { eventId }: StandingStep,
  log: readonly LogEntry[],
  shipmentId: string,
): Partial<ShipmentRow> {
  const earlier = log.slice(
    0,
    log.findIndex(({ id }) => id === eventId),
  );
  const labels = earlier.flatMap(({ data }) => {
    const told = JSON.parse(data) as { shipment_id?: string; tracking?: Shipment["tracking"] };
    return told.shipment_id === shipmentId && told.tracking ? [told.tracking] : [];
  });
  const label = labels.at(-1);
  const left = standingSteps(earlier, shipmentId).findLast(({ to }) => to === "SHIPPED");
  return {
    shipped_at: left?.at ?? null,
    ...(label && trackingColumns({ ...label, url: label.url ?? undefined })),
  };
}

/** Tracking keys of labels with which a shipment came back before it was sent again. */
export function labelsBack(events: readonly EventRow[], shipmentId: string): string[] {
  const log = inSequence(events);
  return standingSteps(log, shipmentId)
    .filter(({ from }) => from === "RETURNED")
    .flatMap((again) => leftBefore(again, log, shipmentId).tracking_key ?? []);
}
