import type { Act, ActContext } from "../core/act-context.ts";
import type { Address } from "../core/address.ts";
import type { Context } from "../core/context.ts";
import { unknownTo } from "../core/errors.ts";
import type { ShipmentRow, ShipmentStatus } from "../core/records.ts";
import { ADMIN_FIELDS, validated } from "../merchant/admin-fields.ts";
import { refunding } from "./admin-cancellations.ts";
import { changeAddress, correctTracking } from "./correct-shipment.ts";
import { paidByShipment, refundReturned } from "./merchant-refund.ts";
import { currentAddress } from "./order.ts";
import { type Doubt, type MoveShipment, moveShipment } from "./order-steps.ts";
import { agreedOf } from "./order-verbs.ts";
import type { Settlements } from "./settlements.ts";
import type { NumberUse, Tracking } from "./tracking.ts";
import { undoStep } from "./undo-step.ts";

/** Of those that have a number, more than go to one address at once. */
const MOST_TRACKED = 100;

/** Shipments are sent, followed and, where something was a slip, set right (contract §15). */
export function adminShipments({ store }: Pick<Context, "store">, settling: Settlements, act: Act) {
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

  async function addressed(shipment: ShipmentRow) {
    const order = (await store.queries.order(shipment.order_id))!;
    const { terms } = await agreedOf(store, order);
    const approved = terms.shipments[shipment.position]!;
    return { order, shipment, approved, address: currentAddress(shipment, approved) };
  }

  /**
   * Where others have the number, too. Read beforehand: of two scans of one label, the first is long done
   * when the second comes.
   */
  async function useOf({ number }: Tracking, shipment: ShipmentRow): Promise<NumberUse | null> {
    const rows = await store.queries.shipmentsTracked(number, MOST_TRACKED);
    const others = rows.filter(({ id }) => id !== shipment.id);
    if (others.length === 0) return null;
    const [own, ...having] = await Promise.all([shipment, ...others].map(addressed));
    return { number, own: own!, having };
  }

  return {
    /**
     * Also what came back, once more. `known`: the doubts about its order that the page showed; `seen`:
     * what it was there.
     */
    ship: validated(
      ADMIN_FIELDS.ship,
      (
        shipmentId: string,
        tracking: Tracking,
        known?: readonly Doubt[],
        seen?: MoveShipment["seen"],
      ) =>
        on(shipmentId, async (base, shipment) => {
          const use = await useOf(tracking, shipment);
          return store.run(moveShipment, { ...base, to: "SHIPPED", tracking, use, known, seen });
        }),
    ),
    /** What was paid for one that came back. */
    refund: validated(ADMIN_FIELDS.refundReturned, (shipmentId: string, seenMinor?: number) =>
      on(shipmentId, async (base) => {
        const order = (await store.queries.order(base.orderId))!;
        const { terms } = await agreedOf(store, order);
        const paid = paidByShipment(terms);
        const refund = { ...refunding(base, order, seenMinor), shipmentId, paid };
        await settling.makeRefund(await store.run(refundReturned, refund));
      }),
    ),
    /** `seen`: what it was when the merchant decided; a page may be old. */
    move: validated(
      ADMIN_FIELDS.moveShipment,
      (
        shipmentId: string,
        to: Exclude<MoveShipment["to"], "SHIPPED">,
        seen?: MoveShipment["seen"],
      ) =>
        on(shipmentId, (base) =>
          store.run(moveShipment, { ...base, to, tracking: null, use: null, seen }),
        ),
    ),
    /** Its newest step, within ten minutes; roasting is taken back for all that went in with it. */
    undo: validated(ADMIN_FIELDS.undoStep, (shipmentId: string, seen?: ShipmentStatus) =>
      on(shipmentId, (base) => store.run(undoStep, { ...base, seen })),
    ),
    /** Of these `seen` is the mark of what the page showed. */
    correct: validated(
      ADMIN_FIELDS.correctTracking,
      (shipmentId: string, tracking: Tracking, seen?: string) =>
        on(shipmentId, async (base, shipment) => {
          const use = await useOf(tracking, shipment);
          return store.run(correctTracking, { ...base, tracking, use, seen });
        }),
    ),
    changeAddress: validated(
      ADMIN_FIELDS.changeAddress,
      (shipmentId: string, address: Address, seen?: string) =>
        on(shipmentId, async (base, shipment) => {
          const { approved } = await addressed(shipment);
          return store.run(changeAddress, { ...base, address, approved, seen });
        }),
    ),
  };
}
