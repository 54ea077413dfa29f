import { LIMITS } from "../shared/policy.ts";
import type { Product } from "./catalog.ts";

/** Fewer than one line may hold: only then does a number help a reader. */
const FEW_BAGS = LIMITS.quantity_per_line;

/** Where the database does not answer. */
export const STOCK_UNKNOWN = "What is free now cannot be told at the moment.";

/** What a reader of the catalog is told of the bags that are not held (contract §1). */
export function stockInWords({ availability }: Pick<Product, "availability">, free: number) {
  const waits = availability === "WAITLIST";
  const now =
    free === 0
      ? waits
        ? "No bag is free now; a buyer can join the waitlist."
        : "Sold out for now."
      : free < FEW_BAGS
        ? `${free} ${free === 1 ? "bag is" : "bags are"} free to buy now${waits ? "; beyond that, the waitlist" : ""}.`
        : "In stock, to buy now.";
  return {
    /** In words that can be read one way only. */
    stock: availability === "EXCLUSIVE" ? `Only with a finder key. ${now}` : now,
    ...(free < FEW_BAGS && { free_bags: free }),
  };
}
