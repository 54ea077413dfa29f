import type { ShortBean } from "../catalog/catalog-answer.ts";
import { noLongerSold } from "../catalog/catalog-version.ts";
import type { CatalogContext } from "../catalog/live-catalog.ts";
import { type Cart, notForSale, sellable, shortInCart } from "../checkouts/cart.ts";
import { cartOf, type Opened, type TypedBuyer, typedEmail } from "../checkouts/checkout.ts";
import type { checkoutVerbs } from "../checkouts/checkout-verbs.ts";
import type { Address } from "../core/address.ts";
import { inMode, playMoney } from "../core/answer.ts";
import { type Bags, bagCount } from "../core/bags.ts";
import { customerOf } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { canonicalJson, sha256 } from "../core/hash.ts";
import type { AgentId, QuoteId } from "../core/ids.ts";
import { invalid } from "../core/input-problems.ts";
import { followPage } from "../core/next-step.ts";
import { FIRST_ORDER_SETTING, firstOrderOn, iso } from "../core/policy.ts";
import type { CheckoutRow } from "../core/records.ts";
import { breakText } from "../core/shop.ts";
import {
  agreement,
  type CartPricing,
  type CodeStanding,
  conditional,
  itemsOf,
  priceCart,
  type QuickCheckout,
  refuseLockedCart,
  refuseShort,
  totalInWords,
} from "./quick-checkout.ts";
import {
  type AskedCart,
  cartUrl,
  checkCart,
  type Query,
  readCart,
} from "./quick-checkout-query.ts";
import type { Terms } from "./quote-answer.ts";
import type { QuoteRequest } from "./quote-request.ts";
import { OFFER_ENDED } from "./quote-rules.ts";
import { bagsByProduct } from "./quote-terms.ts";
import { type quoteVerbs, requestOfTerms } from "./quote-verbs.ts";
import { mayHaveFirstOrder } from "./standing.ts";

export type QuickCheckoutVerbs = ReturnType<typeof quickCheckoutVerbs>;

export function quickCheckoutVerbs(
  context: CatalogContext,
  {
    checkouts,
    quotes,
  }: { checkouts: ReturnType<typeof checkoutVerbs>; quotes: ReturnType<typeof quoteVerbs> },
) {
  const { catalog, baseUrl } = context;

  /** The price for this buyer. Before the email is known, it names both totals. */
  async function price(cart: Cart, email?: string): Promise<CartPricing> {
    const pricing = priceCart(cart, context, await codeStanding(context, cart, email));
    if (email !== undefined) return pricing;
    return conditional(pricing, priceCart(cart, context, "NOT_ELIGIBLE"));
  }

  const shown = async (cart: Cart, email?: string) => ({
    items: itemsOf(cart, catalog),
    pricing: await price(cart, email),
  });

  /** Another instance may have taken a bean off sale since the cart was checked. */
  function refuseNotForSale(cart: Cart): void {
    const gone = notForSale(cart, catalog).map(({ product_id }) => product_id);
    if (gone.length === 0) return;
    throw noLongerSold(gone, { pointer: "/items", again: "build_quick_checkout_link" });
  }

  /** Throws all problems of a cart at once. Stores and holds nothing (contract §10). */
  async function accept(read: ReturnType<typeof readCart>): Promise<Cart> {
    if ("problems" in read) throw invalid({ ...read, again: "build_quick_checkout_link" });
    const { cart } = read;
    // Only whether the offer is on. Only the buyer's own form reveals an earlier purchase.
    if (cart.discount_code !== undefined && (await codeStanding(context, cart)) === "ENDED") {
      throw new MerchantError("DISCOUNT_CODE_INVALID", OFFER_ENDED, { at: "/discount_code" });
    }
    refuseLockedCart(cart, catalog);
    refuseShort(shortInCart(cart, catalog, await catalog.stock()), baseUrl);
    return cart;
  }

  /** The checkout's newest quote, if this form would make the same one and it can be paid. */
  async function sameQuote(row: CheckoutRow, asked: string): Promise<QuoteId | undefined> {
    if (row.quote_id === null) return undefined;
    const found = await quotes.payable(row.quote_id);
    if (!found) return undefined;
    const terms = JSON.parse(found.quote.terms) as Terms;
    const { discount_code: code } = terms;
    const request = { ...requestOfTerms(terms), ...(code && { discount_code: code.code }) };
    return canonicalJson([request, terms.pricing.total_minor]) === asked ? row.quote_id : undefined;
  }

  return {
    check: (query: Query): Promise<Cart> => accept(readCart(query, catalog)),

    /** `held`: bags that the waitlist holds for this cart. */
    checkCart(asked: AskedCart, held?: Bags): Promise<Cart> {
      const read = checkCart(asked, catalog);
      return accept("cart" in read && held ? { cart: { ...read.cart, held } } : read);
    },

    /** Makes the page of a checked cart: see `openLink`. */
    async open(cart: Cart, agentId: AgentId | null = null): Promise<QuickCheckout> {
      refuseNotForSale(cart);
      const { id, expiresAt }: Opened = await checkouts.openLink(cart, agentId);
      const cartView = await shown(cart);
      const checkout_url = `${baseUrl}/checkout/${id}`;
      const { mode } = context.provider;
      const paused = breakText(context, { now: context.clock(), endsAt: expiresAt });
      const words = [
        `Please open this page, fill in where the coffee goes, and pay ${totalInWords(cartView.pricing)}:\n${checkout_url}\nNothing is ordered until you pay.`,
        ...[playMoney(mode), paused].filter((more) => more !== null),
      ];
      return {
        checkout_url,
        expires_at: iso(expiresAt),
        ...inMode(mode),
        ...cartView,
        ...noteIn(cart, cartView.items),
        message_for_buyer: words.join(" "),
        next: [
          followPage(
            checkout_url,
            "With checkout_url, after you give it to the buyer: whether it was paid, and the order.",
          ),
        ],
      };
    },

    /** The link to a cart's page. Each opening makes a checkout of its own. */
    async link(cart: Cart) {
      refuseNotForSale(cart);
      return { url: cartUrl(baseUrl, cart), ...(await shown(cart)) };
    },

    price,

    /** What the page of a checkout offers at this moment, whoever reads it. */
    async offer(row: CheckoutRow) {
      const { cart, gone } = sellable(catalog, cartOf(row));
      const short = shortInCart(cart, catalog, await catalog.stock());
      return { cart, gone, short, ...(await shown(cart, typedEmail(row))) };
    },

    /** Result of this buyer's form: see `agreement`. */
    async agree(cart: Cart, form: { email: string; acceptedMinor: number | null }) {
      // Another instance may have just changed the price.
      await catalog.refresh();
      refuseNotForSale(cart);
      const standing = await codeStanding(context, cart, form.email);
      const { acceptedMinor } = form;
      return { ...agreement(cart, context, { standing, acceptedMinor }), standing };
    },

    short: async (cart: Cart): Promise<ShortBean[]> =>
      shortInCart(cart, catalog, await catalog.stock()),

    /**
     * Makes the next quote of a checkout, which replaces the earlier ones, and returns its id. The same form
     * sent again gets the same quote while that can be paid.
     */
    async quote(row: CheckoutRow, buyer: Buyer, typed: TypedBuyer): Promise<QuoteId> {
      const cart = cartOf(row);
      const request = requestOf(cart, buyer);
      const total = priceCart(cart, context, buyer.standing).total_minor;
      const asked = canonicalJson([request, total]);
      const same = await sameQuote(row, asked);
      if (same !== undefined) return same;
      const intent = {
        scope: `checkout:${row.page}`,
        keyHash: sha256(`${row.quote_id} ${asked}`),
        requestHash: sha256(asked),
      };
      const checkout = { id: row.id, browser: typed.browser, typed };
      const origin = { agentId: null, finderKey: null, cart: row.page, checkout };
      return (await quotes.create(request, origin, intent)).body.id;
    },
  };
}

/** Whether the cart's code can be used now, by this buyer if the email is known. */
export async function codeStanding(
  context: CatalogContext,
  cart: Cart,
  email?: string,
): Promise<CodeStanding> {
  const { queries } = context.store;
  if (!firstOrderOn(await queries.setting(FIRST_ORDER_SETTING))) return "ENDED";
  // A spend courtesy takes the code's place, so then the buyer's history does not matter.
  if (email === undefined || priceCart(cart, context, "ENDED").courtesy) return "USABLE";
  const customer = await queries.customer(customerOf(email));
  return mayHaveFirstOrder(customer) ? "USABLE" : "NOT_ELIGIBLE";
}

/** A note goes with the first bag (contract §3). */
function noteIn({ gift_note }: Cart, items: QuickCheckout["items"]) {
  if (gift_note === undefined) return {};
  const count = bagCount(items);
  const gift_note_for =
    count === 1 ? items[0]!.name : `the first of ${count} bags, ${items[0]!.name}`;
  return { gift_note, gift_note_for };
}

/** The buyer's form, and whether this buyer can use the cart's code. */
export interface Buyer {
  email: string;
  address: Address;
  standing: CodeStanding;
}

const requestOf = (cart: Cart, { email, address, standing }: Buyer): QuoteRequest => ({
  buyer: { email },
  shipments: [
    {
      recipient_ref: "buyer",
      address,
      items: cart.items,
      ...(cart.gift_note !== undefined && { gift_notes: [cart.gift_note] }),
    },
  ],
  ...(cart.discount_code !== undefined &&
    standing === "USABLE" && { discount_code: cart.discount_code }),
});

/** Whether both have the same bags, note and code. */
export const isSameCart = (a: Cart, b: Cart): boolean => contentOf(a) === contentOf(b);

const contentOf = ({ items, gift_note, discount_code }: Cart): string =>
  canonicalJson([bagsByProduct([{ items }]), gift_note ?? null, discount_code ?? null]);

/** Whether a quote was made of exactly this content. A code that this buyer could not use was left out. */
export function isCartOf(
  { shipments: [shipment], discount_code: code }: Terms,
  cart: Cart,
): boolean {
  if (!shipment) return false;
  const { items, gift_notes } = shipment;
  const discount_code = code?.code ?? cart.discount_code;
  return isSameCart({ items, gift_note: gift_notes[0], discount_code }, cart);
}
