import { reviewUrl } from "../core/context.ts";
import type { AttemptRow, OrderRow, QuoteRow } from "../core/records.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { bagsByProduct } from "../quotes/quote-terms.ts";
import type { FoundQuote } from "../quotes/standing.ts";
import type { CheckoutRequest, Context } from "./provider.ts";

/** The attempt's request to the provider. Built from the terms alone, so a repeat is identical. */
export function checkoutRequest(
  context: Context,
  { quote, terms }: { quote: QuoteRow; terms: Terms },
  attempt: AttemptRow,
): CheckoutRequest {
  const items = terms.shipments.flatMap((s) => s.items);
  const shippingMinor = terms.shipments.map((s) => s.shipping_minor).filter((minor) => minor > 0);
  const { courtesy } = terms.pricing;
  const url = reviewUrl(context, quote.id);
  return {
    attemptId: attempt.id,
    quoteId: quote.id,
    quoteHash: quote.quote_hash,
    totalMinor: quote.total_minor,
    buyerEmail: quote.buyer_email,
    lines: bagsByProduct(terms.shipments).map(({ product_id, quantity }) => {
      const { name, unit_price_minor } = items.find((i) => i.product_id === product_id)!;
      return { name, quantity, unitMinor: unit_price_minor };
    }),
    shipping: shippingMinor[0]
      ? { paidAddresses: shippingMinor.length, unitMinor: shippingMinor[0] }
      : null,
    courtesy: courtesy && { kind: courtesy.kind, amountMinor: courtesy.amount_minor },
    expiresAt: attempt.expires_at,
    returnUrl: `${url}?from=checkout`,
    cancelUrl: url,
  };
}

/** Quote behind a review link (contract §5). */
export interface ReviewedQuote extends FoundQuote {
  terms: Terms;
}

/** Approved quote of an order or payment. It never changes, so callers read it before a command. */
export async function agreedOf(
  { queries }: Pick<Context["store"], "queries">,
  { id, quote_id }: OrderRow | AttemptRow,
) {
  const found = await queries.quote(quote_id);
  if (!found) throw new Error(`${id} without its quote`);
  return { ...found, terms: JSON.parse(found.quote.terms) as Terms };
}

export type QuoteWithTerms = Pick<ReviewedQuote, "quote" | "terms">;
