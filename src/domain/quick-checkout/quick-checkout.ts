import type { Catalog, Product } from "../catalog/catalog.ts";
import { noLongerSold } from "../catalog/catalog-version.ts";
import { mostInWords, overShare, tooManyText } from "../payment/hold-share.ts";
import { price } from "../quote/pricing.ts";
import { pricingOf } from "../quote/quote-terms.ts";
import { type Bags, shortOf } from "../shared/bags.ts";
import { MerchantError } from "../shared/errors.ts";
import { CURRENCY } from "../shared/money.ts";
import { step } from "../shared/next-step.ts";
import type { StockRow } from "../shared/records.ts";
import type { CartPricing } from "./quick-checkout-answer.ts";

/** What a quick-checkout link carries (contract §10). Its address comes from the buyer. */
export interface Cart {
  items: Bags[];
  discount_code?: string | undefined;
  gift_note?: string | undefined;
  buyer_email?: string | undefined;
  /** The place in a queue whose bags this cart is for; only its own page makes such a cart. */
  waitlist_id?: string;
}

/** The locked bean is never sold over a link: there a finder key would be seen by everybody (contract §10). */
export function refuseLockedCart(cart: Cart, catalog: Catalog): void {
  const locked = cart.items.some(
    ({ product_id }) => catalog.find(product_id)?.availability === "EXCLUSIVE",
  );
  if (!locked) return;
  throw new MerchantError(
    "GEISHA_LOCKED",
    "The exclusive bean is not sold over quick checkout. An agent with a finder key can quote it.",
    {
      next: [
        step("ask", "Three good questions, with your key, earn a finder key; quotes take it."),
      ],
    },
  );
}

export const shortBeans = (cart: Cart, catalog: Catalog, stock: readonly StockRow[]) =>
  shortOf(cart.items, stock).map(({ product_id, available: free }) => ({
    product: bean(catalog, product_id),
    free,
  }));

export function refuseShort(beans: ReturnType<typeof shortBeans>): void {
  if (beans.length === 0) return;
  const waits = beans.some(({ product }) => product.availability === "WAITLIST");
  const problems = beans.map(({ product, free }) => ({
    pointer: "/items",
    code: "OUT_OF_STOCK",
    detail: `Not enough bags of ${product.name_to_use_with_humans} (${product.product_id}): ${free} now.`,
  }));
  const next = [
    step("get_catalog", "Choose another bean, or take fewer bags."),
    ...(waits ? [step("join_waitlist", "An agent can put the buyer on the waitlist.")] : []),
  ];
  const detail = "There are not enough bags. Take fewer, or another bean.";
  throw new MerchantError("OUT_OF_STOCK", detail, { problems, next });
}

/** How many bags one order can have, where the cart has more: pressing pay would refuse it (contract §5). */
export function tooMany(
  { items, waitlist_id }: Cart,
  catalog: Catalog,
  stock: readonly StockRow[],
): string | null {
  // Its bags are held for this buyer already.
  if (waitlist_id !== undefined) return null;
  const over = overShare(items, { stock });
  if (over.length === 0) return null;
  return tooManyText(mostInWords(over, (id) => bean(catalog, id).name_to_use_with_humans));
}

/** A link to such a cart leads nowhere. */
export function refuseOverShare(...cart: Parameters<typeof tooMany>): void {
  const text = tooMany(...cart);
  if (text === null) return;
  throw new MerchantError("LIMIT_EXCEEDED", text, {
    at: "/items",
    next: [
      step("build_quick_checkout_link", "Make a link with fewer bags."),
      step("send_bulk_lead", "Or ask the merchant for all of them."),
    ],
  });
}

/** Whether a cart's code can be used, as far as is known. Unknown emails are given the benefit. */
export type CodeStanding = "USABLE" | "ENDED" | "NOT_ELIGIBLE";

const UNUSED: Record<Exclude<CodeStanding, "USABLE"> | "SPEND", string> = {
  ENDED: "The offer has ended.",
  NOT_ELIGIBLE: "It cannot be used for this buyer.",
  SPEND: "The spend courtesy replaces it; it is not used up.",
};

/** The whole price of a cart: it goes to one address, so shipping is known before the address is. */
export function priceCart(cart: Cart, catalog: Catalog, standing: CodeStanding): CartPricing {
  const lines = cart.items.map(({ product_id, quantity }) => ({
    unitMinor: bean(catalog, product_id).price_minor,
    quantity,
  }));
  const usable = cart.discount_code !== undefined && standing === "USABLE";
  const priced = price([{ addressKey: "", lines }], usable);
  const applied = priced.courtesy?.kind === "FIRST_ORDER";
  const reason = priced.courtesy?.kind === "SPEND" ? "SPEND" : standing;
  return {
    currency: CURRENCY,
    ...pricingOf(priced),
    ...(cart.discount_code !== undefined && {
      discount_code: {
        code: cart.discount_code,
        applied,
        ...(reason !== "USABLE" && { reason: UNUSED[reason] }),
      },
    }),
  };
}

/** What came of a buyer's form: the price they go on with, or a higher one than the page had shown. */
export type Agreement =
  | { kind: "agreed"; pricing: CartPricing }
  | { kind: "raised"; pricing: CartPricing; shownMinor: number };

/**
 * A total is never raised in silence (contract §10): the higher one is shown and asked for once more.
 * `acceptedMinor` is what the page showed; null where the form names none.
 */
export function agreement(
  cart: Cart,
  catalog: Catalog,
  { standing, acceptedMinor }: { standing: CodeStanding; acceptedMinor: number | null },
): Agreement {
  const pricing = priceCart(cart, catalog, standing);
  const shownMinor = acceptedMinor ?? priceCart(cart, catalog, "USABLE").total_minor;
  if (pricing.total_minor <= shownMinor) return { kind: "agreed", pricing };
  return { kind: "raised", pricing, shownMinor };
}

/** It may have left the catalog since the cart was read: other instances publish at any moment. */
export function bean(catalog: Catalog, productId: string): Product {
  const found = catalog.find(productId);
  if (found) return found;
  throw noLongerSold([productId], { pointer: "/items", again: "build_quick_checkout_link" });
}
