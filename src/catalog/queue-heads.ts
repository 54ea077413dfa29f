import { type Bags, freeBagsOf } from "../core/bags.ts";
import type { WaitlistRow } from "../core/records.ts";
import { pauseAt } from "../core/shop.ts";
import type { CatalogContext } from "./live-catalog.ts";

/** Entries handled per queue and run; the next run continues. */
export const MOST_HEADS = 500;

type Reader = Pick<CatalogContext, "store" | "clock" | "shop" | "timeZone">;

/** In a break nobody could order offered bags. */
export const isPaused = (context: Reader): boolean => pauseAt(context, context.clock()) !== null;

/**
 * Confirmed entries at the head of each queue that these coming bags could be offered to now. Skips entries
 * that want more bags than there are.
 */
export async function queueHeads(context: Reader, coming: readonly Bags[]): Promise<string[]> {
  if (isPaused(context)) return [];
  const { queries } = context.store;
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
  context: Reader,
  { product_id, status, quantity }: Pick<WaitlistRow, "product_id" | "status" | "quantity">,
): Promise<string[]> =>
  status === "OFFERED" ? queueHeads(context, [{ product_id, quantity }]) : Promise.resolve([]);
