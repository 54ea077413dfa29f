import type { z } from "zod";
import type { Catalog } from "../catalog/catalog.ts";
import { GiftNote, normalCode } from "../quote/quote-request.ts";
import { type Bags, mergeBags } from "../shared/bags.ts";
import { Email } from "../shared/email.ts";
import type { Problem } from "../shared/errors.ts";
import { FIRST_ORDER, LIMITS } from "../shared/policy.ts";
import type { Cart } from "./quick-checkout.ts";

/** Query parameters as they came: a repeated one is an array. */
export type Query = Record<string, string | string[] | undefined>;

const KNOWN = ["items", "bag", "qty", "discount_code", "gift_note", "buyer_email", "format"];
const UNKNOWN = `No such parameter here. There are: ${KNOWN.join(", ")}.`;

type Wrong = (pointer: string, code: string, detail: string) => void;

type Read = { cart: Cart } | { problems: Problem[] };

/** Everything wrong with a link at once, or its cart. */
export function readCart(query: Query, catalog: Catalog): Read {
  const problems: Problem[] = [];
  const wrong: Wrong = (pointer, code, detail) => problems.push({ pointer, code, detail });
  for (const [name, value] of Object.entries(query)) {
    if (!KNOWN.includes(name)) wrong(`/${printable(name)}`, "UNKNOWN_FIELD", UNKNOWN);
    else if (Array.isArray(value)) wrong(`/${name}`, "REPEATED", "Give this parameter once.");
  }
  const one = (name: string) => (Array.isArray(query[name]) ? undefined : query[name]);
  const clear = !["items", "bag", "qty"].some((name) => Array.isArray(query[name]));
  const items = clear ? readItems(one("items"), one("bag"), one("qty"), wrong) : [];
  const texts = {
    discount_code: one("discount_code"),
    gift_note: one("gift_note"),
    buyer_email: one("buyer_email"),
  };
  const cart = assemble({ items, ...texts }, catalog, {
    wrong,
    itemsAt: one("items") === undefined ? "/bag" : "/items",
  });
  const format = one("format");
  if (format !== undefined && format !== "json") {
    wrong("/format", "INVALID", 'The only format is "json"; leave it out for the page.');
  }
  return problems.length > 0 ? { problems } : { cart };
}

/** Bags as numbers, and beside them texts as they were typed. */
export interface AskedCart {
  items: readonly Bags[];
  discount_code?: string | undefined;
  gift_note?: string | undefined;
  buyer_email?: string | undefined;
}

/** The same for a cart whose bags are no text: out of a form, or out of a tool's input. */
export function checkCart(asked: AskedCart, catalog: Catalog): Read {
  const problems: Problem[] = [];
  const wrong: Wrong = (pointer, code, detail) => problems.push({ pointer, code, detail });
  if (asked.items.length === 0) wrong("/items", "MISSING", "At least one bag.");
  const cart = assemble(asked, catalog, { wrong, itemsAt: "/items" });
  return problems.length > 0 ? { problems } : { cart };
}

function assemble(
  asked: AskedCart,
  catalog: Catalog,
  { wrong, itemsAt }: { wrong: Wrong; itemsAt: string },
): Cart {
  checkBeans(asked.items, itemsAt, catalog, wrong);
  const cart: Cart = { items: mergeBags(asked.items) };
  const code = normalCode(asked.discount_code);
  if (code === FIRST_ORDER.code) cart.discount_code = code;
  else if (code !== null) {
    wrong("/discount_code", "DISCOUNT_CODE_INVALID", "No such discount code. Leave it out.");
  }
  readText(cart, "gift_note", asked.gift_note, GiftNote, wrong);
  readText(cart, "buyer_email", asked.buyer_email, Email, wrong);
  return cart;
}

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
    const quantity = qty === undefined ? 0 : readQuantity(qty, "/qty", wrong);
    return bag === undefined ? [] : [{ product_id: bag, quantity }];
  }
  const parts = items.split(",");
  if (parts.length > LIMITS.lines_per_shipment) {
    wrong("/items", "LIMIT_EXCEEDED", `At most ${LIMITS.lines_per_shipment} products in a link.`);
    return [];
  }
  return parts.flatMap((part) => {
    const colon = part.lastIndexOf(":");
    if (colon < 1) {
      wrong("/items", "INVALID", "Write each as <product_id>:<number of bags>.");
      return [];
    }
    const quantity = readQuantity(part.slice(colon + 1), "/items", wrong);
    return [{ product_id: part.slice(0, colon), quantity }];
  });
}

/** What is wrong with a number of bags as it was typed: "01", "+1", "1.0" and 0 are (contract §10). */
export function quantityProblem(text: string): { code: string; detail: string } | null {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    const detail = "The number of bags is a whole number from 1, without leading zeros.";
    return { code: "INVALID", detail };
  }
  if (Number(text) <= LIMITS.quantity_per_line) return null;
  const detail = `At most ${LIMITS.quantity_per_line} bags of one bean.`;
  return { code: "LIMIT_EXCEEDED", detail };
}

function readQuantity(text: string, pointer: string, wrong: Wrong): number {
  const problem = quantityProblem(text);
  if (problem) wrong(pointer, problem.code, problem.detail);
  return problem?.code === "INVALID" ? 0 : Number(text);
}

function checkBeans(items: readonly Bags[], pointer: string, catalog: Catalog, wrong: Wrong): void {
  const known = catalog.products.map((p) => p.product_id).join(", ");
  for (const id of new Set(items.map((item) => item.product_id))) {
    if (catalog.find(id)) continue;
    const detail = `There is no bean "${printable(id)}". The catalog has: ${known}.`;
    wrong(pointer, "UNKNOWN_PRODUCT", detail);
  }
  const bags = items.reduce((n, item) => n + item.quantity, 0);
  if (bags > LIMITS.bags_per_order) {
    wrong(pointer, "LIMIT_EXCEEDED", `At most ${LIMITS.bags_per_order} bags in one order.`);
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
  if (parsed.success) {
    cart[name] = parsed.data;
    return;
  }
  // The commonest slip in a link made by hand: + in a query is a space.
  const plus = name === "buyer_email" && /\S \S/.test(value) ? " In a link + is written %2B." : "";
  for (const issue of parsed.error.issues) wrong(`/${name}`, "INVALID", `${issue.message}${plus}`);
}

/** A stranger's word inside our answer: short, and nothing that could act in it. */
const printable = (text: string): string => text.replace(/[^\w.-]/g, "?").slice(0, 40);
