import type { Catalog } from "../catalog/catalog.ts";
import { type Bags, bagCount } from "../core/bags.ts";
import { decimal } from "../core/fields.ts";
import { FIRST_ORDER, LIMITS } from "../core/policy.ts";
import type { Shop } from "../core/shop.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Cart, CartPricing } from "../quotes/quick-checkout.ts";
import { type AskedCart, cartQuery, quantityProblem } from "../quotes/quick-checkout-query.ts";
import { type Bean, beanPicture, CART_PATH } from "../web/bean-view.ts";
import { cartLines } from "../web/cart-cookie.ts";
import { type Field, type FieldProblem, formField, problemSummary } from "../web/form-parts.ts";
import { money } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { fieldProblems } from "../web/page-answers.ts";
import { type Prices, pricingSums } from "../web/parts.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { waitlistFor } from "./waitlist.ts";

/** The bags of a form in the catalog's order, and a problem for each wrong number. */
function chosenBags(catalog: Catalog, values: Record<string, string>) {
  const problems = unsoldProblems(catalog, values);
  const items = catalog.products.flatMap(
    ({ product_id, name_to_use_with_humans: name }): Bags[] => {
      const field = quantityField(product_id);
      const bags = values[field]?.trim() ?? "";
      if (bags === "" || bags === "0") return [];
      if (quantityProblem(bags) === null) return [{ product_id, quantity: Number(bags) }];
      const most = LIMITS.quantity_per_line;
      problems.push({ field, message: `${name}: a whole number of bags, at most ${most}.` });
      return [];
    },
  );
  return { items, problems };
}

/** A problem for each bean in the cart that has left the catalog. */
const unsoldProblems = (catalog: Catalog, values: Record<string, string>): FieldProblem[] =>
  Object.entries(values).flatMap(([name, bags]) => {
    const bean = Number(bags) > 0 ? catalog.known(name.replace(/^qty_/, "")) : undefined;
    if (!bean || catalog.find(bean.product_id)) return [];
    return [{ field: null, message: `${bean.name_to_use_with_humans} isn’t sold any more.` }];
  });

/**
 * Address that puts these bags into the shop's cart; null if that can't hold them, or the waitlist holds
 * them for the cart's page.
 */
export function cartInShop({
  buyer_email: _,
  changed: __,
  waitlist_id,
  ...cart
}: Cart): string | null {
  const fits = cart.items.every(({ quantity }) => quantity <= LIMITS.quantity_per_line);
  return waitlist_id === undefined && fits ? `/?${cartQuery(cart)}#cart` : null;
}

/** The numbers of bags after a press of Add, +, − or Remove. */
export function afterButton(values: Record<string, string>): Record<string, string> {
  const { add, more, less, remove } = values;
  const after = { ...values };
  const change = (id: string, by: number) => {
    const field = quantityField(id);
    const had = values[field]?.trim() || "0";
    const of = decimal(had);
    // A wrong number stays as typed.
    after[field] = of === null ? had : String(Math.max(0, of + by));
  };
  if (remove !== undefined) delete after[quantityField(remove)];
  if (more !== undefined) change(more, 1);
  if (less !== undefined) change(less, -1);
  if (add !== undefined) change(add, decimal(values.bags?.trim() || "1") ?? 1);
  return after;
}

/** The form's values from the cart in a cookie or a page's address. */
export function cartValues({
  items = "",
  discount_code = "",
  gift_note = "",
}: Record<string, string>): Record<string, string> {
  const bags = cartLines(items).map(({ id, quantity }) => [quantityField(id), quantity]);
  return { ...Object.fromEntries(bags), discount_code, gift_note };
}

export interface ReadCart extends CartView {
  asked: AskedCart;
  /** Every number is valid and every bean is still sold. */
  wellTyped: boolean;
}

/** Fields beside the bags, named like the parameters of GET /v1/quick-checkout. */
const TEXTS = ["discount_code", "gift_note", "buyer_email"] as const;

/** Checks a cart by the rules of a link. Stores and holds nothing. */
export async function readShopCart(
  merchant: Merchant,
  beans: readonly Bean[],
  values: Record<string, string>,
): Promise<ReadCart> {
  const { items, problems: mistyped } = chosenBags(merchant.catalog, values);
  const { discount_code, gift_note } = values;
  const texts = TEXTS.map((name) => [name, values[name]?.trim()]);
  const asked: AskedCart = { items, ...Object.fromEntries(texts) };
  const short = (await merchant.quickCheckout.short({ items })).map(({ product, text }) => ({
    field: quantityField(product.product_id),
    message: text,
  }));
  // A problem beside its number is not repeated.
  const refused = (await cartProblems(merchant, asked)).filter(
    ({ message }) => !short.some((one) => one.message === message),
  );
  const problems = [...mistyped, ...short, ...refused];
  const rows = beans.flatMap((bean): BagsRow[] => {
    const { product_id: id, availability } = bean.product;
    const field = quantityField(id);
    const problemAmong = (some: readonly FieldProblem[]) => some.find((one) => one.field === field);
    if (!problemAmong(mistyped) && !items.some(({ product_id }) => product_id === id)) return [];
    const quantity = values[field]?.trim() ?? "";
    const isShort = short.some((one) => one.field === field);
    const queue = isShort && availability === "WAITLIST";
    const waitlist = queue ? waitlistFor(id, quantity) : undefined;
    return [{ bean, quantity, problem: problemAmong(problems)?.message, waitlist }];
  });
  return {
    rows,
    bagTotal: bagCount(items),
    pricing: await priced(merchant, asked, problems),
    values: { discount_code, gift_note },
    problems,
    asked,
    wellTyped: mistyped.length === 0,
  };
}

async function cartProblems(merchant: Merchant, asked: AskedCart): Promise<FieldProblem[]> {
  const { items, ...texts } = asked;
  if (items.length === 0 && !Object.values(texts).some(Boolean)) return [];
  try {
    await merchant.quickCheckout.checkCart(asked);
    return [];
  } catch (error) {
    const refused = refusalOf(error);
    const ofBags = items.length > 0 ? null : undefined;
    return fieldProblems(refused, (at) => (at === "/items" ? ofBags : at.slice(1)));
  }
}

/** A wrong code is left out, so that there is a price while the buyer corrects it. */
async function priced(
  { quickCheckout, catalog }: Merchant,
  { items, discount_code: code }: AskedCart,
  problems: readonly FieldProblem[],
): Promise<CartPricing | null> {
  const sold = items.every(({ product_id }) => catalog.find(product_id));
  if (items.length === 0 || !sold) return null;
  const good = code && !problems.some(({ field }) => field === "discount_code");
  return quickCheckout.price({
    items: [...items],
    ...(good && { discount_code: code.toUpperCase() }),
  });
}

/** Its button to check out is also in the bar on a phone. */
const CART_FORM = "cart-form";

/** A cart, which the buyer's browser keeps in a cookie. */
export interface CartView {
  rows: BagsRow[];
  bagTotal: number;
  /** Null if the numbers can't be added up. */
  pricing: Prices | null;
  values: { discount_code?: string | undefined; gift_note?: string | undefined };
  problems: FieldProblem[];
}

/** The note and code stay when the last bean is removed. */
export const isBegun = ({ rows, values }: Pick<CartView, "rows" | "values">): boolean =>
  rows.length > 0 || Object.values(values).some(Boolean);

export function cartSection(cart: CartView, shop: Shop): Markup | null {
  if (!isBegun(cart)) return problemSummary(cart.problems, null);
  // Enter in a field presses the form's first button.
  const form = html`<form class="form" id="${CART_FORM}" method="post" action="${CART_PATH}" novalidate>
      <button class="unseen" tabindex="-1" aria-hidden="true">Update the cart</button>
      ${
        cart.rows.length > 0
          ? html`<ul class="stack">${cart.rows.map(cartRow)}</ul>`
          : html`<p>Your cart is empty. We’ll keep your note and code for the next coffee you add.</p>`
      }
      <button class="quiet retotal">Update the total</button>
      ${extras(cart)}
      <div class="cart-sums stack">
        ${cart.pricing && pricingSums(cart.pricing, cart.bagTotal)}
        ${freeShipping(cart, shop)}
        ${cart.rows.length > 0 && ways()}
      </div>
    </form>`;
  return html`<section class="cart till stack" id="cart" aria-labelledby="cart-title">
    <h2 id="cart-title"${cart.rows.length > 0 && html` class="wide-only"`}>Your cart</h2>
    ${problemSummary(cart.problems, form)}
    ${form}
  </section>`;
}

function cartRow(row: BagsRow): Markup {
  const { product_id: id, name_to_use_with_humans: name } = row.bean.product;
  return bagsRow(
    row,
    (input) => html`<span class="stepper row">
        <button class="quiet" name="less" value="${id}" aria-label="One bag of ${name} less">−</button>
        ${input}
        <button class="quiet" name="more" value="${id}" aria-label="One more bag of ${name}">+</button>
      </span>
      <button class="plain" name="remove" value="${id}">Remove<span class="unseen">
      ${name}</span></button>`,
  );
}

/** Open if a field has a value or a problem. */
function extras({ values, problems }: CartView): Markup {
  const used = [values.discount_code, values.gift_note].some(Boolean);
  const wrong = problems.some(({ field }) => field === "discount_code" || field === "gift_note");
  return html`<details class="extras"${(used || wrong) && html` open`}>
    <summary>Gift note or discount code</summary>
    ${extraFields(values, problems)}
    <button class="quiet">Save</button>
  </details>`;
}

function freeShipping({ pricing }: CartView, shop: Shop): Markup | null {
  if (!pricing || pricing.shipping_minor === 0) return null;
  const missing = shop.free_shipping_from_minor - pricing.subtotal_minor;
  return html`<p class="hint">Add ${money(missing)} for free shipping.</p>`;
}

const ways = (): Markup => html`<button name="go" value="checkout">Check out</button>
  <p class="hint">Next: your address. You won’t be charged yet.</p>
  <button class="plain" formaction="${QUICK_LINK_PATH}" formmethod="get">Send it as a link</button>`;

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

/** `inCart`: what surrounds the number's input in the cart, whose total is for this number. */
export function bagsRow(
  { bean, quantity, problem, waitlist }: BagsRow,
  inCart?: (input: Markup) => Renderable,
): Markup {
  const { product_id: id, name_to_use_with_humans: name, price_minor } = bean.product;
  const field = quantityField(id);
  const error = `${field}-error`;
  // Styles hide the total while another number is typed.
  const priced = inCart && !problem && decimal(quantity) !== null && html` pattern="${quantity}"`;
  const input = html`<input class="quantity" type="text" inputmode="numeric" maxlength="4"
      id="${field}" name="${field}" value="${quantity}"${priced}${
        problem
          ? html` aria-invalid="true" aria-describedby="${error}"`
          : html` aria-invalid="false"`
      }>`;
  return html`<li class="line row">
    <img class="line-picture" src="${beanPicture(id)}" alt="" width="48" height="60">
    <div>
      <label for="${field}">${name}</label>
      <p class="hint">${money(price_minor)} a bag</p>
    </div>
    ${inCart ? inCart(input) : input}
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
