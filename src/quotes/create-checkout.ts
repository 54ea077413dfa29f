import { lockReads, refuseLocked } from "../agents/finder-key.ts";
import type { Product } from "../catalog/catalog.ts";
import { lock, type Rule } from "../core/command.ts";
import { type ErrorCode, type MerchantError, type NextStep, refusal } from "../core/errors.ts";
import { display } from "../core/money.ts";
import { step } from "../core/next-step.ts";
import { iso } from "../core/policy.ts";
import { boughtForBuyer } from "./bought-already.ts";
import { elsewhere } from "./elsewhere.ts";
import { whyOver } from "./invalidated.ts";
import { type LastAttempt, notReturned } from "./last-payment.ts";
import type { Checkout } from "./quote-answer.ts";
import { askLater, settlingText, tooManyAtOnce } from "./quote-view.ts";
import { type FoundQuote, quoteStatus, setQuoteState } from "./standing.ts";

export interface CreateCheckout {
  now: number;
  /** Read beforehand: the quote never changes, and pressing pay looks again for what was lost. */
  found: Omit<FoundQuote, "state">;
  /** The newest try to pay it. */
  attempt: LastAttempt | undefined;
  quoteHash: string;
  finderKeyHash: string | null;
  /** The quote's, for the lock upon an EXCLUSIVE one. */
  beans: readonly Product[];
  reviewUrl: string;
}

/** Hands out the review link of a quote: always the same one, and no provider is called (contract §5). */
export const createCheckout: Rule<CreateCheckout, Checkout> = {
  reads: (c) => [
    lock("quote_states", { quote_id: c.found.quote.id }),
    ...lockReads({ ...c, agentId: c.found.quote.agent_id }),
  ],
  decide(c, s) {
    const { quote } = c.found;
    const state = s.quote_states[0];
    if (!state) throw noSuchQuote();
    if (quote.quote_hash !== c.quoteHash) {
      throw refusal(
        "QUOTE_HASH_MISMATCH",
        "quote_hash is not this quote's. Read the quote, show it to the buyer, and send its hash.",
        step("get_quote", "Read the quote and its hash again.", quote.id),
      );
    }
    refuseUnpayable({ ...c.found, state, revoked: false }, c);
    const withKey = "Or send it again with the {finder_key} that the quote was asked for with.";
    refuseLocked({ ...c, agentId: quote.agent_id }, s, step("create_checkout", withKey, quote.id));
    const opened = setQuoteState(quote.id, { status: "CHECKOUT_READY", updated_at: c.now });
    const writes = state.status === "OPEN" ? [opened] : [];
    return { reply: checkoutView(c.found, c.reviewUrl), writes };
  },
};

export const noSuchQuote = (): MerchantError =>
  refusal(
    "NOT_FOUND",
    "There is no such quote for this key.",
    step("list_orders", "What was ordered names its quote_id."),
    step("request_quote", "Request a quote for what was not ordered."),
  );

function refuseUnpayable(
  found: FoundQuote,
  { now, attempt }: Pick<CreateCheckout, "now" | "attempt">,
): void {
  const owed = notReturned(attempt).map(({ text }) => text);
  const refuse = (code: ErrorCode, why: string, ...next: NextStep[]) =>
    refusal(code, [why, ...owed].join(" "), ...next);
  const tooMany = tooManyAtOnce(found, now);
  if (tooMany) throw refuse("LIMIT_EXCEEDED", tooMany.text, ...tooMany.next);
  const status = quoteStatus(found, now);
  const over = whyOver(found, attempt, now);
  if (over) {
    const code = status === "EXPIRED" ? "QUOTE_EXPIRED" : "QUOTE_NOT_PAYABLE";
    throw refuse(code, over.why, ...elsewhere(found).next, ...over.next);
  }
  if (status === "PROCESSING") {
    throw refuse("QUOTE_ALREADY_PAID", settlingText, askLater(found.quote.id));
  }
  if (status === "PAID") {
    throw refuse(
      "QUOTE_ALREADY_PAID",
      "This quote has been paid.",
      step("get_quote_order", "Read its order; it names the buyer's page.", found.quote.id),
    );
  }
}

/** But for the words that come with the link always the same. */
export function checkoutView(
  { quote, bought = null, offerEnds }: Pick<FoundQuote, "quote" | "bought" | "offerEnds">,
  reviewUrl: string,
): Checkout {
  const total = display(quote.total_minor);
  const held = offerEnds ? ` Bags are held for you until ${iso(offerEnds)}: pay before that.` : "";
  return {
    quote_id: quote.id,
    quote_hash: quote.quote_hash,
    review_url: reviewUrl,
    expires_at: iso(quote.expires_at),
    total_minor: quote.total_minor,
    total_display: total,
    message_for_buyer: `Open the link to review your coffee order and pay exactly ${total}. Nothing is ordered until you pay.${held}${boughtForBuyer(bought)}`,
    next: [
      step(
        "get_quote_order",
        "First give the buyer review_url as plain text on its own line; they pay there, you never do.",
        quote.id,
      ),
    ],
  };
}
