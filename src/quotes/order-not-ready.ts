import { MerchantError, type NextStep, refusal } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { elsewhere } from "./elsewhere.ts";
import { whyOver } from "./invalidated.ts";
import { type LastAttempt, lastPayment, notReturned } from "./last-payment.ts";
import { askLater, settlingText, tooManyAtOnce } from "./quote-view.ts";
import { type FoundQuote, quoteStatus } from "./standing.ts";

interface QuoteStanding {
  now: number;
  lastAttempt: LastAttempt | undefined;
  reviewUrl: string;
}

/** A debit takes days: there is no use in asking every second. */
const SETTLING_S = 3600;

/**
 * Why a quote has no order (contract §5): retryable only while one can still come, and with what the
 * agent should know of a payment that is settling or came to no order.
 */
export function orderNotReady(found: FoundQuote, standing: QuoteStanding): MerchantError {
  const error = withoutOrder(found, standing);
  const { messages, next } = elsewhere(found);
  const told = [...notReturned(standing.lastAttempt), ...messages];
  error.message = [error.message, ...told.map(({ text }) => text)].join(" ");
  error.next.unshift(...next);
  return error;
}

function withoutOrder(
  found: FoundQuote,
  { now, lastAttempt, reviewUrl }: QuoteStanding,
): MerchantError {
  const { quote, state } = found;
  const tooMany = tooManyAtOnce(found, now);
  if (tooMany) {
    const why = `There is no order yet. ${tooMany.text}`;
    return refusal("ORDER_NOT_READY", why, ...tooMany.next);
  }
  const [payment] = lastPayment(state, lastAttempt);
  const unpaid = payment ? `. ${payment.text}` : ": nothing is ordered until the buyer has paid.";
  const over = whyOver(found, lastAttempt, now);
  if (over) return never(over.why, over.next);
  switch (quoteStatus(found, now)) {
    case "PROCESSING":
      return new MerchantError("ORDER_NOT_READY", settlingText, {
        retryAfter: SETTLING_S,
        next: [askLater(quote.id)],
      });
    case "OPEN":
      return refusal(
        "ORDER_NOT_READY",
        "There is no order yet: the buyer has not been given the link to pay.",
        step("create_checkout", "Get the link that the buyer opens to pay.", quote.id),
      );
    default:
      return refusal(
        "ORDER_NOT_READY",
        `There is no order yet${unpaid}`,
        { action: reviewUrl, why: "The buyer opens this link and pays; then the order is here." },
        step("get_quote_order", "With wait it answers as soon as the order is there.", quote.id),
      );
  }
}

const never = (why: string, next: NextStep[]): MerchantError =>
  new MerchantError("ORDER_NOT_READY", `No order can come of this quote. ${why}`, {
    retryable: false,
    next,
  });
