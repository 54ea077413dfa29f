import { type Catalog, isExclusive, nameForPeople, type Product } from "../catalog/catalog.ts";
import { bags } from "../core/bags.ts";
import { backOn, type Pause } from "../core/shop.ts";
import { money } from "./format.ts";
import { html, type Markup, type Renderable } from "./html.ts";
import type { Line } from "./parts.ts";

/** A bean of the catalog with its bags that are not held right now. */
export interface Bean {
  product: Product;
  free: number;
}

/** A link can't sell the Geisha, because a finder key must not be in an address (contract §10). */
export const inQuickCheckout = ({ product }: Bean): boolean => !isExclusive(product);

/** `Huila, Colombia` */
export const originOf = ({ facts: { region, country } }: Product): string =>
  region === "" || region === country ? country : `${region}, ${country}`;

/** `Huila, Colombia. Washed.` */
const origin = (product: Product): string =>
  [originOf(product), product.facts.process]
    .filter(Boolean)
    .map((fact) => `${fact}.`)
    .join(" ");

/** Below this, the exact number is shown. */
const FEW = 12;

/** Numbers of bags on a card; the cart takes any number. */
const CHOICES = [1, 2, 3, 4, 5, 6, 8, 10, 12];

function availabilityWords({ product: { availability }, free }: Bean): string {
  if (availability === "EXCLUSIVE") return "Unlock it through your AI assistant";
  if (free === 0)
    return availability === "WAITLIST" ? "Sold out; the waitlist is open" : "Sold out";
  const left = `${bags(free)} left`;
  if (free < FEW) return `Only ${left}`;
  return availability === "WAITLIST" ? `Small lot: ${left}` : "In stock";
}

/** Receives the cart's form and the Add of every bean. */
export const CART_PATH = "/cart";

export function beanCard(bean: Bean, inCart: number, pause: Pause | null): Markup {
  const { product } = bean;
  const { product_id: id, name_to_use_with_humans: name } = product;
  return html`<li class="bean" id="${`bean-${id}`}">${beanDetails(
    product,
    beanPicture(id),
    html`<h3><a href="/beans/${id}">${name}</a></h3>`,
    beanActs(bean, inCart, pause),
  )}</li>`;
}

/** Availability of a bean, and its button; during a break when it is sold again. `from`: the page to return to. */
export function beanActs(bean: Bean, inCart: number, pause: Pause | null, from?: "bean"): Markup {
  const isClosed = pause !== null && bean.free > 0 && !isExclusive(bean.product);
  return html`<div class="bean-act stack tight">
      <p class="${isClosed || bean.free === 0 ? "stock stock-out" : "stock"}">${isClosed ? backOn(pause) : availabilityWords(bean)}</p>
      ${!isClosed && acts(bean, from)}
      ${inCart > 0 && html`<p class="in-cart"><a href="/#cart">${bags(inCart)} in your cart</a></p>`}
    </div>`;
}

/** A bean's picture, texts and button. */
export const beanDetails = (
  product: Product,
  picture: string,
  heading: Markup,
  act: Renderable = null,
): Markup => html`<img class="bean-picture" src="${picture}" alt="" width="240" height="300">
    <div class="bean-side">
    <div class="bean-text cluster">
      ${heading}
      <p class="bean-price amount">${money(product.price_minor)}<span class="unseen"> a bag</span></p>
      <p class="bean-choose">${product.choose_if}</p>
      <ul class="flavors cluster tight" aria-label="Tastes of">${product.facts.tasting_notes.map((note) => html`<li>${note}</li>`)}</ul>
      <p class="hint">${origin(product)} ${product.roast_level} roast${product.decaf ? ", decaf" : ""}.</p>
    </div>
    ${act}
    </div>`;

function acts({ product, free }: Bean, from: "bean" | undefined): Markup {
  const { product_id: id, availability, name_to_use_with_humans: name } = product;
  if (availability === "EXCLUSIVE") {
    return html`<a class="button quiet" href="/#connect">Ask your agent</a>`;
  }
  if (free === 0 && availability === "STOCKED") return html``;
  const waits = html`<a class="button quiet" href="${`/waitlist?bean=${id}`}">Tell me when
    it’s back</a>`;
  if (free === 0) return waits;
  const field = `bags-${id}`;
  return html`<form class="add tiles" method="post" action="${CART_PATH}">
    <label class="unseen" for="${field}">Bags of ${name}</label>
    <select id="${field}" name="bags">
      ${CHOICES.filter((count) => count <= free).map((count) => html`<option>${count}</option>`)}
    </select>
    ${from && html`<input type="hidden" name="from" value="${from}">`}
    <button name="add" value="${id}">Add<span class="unseen">
      ${name} to the cart</span></button>
  </form>`;
}

/** Address of the picture drawn for a bean, not of the official product image (contract §1). */
export const beanPicture = (productId: string): string => `/assets/beans/${productId}.svg`;

/** Undefined for a bean that has left the catalog. */
export const pictureOf = (catalog: Catalog, productId: string): string | undefined =>
  catalog.known(productId) && beanPicture(productId);

/** Bags of a quote or an order. */
export interface ShownItem extends Pick<Line, "quantity" | "unit_price_minor"> {
  product_id: string;
  name?: string | undefined;
}

/** A line with the bean's name for people. A bean that has left the catalog keeps its quoted name. */
export const lineForPeople = (catalog: Catalog, line: ShownItem): Line => ({
  ...line,
  name: nameForPeople(catalog, line),
  picture: pictureOf(catalog, line.product_id),
});

export const smallPicture = (productId: string, picture = beanPicture(productId)): Markup =>
  html`<img class="small-picture" src="${picture}" alt="" width="24" height="30">`;

export const beanCell = (
  { product_id, name }: { product_id: string; name: Renderable },
  picture?: string,
): Markup =>
  html`<span class="bean-cell row">${smallPicture(product_id, picture)}<span>${name}</span></span>`;
