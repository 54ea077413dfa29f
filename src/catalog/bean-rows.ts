import type { BeanRow } from "../core/records.ts";
import { type Catalog, catalogOf, type Product } from "./catalog.ts";

/** Null for a bean that an older version left as a draft. */
export const productOf = ({ published }: BeanRow): Product | null =>
  published === null ? null : (JSON.parse(published) as Product);

/** The catalog, from rows in the shop's order. */
export function catalogOfRows(rows: readonly BeanRow[]): Catalog {
  const beans = rows.flatMap((row) => {
    const product = productOf(row);
    return product ? [{ product, onSale: row.on_sale === 1 }] : [];
  });
  const of = (wanted: boolean) =>
    beans.filter(({ onSale }) => onSale === wanted).map(({ product }) => product);
  return catalogOf(of(true), of(false));
}

/** A bean as it is stored. */
export const beanRow = (product: Product, position: number, onSale = true) => ({
  product_id: product.product_id,
  position,
  published: JSON.stringify(product),
  on_sale: onSale ? 1 : 0,
});

/** Changes of a bean, field by field, in words. */
export function factChanges(before: BeanRow | undefined, after: BeanRow) {
  const was = flat(before);
  const is = flat(after);
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return fields
    .map((field) => ({ field, from: was[field] ?? null, to: is[field] ?? null }))
    .filter(({ from, to }) => from !== to);
}

function flat(row: BeanRow | undefined): Record<string, string> {
  const product = row && productOf(row);
  if (!product) return {};
  const { facts, ...rest } = product;
  const all = { ...rest, ...facts, on_sale: row.on_sale === 1 };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, inWords(value)]));
}

/** Lists are separated by commas, recipes by semicolons. Truth is yes or no. */
function inWords(value: Product[keyof Product] | readonly (string | Recipe)[]): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!Array.isArray(value)) return String(value);
  const recipes = value.filter((one): one is Recipe => typeof one === "object");
  return recipes.length > 0
    ? recipes.map(({ method, advice }) => `${method}: ${advice}`).join("; ")
    : value.join(", ");
}

type Recipe = Product["facts"]["brewing"][number];
