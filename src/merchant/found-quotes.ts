import { lostFor } from "../domain/payment/reservation.ts";
import { type FoundQuote, mayBePaid } from "../domain/quote/quote.ts";
import type { Terms } from "../domain/quote/quote-answer.ts";
import { ofTerms } from "./checkout-request.ts";
import type { Context } from "./context.ts";

/**
 * Quotes as they stand: also what was sold or redeemed elsewhere since they were made, which ends them
 * before pay is pressed (contract §4).
 */
export function foundQuotes({ store: { queries }, clock }: Pick<Context, "store" | "clock">) {
  return async function standing(found: FoundQuote | undefined): Promise<FoundQuote | undefined> {
    if (!found || !mayBePaid(found, clock())) return found;
    const { quote } = found;
    const { bags, firstOrder } = ofTerms(JSON.parse(quote.terms) as Terms);
    const [stock, customer] = await Promise.all([
      queries.stock(),
      firstOrder ? queries.customer(quote.customer) : undefined,
    ]);
    const customers = customer ? [customer] : [];
    return { ...found, lost: lostFor({ quote, bags, firstOrder }, { stock, customers }) };
  };
}
