import { html, type Markup } from "./html.ts";

/** Address of a bean's own picture; the one official product image is another (contract §1). */
export const beanPicture = (productId: string): string => `/assets/beans/${productId}.svg`;

/** Beside the bean's name, which says all that the picture does. */
export const smallPicture = (productId: string): Markup =>
  html`<img class="small-picture" src="${beanPicture(productId)}" alt="" width="24" height="30">`;

/** A bean in a table: its picture and its one name. */
export const beanCell = ({ product_id, name }: { product_id: string; name: string }): Markup =>
  html`<span class="bean-cell row">${smallPicture(product_id)}<span>${name}</span></span>`;
