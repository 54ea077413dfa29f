import type { Request, Response } from "express";
import { SHOP_CART_DAYS } from "../checkouts/checkout.ts";
import { sha256 } from "../core/hash.ts";
import { newNonce } from "../core/ids.ts";
import { DAY_MS, LIMITS } from "../core/policy.ts";
import { cookieOptions, cookies } from "./cookies.ts";

/** Names the checkout that is the shop's cart in this browser, and its bags for the header: "chk_….3". */
const CART = "cart";

/** A secret of this browser. What was typed or paid in it is shown in no other. */
const BROWSER = "browser";

/** Days that a browser is known after its last checkout. */
export const BROWSER_DAYS = 365;

interface KeptCart {
  id: string;
  bags: number;
}

export function keptCart(req: Request): KeptCart | null {
  const [, id = "", bags = ""] =
    /^(chk_[\w-]{22})\.(\d{1,4})$/.exec(cookies(req).get(CART) ?? "") ?? [];
  return id ? { id, bags: Number(bags) } : null;
}

/** Bags in the cart after this answer, for the header. */
export const bagsAfter = ({ req, locals }: Response): number =>
  (locals.cartBags as number | undefined) ?? keptCart(req)?.bags ?? 0;

const optionsOf = (res: Response) => cookieOptions(res.app.locals.shop as { baseUrl: string }, "/");

export function keepCart(res: Response, { id, bags }: KeptCart): void {
  const options = { ...optionsOf(res), maxAge: SHOP_CART_DAYS * DAY_MS };
  res.cookie(CART, `${id}.${Math.min(bags, LIMITS.bags_per_order)}`, options);
  res.locals.cartBags = bags;
}

export function forgetCart(res: Response): void {
  res.clearCookie(CART, optionsOf(res));
  res.locals.cartBags = 0;
}

/** Hash of this browser's secret, or null if it has none. */
export function knownBrowser(req: Request): string | null {
  const secret = cookies(req).get(BROWSER) ?? "";
  return /^[\w-]{22}$/.test(secret) ? sha256(secret) : null;
}

/** The same. Gives a browser without a secret one. */
export function browserOf(res: Response): string {
  const known = cookies(res.req).get(BROWSER) ?? "";
  const secret = /^[\w-]{22}$/.test(known) ? known : newNonce();
  res.cookie(BROWSER, secret, { ...optionsOf(res), maxAge: BROWSER_DAYS * DAY_MS });
  return sha256(secret);
}
