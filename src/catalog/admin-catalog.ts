import { z } from "zod";
import { type Act, adminVerb, Id, Seen } from "../core/admin-verb.ts";
import { MerchantError, unknownTo } from "../core/errors.ts";
import { text, whole } from "../core/fields.ts";
import type { BeanRow } from "../core/records.ts";
import { catalogOfRows, productOf } from "./bean-rows.ts";
import { type Catalog, CatalogError, type Product, ProductFields, readCatalog } from "./catalog.ts";
import { importCatalog, moveBean, saveBean } from "./edit-catalog.ts";
import { type CatalogContext, withNewest } from "./live-catalog.ts";
import { derivedBean, NewBeanFields } from "./new-bean.ts";

/** A bean as the merchant sees it, on sale or not. */
function beanView(row: BeanRow) {
  const product = productOf(row);
  const { product_id, changed_at } = row;
  return product ? [{ product_id, product, on_sale: row.on_sale === 1, changed_at }] : [];
}

export type CatalogBean = ReturnType<typeof beanView>[number];

const CatalogFile = text({ what: "The catalog file", most: 4_000_000 });
/** A bean's `changed_at` that a page showed. */
const seen = whole({ least: 0, most: 9e15 });

/** The merchant's catalog (contract §1). */
export function adminCatalog({ store, catalog }: CatalogContext, act: Act) {
  const { queries } = store;

  const beanIds = async () => (await queries.beans()).map(({ product_id }) => product_id);

  /** Edits the catalog as it is now, and again if another instance has just changed it. */
  async function edit<R>(
    added: readonly Pick<Product, "product_id">[],
    run: (all: { catalogVersion: number; productIds: string[] }) => Promise<R>,
  ): Promise<R> {
    await catalog.refresh();
    const result = await withNewest(catalog, async () => {
      const catalogVersion = catalog.version;
      const ids = [...(await beanIds()), ...added.map(({ product_id }) => product_id)];
      return run({ catalogVersion, productIds: [...new Set(ids)] });
    });
    await catalog.refresh();
    return result;
  }

  const save = (bean: { product: Product; onSale: boolean; seen: number | null }) =>
    edit([bean.product], (all) => store.run(saveBean, { ...act(), ...all, ...bean }));

  const beans = async (): Promise<CatalogBean[]> => (await queries.beans()).flatMap(beanView);

  return {
    catalog: {
      list: adminVerb({}, beans),

      show: adminVerb({ product_id: Id }, async ({ product_id }): Promise<CatalogBean> => {
        const bean = (await beans()).find((one) => one.product_id === product_id);
        if (bean) return bean;
        throw unknownTo("bean");
      }),

      /** Sold at once. `seen` is the bean's `changed_at` that the page showed; null for a new bean. */
      save: adminVerb(
        { product: ProductFields, on_sale: z.boolean(), seen: seen.nullable() },
        ({ product, on_sale: onSale, seen }) => save({ product, onSale, seen }),
      ),

      /** Adds a bean. What is left out is derived; see `derivedBean`. */
      add: adminVerb(
        { product: NewBeanFields, on_sale: z.boolean().optional() },
        async ({ product, on_sale: onSale = true }) =>
          save({ product: derivedBean(product, await beanIds()), onSale, seen: null }),
      ),

      /** Moves a bean to a place, counted from 1 over all beans of `list`. */
      move: adminVerb(
        { product_id: Id, place: whole({ least: 1, most: 500, of: "places" }), seen: Seen },
        async ({ product_id: productId, place, seen }) => {
          const productIds = await beanIds();
          await store.run(moveBean, { ...act(), productId, place, productIds, seen });
          await catalog.refresh();
          return beans();
        },
      ),

      /** Replaces the catalog by a file's text. */
      import: adminVerb({ file: CatalogFile }, async ({ file }) => {
        const { products } = catalogIn(file);
        return edit(products, (all) =>
          store.run(importCatalog, { ...act(), ...all, products: [...products] }),
        );
      }),

      export: adminVerb({}, async () => ({
        products: catalogOfRows(await queries.beans()).products,
      })),
    },
  };
}

/** Throws all problems of the file at once. */
function catalogIn(file: string): Catalog {
  try {
    return readCatalog(file);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const { problems } = error;
    throw new MerchantError(
      "VALIDATION_FAILED",
      problems.length === 1 ? problems[0]! : "The catalog file is not valid.",
      {
        problems: problems.map((detail) => ({ pointer: "/file", code: "INVALID", detail })),
      },
    );
  }
}
