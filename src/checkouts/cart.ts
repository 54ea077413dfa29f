import { type Catalog, isExclusive, type Product } from "../catalog/catalog.ts";
import { type ShortBean, shortBeans } from "../catalog/catalog-answer.ts";
import { noLongerSold } from "../catalog/catalog-version.ts";
import { type Bags, shortOf } from "../core/bags.ts";
import type { StockRow } from "../core/records.ts";

/** Content of a checkout before its quote (contract §10). The buyer enters the address. */
export interface Cart {
  items: Bags[];
  discount_code?: string | undefined;
  gift_note?: string | undefined;
  /** Named by the maker of the link. */
  buyer_email?: string | undefined;
  /** Bags that the waitlist holds for this checkout. */
  held?: Bags;
}

/** Beans of a cart with too few free bags. */
export const shortInCart = (
  { items, held }: Cart,
  catalog: Catalog,
  stock: readonly StockRow[],
): ShortBean[] => shortBeans(shortOf(items, stock, held && [held]), (id) => knownBean(catalog, id));

/** Beans of a cart that its page can't sell any more. */
export const notForSale = ({ items }: Pick<Cart, "items">, catalog: Catalog): Product[] =>
  items
    .map(({ product_id }) => knownBean(catalog, product_id))
    .filter(({ product_id }) => {
      const sold = catalog.find(product_id);
      return !sold || isExclusive(sold);
    });

/** Splits a stored cart into what is sold, and the names of beans that have left the shop. */
export function sellable(catalog: Catalog, cart: Cart): { cart: Cart; gone: string[] } {
  const gone = notForSale(cart, catalog);
  const isGone = ({ product_id: id }: Bags) => gone.some(({ product_id }) => product_id === id);
  return {
    cart: { ...cart, items: cart.items.filter((line) => !isGone(line)) },
    gone: gone.map(({ name_to_use_with_humans: name }) => name),
  };
}

/** A bean that was taken off sale keeps its last name and price in carts. */
export function knownBean(catalog: Catalog, productId: string): Product {
  const found = catalog.known(productId);
  if (found) return found;
  throw noLongerSold([productId], { pointer: "/items", again: "build_quick_checkout_link" });
}
