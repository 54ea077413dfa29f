import { z } from "zod";
import { answer, Display, Minor, NextSteps, open } from "../shared/answer.ts";

/** One bean as everybody may see it: no facts but those the merchant advertises (contract §2). */
export const CatalogProduct = answer({
  product_id: z.string(),
  name: z.string(),
  name_to_use_with_humans: z.string(),
  price_minor: Minor,
  price_display: Display,
  roast_level: z.string(),
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
