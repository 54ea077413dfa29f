import { FIRST_ORDER, LIMITS } from "../../core/policy.ts";
import type { Shop } from "../../core/shop.ts";
import { type Bean, beanPicture, CART_FORM } from "../../web/bean-view.ts";
import { type Field, type FieldProblem, formField, problemSummary } from "../../web/form-parts.ts";
import { money } from "../../web/format.ts";
import { html, type Markup, type Renderable } from "../../web/html.ts";
import { type Prices, pricingSums } from "../../web/parts.ts";

/** Receives the cart's form by GET. The cart itself is in the address of the shop's page. */
export const CART_PATH = "/cart";

/** A cart, which is kept only in the page's address. */
export interface CartView {
  rows: BagsRow[];
  bagTotal: number;
  /** Null if the numbers can't be added up. */
  pricing: Prices | null;
  values: { discount_code?: string | undefined; gift_note?: string | undefined };
  problems: FieldProblem[];
}

/** Enter in a field presses the form's first button, which must not be a bean's Add. */
export const cartDefault: Markup = html`<button class="unseen" form="${CART_FORM}" tabindex="-1"
  aria-hidden="true">Update the cart</button>`;

/** The note and code stay when the last bean is removed. */
export const isBegun = ({ rows, values }: Pick<CartView, "rows" | "values">): boolean =>
  rows.length > 0 || Object.values(values).some(Boolean);

/** An empty cart is only the form that the first Add needs. */
export function cartSection(cart: CartView, shop: Shop): Markup {
  if (!isBegun(cart)) {
    return html`${problemSummary(cart.problems, null)}
    <form id="${CART_FORM}" method="get" action="${CART_PATH}"></form>`;
  }
  const form = html`<form class="form" id="${CART_FORM}" method="get" action="${CART_PATH}" novalidate>
      ${
        cart.rows.length > 0
          ? html`<ul class="stack">${cart.rows.map(cartRow)}</ul>`
          : html`<p>Your cart is empty. We’ll keep your note and code for the next coffee you add.</p>`
      }
      ${extras(cart)}
      ${cart.pricing && pricingSums(cart.pricing, cart.bagTotal)}
      ${freeShipping(cart, shop)}
      ${cart.rows.length > 0 && ways()}
    </form>`;
  return html`<section class="cart till stack" id="cart" aria-labelledby="cart-title">
    <h2 id="cart-title"${cart.rows.length > 0 && html` class="unseen"`}>Your cart</h2>
    ${problemSummary(cart.problems, form)}
    ${form}
  </section>`;
}

const cartRow = (row: BagsRow): Markup =>
  bagsRow(
    row,
    html`<button class="plain" name="remove" value="${row.bean.product.product_id}">Remove<span class="unseen">
      ${row.bean.product.name_to_use_with_humans}</span></button>`,
  );

/** Open if a field has a value or a problem. */
function extras({ values, problems }: CartView): Markup {
  const used = [values.discount_code, values.gift_note].some(Boolean);
  const wrong = problems.some(({ field }) => field === "discount_code" || field === "gift_note");
  return html`<details class="extras"${(used || wrong) && html` open`}>
    <summary>Gift note or discount code</summary>
    ${extraFields(values, problems)}
  </details>`;
}

function freeShipping({ pricing }: CartView, shop: Shop): Markup | null {
  if (!pricing || pricing.shipping_minor === 0) return null;
  const missing = shop.free_shipping_from_minor - pricing.subtotal_minor;
  return html`<p class="hint">Add ${money(missing)} for free shipping.</p>`;
}

const ways = (): Markup => html`<button name="go" value="checkout">Check out</button>
  <p class="hint">Next: your address. You won’t be charged yet.</p>
  <div class="row">
    <button class="quiet">Update</button>
    <button class="plain" formaction="${QUICK_LINK_PATH}">Send it as a link</button>
  </div>`;

/** Stays in view on a phone. */
export function cartBar(cart: CartView): Markup | null {
  if (cart.rows.length === 0) return null;
  if (!cart.pricing)
    return html`<p class="cart-bar"><a class="button" href="#cart">Your cart</a></p>`;
  return html`<p class="cart-bar"><button form="${CART_FORM}" name="go" value="checkout">Check out
    · ${money(cart.pricing.total_minor)}</button></p>`;
}

/** Receives a cart by GET and makes a link of it. */
export const QUICK_LINK_PATH = "/quick-checkout-link";

/** Form field with the number of bags of a bean. */
export const quantityField = (productId: string): string => `qty_${productId}`;

export interface BagsRow {
  bean: Bean;
  /** As typed. */
  quantity: string;
  problem?: string | undefined;
  /** Address of the waitlist form, if more bags are wanted than are left. */
  waitlist?: string | undefined;
}

export function bagsRow({ bean, quantity, problem, waitlist }: BagsRow, more: Renderable = null) {
  const { product_id: id, name_to_use_with_humans: name, price_minor } = bean.product;
  const field = quantityField(id);
  const error = `${field}-error`;
  return html`<li class="line row">
    <img class="line-picture" src="${beanPicture(id)}" alt="" width="48" height="60">
    <div>
      <label for="${field}">${name}</label>
      <p class="hint">${money(price_minor)} a bag</p>
    </div>
    <input type="number" inputmode="numeric" min="0" max="${LIMITS.quantity_per_line}" step="1"
      id="${field}" name="${field}" value="${quantity}"${
        problem && html` aria-invalid="true" aria-describedby="${error}"`
      }>
    ${more}
    ${
      problem &&
      html`<p class="field-error" id="${error}">${problem}${
        waitlist && html` <a href="${waitlist}">Join the waitlist</a>`
      }</p>`
    }
  </li>`;
}

const EXTRAS: readonly Field[] = [
  {
    name: "gift_note",
    label: "Gift note",
    area: true,
    optional: true,
    hint: `Handwritten, up to ${LIMITS.gift_note_characters} characters`,
    maxlength: LIMITS.gift_note_characters,
  },
  {
    name: "discount_code",
    label: "Discount code",
    optional: true,
    hint: `${FIRST_ORDER.code} on a first order`,
    maxlength: LIMITS.code_characters,
  },
];

/** Fields beside the bags, named like the parameters of GET /v1/quick-checkout. */
export const extraFields = (
  values: Readonly<Record<string, string | undefined>>,
  problems: readonly FieldProblem[],
): Markup[] => EXTRAS.map((field) => formField({ ...field, value: values[field.name] }, problems));
