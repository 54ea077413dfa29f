import { display } from "../core/money.ts";
import type { AttemptRow, QuoteStateRow } from "../core/records.ts";
import type { Quote } from "./quote-answer.ts";
import { isPaying } from "./standing.ts";

export type LastAttempt = Pick<AttemptRow, "outcome" | "declined"> & {
  /** What the merchant still has of refunds that failed, of this and of every earlier try. */
  owed_minor?: number;
};

/**
 * What an agent is told of the newest try to pay a quote that can be paid; why it was declined is the
 * buyer's own affair.
 */
export function lastPayment(
  state: Pick<QuoteStateRow, "paying_until">,
  last: LastAttempt | undefined,
): Quote["messages"] {
  const told = (code: string, text: string) => [{ code, text }];
  if (isPaying(state)) {
    return last?.declined
      ? told(
          "PAYMENT_DECLINED",
          "The buyer's last try to pay was declined. The page is still open: another card may do.",
        )
      : told("PAYMENT_BEGUN", "The buyer has begun to pay and has not finished.");
  }
  const late = paidTooLate(last);
  if (late) return told("PAID_TOO_LATE", `${late} The buyer can pay again.`);
  if (last?.outcome === "FAILED" || last?.declined) {
    const text = "The payment was declined by the buyer's bank. The buyer can pay again.";
    return told("PAYMENT_DECLINED", text);
  }
  return [];
}

/** What became of a newest payment that came too late, whether the quote can be paid still or not. */
export function paidTooLate(last: LastAttempt | undefined): string | null {
  if (last?.outcome !== "PAID_TOO_LATE") return null;
  return `A payment came too late${last.owed_minor ? "." : " and is being refunded."}`;
}

/** What could not be returned of any payment for a quote, whatever was tried after it. */
export const notReturned = (last: LastAttempt | undefined): Quote["messages"] =>
  last?.owed_minor ? [{ code: "REFUND_FAILED", text: owedText(last.owed_minor) }] : [];

/** For agents; the buyer reads it on the quote's page. */
export const owedText = (owedMinor: number): string =>
  `${display(owedMinor)} could not be refunded yet: the merchant still has that and settles it with the buyer.`;
