import { type CatalogContext, withNewest } from "../catalog/live-catalog.ts";
import { type Intent, once, type Reply } from "../core/command.ts";
import { reviewUrl } from "../core/context.ts";
import { sha256 } from "../core/hash.ts";
import { type AgentId, newId, newNonce, type QuoteId } from "../core/ids.ts";
import { runOnce } from "../core/retryable.ts";
import { pauseAt } from "../core/shop.ts";
import type { BuyerHistory } from "./bought-already.ts";
import {
  asItStands,
  buyerHistory,
  findQuote,
  lastTry,
  offersFirstOrder,
  ownQuote,
} from "./found-quotes.ts";
import type { Checkout, Quote, Terms } from "./quote-answer.ts";
import type { QuoteRequest } from "./quote-request.ts";
import { type CreateQuote, createCheckout, createQuote, namedBeans } from "./quote-rules.ts";
import { checkoutView, quoteView } from "./quote-view.ts";
import {
  type FoundQuote,
  isPayable,
  isPaying,
  purchaseOf,
  quoteStatus,
  standing,
} from "./standing.ts";

const createQuoteOnce = once(createQuote, ["id"]);
const createCheckoutOnce = once(createCheckout, ["quote_id"]);

/** Source of a quote request: an agent, or a buyer's page. */
interface Origin {
  /** Null for a quick checkout, which belongs to no key (contract §10). */
  agentId: AgentId | null;
  finderKey: string | null;
  /** The purchase that it belongs to, with its checkout or the quote that it replaces. */
  cart?: string | null;
  checkout?: CreateQuote["checkout"];
  replaces?: QuoteId | null;
  /** The quote that this one repeats at its full price. It needs no finder key again. */
  follows?: QuoteId;
}

/** The request that led to these terms, without its discount code. */
export const requestOfTerms = ({ buyer, shipments }: Terms): QuoteRequest => ({
  buyer,
  shipments: shipments.map(({ recipient_ref, address, items, gift_notes }) => ({
    recipient_ref,
    address,
    items: items.map(({ product_id, quantity }) => ({ product_id, quantity })),
    ...(gift_notes.length > 0 && { gift_notes }),
  })),
});

/** `closeReplaced`: closes the payment pages of a purchase's earlier quotes, as far as the provider answers. */
export function quoteVerbs(context: CatalogContext, closeReplaced: (page: string) => void) {
  const { store, clock, catalog } = context;

  const place = (id: string) => ({
    reviewUrl: reviewUrl(context, id),
    mode: context.provider.mode,
    shop: context.shop,
    timeZone: context.timeZone,
  });

  async function withLastTry(found: FoundQuote): Promise<FoundQuote> {
    const { status } = found.state;
    // No one has a link to pay these.
    if (status === "OPEN" || status === "WAITLIST_OFFERED") return found;
    const { order_id } = found.state;
    const [last, order] = await Promise.all([
      lastTry(store, found.quote.id),
      order_id === null ? undefined : store.queries.order(order_id),
    ]);
    return { ...found, last, orderNumber: order?.number ?? null };
  }

  const ownWithLastTry = async (id: string, agentId: AgentId): Promise<FoundQuote> =>
    withLastTry(await ownQuote(context, id, agentId));

  async function view(found: FoundQuote): Promise<Quote> {
    const firstOrder =
      isPayable(quoteStatus(found, clock())) && (await offersFirstOrder(store, found.quote));
    return quoteView({ ...found, firstOrder }, { now: clock(), ...place(found.quote.id) });
  }

  const command = (request: QuoteRequest, origin: Origin) => {
    const { agentId, finderKey, cart = null, checkout = null, follows = null } = origin;
    const now = clock();
    const id = newId("qte", now);
    const productIds = namedBeans(request);
    return {
      now,
      id,
      nonce: newNonce(),
      reviewUrl: agentId === null || follows !== null ? reviewUrl(context, id) : null,
      mode: context.provider.mode,
      agentId,
      cart,
      checkout,
      replaces: origin.replaces ?? follows,
      follows,
      finderKeyHash: finderKey === null ? null : sha256(finderKey),
      request,
      productIds,
      beans: beansOf(context, productIds),
      catalogVersion: context.catalog.version,
      ttlMs: context.quoteTtlMs,
      shop: context.shop,
      pause: pauseAt(context, now),
      timeZone: context.timeZone,
    } satisfies Omit<CreateQuote, keyof BuyerHistory>;
  };

  async function create(
    request: QuoteRequest,
    origin: Origin,
    intent: Intent,
  ): Promise<Reply<Quote>> {
    const history = await buyerHistory(context, request, origin.agentId);
    const { agentId } = origin;
    const replaces = request.replaces ?? null;
    const older =
      replaces === null || agentId === null ? null : await ownQuote(context, replaces, agentId);
    const from = older ? { ...origin, cart: purchaseOf(older.quote), replaces } : origin;
    const made = await withNewest(catalog, () =>
      runOnce(
        store,
        createQuoteOnce,
        { ...command(request, from), ...history, intent },
        async ({ id }) => {
          const found = await findQuote(context, id);
          return found && view(await withLastTry(found));
        },
      ),
    );
    if (from.cart && !made.replayed) closeReplaced(from.cart);
    return made;
  }

  async function payable(quoteId: QuoteId): Promise<FoundQuote | undefined> {
    const found = await findQuote(context, quoteId);
    return found && isPayable(quoteStatus(found, clock())) ? found : undefined;
  }

  return {
    create,

    /** A quote that can be paid now, or undefined. */
    payable,

    /**
     * Returns the page of a new quote for the same order at its full price, which replaces this one. A second
     * call returns the same quote. Without a first-order discount to leave out, returns this quote's own page.
     */
    async withoutCourtesy(found: FoundQuote & { terms: Terms }): Promise<string> {
      const { quote, state, terms } = found;
      const earlier = state.replaced_by;
      if (earlier !== null) return reviewUrl(context, earlier);
      const { id: follows, agent_id: agentId, cart } = quote;
      const { reason, payable } = standing(await asItStands(context, found), clock());
      const isInTerms = terms.pricing.courtesy?.kind === "FIRST_ORDER";
      if (reason !== "COURTESY_USED" && !(payable && isInTerms)) return reviewUrl(context, follows);
      const row = agentId === null && cart ? await store.queries.checkoutOfPage(cart) : undefined;
      const checkout = row ? { id: row.id, browser: state.browser } : null;
      const origin = { agentId, finderKey: null, cart: purchaseOf(quote), checkout, follows };
      const hash = sha256("without courtesy");
      const intent = { scope: `review:${follows}`, keyHash: hash, requestHash: hash };
      const { body } = await create(requestOfTerms(terms), origin, intent);
      return reviewUrl(context, body.id);
    },

    /** The page of the quote that replaces this one, once its buyer may open it. */
    async successor({ quote, state }: FoundQuote): Promise<string | null> {
      if (state.replaced_by === null || state.order_id !== null || isPaying(state)) return null;
      if (state.status === "PROCESSING") return null;
      const newer = (await store.queries.quotesOfCarts([purchaseOf(quote)])).find(
        ({ state: { status, replaced_by } }) =>
          replaced_by === null && status !== "OPEN" && status !== "WAITLIST_OFFERED",
      );
      return newer && newer.quote.id !== quote.id ? reviewUrl(context, newer.quote.id) : null;
    },

    reviewUrl: (quoteId: QuoteId): string => reviewUrl(context, quoteId),

    async get(quoteId: QuoteId, agentId: AgentId): Promise<Quote> {
      return view(await ownWithLastTry(quoteId, agentId));
    },

    async checkout(
      input: { quote_id: QuoteId; quote_hash: string },
      asker: { agentId: AgentId; finderKey: string | null },
      intent: Intent,
    ): Promise<Reply<Checkout>> {
      const found = await ownWithLastTry(input.quote_id, asker.agentId);
      const terms = JSON.parse(found.quote.terms) as Terms;
      const here = place(input.quote_id);
      const command = {
        now: clock(),
        intent,
        found,
        quoteHash: input.quote_hash,
        finderKeyHash: asker.finderKey === null ? null : sha256(asker.finderKey),
        beans: beansOf(context, namedBeans(terms)),
        ...here,
      };
      return runOnce(store, createCheckoutOnce, command, async () =>
        checkoutView(found, { now: clock(), ...here }),
      );
    },
  };
}

/** Skips beans that have left the catalog. */
const beansOf = ({ catalog }: Pick<CatalogContext, "catalog">, productIds: readonly string[]) =>
  productIds.flatMap((id) => catalog.find(id) ?? []);
