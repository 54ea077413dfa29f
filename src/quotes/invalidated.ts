import type { NextStep } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { iso } from "../core/policy.ts";
import { type LastAttempt, paidTooLate } from "./last-payment.ts";
import { type FoundQuote, invalidReason, quoteStatus } from "./standing.ts";

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
  const back = last?.owed_minor ? "" : " It is being returned.";
  if (paid) return `${paid}${back} Request a new quote.`;
  return INVALIDATED[reason ?? ""] ?? "The key that made this quote has been revoked.";
}

/** Why a quote can never be paid, and what to do instead; null where it can be, or was. */
export function whyOver(
  found: FoundQuote,
  last: LastAttempt | undefined,
  now: number,
): { why: string; next: NextStep[] } | null {
  const anew = step("request_quote", "Request a new quote; this one cannot be paid any more.");
  switch (quoteStatus(found, now)) {
    case "EXPIRED": {
      const late = paidTooLate(last);
      const paid = late ? `. ${late}` : last?.owed_minor ? "." : " and was not paid.";
      return { why: `The quote expired at ${iso(found.quote.expires_at)}${paid}`, next: [anew] };
    }
    case "INVALIDATED":
      return { why: invalidatedText(found, last), next: [anew] };
    case "WAITLIST_OFFERED":
      return {
        why: "The quote was priced for information; it cannot be paid.",
        next: [step("join_waitlist", "Offer the buyer the waitlist."), anew],
      };
    default:
      return null;
  }
}
