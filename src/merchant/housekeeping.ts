import { expireAndOffer } from "../domain/waitlist/offer-free-stock.ts";
import type { Context } from "./context.ts";

export interface HousekeepingResult {
  expired: number;
  offered: number;
}

/**
 * What time alone makes due in the queues: offers that end, free bags for those who wait. Repeatable,
 * so any number of instances may do it at once.
 */
export function housekeeping({ store, clock, log }: Context) {
  return {
    async run(): Promise<HousekeepingResult> {
      const kept = { expired: 0, offered: 0 };
      for (const productId of await store.queries.queuedProducts()) {
        try {
          const tended = await store.run(expireAndOffer, { now: clock(), productId });
          kept.expired += tended.expired;
          kept.offered += tended.offered;
        } catch (error) {
          log.warn({ product: productId, error }, "a waitlist is to be tended again later");
        }
      }
      return kept;
    },
  };
}
