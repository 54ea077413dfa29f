import type { Address } from "../core/address.ts";
import { audited } from "../core/audit.ts";
import { lock, update, writeRule } from "../core/command.ts";
import { shipmentTasks, tasksDecided } from "../core/desk-tasks.ts";
import { illegalStep } from "../core/errors.ts";
import type { ShipmentId } from "../core/ids.ts";
import type { LogEntry } from "../core/order-log.ts";
import { correctionLetter } from "../core/outbox.ts";
import { ERASED, type ShipmentRow, type ShipmentStatus } from "../core/records.ts";
import {
  eventsReached,
  logOrder,
  nextShipmentSteps,
  type OrderAct,
  orderOf,
  orderReads,
  refuseIfOrderChanged,
  SHIPMENT_STEPS,
  type ShipmentAct,
  type ShipmentStep,
  shipmentOf,
  updated,
} from "./order-steps.ts";
import { inOrder, isAtShop, orderStatus, trackingOf } from "./standing.ts";
import { type Label, refuseDoubtful, trackingColumns } from "./tracking.ts";
import { stepColumns } from "./undo.ts";

/** Roasts all pending shipments of the order together. */
export const roastOrder = writeRule<OrderAct>({
  reads: orderReads,
  writes(c, s) {
    const order = orderOf(s);
    const pending = inOrder(s.shipments).filter((row) => row.status === "PENDING");
    if (pending.length === 0) {
      throw illegalStep(`This order is ${order.status} and has no PENDING shipment to roast.`);
    }
    refuseIfOrderChanged(c, s);
    const status = "ROASTING" as const;
    const set = new Map(pending.map((row) => [row, stepColumns(row, { status }, c)]));
    const after = s.shipments.map((row) => ({ ...row, ...set.get(row) }));
    const data = { shipments: pending.map(({ id }) => ({ shipment_id: id, status })) };
    return [
      ...[...set].map(([{ id }, columns]) => update("shipments", { id }, columns)),
      ...logOrder(order, after, [{ type: "order.roasting", data }], c),
      audited(c, "orders.roast", order.id),
    ];
  },
});

interface MoveShipment extends ShipmentAct {
  to: ShipmentStep;
  /** With the step to SHIPPED. */
  label: Label | null;
}

/** Moves one shipment to its next step, and the order with it. */
export const moveShipment = writeRule<MoveShipment>({
  reads: (c) => [...orderReads(c), shipmentTasks(c.shipmentId)],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    refuseStep(shipment, c);
    if (shipment.status === "RETURNED" && order.buyer_email === ERASED) {
      throw illegalStep("Its buyer was erased: there is no address to send it to.");
    }
    refuseIfOrderChanged(c, s);
    if (c.label) refuseDoubtful(c.label, c.by);
    const set = stepColumns(shipment, changes(c), c);
    const moved = { ...shipment, ...set };
    const after = s.shipments.map((row) => (row === shipment ? moved : row));
    const happened = [
      { type: "shipment.updated" as const, data: updated(moved, shipment.status) },
      ...eventsReached(order.status, orderStatus(after)),
    ];
    return [
      update("shipments", { id: shipment.id }, set),
      ...logOrder(order, after, happened, c),
      ...tasksDecided(s, c),
      audited(c, `shipments.${SHIPMENT_STEPS[c.to].act}`, shipment.id, {
        order_id: order.id,
        ...c.label?.tracking,
      }),
    ];
  },
});

function refuseStep(shipment: ShipmentRow, { to }: MoveShipment): void {
  const { id, status } = shipment;
  const possible = nextShipmentSteps(status);
  if (possible.includes(to)) return;
  if (status === to)
    throw illegalStep(`Shipment ${id} is already ${status}${labelText(shipment)}.`);
  const instead =
    status === "PENDING"
      ? "its order must be roasted first"
      : possible.length > 0
        ? `from there it can become ${possible.join(", ")}`
        : "no step follows";
  throw illegalStep(`Shipment ${id} is ${status} and cannot become ${to}: ${instead}.`);
}

/** The shipment's label, for a merchant who typed another. */
function labelText(row: ShipmentRow): string {
  const tracking = row.status === "SHIPPED" && trackingOf(row);
  return tracking ? `, with ${tracking.carrier}, tracking number ${tracking.number}` : "";
}

function changes(c: MoveShipment): Partial<ShipmentRow> & Pick<ShipmentRow, "status"> {
  return {
    status: c.to,
    ...(c.to === "SHIPPED" && { shipped_at: c.now }),
    ...(c.to === "DELIVERED" && { delivered_at: c.now }),
    ...(c.label && trackingColumns(c.label.tracking)),
  };
}

/** Corrects the carrier or number of a shipment that has left (contract §5, §15). */
export const correctTracking = writeRule<ShipmentAct & { label: Label }>({
  reads: (c) => [...orderReads(c), lock("outbox", { order_id: c.orderId })],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    const before = trackingOf(shipment);
    if (before === null || shipment.status === "CANCELED") {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status} and has no tracking number to correct.`,
      );
    }
    refuseIfOrderChanged(c, s);
    const { tracking } = c.label;
    const set = trackingColumns(tracking);
    const after = trackingOf({ ...shipment, ...set });
    if (JSON.stringify(after) === JSON.stringify(before)) {
      throw illegalStep(`Shipment ${shipment.id} already has this carrier and number.`);
    }
    refuseDoubtful(c.label, c.by);
    const data = {
      shipment_id: shipment.id,
      status: shipment.status,
      tracking: after,
      previous_tracking: before,
    };
    const fresh = { id: c.eventIds[0]!, now: c.now };
    return [
      update("shipments", { id: shipment.id }, set),
      ...logOrder(order, s.shipments, [{ type: "shipment.tracking_corrected", data }], c),
      ...correctionLetter(s.outbox, { order_id: order.id, shipment_id: shipment.id }, fresh),
      audited(c, "shipments.correct", shipment.id, {
        order_id: order.id,
        ...tracking,
        before: `${before.carrier} ${before.number}`,
      }),
    ];
  },
});

/**
 * Changes the address of a shipment that has not left or has come back. The price and the approved terms
 * stay. Events and audit log never contain the address, because they are kept forever.
 */
export const changeAddress = writeRule<ShipmentAct & { address: Address }>({
  reads: orderReads,
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    if (!isAtShop(shipment)) {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}. Its address can be changed only before it ships.`,
      );
    }
    if (order.buyer_email === ERASED) throw illegalStep("Its buyer was erased, for good.");
    refuseIfOrderChanged(c, s);
    const data = { shipment_id: shipment.id, status: shipment.status };
    return [
      update("shipments", { id: shipment.id }, { address: JSON.stringify(c.address) }),
      ...logOrder(order, s.shipments, [{ type: "shipment.address_changed", data }], c),
      audited(c, "shipments.address", shipment.id, { order_id: order.id }),
    ];
  },
});

/** A step that was made and not undone. The log contains undone steps too, each followed by the entry that undoes it. */
interface StandingStep {
  eventId: string;
  from: ShipmentStatus;
  to: ShipmentStatus;
  /** Milliseconds since the epoch. */
  at: number;
  /** All shipments that were roasted together. */
  shipmentIds: readonly ShipmentId[];
}

/** Standing steps of a shipment from its order's log, oldest first. */
export function standingSteps(log: readonly LogEntry[], shipmentId: ShipmentId): StandingStep[] {
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

/** Shipments whose step an entry records; empty for other entries. */
function about({ type, data }: LogEntry): string[] {
  if (type === "shipment.updated" || type === "shipment.step_undone") {
    return [(JSON.parse(data) as { shipment_id: ShipmentId }).shipment_id];
  }
  if (type !== "order.roasting" && type !== "order.roasting_undone") return [];
  const { shipments } = JSON.parse(data) as { shipments: { shipment_id: ShipmentId }[] };
  return shipments.map(({ shipment_id }) => shipment_id);
}
