import type { Catalog } from "../catalog/catalog.ts";
import { type Bags, bagCount } from "../core/bags.ts";
import { decimal } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { CartPricing } from "../quotes/quick-checkout.ts";
import { type AskedCart, quantityProblem } from "../quotes/quick-checkout-query.ts";
import { addField, type Bean } from "../web/bean-view.ts";
import type { FieldProblem } from "../web/form-parts.ts";
import { fieldProblems } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { type BagsRow, type CartView, quantityField } from "./pages/cart.ts";
import { waitlistFor } from "./pages/waitlist.ts";

/** The bags of a form in the catalog's order, and a problem for each wrong number. */
function chosenBags(catalog: Catalog, values: Record<string, string>) {
  const problems = notSold(catalog, values);
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
const notSold = (catalog: Catalog, values: Record<string, string>): FieldProblem[] =>
  Object.entries(values).flatMap(([name, bags]) => {
    const bean = Number(bags) > 0 ? catalog.known(name.replace(/^qty_/, "")) : undefined;
    if (!bean || catalog.find(bean.product_id)) return [];
    return [{ field: null, message: `${bean.name_to_use_with_humans} isn’t sold any more.` }];
  });

/** The form's numbers after Add or Remove. */
export function pressed(values: Record<string, string>): Record<string, string> {
  const { add, remove } = values;
  const after = { ...values };
  if (remove !== undefined) delete after[quantityField(remove)];
  if (add !== undefined) {
    const more = values[addField(add)]?.trim() || "1";
    const had = values[quantityField(add)]?.trim() || "0";
    const of = decimal(had);
    // A wrong number stays as typed.
    const isSum = of !== null && quantityProblem(more) === null;
    after[quantityField(add)] = isSum ? String(of + Number(more)) : of === null ? had : more;
  }
  return after;
}

/** The form's values from the cart in the page's address. */
export function fromCartQuery(values: Record<string, string>): Record<string, string> {
  const parts = (values.items ?? "").slice(0, LIMITS.link_items_characters).split(",");
  const bags = parts.flatMap((part): [string, string][] => {
    const colon = part.lastIndexOf(":");
    return colon < 1 ? [] : [[quantityField(part.slice(0, colon)), part.slice(colon + 1)]];
  });
  const { discount_code = "", gift_note = "" } = values;
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
  const many = (await merchant.quickCheckout.tooMany({ items })).map(({ product, code, text }) => ({
    field: quantityField(product.product_id),
    message: text,
    isShort: code === "OUT_OF_STOCK",
  }));
  // A problem beside its number is not repeated.
  const refused = (await cartProblems(merchant, asked)).filter(
    ({ message }) => !many.some((one) => one.message === message),
  );
  const problems = [...mistyped, ...many, ...refused];
  const rows = beans.flatMap((bean): BagsRow[] => {
    const { product_id: id, availability } = bean.product;
    const field = quantityField(id);
    const problemAmong = (some: readonly FieldProblem[]) => some.find((one) => one.field === field);
    if (!problemAmong(mistyped) && !items.some(({ product_id }) => product_id === id)) return [];
    const quantity = values[field]?.trim() ?? "";
    const isShort = many.some((one) => one.isShort && one.field === field);
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
