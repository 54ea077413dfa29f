import { z } from "zod";
import { answer, Display, Minor, NextSteps, open } from "../core/answer.ts";
import { LIMITS } from "../core/policy.ts";
import type { Product } from "./catalog.ts";
import { share } from "./hold-share.ts";

/** One bean as everybody may see it: no facts but those the merchant advertises (contract §2). */
export const CatalogProduct = answer({
  product_id: z.string(),
  name: z.string(),
  name_to_use_with_humans: z.string(),
  price_minor: Minor,
  price_display: Display,
  roast_level: z.string(),
  roast: z.string().describe("How it is roasted."),
  tasting_notes: z.array(z.string()),
  brewing: z.array(answer({ method: z.string(), advice: z.string() })),
  summary: z.string(),
  choose_if: z.string(),
  image_url: z.string(),
  decaf: z.boolean(),
  availability: open(
    ["STOCKED", "WAITLIST", "EXCLUSIVE"],
    "How it is sold. WAITLIST: where it runs short there is a queue; what is free can be bought.",
  ),
  stock: z.string().describe("What can be had now."),
  free_bags: z.int().optional().describe("Bags free now, where these are few."),
  locked: z.boolean().describe("Needs a finder key to be quoted."),
}).meta({ id: "Product" });

export type CatalogProduct = z.infer<typeof CatalogProduct>;

/** What does not change while the service runs. */
export type ListedProduct = Omit<CatalogProduct, "stock" | "free_bags">;

export const CatalogAnswer = answer({
  contract_version: z.string(),
  currency: z.string(),
  products: z.array(CatalogProduct),
  next: NextSteps.optional(),
}).meta({ id: "Catalog" });

export type CatalogAnswer = z.infer<typeof CatalogAnswer>;

/** Fewer than one line may hold: only then does a number help a reader. */
const FEW_BAGS = LIMITS.quantity_per_line;

/** Where the database does not answer. */
export const STOCK_UNKNOWN = "What is free now cannot be told at the moment.";

/** What a reader of the catalog is told of the bags that are not held (contract §1). */
export function stockInWords({ availability }: Pick<Product, "availability">, free: number) {
  const waits = availability === "WAITLIST";
  const most = share(free);
  // One order cannot have more: then it helps to know before a quote.
  const atOnce = most < Math.min(free, FEW_BAGS) ? ` (at most ${most} in one order)` : "";
  const now =
    free === 0
      ? waits
        ? "No bag is free now; a buyer can join the waitlist."
        : "Sold out for now."
      : free < FEW_BAGS
        ? `${free} ${free === 1 ? "bag is" : "bags are"} free to buy now${atOnce}${waits ? "; beyond that, the waitlist" : ""}.`
        : `In stock, to buy now${atOnce}.`;
  return {
    /** In words that can be read one way only. */
    stock: availability === "EXCLUSIVE" ? `Only with a finder key. ${now}` : now,
    ...(free < FEW_BAGS && { free_bags: free }),
  };
}

/** The same in a few words, for lines that a model reads by the dozen. */
export function stockInShort(
  { availability }: Pick<Product, "availability">,
  free: number,
): string {
  const waits = availability === "WAITLIST";
  const most = share(free);
  const atOnce = most < Math.min(free, FEW_BAGS) ? ` (at most ${most} an order)` : "";
  const now =
    free === 0
      ? `sold out${waits ? ", waitlist open" : ""}`
      : free < FEW_BAGS
        ? `${free} free${atOnce}${waits ? ", then waitlist" : ""}`
        : `in stock${atOnce}`;
  return availability === "EXCLUSIVE" ? `needs a finder key, ${now}` : now;
}
