import { bags } from "../../domain/shared/bags.ts";
import { money } from "./format.ts";
import { html, type Markup } from "./html.ts";

/** A bean of the catalog, as people see it. */
export interface BeanView {
  productId: string;
  /** The name to use with humans. */
  name: string;
  /** Address of its picture. */
  picture: string;
  priceMinor: number;
  roastLevel: string;
  /** Where it is from and how it was processed: "Colombia, Huila. Washed." */
  origin: string;
  notes: readonly string[];
  chooseIf: string;
  decaf: boolean;
  availability: "STOCKED" | "WAITLIST" | "EXCLUSIVE";
  /** Bags that are not held right now. */
  free: number;
}

/** The Geisha is always locked in a link: a finder key travels in no address (contract §10). */
export function inQuickCheckout(bean: BeanView): boolean {
  return bean.availability !== "EXCLUSIVE";
}

/** Fewer than this are counted out loud. */
const FEW = 12;

/** The choice on a card; more are typed in the cart. */
const CHOICES = [1, 2, 3, 4, 5, 6, 8, 10, 12];

/** Whether it can be had, in a sentence. */
function availabilityWords({ availability, free }: BeanView): string {
  if (availability === "EXCLUSIVE") return "Only through an agent that has earned the key";
  if (free === 0)
    return availability === "WAITLIST" ? "Sold out; the waitlist is open" : "Sold out";
  if (free < FEW) return `Only ${bags(free)} left`;
  return availability === "WAITLIST" ? `Small lot: ${bags(free)} left` : "In stock";
}

/** A button that adds to the cart belongs to the cart's form, wherever on the page it stands. */
export const CART_FORM = "cart-form";

/** Fields of the cart's form: bags to add of one bean, and bags that are in the cart. */
export const addField = (productId: string): string => `bags_${productId}`;

export function beanCard(bean: BeanView, inCart: number): Markup {
  const id = `bean-${bean.productId}`;
  return html`<li class="bean" id="${id}">
    <img class="bean-picture" src="${bean.picture}" alt="" width="240" height="300">
    <div class="bean-side">
    <div class="bean-text cluster">
      <h3>${bean.name}</h3>
      <p class="bean-price amount">${money(bean.priceMinor)}<span class="unseen"> a bag</span></p>
      <p class="bean-choose">${bean.chooseIf}</p>
      <ul class="flavors cluster tight" aria-label="Tastes of">${bean.notes.map((note) => html`<li>${note}</li>`)}</ul>
      <p class="hint">${bean.origin} ${bean.roastLevel} roast${bean.decaf ? ", decaf" : ""}.</p>
    </div>
    <div class="bean-act stack tight">
      <p class="${bean.free === 0 ? "stock stock-out" : "stock"}">${availabilityWords(bean)}</p>
      ${acts(bean, inCart)}
    </div>
    </div>
  </li>`;
}

function acts(bean: BeanView, inCart: number): Markup {
  if (bean.availability === "EXCLUSIVE") {
    return html`<a class="button quiet" href="/#connect">Ask your agent</a>`;
  }
  if (bean.free === 0 && bean.availability === "STOCKED") return html``;
  const waits = html`<a class="button quiet" href="${`/waitlist?bean=${bean.productId}`}">Tell me when it
    is back</a>`;
  if (bean.free === 0) return waits;
  const field = addField(bean.productId);
  return html`<div class="add tiles">
    <label class="unseen" for="${field}">Bags of ${bean.name}</label>
    <select id="${field}" name="${field}" form="${CART_FORM}">
      ${CHOICES.map((count) => html`<option>${count}</option>`)}
    </select>
    <button form="${CART_FORM}" name="add" value="${bean.productId}">Add<span class="unseen">
      ${bean.name} to the cart</span></button>
  </div>
  ${inCart > 0 ? html`<p class="in-cart"><a href="#cart">${bags(inCart)} in your cart</a></p>` : null}`;
}
