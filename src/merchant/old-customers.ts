import { actsOf } from "../core/admin-verb.ts";
import type { Rule } from "../core/command.ts";
import { MerchantError } from "../core/errors.ts";
import { ERASED } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { isQueued } from "../waitlist/waitlist.ts";
import { type ErasePerson, erasePerson } from "./erase.ts";
import { pseudonymOf, rowsOfCustomer } from "./privacy.ts";

/** Two instances may find the same customer. */
const eraseOnce: Rule<ErasePerson, boolean> = {
  reads: erasePerson.reads,
  decide(c, s) {
    if (s.quotes.every(({ customer }) => customer === ERASED)) return { reply: false, writes: [] };
    return { reply: true, writes: erasePerson.decide(c, s).writes };
  },
};

/**
 * Erases a customer's orders by CUSTOMER_DATA_YEARS (contract §15), as the merchant would by hand. Bulk
 * requests end by themselves, and a key is no part of an order. Returns false for anybody with a newer
 * quote or order, a place in a queue, or money under way.
 */
export function oldCustomers(context: Context) {
  const { store, secret } = context;
  const { queries } = store;
  const act = actsOf(context, "service");

  return async (customer: string, before: number): Promise<boolean> => {
    // Most are regulars, whose orders may be many.
    const last = await queries.lastQuotedAt(customer);
    if (last === undefined || last > before) return false;
    const { quotes, orders: ids } = await rowsOfCustomer(queries, customer);
    const [orders, refunds, disputes, places] = await Promise.all([
      queries.ordersByIds(ids),
      queries.refundsOfOrders(ids),
      queries.disputesOfOrders(ids),
      queries.waitlistOfCustomer(customer),
    ]);
    const isUnderWay =
      [...quotes, ...orders].some(({ created_at }) => created_at > before) ||
      refunds.some(({ status }) => status === "PENDING") ||
      disputes.some(({ status }) => status === "OPEN") ||
      places.some(isQueued);
    if (isUnderWay) return false;
    const about = await queries.feedbackOfOrders(ids);
    const traces = {
      quotes: quotes.map(({ id }) => id),
      orders: ids,
      waitlist: places.map(({ id }) => id),
      feedback: about.map(({ id }) => id),
      ...{ leads: [], agents: [], sandbox: [], ucp_sessions: [] },
    };
    const pseudonym = pseudonymOf(secret, customer);
    try {
      const person = { customer, emails: [customer], pseudonym, traces };
      return await store.run(eraseOnce, { ...act(), ...person });
    } catch (error) {
      if (error instanceof MerchantError && error.code === "ILLEGAL_STEP") return false;
      throw error;
    }
  };
}
