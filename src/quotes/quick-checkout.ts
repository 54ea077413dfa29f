import { z } from "zod";
import { type Catalog, isExclusive } from "../catalog/catalog.ts";
import { outOfStock, type ShortBean } from "../catalog/catalog-answer.ts";
import { type Cart, knownBean } from "../checkouts/cart.ts";
import { answer, Display, IN_MODE, Minor, NextSteps, Time } from "../core/answer.ts";
import { refusal } from "../core/errors.ts";
import { CURRENCY } from "../core/money.ts";
import { step } from "../core/next-step.ts";
import type { Shop } from "../core/shop.ts";
import { price } from "./pricing.ts";
import { CodeOutcome, Courtesy, Item, Pricing } from "./quote-answer.ts";
import { pricingOf, SPEND_REPLACES } from "./quote-terms.ts";

export const CartPricing = Pricing.extend({
  currency: z.string(),
  courtesy: Courtesy.nullable(),
  discount_code: CodeOutcome.extend({
    applied: z.boolean().optional().describe("Absent: it depends on the buyer's email."),
  })
    .optional()
    .describe("What the link's code does, or why it does nothing."),
  otherwise_minor: Minor.optional().describe("The total if the code does not apply."),
  otherwise_display: Display.optional(),
});

export type CartPricing = z.infer<typeof CartPricing>;

/** A cart's page: response of the tool, and of GET /v1/quick-checkout with format=json. */
export const QuickCheckout = answer({
  checkout_url: z.string(),
  expires_at: Time.describe("Until then the page takes the buyer's details."),
  ...IN_MODE,
  items: z.array(Item),
  pricing: CartPricing,
  gift_note: z.string().optional(),
  gift_note_for: z.string().optional().describe("The bag that the note goes with."),
  message_for_buyer: z.string(),
  next: NextSteps,
}).meta({ id: "QuickCheckout" });

export type QuickCheckout = z.infer<typeof QuickCheckout>;

/** Refuses the exclusive bean: a link would expose the finder key (contract §10). */
export function refuseLockedCart(cart: Cart, catalog: Catalog): void {
  const beans = cart.items.flatMap(({ product_id }) => catalog.find(product_id) ?? []);
  if (!beans.some(isExclusive)) return;
  throw refusal(
    "GEISHA_LOCKED",
    "The exclusive bean is not sold over quick checkout.",
    step("request_quote", "It takes a finder key, which three good questions with your key earn."),
    step("get_catalog", "Choose another bean."),
  );
}

/** Refuses a link for more bags than there are. */
export function refuseShort(beans: readonly ShortBean[], baseUrl: string): void {
  if (beans.length === 0) return;
  const join = beans
    .filter(({ waits }) => waits)
    .map(({ product: { product_id: id } }) => ({
      action: "tell the buyer",
      why: `Join the waitlist at ${baseUrl}/waitlist?bean=${id} for bags that are short.`,
    }));
  throw outOfStock(beans, "/items", ...join);
}

/** Whether the cart's code can be used. Without an email, the buyer is taken for new. */
export type CodeStanding = "USABLE" | "ENDED" | "NOT_ELIGIBLE";

const UNUSED: Record<Exclude<CodeStanding, "USABLE"> | "SPEND", string> = {
  ENDED: "The offer has ended.",
  NOT_ELIGIBLE: "It cannot be used for this buyer.",
  SPEND: SPEND_REPLACES,
};

interface Selling {
  catalog: Catalog;
  shop: Shop;
}

/** The total price of a cart. It goes to one address, so shipping is known before the address is. */
export function priceCart(
  cart: Cart,
  { catalog, shop }: Selling,
  standing: CodeStanding,
): CartPricing {
  const lines = cart.items.map(({ product_id, quantity }) => ({
    unitMinor: knownBean(catalog, product_id).price_minor,
    quantity,
  }));
  const usable = cart.discount_code !== undefined && standing === "USABLE";
  const priced = price([{ addressKey: "", lines }], { shop, firstOrder: usable });
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

/** The same before the buyer's email is known: the code may turn out not to apply. */
export function conditional(pricing: CartPricing, withoutCode: CartPricing): CartPricing {
  const { discount_code: code, total_display } = pricing;
  if (!code?.applied || pricing.total_minor === withoutCode.total_minor) return pricing;
  const { total_minor: otherwise_minor, total_display: otherwise_display } = withoutCode;
  const reason =
    `${total_display} if this is the email's first order, otherwise ${otherwise_display}. ` +
    "Any other order by this email ends the discount.";
  return {
    ...pricing,
    discount_code: { code: code.code, reason },
    otherwise_minor,
    otherwise_display,
  };
}

/** "$44.00", or "$35.20 if this is the email's first order, otherwise $44.00". */
export const totalInWords = ({
  total_display,
  otherwise_display: otherwise,
}: CartPricing): string =>
  otherwise === undefined
    ? total_display
    : `${total_display} if this is your email's first order, otherwise ${otherwise}`;

/** Result of the buyer's form: the agreed price, or one higher than the page had shown. */
type Agreement =
  | { kind: "agreed"; pricing: CartPricing }
  | { kind: "raised"; pricing: CartPricing; shownMinor: number };

/**
 * A total is never raised silently (contract §10): the page shows the higher one and asks again.
 * `acceptedMinor` is the total that the page showed, or null.
 */
export function agreement(
  cart: Cart,
  selling: Selling,
  { standing, acceptedMinor }: { standing: CodeStanding; acceptedMinor: number | null },
): Agreement {
  const pricing = priceCart(cart, selling, standing);
  const shownMinor = acceptedMinor ?? priceCart(cart, selling, "USABLE").total_minor;
  if (pricing.total_minor <= shownMinor) return { kind: "agreed", pricing };
  return { kind: "raised", pricing, shownMinor };
}

export const itemsOf = ({ items }: Pick<Cart, "items">, catalog: Catalog): Item[] =>
  items.map(({ product_id, quantity }) => {
    const { name_to_use_with_humans: name, price_minor } = knownBean(catalog, product_id);
    return { product_id, name, quantity, unit_price_minor: price_minor };
  });
