import { type Bags, freeBagsOf } from "../core/bags.ts";
import type { WaitlistRow } from "../core/records.ts";
import type { Store } from "../db/store.ts";

/** Entries handled per queue and run; the next run continues. */
export const MOST_HEADS = 500;

/**
 * Confirmed entries at the head of each queue that these coming bags could be offered to. Skips entries that
 * want more bags than there are.
 */
export async function queueHeads(
  queries: Store["queries"],
  coming: readonly Bags[],
): Promise<string[]> {
  const stock = await queries.stock();
  const heads = coming.map(async ({ product_id, quantity }) => {
    const free = freeBagsOf(stock, product_id) + quantity;
    return free < 1
      ? []
      : await queries.waitlistHeads(product_id, free, Math.min(free, MOST_HEADS));
  });
  return (await Promise.all(heads)).flat();
}

/** Entries that may be offered the bags of an entry that leaves. */
export const headsBehind = (
  queries: Store["queries"],
  { product_id, status, quantity }: Pick<WaitlistRow, "product_id" | "status" | "quantity">,
): Promise<string[]> =>
  status === "OFFERED" ? queueHeads(queries, [{ product_id, quantity }]) : Promise.resolve([]);
