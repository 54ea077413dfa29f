import { sum } from "../core/money.ts";
import type { BeanRow } from "../core/records.ts";
import { type Catalog, catalogOf, type Product } from "./catalog.ts";

/** A bean as it will be once published. */
export interface Draft {
  product: Product;
  on_sale: boolean;
}

export const publishedOf = ({ published }: BeanRow): Product | null =>
  published === null ? null : (JSON.parse(published) as Product);

export const draftOf = ({ draft }: BeanRow): Draft | null =>
  draft === null ? null : (JSON.parse(draft) as Draft);

/** The published catalog, from rows in the shop's order. */
export function catalogOfRows(rows: readonly BeanRow[]): Catalog {
  const beans = rows.flatMap((row) => {
    const product = publishedOf(row);
    return product ? [{ product, onSale: row.on_sale === 1 }] : [];
  });
  const of = (wanted: boolean) =>
    beans.filter(({ onSale }) => onSale === wanted).map(({ product }) => product);
  return catalogOf(of(true), of(false));
}

/** A published bean without a draft. */
export const soldRow = (product: Product, position: number) => ({
  product_id: product.product_id,
  position,
  published: JSON.stringify(product),
  on_sale: 1,
  draft: null,
});

/** The rows after publishing every draft. */
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
 * Grows whenever a bean or its draft is saved, discarded or published, because each of these raises the
 * bean's `changed_at`. Forms send it back as `seen`.
 */
export const beansVersion = (rows: readonly Pick<BeanRow, "changed_at">[]): number =>
  sum(rows.map(({ changed_at }) => changed_at));

/** Changes of a bean, field by field. */
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
