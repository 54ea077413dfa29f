import { display } from "../shared/money.ts";

/** What becomes of money that made no order. */
export const returning = (owedMinor: number): string =>
  owedMinor > 0
    ? `${display(owedMinor)} of it could not be returned yet: the merchant still has that and settles it with the buyer.`
    : "It is being returned.";

const INVALIDATED: Record<string, string> = {
  ERASED: "The buyer's data has been erased, and this quote with it. Request a new quote.",
  OUT_OF_STOCK:
    "Bags of this quote sold out before payment started. Request it again: the answer says which, " +
    "and how many are left.",
  COURTESY_USED: "The first-order courtesy of this quote was used elsewhere. Request a new quote.",
};

/** Of those whose money goes back. */
const PAID: Record<string, string> = {
  PAID_TOO_LATE:
    "A payment arrived after its bags and courtesy had been let go, and they went to others.",
  WRONG_AMOUNT: "A payment arrived that did not match the approved total.",
};

/** Why a quote became INVALIDATED, for agents and people alike; `owedMinor` of a refund that failed. */
export function invalidatedText(reason: string | null, owedMinor = 0): string {
  const paid = PAID[reason ?? ""];
  if (paid) return `${paid} ${returning(owedMinor)} Request a new quote.`;
  return INVALIDATED[reason ?? ""] ?? "The key that made this quote has been revoked.";
}
