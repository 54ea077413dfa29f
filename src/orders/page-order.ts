import { reviewUrl } from "../core/context.ts";
import { customerOf } from "../core/email.ts";
import { sha256 } from "../core/hash.ts";
import type { Context } from "../payments/provider.ts";
import { pagesOf } from "../quotes/cart-session.ts";

/** The order that was paid on a checkout page. Whoever made the page can see this. */
export interface PageOrder {
  quoteId: string;
  number: string;
  status: string;
  /** The order's page for a person who knows its email; null for any other. */
  pageFor(email: string): string | null;
}

/**
 * Finds the order of a checkout page by its token, also after the page has ended. `changed`: the page whose quote
 * this one changes.
 */
export const pageOrder =
  (context: Context) =>
  async (token: string, changed?: string): Promise<PageOrder | undefined> => {
    const { queries } = context.store;
    const pages = pagesOf(token);
    const hashes = changed ? [changed] : (pages.length > 0 ? pages : [token]).map(sha256);
    const quotes = await queries.quotesOfCarts(hashes);
    const paid = quotes.find(({ state }) => state.order_id !== null);
    const order = paid && (await queries.order(paid.state.order_id!));
    if (!order) return undefined;
    const { id, customer } = paid.quote;
    return {
      quoteId: id,
      number: String(order.number ?? order.id),
      status: order.status,
      pageFor: (email) => (customerOf(email) === customer ? reviewUrl(context, id) : null),
    };
  };
