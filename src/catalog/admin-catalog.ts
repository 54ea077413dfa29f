import { z } from "zod";
import { type Act, adminVerb, Id } from "../core/admin-verb.ts";
import { MerchantError, unknownTo } from "../core/errors.ts";
import { text, whole } from "../core/fields.ts";
import type { BeanRow } from "../core/records.ts";
import {
  beansVersion,
  catalogOfRows,
  draftOf,
  factChanges,
  publishedOf,
  withDrafts,
} from "./bean-rows.ts";
import { type Catalog, CatalogError, ProductFields, readCatalog, ruleProblems } from "./catalog.ts";
import {
  discardDraft,
  importCatalog,
  moveBean,
  type PublishedCatalog,
  publishCatalog,
  saveDraft,
} from "./edit-catalog.ts";
import type { CatalogContext } from "./live-catalog.ts";
import { derivedBean, NewBeanFields } from "./new-bean.ts";

/** A bean as the merchant sees it: published, and as a draft. */
const beanView = (row: BeanRow) => ({
  product_id: row.product_id,
  published: publishedOf(row),
  on_sale: row.on_sale === 1,
  draft: draftOf(row),
  changed_at: row.changed_at,
});

export type CatalogBean = ReturnType<typeof beanView>;

const CatalogFile = text({ what: "The catalog file", most: 4_000_000 });
/** Version that a page showed: a bean's `changed_at`, or that of all beans. */
const seen = whole({ least: 0, most: 9e15 });

/** The merchant's catalog (contract §1). */
export function adminCatalog({ store, catalog }: CatalogContext, act: Act) {
  const { queries } = store;

  const beanIds = async () => (await queries.beans()).map(({ product_id }) => product_id);

  async function published(made: Promise<PublishedCatalog>): Promise<PublishedCatalog> {
    const result = await made;
    await catalog.refresh();
    return result;
  }

  /** Without beans whose only draft was discarded. */
  const beans = async (): Promise<CatalogBean[]> =>
    (await queries.beans()).map(beanView).filter(({ published, draft }) => published ?? draft);

  return {
    catalog: {
      list: adminVerb({}, beans),

      show: adminVerb({ product_id: Id }, async ({ product_id }): Promise<CatalogBean> => {
        const bean = (await beans()).find((one) => one.product_id === product_id);
        if (bean) return bean;
        throw unknownTo("bean");
      }),

      /** Changes that publishing would make, and problems that prevent it. */
      preview: adminVerb({}, async () => {
        const rows = await queries.beans();
        const after = withDrafts(rows);
        const changes = after
          .map((row, i) => ({
            product_id: row.product_id,
            name: publishedOf(row)?.name_to_use_with_humans ?? row.product_id,
            changes: factChanges(rows[i], row),
          }))
          .filter((bean, i) => rows[i]!.draft !== null || bean.changes.length > 0);
        const { products } = catalogOfRows(after);
        const problems = ruleProblems({ products });
        return { version: beansVersion(rows), products, changes, problems };
      }),

      /** Saves a draft. `seen` is the bean's `changed_at` that the page showed. */
      save: adminVerb(
        { product: ProductFields, on_sale: z.boolean(), seen: seen.nullable() },
        async ({ product, on_sale: onSale, seen }): Promise<null> => {
          const position = (await queries.beans()).length;
          return store.run(saveDraft, { ...act(), product, onSale, position, seen });
        },
      ),

      /** Saves a draft of a new bean. What is left out is derived; see `derivedBean`. */
      add: adminVerb(
        { product: NewBeanFields, on_sale: z.boolean().optional() },
        async ({ product: typed, on_sale: onSale = true }): Promise<null> => {
          const ids = await beanIds();
          const product = derivedBean(typed, ids);
          const save = { product, onSale, position: ids.length, seen: null };
          return store.run(saveDraft, { ...act(), ...save });
        },
      ),

      discard: adminVerb(
        { product_id: Id, seen: seen.optional() },
        ({ product_id: productId, seen }) => store.run(discardDraft, { ...act(), productId, seen }),
      ),

      /** Moves a bean to a place, counted from 1 over all beans of `list`. */
      move: adminVerb(
        { product_id: Id, place: whole({ least: 1, most: 500, of: "places" }) },
        async ({ product_id: productId, place }) => {
          const productIds = await beanIds();
          await store.run(moveBean, { ...act(), productId, place, productIds });
          await catalog.refresh();
          return beans();
        },
      ),

      /** Publishes all drafts. `seen` is the version that `preview` returned. */
      publish: adminVerb({ seen }, async ({ seen }) => {
        const productIds = await beanIds();
        return published(store.run(publishCatalog, { ...act(), seen, productIds }));
      }),

      /** Replaces the catalog by a file's text. */
      import: adminVerb({ file: CatalogFile }, async ({ file }) => {
        const { products } = catalogIn(file);
        const rows = await queries.beans();
        const ids = [...rows, ...products].map(({ product_id }) => product_id);
        const productIds = [...new Set(ids)];
        const seen = beansVersion(rows);
        return published(store.run(importCatalog, { ...act(), seen, products, productIds }));
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
