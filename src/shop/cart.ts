import type { Catalog } from "../catalog/catalog.ts";
import type { Cart } from "../checkouts/cart.ts";
import { type Bags, bagCount } from "../core/bags.ts";
import { decimal } from "../core/fields.ts";
import { FIRST_ORDER, LIMITS } from "../core/policy.ts";
import { backOn, type Pause, type Shop } from "../core/shop.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { CartPricing } from "../quotes/quick-checkout.ts";
import {
  type AskedCart,
  type Query,
  quantityProblem,
  restOfNote,
} from "../quotes/quick-checkout-query.ts";
import { codeProblems, normalCode } from "../quotes/quote-request.ts";
import { type Bean, beanPicture, CART_PATH } from "../web/bean-view.ts";
import { onceEach } from "../web/body.ts";
import { type Field, type FieldProblem, formField, problemSummary } from "../web/form-parts.ts";
import { money } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { fieldProblems } from "../web/page-answers.ts";
import { type Prices, pricingSums } from "../web/parts.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { waitlistForShort } from "./waitlist.ts";

/** The bags of a form in the catalog's order, and a problem for each wrong or emptied number. */
function chosenBags(catalog: Catalog, values: Record<string, string>) {
  const problems: FieldProblem[] = [];
  const items = catalog.products.flatMap(
    ({ product_id, name_to_use_with_humans: name }): Bags[] => {
      const field = quantityField(product_id);
      const bags = values[field]?.trim() ?? "0";
      if (bags === "0") return [];
      if (!quantityProblem(bags)) return [{ product_id, quantity: Number(bags) }];
      const message =
        bags === ""
          ? `How many bags of ${name}? 0 removes it.`
          : `${name}: a whole number of bags, at most ${LIMITS.quantity_per_line}.`;
      problems.push({ field, message });
      return [];
    },
  );
  return { items, problems };
}

/** A problem for each bean of a page's address or form that has left the catalog. */
const unsoldProblems = (catalog: Catalog, values: Record<string, string>): FieldProblem[] =>
  Object.entries(values).flatMap(([name, bags]) => {
    const bean = Number(bags) > 0 ? catalog.known(name.replace(/^qty_/, "")) : undefined;
    if (!bean || catalog.find(bean.product_id)) return [];
    return [{ field: null, message: `${bean.name_to_use_with_humans} isn’t sold any more.` }];
  });

export const goneProblems = (gone: readonly string[]): FieldProblem[] =>
  gone.map((name) => ({
    field: null,
    message: `We don’t sell ${name} right now, so we took it out. Nothing was charged.`,
  }));

/** The numbers of bags after a press of Add, +, − or Remove. */
export function afterButton(values: Record<string, string>): Record<string, string> {
  const { add, more, less, remove } = values;
  const after = { ...values };
  const change = (id: string, by: number) => {
    const field = quantityField(id);
    const had = values[field]?.trim() ?? "0";
    const of = decimal(had);
    // A wrong or emptied number stays as typed.
    after[field] = of === null ? had : String(Math.max(0, of + by));
  };
  if (remove !== undefined) after[quantityField(remove)] = "0";
  if (more !== undefined) change(more, 1);
  if (less !== undefined) change(less, -1);
  if (add !== undefined) change(add, decimal(values.bags?.trim() || "1") ?? 1);
  return after;
}

/** The cart in a page's address: the form's values, and problems of what does not fit into the form. */
export function linkedCart(catalog: Catalog, query: Query) {
  const { items = "", discount_code = "", gift_note = "" } = onceEach(query);
  const problems = Object.entries(REPEATED).flatMap(([name, message]) =>
    Array.isArray(query[name]) ? [message] : [],
  );
  const isTooLong = items.length > LIMITS.link_items_characters;
  if (isTooLong) problems.push("This link names too many coffees to read, so we left them out.");
  const bags = new Map<string, string>();
  const unknown = new Set<string>();
  for (const part of isTooLong ? [] : items.split(",")) {
    const [, id = "", count = ""] = /^([^:]*):?(.*)$/s.exec(part.trim()) ?? [];
    const bean = catalog.known(id);
    if (!bean) {
      if (id || count) unknown.add(id);
    } else if (count === "0") {
      const name = bean.name_to_use_with_humans;
      problems.push(`This link asks for 0 bags of ${name}, so we left it out.`);
    } else bags.set(id, added(bags.get(id), count));
  }
  if (unknown.size > 0) problems.push(unknownWords([...unknown]));
  const quantities = [...bags].map(([id, count]) => [quantityField(id), count]);
  const texts = { discount_code, gift_note };
  const values: Record<string, string> = { ...Object.fromEntries(quantities), ...texts };
  const told = problems.map((message): FieldProblem => ({ field: null, message }));
  if (restOfNote(query) !== undefined) {
    const message = "An & in the link may have cut the gift note. Please check it.";
    told.push({ field: "gift_note", message });
  }
  return { values, problems: told };
}

/** Parameters of the address, and the problem if one is there twice. */
const REPEATED = {
  items: "This link has two lists of coffee, so we left both out.",
  discount_code: "This link has two discount codes, so we left both out.",
  gift_note: "This link has two gift notes, so we left both out.",
};

/** Adds up the bags of a repeated bean. A wrong number stays as written. */
function added(before: string | undefined, count: string): string {
  const counts = [before ?? "0", count].map(decimal);
  if (counts.includes(null)) return before !== undefined && counts[0] === null ? before : count;
  return String(counts[0]! + counts[1]!);
}

const MOST_NAMED = 5;

function unknownWords(ids: readonly string[]): string {
  const named = ids.filter((id) => /^[\w -]{1,40}$/.test(id)).slice(0, MOST_NAMED);
  if (named.length === 0) return "We couldn’t read a part of this link, so we left it out.";
  const more = ids.length - named.length;
  const list = [...named.map((id) => `“${id}”`), ...(more > 0 ? [`${more} more`] : [])];
  return `We don’t sell ${LIST.format(list)}, so we left ${list.length > 1 ? "them" : "it"} out.`;
}

const LIST = new Intl.ListFormat("en-US");

/** The form's values from a stored cart. */
export const cartValues = ({
  items,
  discount_code = "",
  gift_note = "",
}: Cart): Record<string, string> => ({
  ...Object.fromEntries(
    items.map(({ product_id, quantity }) => [quantityField(product_id), String(quantity)]),
  ),
  discount_code,
  gift_note,
});

/** Values with as many bags of each short bean as are left. */
export const takingLeft = (
  values: Record<string, string>,
  rows: readonly BagsRow[],
): Record<string, string> => ({
  ...values,
  ...Object.fromEntries(
    rows.flatMap(({ bean: { product }, left }) =>
      left === undefined ? [] : [[quantityField(product.product_id), String(left)]],
    ),
  ),
});

export interface ReadCart extends CartView {
  /** To be stored: checked, or as typed while something is wrong. */
  cart: Cart;
  /** Every number is valid. */
  wellTyped: boolean;
}

/** Fields beside the bags, named like the parameters of GET /v1/quick-checkout. */
const TEXTS = ["discount_code", "gift_note", "buyer_email"] as const;

interface ReadAs {
  /** Bags that the waitlist holds for this cart. */
  held?: Bags | undefined;
  /** The buyer's email, which decides about the code. */
  email?: string | undefined;
  /** A code whose offer has ended is no problem: the price says why it does nothing. */
  isOffered?: boolean;
}

/** Checks a cart by the rules of a link. Stores and holds nothing. */
export async function readShopCart(
  merchant: Merchant,
  beans: readonly Bean[],
  values: Record<string, string>,
  { held, email, isOffered = false }: ReadAs = {},
): Promise<ReadCart> {
  const { items, problems: mistyped } = chosenBags(merchant.catalog, values);
  const { discount_code, gift_note } = values;
  const texts = TEXTS.map((name) => [name, values[name]?.trim()]);
  const asked: AskedCart = { items, ...Object.fromEntries(texts) };
  const holding = held && { held };
  const few = await merchant.quickCheckout.short({ items, ...holding });
  const short = few.map(({ product, text }) => ({
    field: quantityField(product.product_id),
    message: text,
  }));
  const checked = await checkedCart(merchant, asked, held);
  // A problem beside its number is not repeated.
  const isEndedCode = isOffered && codeProblems(discount_code).length === 0;
  const refused = ("problems" in checked ? checked.problems : []).filter(
    ({ field, message }) =>
      !short.some((one) => one.message === message) && !(isEndedCode && field === "discount_code"),
  );
  const unsold = unsoldProblems(merchant.catalog, values);
  const problems = [...unsold, ...mistyped, ...short, ...refused];
  const rows = beans.flatMap((bean): BagsRow[] => {
    const { product_id: id } = bean.product;
    const field = quantityField(id);
    const problemAmong = (some: readonly FieldProblem[]) => some.find((one) => one.field === field);
    const quantity = values[field]?.trim() ?? "";
    // While another number is wrong, nothing is stored, so that the form has to tell again what is removed.
    const isRemoved = mistyped.length > 0 && quantity === "0";
    const isChosen = items.some(({ product_id }) => product_id === id);
    if (!problemAmong(mistyped) && !isChosen && !isRemoved) return [];
    const tooFew = few.find(({ product }) => product.product_id === id);
    const waitlist = tooFew && waitlistForShort(merchant.catalog, { product_id: id, ...tooFew });
    const left = tooFew?.available;
    return [{ bean, quantity, problem: problemAmong(problems)?.message, waitlist, left }];
  });
  return {
    rows,
    bagTotal: bagCount(items),
    pricing: await priced(merchant, asked, problems, email),
    values: { discount_code, gift_note },
    problems,
    cart: "cart" in checked ? checked.cart : { ...asTyped(asked), ...holding },
    wellTyped: mistyped.length === 0,
  };
}

/** More than any field allows, so that a longer value is still reported as too long. */
const KEPT_CHARACTERS = 500;

const asTyped = ({ items, discount_code, gift_note }: AskedCart): Cart => ({
  items: [...items],
  discount_code: normalCode(discount_code)?.slice(0, KEPT_CHARACTERS),
  gift_note: gift_note?.slice(0, KEPT_CHARACTERS) || undefined,
});

async function checkedCart(
  merchant: Merchant,
  asked: AskedCart,
  held: Bags | undefined,
): Promise<{ cart: Cart } | { problems: FieldProblem[] }> {
  const { items, ...texts } = asked;
  if (items.length === 0 && !Object.values(texts).some(Boolean)) return { problems: [] };
  try {
    return { cart: await merchant.quickCheckout.checkCart(asked, held) };
  } catch (error) {
    const refused = refusalOf(error);
    const ofBags = items.length > 0 ? null : undefined;
    return { problems: fieldProblems(refused, (at) => (at === "/items" ? ofBags : at.slice(1))) };
  }
}

/** A wrong code is left out, so that there is a price while the buyer corrects it. */
async function priced(
  { quickCheckout }: Merchant,
  { items, discount_code: code }: AskedCart,
  problems: readonly FieldProblem[],
  email: string | undefined,
): Promise<CartPricing | null> {
  if (items.length === 0) return null;
  const good = code && !problems.some(({ field }) => field === "discount_code");
  const cart = { items: [...items], ...(good && { discount_code: code.toUpperCase() }) };
  return quickCheckout.price(cart, email);
}

/** Its button to check out is also in the bar on a phone. */
const CART_FORM = "cart-form";

/** The shop's cart, or the bags on a checkout's page. */
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

export function cartSection(cart: CartView, shop: Shop, pause: Pause | null): Markup | null {
  if (!isBegun(cart)) return problemSummary(cart.problems, null);
  // Enter in a field presses the form's first button.
  const form = html`<form class="form" id="${CART_FORM}" method="post" action="${CART_PATH}" novalidate>
      <button class="unseen" tabindex="-1" aria-hidden="true">Update the cart</button>
      ${
        cart.rows.length > 0
          ? bagRows(cart)
          : html`<p>Your cart is empty. We’ll keep your note and code for the next coffee you add.</p>`
      }
      <button class="quiet retotal">Update the total</button>
      ${extras(cart)}
      <div class="cart-sums stack">
        ${cart.pricing && pricingSums(cart.pricing, cart.bagTotal)}
        ${freeShipping(cart, shop)}
        ${cart.rows.length > 0 && (pause ? html`<p><b>${backOn(pause)}.</b> You can check out then.</p>` : ways(cart))}
      </div>
    </form>`;
  return html`<section class="cart till stack" id="cart" aria-labelledby="cart-title">
    <h2 id="cart-title"${cart.rows.length > 0 && html` class="wide-only"`}>Your cart</h2>
    ${problemSummary(cart.problems, form)}
    ${form}
  </section>`;
}

/** The bags with their steppers. */
export const bagRows = ({ rows }: Pick<CartView, "rows">): Markup =>
  html`<ul class="stack">${rows.map(cartRow)}</ul>`;

/** One press takes the bags that are left. */
export const takeLeftButton = ({ rows }: Pick<CartView, "rows">): Markup | null =>
  rows.some(({ left }) => left)
    ? html`<button name="take" value="left">Take what’s left</button>`
    : null;

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
export function extras({ values, problems }: Pick<CartView, "values" | "problems">): Markup {
  const used = [values.discount_code, values.gift_note].some(Boolean);
  const wrong = problems.some(({ field }) => field === "discount_code" || field === "gift_note");
  return html`<details class="extras"${(used || wrong) && html` open`}>
    <summary>Gift note or discount code</summary>
    ${extraFields(values, problems)}
    <button class="quiet">Save</button>
  </details>`;
}

export function freeShipping({ pricing }: Pick<CartView, "pricing">, shop: Shop): Markup | null {
  if (!pricing || pricing.shipping_minor === 0) return null;
  const missing = shop.free_shipping_from_minor - pricing.subtotal_minor;
  return html`<p class="hint">Add ${money(missing)} for free shipping.</p>`;
}

/** On a phone the bar has the button. */
const ways = ({
  pricing,
}: CartView): Markup => html`<button${pricing && html` class="wide-only"`} name="go" value="checkout">Check out</button>
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
  /** Address of the waitlist form, if it would take the buyer for bags that are short. */
  waitlist?: string | undefined;
  /** Bags that are left, if fewer than wanted. */
  left?: number | undefined;
}

/** `inCart`: what surrounds the number's input in the cart, whose total is for this number. */
export function bagsRow(
  { bean, quantity, problem, waitlist }: BagsRow,
  inCart?: (input: Markup) => Renderable,
): Markup {
  const { product_id: id, name_to_use_with_humans: name, price_minor } = bean.product;
  const field = quantityField(id);
  const error = `${field}-error`;
  // Styles hide the total while another number is typed, or none.
  const isPriced = !problem && decimal(quantity) !== null;
  const priced = inCart && html` required${isPriced && html` pattern="${quantity}"`}`;
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
