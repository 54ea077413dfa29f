import { correctionLetter } from "../mail/outbox.ts";
import type { Address } from "../shared/address.ts";
import { audited } from "../shared/audit.ts";
import { lock, update, writeRule } from "../shared/command.ts";
import { illegalStep } from "../shared/errors.ts";
import { orderReads, type ShipmentAct, shipmentOf } from "./order-act.ts";
import { logOrder } from "./order-log.ts";
import { type Tracking, trackingColumns } from "./order-steps.ts";
import { isHere, trackingOf } from "./shipment.ts";

/** A slip in the carrier or the number of a shipment that has left (contract §5, §15). */
export const correctTracking = writeRule<ShipmentAct & { tracking: Tracking }>({
  reads: (c) => [...orderReads(c), lock("outbox", { order_id: c.orderId })],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    const before = trackingOf(shipment);
    if (before === null || shipment.status === "CANCELED") {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}: it has no tracking number to correct.`,
      );
    }
    const set = trackingColumns(c.tracking);
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
    return [
      update("shipments", { id: shipment.id }, set),
      ...logOrder(order, s.shipments, happened, c),
      ...correctionLetter(s.outbox, { order_id: order.id, shipment_id: shipment.id }, fresh),
      audited(c, "shipments.correct", shipment.id, {
        order_id: order.id,
        ...c.tracking,
        before: `${before.carrier} ${before.number}`,
      }),
    ];
  },
});

/**
 * Another address, until the shipment has left. The price stays, and so does what was approved, which
 * the quote's terms keep. Log and audit say that it was changed and never to what: they are for good.
 */
export const changeAddress = writeRule<ShipmentAct & { address: Address }>({
  reads: orderReads,
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    if (!isHere(shipment)) {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}: its address can be changed until it is shipped.`,
      );
    }
    const data = { shipment_id: shipment.id, status: shipment.status };
    const happened = [{ type: "shipment.address_changed" as const, data }];
    return [
      update("shipments", { id: shipment.id }, { address: JSON.stringify(c.address) }),
      ...logOrder(order, s.shipments, happened, c),
      audited(c, "shipments.address", shipment.id, { order_id: order.id }),
    ];
  },
});
