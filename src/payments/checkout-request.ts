import { type Context, reviewUrl } from "../core/context.ts";
import { momentIn } from "../core/letter.ts";
import { iso } from "../core/policy.ts";
import type { AttemptRow, QuoteRow } from "../core/records.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { bagsByProduct } from "../quotes/quote-terms.ts";
import type { CheckoutRequest } from "./provider.ts";

/** What the payment rules need of a quote's terms. */
export const ofTerms = (terms: Terms) => ({
  bags: bagsByProduct(terms.shipments),
  firstOrder: terms.pricing.courtesy?.kind === "FIRST_ORDER",
});

/** The attempt as the provider is asked for it: built from the terms alone, the same every time. */
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
    heldUntil: momentIn(context.timeZone, iso(attempt.hold_until)),
    returnUrl: `${url}?from=checkout`,
    cancelUrl: `${url}/cancel?payment=${attempt.id}`,
  };
}
