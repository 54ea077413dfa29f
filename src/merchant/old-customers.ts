import { setImmediate } from "node:timers/promises";
import { actsOf } from "../core/admin-verb.ts";
import type { Rule } from "../core/command.ts";
import { MerchantError } from "../core/errors.ts";
import { ERASED } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { isQueued } from "../waitlist/waitlist.ts";
import { ENDED, type ErasePerson, erasePerson } from "./erase.ts";
import { pseudonymOf, rowsOfCustomer } from "./privacy.ts";

/** Two instances may find the same customer. */
const eraseOnce: Rule<ErasePerson, boolean> = {
  reads: erasePerson.reads,
  decide(c, s) {
    if (s.quotes.every(({ customer }) => customer === ERASED)) return { reply: false, writes: [] };
    return { reply: true, writes: erasePerson.decide(c, s).writes };
  },
};

/** Quotes per transaction, so that others don't wait long. */
const QUOTES_AT_ONCE = 100;

/**
 * Erases a customer's orders by CUSTOMER_DATA_YEARS (contract §15), as the merchant would by hand. Bulk
 * requests end by themselves, and a key is no part of an order. Returns false for anybody with a newer
 * quote or order, a place in a queue, or money under way. The next pass finishes an interrupted erasure.
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
      orders.some(({ status }) => !ENDED.has(status)) ||
      refunds.some(({ status }) => status === "PENDING") ||
      disputes.some(({ status }) => status === "OPEN") ||
      places.some(isQueued);
    if (isUnderWay) return false;
    const person = { customer, emails: [customer], pseudonym: pseudonymOf(secret, customer) };
    const none = { leads: [], agents: [], sandbox: [], checkouts: [] };
    let erased = false;
    try {
      for (let from = 0; from < quotes.length; from += QUOTES_AT_ONCE) {
        const some = quotes.slice(from, from + QUOTES_AT_ONCE).map(({ id }) => id);
        const own = orders.filter(({ quote_id }) => some.includes(quote_id)).map(({ id }) => id);
        const feedback = (await queries.feedbackOfOrders(own)).map(({ id }) => id);
        const waitlist = from === 0 ? places.map(({ id }) => id) : [];
        const traces = { ...none, quotes: some, orders: own, waitlist, feedback };
        if (await store.run(eraseOnce, { ...act(), ...person, traces })) erased = true;
        await setImmediate();
      }
    } catch (error) {
      if (!(error instanceof MerchantError && error.code === "ILLEGAL_STEP")) throw error;
    }
    return erased;
  };
}
