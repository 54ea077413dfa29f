import { type Catalog, isExclusive, nameForPeople, type Product } from "../catalog/catalog.ts";
import { inOneOrder, overWhatIsLeft, share } from "../catalog/hold-share.ts";
import { bags } from "../core/bags.ts";
import type { Item } from "../quotes/quote-answer.ts";
import { money } from "./format.ts";
import { html, type Markup, type Renderable } from "./html.ts";
import type { Line } from "./parts.ts";

/** A bean of the catalog with its bags that are not held right now. */
export interface Bean {
  product: Product;
  free: number;
}

/** The Geisha is always locked in a link: a finder key travels in no address (contract §10). */
export const inQuickCheckout = ({ product }: Bean): boolean => !isExclusive(product);

/** Where it is from and how it was processed: "Huila, Colombia. Washed." */
const origin = ({ facts: { region, country, process } }: Product): string =>
  `${region === country ? country : `${region}, ${country}`}. ${process}.`;

/** Fewer than this are counted out loud. */
const FEW = 12;

/** The choice on a card; more are typed in the cart. */
const CHOICES = [1, 2, 3, 4, 5, 6, 8, 10, 12];

/** Whether it can be had, in a sentence. */
function availabilityWords({ product: { availability, product_id }, free }: Bean): string {
  if (availability === "EXCLUSIVE") return "Unlock it through your AI assistant";
  if (free === 0)
    return availability === "WAITLIST" ? "Sold out; the waitlist is open" : "Sold out";
  const over = overWhatIsLeft([{ product_id, available: free }]);
  const left = `${bags(free)} left${inOneOrder(product_id, over)}`;
  if (free < FEW) return `Only ${left}`;
  return availability === "WAITLIST" ? `Small lot: ${left}` : "In stock";
}

/** A button that adds to the cart belongs to the cart's form, wherever on the page it stands. */
export const CART_FORM = "cart-form";

/** Fields of the cart's form: bags to add of one bean, and bags that are in the cart. */
export const addField = (productId: string): string => `bags_${productId}`;

/** `cart`: the cart as a query, which the page of the bean keeps. */
export function beanCard(bean: Bean, inCart: number, cart = ""): Markup {
  const { product } = bean;
  const { product_id: id, name_to_use_with_humans: name } = product;
  return html`<li class="bean" id="${`bean-${id}`}">${beanDetails(
    product,
    beanPicture(id),
    html`<h3><a href="${`/beans/${id}${cart && `?${cart}`}`}">${name}</a></h3>`,
    beanActs(bean, inCart),
  )}</li>`;
}

/** Whether it can be had, and the button for it. */
export const beanActs = (
  bean: Bean,
  inCart: number,
): Markup => html`<div class="bean-act stack tight">
      <p class="${bean.free === 0 ? "stock stock-out" : "stock"}">${availabilityWords(bean)}</p>
      ${acts(bean, inCart)}
    </div>`;

/** What the shop shows of a bean, and what can be done with it. */
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

function acts({ product, free }: Bean, inCart: number): Markup {
  const { product_id: id, availability, name_to_use_with_humans: name } = product;
  if (availability === "EXCLUSIVE") {
    return html`<a class="button quiet" href="/#connect">Ask your agent</a>`;
  }
  if (free === 0 && availability === "STOCKED") return html``;
  const waits = html`<a class="button quiet" href="${`/waitlist?bean=${id}`}">Tell me when
    it’s back</a>`;
  if (free === 0) return waits;
  const field = addField(id);
  return html`<div class="add tiles">
    <label class="unseen" for="${field}">Bags of ${name}</label>
    <select id="${field}" name="${field}" form="${CART_FORM}">
      ${CHOICES.filter((count) => count <= Math.min(free, share(free))).map((count) => html`<option>${count}</option>`)}
    </select>
    <button form="${CART_FORM}" name="add" value="${id}">Add<span class="unseen">
      ${name} to the cart</span></button>
  </div>
  ${inCart > 0 && html`<p class="in-cart"><a href="#cart">${bags(inCart)} in your cart</a></p>`}`;
}

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
export const smallPicture = (productId: string, picture = beanPicture(productId)): Markup =>
  html`<img class="small-picture" src="${picture}" alt="" width="24" height="30">`;

/** A bean in a table: its picture and its one name. */
export const beanCell = (
  { product_id, name }: { product_id: string; name: Renderable },
  picture?: string,
): Markup =>
  html`<span class="bean-cell row">${smallPicture(product_id, picture)}<span>${name}</span></span>`;
