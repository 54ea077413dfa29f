import type { z } from "zod";
import type { Catalog, Product } from "./catalog.ts";
import { Email } from "./email.ts";
import { MerchantError, type Problem } from "./errors.ts";
import { CURRENCY, display } from "./money.ts";
import { step } from "./next-step.ts";
import { FIRST_ORDER, LIMITS } from "./policy.ts";
import { price } from "./pricing.ts";
import { GiftNote, normalCode } from "./quote-request.ts";

/** What a quick-checkout link carries (SPEC §4, CONTRACT §10). Its address comes from the buyer. */
export interface Cart {
  items: { product_id: string; quantity: number }[];
  discount_code?: string;
  gift_note?: string;
  buyer_email?: string;
}

/** Query parameters as they came: a repeated one is an array. */
export type Query = Record<string, string | string[] | undefined>;

const KNOWN = ["items", "bag", "qty", "discount_code", "gift_note", "buyer_email", "format"];

/** Everything wrong with a link at once, or its cart. */
export function readCart(query: Query, catalog: Catalog): { cart: Cart } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const wrong = (pointer: string, code: string, detail: string) =>
    problems.push({ pointer, code, detail });
  for (const [name, value] of Object.entries(query)) {
    if (!KNOWN.includes(name)) wrong(`/${printable(name)}`, "UNKNOWN_FIELD", UNKNOWN);
    else if (Array.isArray(value)) wrong(`/${name}`, "REPEATED", "Give this parameter once.");
  }
  const one = (name: string) => (Array.isArray(query[name]) ? undefined : query[name]);
  const clear = !["items", "bag", "qty"].some((name) => Array.isArray(query[name]));
  const items = clear ? readItems(one("items"), one("bag"), one("qty"), wrong) : [];
  if (problems.length === 0 || items.length > 0) checkBeans(items, catalog, wrong);
  const cart: Cart = { items };
  const code = normalCode(one("discount_code"));
  if (code === FIRST_ORDER.code) cart.discount_code = code;
  else if (code !== null) {
    wrong("/discount_code", "DISCOUNT_CODE_INVALID", "No such discount code. Leave it out.");
  }
  readText(cart, "gift_note", one("gift_note"), GiftNote, wrong);
  readText(cart, "buyer_email", one("buyer_email"), Email, wrong);
  const format = one("format");
  if (format !== undefined && format !== "json") {
    wrong("/format", "INVALID", 'The only format is "json"; leave it out for the page.');
  }
  return problems.length > 0 ? { problems } : { cart };
}

const UNKNOWN = `No such parameter here. There are: ${KNOWN.join(", ")}.`;

type Wrong = (pointer: string, code: string, detail: string) => void;

function readItems(
  items: string | undefined,
  bag: string | undefined,
  qty: string | undefined,
  wrong: Wrong,
): Cart["items"] {
  if (items !== undefined && (bag !== undefined || qty !== undefined)) {
    wrong("/items", "AMBIGUOUS", "Give items, or bag and qty, not both.");
    return [];
  }
  if (items === undefined) {
    if (bag === undefined)
      wrong("/bag", "MISSING", "Give items=<product_id>:<bags>, or bag and qty.");
    if (qty === undefined) wrong("/qty", "MISSING", "How many bags? Such as qty=2.");
    if (bag === undefined || qty === undefined) return [];
    return summed([{ product_id: bag, quantity: readQuantity(qty, "/qty", wrong) }]);
  }
  const parts = items.split(",");
  if (parts.length > LIMITS.lines_per_shipment) {
    wrong("/items", "LIMIT_EXCEEDED", `At most ${LIMITS.lines_per_shipment} products in a link.`);
    return [];
  }
  return summed(
    parts.map((part) => {
      const colon = part.lastIndexOf(":");
      if (colon < 1) wrong("/items", "INVALID", "Write each as <product_id>:<number of bags>.");
      const product_id = part.slice(0, Math.max(colon, 0));
      const quantity = colon < 1 ? 0 : readQuantity(part.slice(colon + 1), "/items", wrong);
      return { product_id, quantity };
    }),
  );
}

/** A plain decimal without leading zeros: "01", "+1", "1.0" and 0 are refused (CONTRACT §10). */
function readQuantity(text: string, pointer: string, wrong: Wrong): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    wrong(
      pointer,
      "INVALID",
      "The number of bags is a whole number from 1, without leading zeros.",
    );
    return 0;
  }
  const quantity = Number(text);
  if (quantity > LIMITS.quantity_per_line) {
    wrong(pointer, "LIMIT_EXCEEDED", `At most ${LIMITS.quantity_per_line} bags of one bean.`);
  }
  return quantity;
}

function summed(items: Cart["items"]): Cart["items"] {
  const bags = new Map<string, number>();
  for (const { product_id, quantity } of items) {
    bags.set(product_id, (bags.get(product_id) ?? 0) + quantity);
  }
  return [...bags].map(([product_id, quantity]) => ({ product_id, quantity }));
}

function checkBeans(items: Cart["items"], catalog: Catalog, wrong: Wrong): void {
  const known = catalog.products.map((p) => p.product_id).join(", ");
  for (const { product_id } of items) {
    if (product_id !== "" && !catalog.find(product_id)) {
      wrong("/items", "UNKNOWN_PRODUCT", `No such bean. The catalog has: ${known}.`);
    }
  }
  const bags = items.reduce((n, item) => n + item.quantity, 0);
  if (bags > LIMITS.bags_per_order) {
    wrong("/items", "LIMIT_EXCEEDED", `At most ${LIMITS.bags_per_order} bags in one order.`);
  }
}

function readText(
  cart: Cart,
  name: "gift_note" | "buyer_email",
  value: string | undefined,
  schema: z.ZodType<string>,
  wrong: Wrong,
): void {
  if (value === undefined || value === "") return;
  const parsed = schema.safeParse(value);
  if (parsed.success) cart[name] = parsed.data;
  else for (const issue of parsed.error.issues) wrong(`/${name}`, "INVALID", issue.message);
}

const printable = (text: string): string => text.replace(/[^\w.-]/g, "?").slice(0, 40);

/** The locked bean is never sold over a link: there a finder key would be seen by everybody (§10). */
export function refuseLockedCart(cart: Cart, catalog: Catalog): void {
  const locked = cart.items.some(
    ({ product_id }) => catalog.find(product_id)?.availability === "EXCLUSIVE",
  );
  if (!locked) return;
  throw new MerchantError(
    "GEISHA_LOCKED",
    "The exclusive bean is not sold over quick checkout. An agent with a finder key can quote it.",
    { next: [step("ask", "Three good questions about the beans earn a finder key.")] },
  );
}

export interface CartPricing {
  currency: string;
  subtotal_minor: number;
  courtesy: { kind: "FIRST_ORDER" | "SPEND"; code?: string; amount_minor: number } | null;
  shipping_minor: number;
  total_minor: number;
  total_display: string;
}

/** The whole price of a cart: it goes to one address, so shipping is known before the address is. */
export function priceCart(cart: Cart, catalog: Catalog, firstOrder: boolean): CartPricing {
  const lines = cart.items.map(({ product_id, quantity }) => ({
    unitMinor: bean(catalog, product_id).price_minor,
    quantity,
  }));
  const priced = price([{ addressKey: "", lines }], firstOrder);
  return {
    currency: CURRENCY,
    subtotal_minor: priced.subtotalMinor,
    courtesy: priced.courtesy && {
      kind: priced.courtesy.kind,
      ...(priced.courtesy.kind === "FIRST_ORDER" && { code: FIRST_ORDER.code }),
      amount_minor: priced.courtesy.amountMinor,
    },
    shipping_minor: priced.shippingMinor,
    total_minor: priced.totalMinor,
    total_display: display(priced.totalMinor),
  };
}

export function bean(catalog: Catalog, productId: string): Product {
  const found = catalog.find(productId);
  if (!found) throw new Error(`no bean ${productId}`);
  return found;
}

/** The link itself: complete, encoded, and the same for the same cart. */
export function cartUrl(baseUrl: string, cart: Cart): string {
  const url = new URL(`${baseUrl}/v1/quick-checkout`);
  const items = cart.items.map((item) => `${item.product_id}:${item.quantity}`).join(",");
  const rest = Object.entries({
    discount_code: cart.discount_code,
    gift_note: cart.gift_note,
    buyer_email: cart.buyer_email,
  }).flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []));
  // Commas and colons may stand in a query as they are; people read links better so.
  return `${url}?${[`items=${items}`, ...rest].join("&")}`;
}
