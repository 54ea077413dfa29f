import { STOCKED } from "./catalog.ts";
import { type OrderSettings, paidOrder } from "./paid-order.ts";
import { newAgent, openShop, type Shop } from "./shop.ts";
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

/** Opens a shop with one paid order. */
export async function orderedIn(open: OpenStore, wanted: Partial<OrderSettings> = {}) {
  const { store, other } = await open();
  const shop = await openShop(store);
  const agentId = await newAgent(shop);
  const orderId = await paidOrder(shop, { agentId, ...wanted });
  const [first, second] = (await shop.admin.orders.show({ order_id: orderId })).shipments;
  return { shop, other, agentId, orderId, first: first!.id, second: second?.id ?? "" };
}
