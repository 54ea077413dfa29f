import { hkdfSync } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { JOSEError } from "jose/errors";
import type { Address } from "../domain/address.ts";
import type { Intent } from "../domain/command.ts";
import { MerchantError, type Problem } from "../domain/errors.ts";
import { invalid } from "../domain/invalid.ts";
import { iso } from "../domain/policy.ts";
import {
  bean,
  type Cart,
  type CartPricing,
  cartUrl,
  priceCart,
  type Query,
  readCart,
  refuseLockedCart,
} from "../domain/quick-checkout.ts";
import type { QuoteView } from "../domain/quote.ts";
import type { QuoteRequest } from "../domain/quote-request.ts";
import { customerOf, FIRST_ORDER_SETTING, mayHaveFirstOrder } from "../domain/quote-rules.ts";
import type { Context } from "./context.ts";
import { sha256 } from "./ids.ts";
import type { quoteVerbs } from "./quotes.ts";

/** How long a cart's page can be opened. The link that makes it lasts as long as the prices do. */
const CART_MS = 24 * 3_600_000;

/** A cart's page, from its token: the cart, or why there is none. */
export type CartFound = { cart: Cart; expiresAt: number } | "EXPIRED" | "BROKEN";

export interface QuickCheckout {
  checkout_url: string;
  expires_at: string;
  items: { product_id: string; name: string; quantity: number; unit_price_minor: number }[];
  pricing: CartPricing;
  message_for_buyer: string;
}

export function quickCheckoutVerbs(context: Context, quotes: ReturnType<typeof quoteVerbs>) {
  const { store, catalog, clock, baseUrl } = context;
  const key = Buffer.from(hkdfSync("sha256", context.secret, "", "cart", 32));

  const items = (cart: Cart): QuickCheckout["items"] =>
    cart.items.map(({ product_id, quantity }) => {
      const { name, price_minor } = bean(catalog, product_id);
      return { product_id, name, quantity, unit_price_minor: price_minor };
    });

  /** All that can be wrong with a link, told at once; nothing is stored and nothing is held (§10). */
  async function check(query: Query): Promise<Cart> {
    const read = readCart(query, catalog);
    const problems = "problems" in read ? read.problems : [];
    const cart = "cart" in read ? read.cart : null;
    if (cart) problems.push(...(await codeProblems(cart)));
    if (problems.length > 0 || !cart) throw invalid(problems);
    refuseLockedCart(cart, catalog);
    await refuseShort(cart);
    return cart;
  }

  async function codeProblems(cart: Cart): Promise<Problem[]> {
    if (cart.discount_code === undefined) return [];
    const pointer = "/discount_code";
    if ((await store.queries.setting(FIRST_ORDER_SETTING)) === "off") {
      const detail = "This offer has ended. Leave discount_code out.";
      return [{ pointer, code: "DISCOUNT_CODE_INVALID", detail }];
    }
    if (cart.buyer_email === undefined || (await firstOrderFor(cart, cart.buyer_email))) return [];
    const detail = "This code cannot be used for this buyer. Leave discount_code out.";
    return [{ pointer, code: "DISCOUNT_NOT_ELIGIBLE", detail }];
  }

  /** Whether this email may still have the first-order courtesy, or needs none: spend replaces it. */
  async function firstOrderFor(cart: Cart, email: string): Promise<boolean> {
    if (priceCart(cart, catalog, false).courtesy) return true;
    return mayHaveFirstOrder(await store.queries.customer(customerOf(email)));
  }

  async function refuseShort(cart: Cart): Promise<void> {
    const stock = await store.queries.stock();
    const short = cart.items.filter(({ product_id, quantity }) => {
      const row = stock.find((s) => s.product_id === product_id);
      return (row?.on_hand ?? 0) - (row?.held ?? 0) < quantity;
    });
    if (short.length === 0) return;
    throw new MerchantError(
      "OUT_OF_STOCK",
      "There are not enough bags. Take fewer, or another bean.",
      {
        problems: short.map(({ product_id }) => ({
          pointer: "/items",
          code: "OUT_OF_STOCK",
          detail: `Not enough bags of ${product_id}.`,
        })),
      },
    );
  }

  const token = (cart: Cart, expiresAt: number): Promise<string> =>
    new EncryptJWT({ cart })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .encrypt(key);

  return {
    check,

    /** The cart's page. The token carries the cart itself, sealed: nothing is stored (§10). */
    async open(cart: Cart): Promise<QuickCheckout> {
      const expiresAt = clock() + CART_MS;
      const pricing = priceCart(cart, catalog, cart.discount_code !== undefined);
      const checkout_url = `${baseUrl}/checkout/${await token(cart, expiresAt)}`;
      const total = pricing.total_display;
      return {
        checkout_url,
        expires_at: iso(expiresAt),
        items: items(cart),
        pricing,
        message_for_buyer: `Please enter your address, review your coffee order (${total}) and pay here:\n${checkout_url}\nNothing is ordered until you pay.`,
      };
    },

    /** The complete link for a cart, as an agent hands it over. */
    link: (cart: Cart) => {
      const url = cartUrl(baseUrl, cart);
      const pricing = priceCart(cart, catalog, cart.discount_code !== undefined);
      return {
        url,
        items: items(cart),
        pricing,
        message_for_buyer: `Please open this link to enter your address and pay ${pricing.total_display} for your coffee:\n${url}\nNothing is ordered until you pay.`,
      };
    },

    async find(sealed: string): Promise<CartFound> {
      try {
        const { payload } = await jwtDecrypt(sealed, key, { currentDate: new Date(clock()) });
        const cart = payload.cart as Cart;
        // A bean may have left the catalog since the link was opened.
        if (!cart.items.every((item) => catalog.find(item.product_id))) return "EXPIRED";
        return { cart, expiresAt: (payload.exp ?? 0) * 1000 };
      } catch (error) {
        if (!(error instanceof JOSEError)) throw error;
        return error.code === "ERR_JWT_EXPIRED" ? "EXPIRED" : "BROKEN";
      }
    },

    firstOrderFor,

    priceFor: (cart: Cart, firstOrder: boolean) => priceCart(cart, catalog, firstOrder),

    /**
     * The buyer's ordinary, immutable quote. The same form of the same cart sent twice is one quote,
     * as long as that one can still be paid.
     */
    async quote(
      sealed: string,
      cart: Cart,
      buyer: { email: string; address: Address; firstOrder: boolean },
    ): Promise<QuoteView> {
      const request: QuoteRequest = {
        buyer: { email: buyer.email },
        shipments: [
          {
            recipient_ref: "buyer",
            address: buyer.address,
            items: cart.items,
            ...(cart.gift_note !== undefined && { gift_notes: [cart.gift_note] }),
          },
        ],
        ...(cart.discount_code !== undefined &&
          buyer.firstOrder && { discount_code: cart.discount_code }),
      };
      const form = sha256(JSON.stringify(request));
      const intent: Intent = {
        scope: `checkout:${sha256(sealed)}`,
        keyHash: form,
        requestHash: form,
      };
      const { body, replayed } = await quotes.createForBuyer(request, intent);
      if (!replayed || (await stillPayable(body.id))) return body;
      const fresh = { ...intent, keyHash: sha256(`${form}:${clock()}`) };
      return (await quotes.createForBuyer(request, fresh)).body;
    },
  };

  async function stillPayable(quoteId: string): Promise<boolean> {
    const found = await store.queries.quote(quoteId);
    return (
      found !== undefined &&
      found.state.status !== "INVALIDATED" &&
      found.state.status !== "WAITLIST_OFFERED" &&
      found.quote.expires_at > clock()
    );
  }
}
