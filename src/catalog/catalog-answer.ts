import { z } from "zod";
import { answer, Display, Minor, NextSteps, open } from "../core/answer.ts";
import { type Short, waitlistBags } from "../core/bags.ts";
import { MerchantError, type NextStep } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";
import { PauseView } from "../core/shop.ts";
import type { Product } from "./catalog.ts";

/** One bean's public facts (contract §2). */
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
    "How it is sold. WAITLIST: bags in stock can be bought; when they run short there is a queue.",
  ),
  stock: z.string().describe("Availability now."),
  free_bags: z.int().optional().describe("Bags left now, if only a few."),
  locked: z.boolean().describe("Needs a finder key to be quoted."),
}).meta({ id: "Product" });

export type CatalogProduct = z.infer<typeof CatalogProduct>;

/** The fields that change only with the catalog. */
export type ListedProduct = Omit<CatalogProduct, "stock" | "free_bags">;

export const CatalogAnswer = answer({
  contract_version: z.string(),
  sells: z.string(),
  currency: z.string(),
  pause: PauseView.optional().describe("Only while the shop is on a break."),
  products: z.array(CatalogProduct),
  next: NextSteps.optional(),
}).meta({ id: "Catalog" });

export type CatalogAnswer = z.infer<typeof CatalogAnswer>;

/** With fewer free bags than one line may have, the number helps a reader. */
const FEW_BAGS = LIMITS.quantity_per_line;

export const STOCK_UNKNOWN = "Stock is unknown at the moment.";

/** Stock of the exclusive bean on an interface that takes no key. */
export const NOT_SOLD_HERE = "Not sold here.";

/** Describes the free bags of a bean (contract §1). */
export function stockInWords({ availability }: Pick<Product, "availability">, free: number) {
  const waits = availability === "WAITLIST";
  const now =
    free === 0
      ? waits
        ? "No bag is left now; a buyer can join the waitlist."
        : "Sold out for now."
      : free < FEW_BAGS
        ? `${free} ${free === 1 ? "bag is" : "bags are"} left to buy now${waits ? "; beyond that, the waitlist" : ""}.`
        : "In stock, to buy now.";
  return {
    stock: availability === "EXCLUSIVE" ? `Only with a finder key. ${now}` : now,
    ...(free < FEW_BAGS && { free_bags: free }),
  };
}

/** Shorter, for lists that a model reads. */
export function stockInShort(
  { availability }: Pick<Product, "availability">,
  free: number,
): string {
  const waits = availability === "WAITLIST";
  const now =
    free === 0
      ? `sold out${waits ? ", waitlist open" : ""}`
      : free < FEW_BAGS
        ? `${free} left${waits ? ", then waitlist" : ""}`
        : "in stock";
  return availability === "EXCLUSIVE" ? `needs a finder key, ${now}` : now;
}

/** A bean with fewer free bags than requested, and the sentence that says how many. */
export interface ShortBean {
  product: Product;
  text: string;
  requested: number;
  /** Bags that are left. */
  available: number;
  /** A buyer can join its waitlist. */
  waits: boolean;
}

export const shortBeans = (
  short: readonly Short[],
  bean: (productId: string) => Product,
): ShortBean[] =>
  short.map(({ product_id, requested, available }) => {
    const product = bean(product_id);
    const waits = product.availability === "WAITLIST" && waitlistBags({ requested, available }) > 0;
    const left = available === 0 ? "is sold out" : `has only ${available} left`;
    const text = `${product.name_to_use_with_humans} ${left}.`;
    return { product, text, requested, available, waits };
  });

/** What a buyer can do when too few bags of this bean are left for the cart. */
export function insteadOf(
  { product, requested, available, waits }: ShortBean,
  baseUrl: string,
): string {
  const { product_id: id, name_to_use_with_humans: name } = product;
  const left = available === 0 ? "None is" : `${available} ${available === 1 ? "is" : "are"}`;
  const take = available === 0 ? "choose another coffee" : "take fewer";
  const join = waits ? `, or join the waitlist at ${baseUrl}/waitlist?bean=${id} for more` : "";
  return `${left} left of ${requested} ${name}. The buyer can ${take} on the same page${join}.`;
}

export const outOfStock = (
  beans: readonly ShortBean[],
  pointer: string,
  ...more: NextStep[]
): MerchantError =>
  new MerchantError(
    "OUT_OF_STOCK",
    "There are not enough bags. Take fewer or choose another bean.",
    {
      problems: beans.map(({ text }) => ({ pointer, code: "OUT_OF_STOCK", detail: text })),
      next: [step("get_catalog", "Choose another bean, or take fewer bags."), ...more],
    },
  );
