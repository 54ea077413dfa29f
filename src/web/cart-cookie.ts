import type { Request, Response } from "express";
import { type Bags, bagCount } from "../core/bags.ts";
import { decimal } from "../core/fields.ts";
import { DAY_MS, LIMITS } from "../core/policy.ts";
import { type AskedCart, cartQuery } from "../quotes/quick-checkout-query.ts";
import { cookies } from "./cookies.ts";

const NAME = "cart";

/** Days after its last change. */
export const CART_DAYS = 30;

/** The bags, note and code of a link, as text. Nothing about the buyer. */
const PARTS = ["items", "discount_code", "gift_note"] as const;

type KeptCart = Record<(typeof PARTS)[number], string>;

/** Browsers drop a cookie above 4,096 bytes, silently. */
const MOST_CHARACTERS = 3_900;

/** The cart in the buyer's browser, unchecked: the buyer can change it. */
export function keptCart(req: Request): KeptCart {
  const kept = read(cookies(req).get(NAME) ?? "");
  const parts = PARTS.map((name): [string, string] => {
    const value = kept[name];
    return [name, typeof value === "string" ? value : ""];
  });
  return Object.fromEntries(parts) as KeptCart;
}

function read(value: string): Record<string, unknown> {
  if (value.length > MOST_CHARACTERS) return {};
  try {
    return Object(JSON.parse(Buffer.from(value, "base64url").toString()));
  } catch {
    return {};
  }
}

/** Whether the cart holds exactly these bags. */
export const holdsOnly = (req: Request, items: readonly Bags[]): boolean =>
  new URLSearchParams(cartQuery({ items: [...items] })).get("items") === keptCart(req).items;

/** Bags in the cart after this answer, for the header. */
export const bagsAfter = ({ req, locals }: Response): number =>
  locals.cartBags === undefined ? keptBags(req) : (locals.cartBags as number);

const keptBags = (req: Request): number =>
  cartLines(keptCart(req).items)
    .map(({ quantity }) => decimal(quantity) ?? 0)
    .filter((bags) => bags <= LIMITS.quantity_per_line)
    .reduce((sum, bags) => sum + bags, 0);

/** `kenya-nyeri:2,rwanda-huye:1` in lines. Parts that are no line are left out. */
export const cartLines = (items: string): { id: string; quantity: string }[] =>
  items
    .slice(0, LIMITS.link_items_characters)
    .split(",")
    .flatMap((part) => {
      const colon = part.lastIndexOf(":");
      return colon < 1 ? [] : [{ id: part.slice(0, colon), quantity: part.slice(colon + 1) }];
    });

/** Keeps a cart, or forgets it if it is empty. Returns whether it fits. */
export function keepCart(res: Response, asked: AskedCart): boolean {
  const { baseUrl } = res.app.locals.shop as { baseUrl: string };
  const secure = baseUrl.startsWith("https:");
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure } as const;
  const parts = new URLSearchParams(cartQuery({ ...asked, buyer_email: undefined }));
  if (parts.size === 0) {
    res.clearCookie(NAME, options);
    res.locals.cartBags = 0;
    return true;
  }
  const value = Buffer.from(JSON.stringify(Object.fromEntries(parts))).toString("base64url");
  if (value.length > MOST_CHARACTERS) return false;
  res.cookie(NAME, value, { ...options, maxAge: CART_DAYS * DAY_MS });
  res.locals.cartBags = bagCount(asked.items);
  return true;
}
