import type { Context } from "../payments/provider.ts";
import { isQueued } from "../waitlist/waitlist.ts";
import { ENDED } from "./erase.ts";

/**
 * Finds customers to erase by CUSTOMER_DATA_YEARS (contract §15). Returns false for anybody with a newer
 * quote or order, a place in a queue, or money under way.
 */
export function oldCustomers({ store: { queries } }: Context) {
  return async (customer: string, before: number): Promise<boolean> => {
    // Most are regulars, whose orders may be many.
    const last = await queries.lastQuotedAt(customer);
    if (last === undefined || last > before) return false;
    const ids = await queries.ordersOfCustomer(customer);
    const [orders, refunds, disputes, places] = await Promise.all([
      queries.ordersByIds(ids),
      queries.refundsOfOrders(ids),
      queries.disputesOfOrders(ids),
      queries.waitlistOfCustomer(customer),
    ]);
    return !(
      orders.some(({ status, created_at }) => !ENDED.has(status) || created_at > before) ||
      refunds.some(({ status }) => status === "PENDING") ||
      disputes.some(({ status }) => status === "OPEN") ||
      places.some(isQueued)
    );
  };
}
