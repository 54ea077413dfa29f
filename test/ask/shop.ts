import { createAsk } from "../../src/ask/ask.ts";
import type { Live } from "../../src/ask/sections.ts";
import {
  type Catalog,
  catalogOf,
  isExclusive,
  loadCatalog,
  type Product,
} from "../../src/catalog/catalog.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { SHIPPED_CATALOG_FILE } from "../support/catalog.ts";

export const shipped: Catalog = loadCatalog(SHIPPED_CATALOG_FILE);

const liveOf = ({ products }: Pick<Catalog, "products">): Live => ({
  baseUrl: "https://shop.test",
  firstOrderRuns: true,
  hasMail: true,
  pause: null,
  free: new Map(products.map(({ product_id, opening_stock }) => [product_id, opening_stock])),
  exclusive: products.find(isExclusive)?.name_to_use_with_humans ?? null,
  keyless: false,
  mode: "sandbox",
  quoteTtlMs: 7 * 86_400_000,
  supportEmail: undefined,
  shop: DEFAULT_SHOP,
});

export function askOf(catalog: Catalog, some: Partial<Live> = {}) {
  const ask = createAsk(catalog);
  const live = { ...liveOf(catalog), ...some };
  return (question: string) => ask(question, live);
}

/** Copies of the shipped beans under other names, up to this number. */
export const manyBeans = (count: number): Catalog =>
  catalogOf(
    Array.from({ length: count }, (_, i): Product => {
      const bean = shipped.products[i % shipped.products.length]!;
      if (i < shipped.products.length) return bean;
      const kept = { availability: "STOCKED", decaf: false } as const;
      const name = `${bean.name_to_use_with_humans} Lot ${i}`;
      return { ...bean, ...kept, product_id: `lot-${i}`, name, name_to_use_with_humans: name };
    }),
  );
