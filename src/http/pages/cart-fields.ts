import { FIRST_ORDER, LIMITS } from "../../domain/shared/policy.ts";
import { type Bean, beanPicture } from "./bean-view.ts";
import { type Field, type FieldProblem, formField } from "./form-parts.ts";
import { money } from "./format.ts";
import { html, type Markup, type Renderable } from "./html.ts";

/** What the forms of a cart are made of: the shop's own, and the one that makes a link. */

/** Where a cart is sent that is to be made a link, with GET. */
export const QUICK_LINK_PATH = "/quick-checkout-link";

/** Field that holds how many bags of one bean: `qty_<product_id>`. */
export const quantityField = (productId: string): string => `qty_${productId}`;

export interface BagsRow {
  bean: Bean;
  /** As it was typed. */
  quantity: string;
  problem?: string | undefined;
  /** Where the queue for it is, where more were wanted than are there. */
  waitlist?: string | undefined;
}

/** One bean, and how many bags of it. */
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

/** What may go with the bags, named like the parameters of GET /v1/quick-checkout. */
export const extraFields = (
  values: Readonly<Record<string, string | undefined>>,
  problems: readonly FieldProblem[],
): Markup[] => EXTRAS.map((field) => formField({ ...field, value: values[field.name] }, problems));
