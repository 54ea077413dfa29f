import { type Catalog, nameForPeople } from "../../domain/catalog/catalog.ts";
import type { Item } from "../../domain/quote/quote-answer.ts";
import { html, type Markup } from "./html.ts";
import type { Line } from "./parts.ts";

/** Address of a bean's own picture; the one official product image is another (contract §1). */
export const beanPicture = (productId: string): string => `/assets/beans/${productId}.svg`;

/** For a line of an order: nothing where the bean is not known any more. */
export const pictureOf = (catalog: Catalog, productId: string): string | undefined =>
  catalog.known(productId) && beanPicture(productId);

/** A line for people. A bean that left the catalog keeps the name it was quoted by. */
export const lineForPeople = (catalog: Catalog, line: Item): Line => ({
  ...line,
  name: nameForPeople(catalog, line),
  picture: pictureOf(catalog, line.product_id),
});

/** Beside the bean's name, which says all that the picture does. */
export const smallPicture = (productId: string): Markup =>
  html`<img class="small-picture" src="${beanPicture(productId)}" alt="" width="24" height="30">`;

/** A bean in a table: its picture and its one name. */
export const beanCell = ({ product_id, name }: { product_id: string; name: string }): Markup =>
  html`<span class="bean-cell row">${smallPicture(product_id)}<span>${name}</span></span>`;
