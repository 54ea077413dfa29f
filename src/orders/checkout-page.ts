import { shortInCart } from "../checkouts/cart.ts";
import { cartOf, isLive } from "../checkouts/checkout.ts";
import { findCheckout } from "../checkouts/checkout-verbs.ts";
import { reviewUrl } from "../core/context.ts";
import type { QuoteId } from "../core/ids.ts";
import type { CheckoutRow, OrderRow } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { orderOfCheckout } from "../quotes/cart-session-verbs.ts";
import { asItStands, lastTry, quoteOfCheckout } from "../quotes/found-quotes.ts";
import { isCartOf } from "../quotes/quick-checkout-verbs.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { type Standing, standing } from "../quotes/standing.ts";

/** Content of `/checkout/{id}`. */
export type CheckoutPage =
  | { kind: "open"; row: CheckoutRow; newest: NewestQuote | null }
  | { kind: "settling"; quoteId: QuoteId; browser: string | null }
  | { kind: "ordered"; order: PageOrder; browser: string | null }
  /** UNKNOWN: never made here, or its row was removed. */
  | { kind: "ended"; reason: "CANCELED" | "EXPIRED" | "UNKNOWN" };

/** The newest quote of an open checkout. */
export interface NewestQuote {
  id: QuoteId;
  /** Hash of the secret of the browser that made it. */
  browser: string | null;
  problem: Standing["problem"];
  owedMinor: Standing["owedMinor"];
  /** A payment of exactly this content has begun, or failed and can be tried again. */
  isPaying: boolean;
}

/** The order of a checkout. Whoever knows the checkout's id can see this. */
export interface PageOrder {
  /** Id of the checkout. */
  token: string;
  quoteId: QuoteId;
  number: string;
  status: OrderRow["status"];
  /** Address of the order's page. */
  page: string;
}

export const checkoutPage =
  (context: Context) =>
  async (token: string): Promise<CheckoutPage> => {
    const { store, clock, catalog } = context;
    const { queries } = store;
    const row = await findCheckout(queries, token);
    const paid = await orderOfCheckout(queries, token);
    const order = paid && (await queries.order(paid.orderId));
    if (order) {
      const browser = (await queries.quote(order.quote_id))?.state.browser ?? null;
      return { kind: "ordered", order: { token: paid.token, ...pageOrder(order) }, browser };
    }
    if (!row) return { kind: "ended", reason: "UNKNOWN" };
    const stored = await quoteOfCheckout(store, row);
    const status = stored?.state.status;
    if (stored && (status === "PROCESSING" || status === "PAID")) {
      return { kind: "settling", quoteId: stored.quote.id, browser: stored.state.browser };
    }
    if (!isLive(row, clock())) {
      return { kind: "ended", reason: row.canceled_at === null ? "EXPIRED" : "CANCELED" };
    }
    return { kind: "open", row, newest: stored ? await newestQuote(stored) : null };

    async function newestQuote(found: NonNullable<typeof stored>): Promise<NewestQuote> {
      const last = await lastTry(store, found.quote.id);
      const s = standing({ ...(await asItStands(context, found)), last }, clock());
      const terms = JSON.parse(found.quote.terms) as Terms;
      const cart = cartOf(row!);
      const isSame = isCartOf(terms, cart);
      const { problem, owedMinor } = s;
      // Bags that another payment holds may come back; until then the page offers fewer.
      const canRetry = async () => shortInCart(cart, catalog, await catalog.stock()).length === 0;
      const isPaying =
        s.payable && isSame && (s.paying || (problem !== null && (await canRetry())));
      return { id: found.quote.id, browser: found.state.browser, problem, owedMinor, isPaying };
    }

    function pageOrder({ quote_id, number, id, status }: OrderRow): Omit<PageOrder, "token"> {
      return {
        quoteId: quote_id,
        number: String(number ?? id),
        status,
        page: reviewUrl(context, quote_id),
      };
    }
  };
