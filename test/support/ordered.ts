import { STOCKED } from "./catalog.ts";
import { intent, newAgent, type OrderSettings, openShop, paidOrder, type Shop } from "./shop.ts";
import type { ADDRESS } from "./shopper.ts";
import type { OpenStore } from "./stores.ts";

export const TWO_SHIPMENTS = [{ [STOCKED]: 1 }, { [STOCKED]: 2 }];
export const BY_POST = { carrier: "USPS", number: "9400 1000", url: "https://tools.usps.com/9400" };

export const eventsOf = async ({ store }: Shop, orderId: string) =>
  (await store.queries.events(orderId, 0, 100)).map((row) => ({
    sequence: row.sequence,
    type: row.type,
    order_status: row.order_status,
    data: JSON.parse(row.data),
  }));

export const typesOf = async (shop: Shop, orderId: string) =>
  (await eventsOf(shop, orderId)).map(({ type }) => type);

export const pageToken = async ({ admin }: Shop, orderId: string) =>
  (await admin.orders.show({ order_id: orderId })).order_url.split("/").at(-1)!;

/** The quote behind the order's page. */
export const pageOf = async (shop: Shop, orderId: string) =>
  shop.merchant.reviews.find(await pageToken(shop, orderId));

/** The newest cancellation on the order's page: by whom, and why. */
export const shownToBuyer = async (shop: Shop, orderId: string) =>
  (await shop.merchant.reviews.open(await pageToken(shop, orderId))).ordered?.canceled;

/** Opens a shop with one paid order and short forms of the acts on it. */
export async function orderedIn(open: OpenStore, wanted: Partial<OrderSettings> = {}) {
  const { store, other } = await open();
  const shop = await openShop(store);
  const agentId = await newAgent(shop);
  const orderId = await paidOrder(shop, { agentId, ...wanted });
  const [first, second] = (await shop.admin.orders.show({ order_id: orderId })).shipments;
  const found = { shop, other, agentId, orderId, first: first!.id, second: second?.id ?? "" };
  return { ...found, ...actsOn(found) };
}

type MoveTo = Parameters<Shop["admin"]["shipments"]["move"]>[0]["to"];

/** Acts on one order. Each returns the order after it. */
export function actsOn({
  shop,
  orderId,
  agentId,
  first,
}: {
  shop: Shop;
  orderId: string;
  agentId: string;
  first: string;
}) {
  const { admin, merchant } = shop;
  const { orders, shipments, cancellations } = admin;
  const order_id = orderId;
  const show = () => orders.show({ order_id });
  const shown = async (act: Promise<unknown>) => {
    await act;
    return show();
  };
  return {
    show,
    roast: () => shown(orders.roast({ order_id })),
    ship: (shipment_id = first, tracking = BY_POST) =>
      shown(shipments.ship({ shipment_id, tracking })),
    move: (to: MoveTo, shipment_id = first) => shown(shipments.move({ shipment_id, to })),
    correct: (shipment_id: string, tracking: typeof BY_POST) =>
      shown(shipments.correct({ shipment_id, tracking })),
    changeAddress: (
      shipment_id: string,
      address: Omit<typeof ADDRESS, "line1"> & { line1: string },
    ) => shown(shipments.changeAddress({ shipment_id, address })),
    undo: (shipment_id = first, seen?: number) =>
      shown(shipments.undo({ shipment_id, ...(seen !== undefined && { seen }) })),
    refund: (amount_minor: number | null = null, seen?: number) =>
      shown(
        orders.refund({ order_id, amount_minor, again: true, ...(seen !== undefined && { seen }) }),
      ),
    cancel: (more: { refund?: boolean; seen?: number } = {}) =>
      shown(orders.cancel({ order_id, reason: WHY, ...more })),
    cancelPart: (shipment_ids: string[], more: { refund?: boolean; seen?: number } = {}) =>
      shown(shipments.cancel({ shipment_ids, reason: WHY, ...more })),
    /** The agent's request, of the whole order by default. */
    ask: async (shipment_ids?: string[], key?: string) => {
      const wish = { ...WISH, ...(shipment_ids && { shipment_ids }) };
      return (await merchant.cancellations.request(orderId, wish, agentId, intent(key))).body;
    },
    withdraw: async (key?: string) =>
      (await merchant.cancellations.withdraw(orderId, agentId, intent(key))).body,
    accept: (request_id: string, more: { refund?: boolean; seen?: number } = {}) =>
      shown(cancellations.accept({ request_id, ...more })),
    decline: (request_id: string, more: { seen?: number } = {}) =>
      shown(cancellations.decline({ request_id, reason: WHY, ...more })),
    /** The order as its agent reads it. */
    read: () => merchant.orders.get(orderId, agentId),
  };
}

/** Reason of every cancellation and decline. */
export const WHY = "No such street.";
export const WISH = {
  reason_code: "CHANGED_MIND",
  message: "The buyer found a bag at home.",
} as const;
export const ILLEGAL = { code: "ILLEGAL_STEP" };
