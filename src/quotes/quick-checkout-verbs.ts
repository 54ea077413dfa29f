import { EncryptJWT, jwtDecrypt } from "jose";
import { JOSEError } from "jose/errors";
import type { ShortBean } from "../catalog/catalog-answer.ts";
import { noLongerSold } from "../catalog/catalog-version.ts";
import type { CatalogContext } from "../catalog/live-catalog.ts";
import type { Address } from "../core/address.ts";
import { inMode, playMoney } from "../core/answer.ts";
import { bagCount } from "../core/bags.ts";
import { customerOf } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { canonicalJson, sha256 } from "../core/hash.ts";
import { derivedKey } from "../core/ids.ts";
import { invalid } from "../core/input-problems.ts";
import { followPage } from "../core/next-step.ts";
import { DAY_MS, FIRST_ORDER_SETTING, firstOrderOn, iso } from "../core/policy.ts";
import type { QuoteRow } from "../core/records.ts";
import { cartOfEntry } from "../waitlist/own-offers.ts";
import {
  agreement,
  type Cart,
  type CartPricing,
  type CodeStanding,
  conditional,
  itemsOf,
  notForSale,
  priceCart,
  type QuickCheckout,
  refuseLockedCart,
  refuseShort,
  shortInCart,
  totalInWords,
} from "./quick-checkout.ts";
import {
  type AskedCart,
  cartUrl,
  checkCart,
  type Query,
  readCart,
} from "./quick-checkout-query.ts";
import type { Quote, Terms } from "./quote-answer.ts";
import type { QuoteRequest } from "./quote-request.ts";
import { OFFER_ENDED } from "./quote-rules.ts";
import { type quoteVerbs, requestOfTerms } from "./quote-verbs.ts";
import { mayHaveFirstOrder } from "./standing.ts";

/** Lifetime of a cart's page. Its link has no end. */
const CART_MS = DAY_MS;

export function quickCheckoutVerbs(context: CatalogContext, quotes: ReturnType<typeof quoteVerbs>) {
  const { store, catalog, clock, baseUrl } = context;
  const tokens = cartTokens(context.secret);

  /** Beans and price of a cart. The email decides whether its code can be used. */
  const shown = (cart: Cart): Pick<QuickCheckout, "items" | "pricing"> => ({
    items: itemsOf(cart, catalog),
    pricing: conditional(
      priceCart(cart, context, "USABLE"),
      priceCart(cart, context, "NOT_ELIGIBLE"),
    ),
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
    if (cart.discount_code !== undefined && (await standingOf(cart)) === "ENDED") {
      throw new MerchantError("DISCOUNT_CODE_INVALID", OFFER_ENDED, { at: "/discount_code" });
    }
    refuseLockedCart(cart, catalog);
    refuseShort(shortInCart(cart, catalog, await catalog.stock()), baseUrl);
    return cart;
  }

  /** Whether the cart's code can be used now, by this buyer if the email is known. */
  async function standingOf(cart: Cart, email?: string): Promise<CodeStanding> {
    if (!firstOrderOn(await store.queries.setting(FIRST_ORDER_SETTING))) return "ENDED";
    // A spend courtesy takes the code's place, so then the buyer's history does not matter.
    if (email === undefined || priceCart(cart, context, "ENDED").courtesy) return "USABLE";
    const customer = await store.queries.customer(customerOf(email));
    return mayHaveFirstOrder(customer) ? "USABLE" : "NOT_ELIGIBLE";
  }

  return {
    shown,

    check: (query: Query): Promise<Cart> => accept(readCart(query, catalog)),

    checkCart: (asked: AskedCart): Promise<Cart> => accept(checkCart(asked, catalog)),

    /** Opens the page of a session, or one whose URL contains the cart. */
    async open(cart: Cart, session?: { id: string; expiresAt: number }): Promise<QuickCheckout> {
      refuseNotForSale(cart);
      const expiresAt = session?.expiresAt ?? clock() + CART_MS;
      const cartView = shown(cart);
      const token = session?.id ?? (await tokens.seal(cart, expiresAt));
      const checkout_url = `${baseUrl}/checkout/${token}`;
      const { mode } = context.provider;
      const notice = playMoney(mode);
      return {
        checkout_url,
        expires_at: iso(expiresAt),
        ...inMode(mode),
        ...cartView,
        ...noteIn(cart, cartView.items),
        message_for_buyer: `Please open this page, fill in where the coffee goes, and pay ${totalInWords(cartView.pricing)}:\n${checkout_url}\nNothing is ordered until you pay.${notice ? ` ${notice}` : ""}`,
        next: [
          followPage(
            checkout_url,
            "With checkout_url, after you give it to the buyer: whether it was paid, and the order.",
          ),
        ],
      };
    },

    /** The link to a cart's page. Each opening makes a page of its own. */
    link(cart: Cart) {
      refuseNotForSale(cart);
      return { url: cartUrl(baseUrl, cart), ...shown(cart) };
    },

    /**
     * Path of a page on which the buyer changes email and address of a quote. The page counts as the one
     * that made it: both are one order. Null for an agent's quote.
     */
    async change({ quote, terms }: QuoteWithTerms): Promise<string | null> {
      const [shipment] = terms.shipments;
      if (quote.agent_id !== null || quote.cart === null || !shipment) return null;
      const { line2, ...address } = shipment.address;
      const cart: Cart = {
        ...cartOfQuote({ quote, terms }),
        buyer_email: quote.buyer_email,
        changed: { page: quote.cart, address: { ...address, ...(line2 && { line2 }) } as Address },
      };
      return `/checkout/${await tokens.seal(cart, clock() + CART_MS)}`;
    },

    /** Finds the cart of a page. */
    find: (sealed: string): Promise<CartFound> => tokens.open(sealed, clock()),

    /** Beans of a cart that can't be ordered any more, by the names that people know. */
    async notForSale(cart: Cart): Promise<string[]> {
      await catalog.refresh();
      return notForSale(cart, catalog).map((bean) => bean.name_to_use_with_humans);
    },

    /** The price before the buyer's email is known. */
    price: async (cart: Cart): Promise<CartPricing> =>
      priceCart(cart, context, await standingOf(cart)),

    /** Result of this buyer's form: see `agreement`. */
    async agree(cart: Cart, form: { email: string; acceptedMinor: number | null }) {
      // Another instance may have just changed the price.
      await catalog.refresh();
      refuseNotForSale(cart);
      const standing = await standingOf(cart, form.email);
      const { acceptedMinor } = form;
      return { ...agreement(cart, context, { standing, acceptedMinor }), standing };
    },

    short: async (cart: Cart): Promise<ShortBean[]> =>
      shortInCart(cart, catalog, await catalog.stock()),

    /** Makes the buyer's quote. The same form sent twice gets the same quote while that can be paid. */
    async quote(sealed: string, cart: Cart, buyer: Buyer): Promise<Quote> {
      const request = requestOf(cart, buyer);
      const total = priceCart(cart, context, buyer.standing).total_minor;
      const scope = `checkout:${sha256(sealed)}`;
      const origin = { agentId: null, finderKey: null, cart: payerOf(sealed, cart) };
      return quotes.payableQuote(scope, JSON.stringify([request, total]), (intent) =>
        quotes.create(request, origin, intent),
      );
    },

    /**
     * The quote by which this form was already paid. Its price may differ by now: its own order may have
     * used the discount.
     */
    async paidQuote(sealed: string, cart: Cart, buyer: Buyer): Promise<string | undefined> {
      const orders = await store.queries.ordersOfBuyer(buyer.email, clock() - CART_MS);
      const paid = await store.queries.quotesByIds(orders.map((order) => order.quote_id));
      const payer = payerOf(sealed, cart);
      const wish = canonicalJson(requestOf(cart, buyer).shipments);
      const wished = ({ terms }: QuoteRow) =>
        canonicalJson(requestOfTerms(JSON.parse(terms) as Terms).shipments) === wish;
      const same = paid.find((quote) => quote.cart === payer && wished(quote));
      return same?.id;
    },
  };
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

interface QuoteWithTerms {
  quote: QuoteRow;
  terms: Terms;
}

/** Quotes of one page, or of one waitlist offer, replace each other. */
const payerOf = (sealed: string, { waitlist_id, changed }: Cart): string =>
  changed?.page ?? (waitlist_id === undefined ? sha256(sealed) : cartOfEntry(waitlist_id));

/** The waitlist entry on whose page a quote was made. */
function entryOfCart(page: string): string | undefined {
  const before = cartOfEntry("");
  return page.startsWith(before) ? page.slice(before.length) : undefined;
}

/** The cart that a quote to one address was made of. */
export function cartOfQuote({ quote, terms }: QuoteWithTerms): Cart {
  const {
    shipments: [shipment],
    discount_code,
  } = terms;
  const waitlist_id = entryOfCart(quote.cart ?? "");
  return {
    items: (shipment?.items ?? []).map(({ product_id, quantity }) => ({ product_id, quantity })),
    discount_code: discount_code?.code,
    gift_note: shipment?.gift_notes[0],
    ...(waitlist_id !== undefined && { waitlist_id }),
  };
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

/** Content of a page's token: the cart, or why there is none. */
export type CartFound = { cart: Cart; expiresAt: number } | "EXPIRED" | "BROKEN";

/** Encrypts a cart into its page's URL, so that nothing is stored or readable (contract §10). */
function cartTokens(secret: Buffer) {
  const key = derivedKey(secret, "cart");
  return {
    seal: (cart: Cart, expiresAt: number): Promise<string> =>
      new EncryptJWT({ cart })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .encrypt(key),

    async open(sealed: string, now: number): Promise<CartFound> {
      try {
        const { payload } = await jwtDecrypt(sealed, key, { currentDate: new Date(now) });
        return { cart: payload.cart as Cart, expiresAt: (payload.exp ?? 0) * 1000 };
      } catch (error) {
        if (!(error instanceof JOSEError)) throw error;
        return error.code === "ERR_JWT_EXPIRED" ? "EXPIRED" : "BROKEN";
      }
    },
  };
}
