import { markOf } from "../core/hash.ts";
import type { BeanRow } from "../core/records.ts";
import { type Catalog, catalogOf, type Product } from "./catalog.ts";

/** What a bean is to become when it is published. */
export interface Draft {
  product: Product;
  on_sale: boolean;
}

export const publishedOf = ({ published }: BeanRow): Product | null =>
  published === null ? null : (JSON.parse(published) as Product);

export const draftOf = ({ draft }: BeanRow): Draft | null =>
  draft === null ? null : (JSON.parse(draft) as Draft);

/** What is sold, out of rows in the shop's order. */
export function catalogOfRows(rows: readonly BeanRow[]): Catalog {
  const beans = rows.flatMap((row) => {
    const product = publishedOf(row);
    return product ? [{ product, onSale: row.on_sale === 1 }] : [];
  });
  const of = (wanted: boolean) =>
    beans.filter(({ onSale }) => onSale === wanted).map(({ product }) => product);
  return catalogOf(of(true), of(false));
}

/** A bean that is sold as this, and of which nothing else is planned. */
export const soldRow = (product: Product, position: number) => ({
  product_id: product.product_id,
  position,
  published: JSON.stringify(product),
  on_sale: 1,
  draft: null,
});

/** The rows as they were after every draft was published. */
export const withDrafts = (rows: readonly BeanRow[]): BeanRow[] =>
  rows.map((row) => {
    const draft = draftOf(row);
    if (!draft) return row;
    return {
      ...row,
      published: JSON.stringify(draft.product),
      on_sale: draft.on_sale ? 1 : 0,
      draft: null,
    };
  });

/**
 * What somebody has looked at before publishing: what is sold, and every draft as it is. Another one
 * that was saved since, or thrown away, makes it another.
 */
export function lookOf(version: string, rows: readonly BeanRow[]): string {
  const drafts = rows
    .filter(({ draft }) => draft !== null)
    .map(({ product_id, changed_at }) => `${product_id} ${changed_at}`);
  return `${version}-${markOf(drafts.sort())}`;
}

/** What a bean's new state changes, field by field, the facts one by one. */
export function factChanges(before: BeanRow | undefined, after: BeanRow) {
  const was = flat(before);
  const is = flat(after);
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return fields
    .map((field) => ({ field, from: was[field] ?? null, to: is[field] ?? null }))
    .filter(({ from, to }) => from !== to);
}

function flat(row: BeanRow | undefined): Record<string, string> {
  const product = row && publishedOf(row);
  if (!product) return {};
  const { facts, ...rest } = product;
  const all = { ...rest, ...facts, on_sale: row.on_sale === 1 };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
