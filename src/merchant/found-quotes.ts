import { lostFor } from "../domain/payment/reservation.ts";
import { type FoundQuote, mayBePaid } from "../domain/quote/quote.ts";
import type { Terms } from "../domain/quote/quote-answer.ts";
import { ofTerms } from "./checkout-request.ts";
import type { Context } from "./context.ts";

/**
 * A quote as it stands: also what was sold or redeemed elsewhere since it was made, which ends it before
 * pay is pressed (contract §4).
 */
export async function asItStands<Q extends FoundQuote>(
  { store: { queries }, clock }: Pick<Context, "store" | "clock">,
  found: Q,
): Promise<Q> {
  if (!mayBePaid(found, clock())) return found;
  const { quote } = found;
  const { bags, firstOrder } = ofTerms(JSON.parse(quote.terms) as Terms);
  const [stock, customer] = await Promise.all([
    queries.stock(),
    firstOrder ? queries.customer(quote.customer) : undefined,
  ]);
  const customers = customer ? [customer] : [];
  return { ...found, lost: lostFor({ quote, bags, firstOrder }, { stock, customers }) };
}
