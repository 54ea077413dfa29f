/** What the merchant sells, as read from the catalog file (SPEC §2, CONTRACT §1). */
export type Availability = "STOCKED" | "WAITLIST" | "EXCLUSIVE";

export interface ProductFacts {
  country: string;
  region: string;
  process: string;
  varieties: string[];
  roast: string;
  tasting_notes: string[];
  /** How to brew it, a sentence or two per method. */
  brewing: { method: string; advice: string }[];
}

export interface Product {
  product_id: string;
  name: string;
  name_to_use_with_humans: string;
  /** Price per 8 oz bag, integer minor units of usd. */
  price_minor: number;
  roast_level: string;
  summary: string;
  choose_if: string;
  decaf: boolean;
  availability: Availability;
  /** Bags on the shelf at the first start of a new database. */
  opening_stock: number;
  facts: ProductFacts;
}

export interface Catalog {
  products: readonly Product[];
  /** Undefined for a bean that is not sold. */
  find(productId: string): Product | undefined;
}
