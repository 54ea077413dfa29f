import { changeAddress, correctTracking, undoStep } from "../domain/order/correct-shipment.ts";
import {
  type Doubt,
  type MoveShipment,
  moveShipment,
  type Tracking,
} from "../domain/order/order-steps.ts";
import type { Address } from "../domain/shared/address.ts";
import { unknownTo } from "../domain/shared/errors.ts";
import type { ShipmentRow, ShipmentStatus } from "../domain/shared/records.ts";
import type { Act, ActContext } from "./act-context.ts";
import { ADMIN_FIELDS, validated } from "./admin-fields.ts";
import type { Context } from "./context.ts";
import { termsOf } from "./orders.ts";

/** Shipments are sent, followed and, where something was a slip, set right (contract §15). */
export function adminShipments({ store }: Pick<Context, "store">, act: Act) {
  /** What every act on a shipment carries; then the order's id. */
  async function on(
    shipmentId: string,
    run: (
      base: ActContext & { orderId: string; shipmentId: string },
      shipment: ShipmentRow,
    ) => Promise<unknown>,
  ): Promise<string> {
    const shipment = await store.queries.shipment(shipmentId);
    if (!shipment) throw unknownTo("shipment");
    await run({ ...act(), orderId: shipment.order_id, shipmentId }, shipment);
    return shipment.order_id;
  }

  const move = (
    shipmentId: string,
    step: Pick<MoveShipment, "to" | "tracking" | "seen" | "known">,
  ) => on(shipmentId, (base) => store.run(moveShipment, { ...base, ...step }));

  return {
    /** `known`: the doubts about its order that the page showed. */
    ship: validated(
      ADMIN_FIELDS.ship,
      (shipmentId: string, tracking: Tracking, known?: readonly Doubt[]) =>
        move(shipmentId, { to: "SHIPPED", tracking, known }),
    ),
    /** `seen`: what it was when the merchant decided; a page may be old. */
    move: validated(
      ADMIN_FIELDS.moveShipment,
      (
        shipmentId: string,
        to: Exclude<MoveShipment["to"], "SHIPPED">,
        seen?: MoveShipment["seen"],
      ) => move(shipmentId, { to, tracking: null, seen }),
    ),
    /** Its newest step, within ten minutes; roasting is taken back for all that went in with it. */
    undo: validated(ADMIN_FIELDS.undoStep, (shipmentId: string, seen?: ShipmentStatus) =>
      on(shipmentId, (base) => store.run(undoStep, { ...base, seen })),
    ),
    /** Of these `seen` is the mark of what the page showed. */
    correct: validated(
      ADMIN_FIELDS.correctTracking,
      (shipmentId: string, tracking: Tracking, seen?: string) =>
        on(shipmentId, (base) => store.run(correctTracking, { ...base, tracking, seen })),
    ),
    changeAddress: validated(
      ADMIN_FIELDS.changeAddress,
      (shipmentId: string, address: Address, seen?: string) =>
        on(shipmentId, async (base, { position }) => {
          const order = await store.queries.order(base.orderId);
          const approved = (await termsOf(store, order!)).shipments[position]!;
          return store.run(changeAddress, { ...base, address, approved, seen });
        }),
    ),
  };
}
