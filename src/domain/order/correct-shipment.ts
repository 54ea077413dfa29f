import { correctionLetter } from "../mail/outbox.ts";
import type { Address } from "../shared/address.ts";
import { type AuditAuthor, audited } from "../shared/audit.ts";
import { lock, type Rule, type State, update } from "../shared/command.ts";
import type { OrderRow, ShipmentRow } from "../shared/records.ts";
import { illegalStep, logOrder, unknownTo } from "./order-log.ts";
import type { Tracking } from "./order-steps.ts";
import { trackingOf } from "./shipment.ts";

interface ShipmentChange {
  now: number;
  orderId: string;
  shipmentId: string;
  eventIds: readonly string[];
  by: AuditAuthor;
}

export interface CorrectTracking extends ShipmentChange {
  tracking: Tracking;
}

/** A slip in the carrier or the number of a shipment that has left (contract §5, §15). */
export const correctTracking: Rule<CorrectTracking, null> = {
  reads: (c) => [
    lock("orders", { id: c.orderId }),
    lock("shipments", { order_id: c.orderId }),
    lock("outbox", { order_id: c.orderId }),
  ],
  decide(c, s) {
    const { order, shipment } = found(c, s);
    const before = trackingOf(shipment);
    if (before === null || shipment.status === "CANCELED") {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}: it has no tracking number to correct.`,
      );
    }
    const set = {
      carrier: c.tracking.carrier,
      tracking_number: c.tracking.number,
      tracking_url: c.tracking.url ?? null,
    };
    const after = trackingOf({ ...shipment, ...set });
    if (JSON.stringify(after) === JSON.stringify(before)) {
      throw illegalStep(`Shipment ${shipment.id} has exactly this carrier and number already.`);
    }
    const data = {
      shipment_id: shipment.id,
      status: shipment.status,
      tracking: after,
      previous_tracking: before,
    };
    const happened = [{ type: "shipment.tracking_corrected" as const, data }];
    const fresh = { id: c.eventIds[0]!, now: c.now };
    return {
      reply: null,
      writes: [
        update("shipments", { id: shipment.id }, set),
        ...logOrder(order, s.shipments, happened, c),
        ...correctionLetter(s.outbox, { order_id: order.id, shipment_id: shipment.id }, fresh),
        audited(c.by, "shipments.correct", shipment.id, c.now, {
          order_id: order.id,
          ...c.tracking,
          before: `${before.carrier} ${before.number}`,
        }),
      ],
    };
  },
};

export interface ChangeAddress extends ShipmentChange {
  address: Address;
}

/**
 * Another address, until the shipment has left. The price stays, and so does what was approved, which
 * the quote's terms keep. Log and audit say that it was changed and never to what: they are for good.
 */
export const changeAddress: Rule<ChangeAddress, null> = {
  reads: (c) => [lock("orders", { id: c.orderId }), lock("shipments", { order_id: c.orderId })],
  decide(c, s) {
    const { order, shipment } = found(c, s);
    if (shipment.status !== "PENDING" && shipment.status !== "ROASTING") {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}: its address can be changed until it is shipped.`,
      );
    }
    const data = { shipment_id: shipment.id, status: shipment.status };
    const happened = [{ type: "shipment.address_changed" as const, data }];
    return {
      reply: null,
      writes: [
        update("shipments", { id: shipment.id }, { address: JSON.stringify(c.address) }),
        ...logOrder(order, s.shipments, happened, c),
        audited(c.by, "shipments.address", shipment.id, c.now, { order_id: order.id }),
      ],
    };
  },
};

function found(
  c: ShipmentChange,
  s: Pick<State, "orders" | "shipments">,
): { order: OrderRow; shipment: ShipmentRow } {
  const order = s.orders[0];
  const shipment = s.shipments.find((row) => row.id === c.shipmentId);
  if (!order || !shipment) throw unknownTo("shipment");
  return { order, shipment };
}
