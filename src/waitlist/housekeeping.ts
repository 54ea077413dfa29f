import { expireAndOffer, type QueueUpdate } from "../catalog/offer-free-stock.ts";
import { MOST_HEADS, queueHeads } from "../catalog/queue-heads.ts";
import { bagCount } from "../core/bags.ts";
import type { Context } from "../core/context.ts";
import { TIMES } from "../core/policy.ts";

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
      const since = now - TIMES.waitlist_place_ms;
      const [heads, unvisited] = await Promise.all([
        queueHeads(store.queries, [{ product_id: productId, quantity }], MOST_HEADS),
        store.queries.waitlistUnvisited(productId, since, MOST_HEADS),
      ]);
      const ending = [...over.map(({ id }) => id), ...unvisited];
      if (heads.length + ending.length === 0) return;
      const command = { now, productId, heads, over: ending };
      const { expired, offered } = await store.run(expireAndOffer, command);
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
