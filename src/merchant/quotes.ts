import type { Order } from "../domain/order/order-answer.ts";
import { checkoutView, createCheckout, noSuchQuote } from "../domain/quote/create-checkout.ts";
import { quoteAsMade, quoteStatus, quoteView } from "../domain/quote/quote.ts";
import type { Checkout, Quote, Terms } from "../domain/quote/quote-answer.ts";
import type { QuoteRequest } from "../domain/quote/quote-request.ts";
import { type CreateQuote, createQuote } from "../domain/quote/quote-rules.ts";
import { type Intent, once, type Reply } from "../domain/shared/command.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import { step } from "../domain/shared/next-step.ts";
import type { QuoteRow } from "../domain/shared/records.ts";
import { type Context, reviewHash, reviewToken, reviewUrl } from "./context.ts";
import { newId, newNonce, sha256 } from "./ids.ts";
import { orderViews } from "./orders.ts";
import { orAgain } from "./replay.ts";

const createQuoteOnce = once(createQuote, ["id"]);
const createCheckoutOnce = once(createCheckout, ["quote_id"]);

/** Who asks: the agent of the key, and the finder key it sent along, if any. */
export interface Asker {
  agentId: string;
  finderKey: string | null;
}

export function quoteVerbs(context: Context) {
  const { store, clock } = context;

  const command = (request: QuoteRequest, agentId: string | null, finderKey: string | null) => {
    const now = clock();
    const id = newId("qte", now);
    const token = reviewToken(context, id);
    return {
      now,
      id,
      nonce: newNonce(),
      reviewHash: reviewHash(token),
      reviewUrl: reviewUrl(context, id),
      agentId,
      finderKeyHash: finderKey === null ? null : sha256(finderKey),
      request,
      beans: beansOf(
        context,
        request.shipments.flatMap((s) => s.items),
      ),
      ttlMs: context.quoteTtlMs,
    } satisfies CreateQuote;
  };

  const create = async (command: CreateQuote & { intent: Intent }): Promise<Reply<Quote>> =>
    orAgain(await store.run(createQuoteOnce, command), async ({ id }) => {
      const found = await store.queries.quote(id);
      return found && quoteAsMade(found.quote, found.state, reviewUrl(context, id));
    });

  return {
    create: (request: QuoteRequest, asker: Asker, intent: Intent): Promise<Reply<Quote>> =>
      create({ ...command(request, asker.agentId, asker.finderKey), intent }),

    /** A person's own quote, from quick checkout: it belongs to no key (contract §10). */
    createForBuyer: (request: QuoteRequest, intent: Intent): Promise<Reply<Quote>> =>
      create({ ...command(request, null, null), intent }),

    /** Where the buyer of this quote reviews and pays. */
    reviewUrl: (quoteId: string): string => reviewUrl(context, quoteId),

    async get(quoteId: string, agentId: string): Promise<Quote> {
      const found = await store.queries.quote(quoteId);
      if (found?.quote.agent_id !== agentId) throw noSuchQuote();
      return quoteView(found.quote, found.state, {
        now: clock(),
        revoked: found.revoked_at !== null,
        reviewUrl: reviewUrl(context, quoteId),
      });
    },

    async checkout(
      input: { quote_id: string; quote_hash: string },
      asker: Asker,
      intent: Intent,
    ): Promise<Reply<Checkout>> {
      const found = await store.queries.quote(input.quote_id);
      if (found?.quote.agent_id !== asker.agentId) throw noSuchQuote();
      const terms = JSON.parse(found.quote.terms) as Terms;
      const url = reviewUrl(context, input.quote_id);
      const made = await store.run(createCheckoutOnce, {
        now: clock(),
        intent,
        quoteId: input.quote_id,
        agentId: asker.agentId,
        quoteHash: input.quote_hash,
        finderKeyHash: asker.finderKey === null ? null : sha256(asker.finderKey),
        beans: beansOf(
          context,
          terms.shipments.flatMap((s) => s.items),
        ),
        reviewUrl: url,
      });
      return orAgain(made, async () => checkoutView(found.quote, url));
    },

    /** The order of a quote; before payment 404 ORDER_NOT_READY with the link to pay (contract §5). */
    async order(quoteId: string, agentId: string): Promise<Order> {
      const found = await store.queries.quote(quoteId);
      if (found?.quote.agent_id !== agentId) throw noSuchQuote();
      const order = await store.queries.orderOfQuote(quoteId);
      if (!order) throw notReady(context, found.quote, found.state);
      const [view] = await orderViews(store, [order]);
      return view!;
    },
  };
}

function notReady(
  context: Context,
  quote: QuoteRow,
  state: Parameters<typeof quoteStatus>[1],
): MerchantError {
  const status = quoteStatus(quote, state, context.clock(), false);
  const next =
    status === "OPEN"
      ? [step("create_checkout", "Get the link that the buyer opens to pay.", quote.id)]
      : status === "CHECKOUT_READY"
        ? [
            {
              action: reviewUrl(context, quote.id),
              why: "The buyer opens this link and pays; then the order is here.",
            },
          ]
        : [step("get_quote", "Read where the quote stands.", quote.id)];
  return new MerchantError(
    "ORDER_NOT_READY",
    `There is no order yet: the quote is ${status}. Nothing is ordered until the buyer has paid.`,
    { next },
  );
}

/** The beans that these lines name. A bean that left the catalog since is left out. */
function beansOf({ catalog }: Pick<Context, "catalog">, items: readonly { product_id: string }[]) {
  const ids = [...new Set(items.map((item) => item.product_id))];
  return ids.flatMap((id) => catalog.find(id) ?? []);
}
