import type { Address } from "../core/address.ts";
import { audited } from "../core/audit.ts";
import { lock, update, writeRule } from "../core/command.ts";
import { illegalStep } from "../core/errors.ts";
import { correctionLetter } from "../core/outbox.ts";
import { ERASED } from "../core/records.ts";
import {
  logOrder,
  orderReads,
  refuseIfOrderChanged,
  type ShipmentAct,
  shipmentOf,
} from "./order-steps.ts";
import { labelsBack } from "./shipment-steps.ts";
import { isAtShop, trackingOf } from "./standing.ts";
import {
  type NumberUse,
  refuseOldLabel,
  refuseTaken,
  type Tracking,
  trackingColumns,
} from "./tracking.ts";

export interface CorrectTracking extends ShipmentAct {
  tracking: Tracking;
  use: NumberUse | null;
}

/** A slip in the carrier or the number of a shipment that has left (contract §5, §15). */
export const correctTracking = writeRule<CorrectTracking>({
  reads: (c) => [
    ...orderReads(c),
    lock("outbox", { order_id: c.orderId }),
    lock("events", { order_id: c.orderId }),
  ],
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    const before = trackingOf(shipment);
    if (before === null || shipment.status === "CANCELED") {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}: it has no tracking number to correct.`,
      );
    }
    refuseIfOrderChanged(c, s);
    const set = trackingColumns(c.tracking);
    const after = trackingOf({ ...shipment, ...set });
    if (JSON.stringify(after) === JSON.stringify(before)) {
      throw illegalStep(`Shipment ${shipment.id} has exactly this carrier and number already.`);
    }
    refuseOldLabel(c.tracking, labelsBack(s.events, shipment.id));
    refuseTaken(c.use, c.now);
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
        ...c.tracking,
        before: `${before.carrier} ${before.number}`,
      }),
    ];
  },
});

export interface ChangeAddress extends ShipmentAct {
  address: Address;
}

/**
 * Another address, until the shipment has left, or before it is sent again. The price stays, and so does
 * what was approved, which the quote's terms keep. Log and audit say that it was changed
 * and never to what: they are for good.
 */
export const changeAddress = writeRule<ChangeAddress>({
  reads: orderReads,
  writes(c, s) {
    const { order, shipment } = shipmentOf(c, s);
    if (!isAtShop(shipment)) {
      throw illegalStep(
        `Shipment ${shipment.id} is ${shipment.status}: its address can be changed until it is shipped.`,
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
