import type { LastAttempt } from "./last-payment.ts";
import { type FoundQuote, invalidReason } from "./quote.ts";

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

/** Why a quote became INVALIDATED, for agents; what could not be returned is told beside it. */
export function invalidatedText(found: FoundQuote, last: LastAttempt | undefined): string {
  const reason = invalidReason(found, last);
  const paid = PAID[reason ?? ""];
  if (paid)
    return `${paid}${last?.owed_minor ? "" : " It is being returned."} Request a new quote.`;
  return INVALIDATED[reason ?? ""] ?? "The key that made this quote has been revoked.";
}
