import { bagCount } from "../core/bags.ts";
import type { Context } from "../core/context.ts";
import { expireAndOffer, type QueueUpdate } from "./offer-free-stock.ts";
import { MOST_HEADS, queueHeads } from "./queue-heads.ts";

/**
 * What time alone makes due in the queues: offers that end, free bags for those who wait. Repeatable,
 * so any number of instances may do it at once.
 */
export function housekeeping({ store, clock, log }: Context) {
  /** Until nothing is left to do; a long queue goes in several steps. */
  async function expireAndOfferAll(productId: string, result: QueueUpdate): Promise<void> {
    for (;;) {
      const now = clock();
      const over = await store.queries.offersOver(productId, now, MOST_HEADS);
      const quantity = bagCount(over);
      const heads = await queueHeads(store.queries, [{ product_id: productId, quantity }]);
      const entries = [...over.map(({ id }) => id), ...heads];
      if (entries.length === 0) return;
      const { expired, offered } = await store.run(expireAndOffer, { now, productId, entries });
      result.expired += expired;
      result.offered += offered;
      if (expired + offered === 0) return;
    }
  }

  return {
    async run(): Promise<QueueUpdate> {
      const result = { expired: 0, offered: 0 };
      for (const productId of await store.queries.queuedProducts()) {
        try {
          await expireAndOfferAll(productId, result);
        } catch (error) {
          log.warn({ product: productId, error }, "a waitlist is to be looked at again later");
        }
      }
      return result;
    },
  };
}
