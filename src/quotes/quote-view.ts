import { inOneOrder, mostInWords, type OverShare, tooManyText } from "../catalog/hold-share.ts";
import type { Short } from "../core/bags.ts";
import type { NextStep } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { DELIVERY, iso } from "../core/policy.ts";
import type { QuoteStateRow } from "../core/records.ts";
import { elsewhere } from "./elsewhere.ts";
import { invalidatedText } from "./invalidated.ts";
import { type LastAttempt, lastPayment, notReturned, paidTooLate } from "./last-payment.ts";
import { advice, offerMessage } from "./quote-advice.ts";
import type { Quote, Terms } from "./quote-answer.ts";
import {
  type FoundQuote,
  firstState,
  invalidReason,
  isPayable,
  isPaying,
  mayBePaid,
  type QuoteStatus,
  quoteStatus,
} from "./standing.ts";

export interface QuoteContext {
  now: number;
  /** Null before it was given out. */
  reviewUrl: string | null;
  /** "sandbox", "test" or "live": whether paying it moves money. */
  mode: string;
  /** The newest attempt to pay. */
  attempt?: LastAttempt | undefined;
}

/** What a reader sees of a quote: the terms as they were made, and the status as it is. */
export function quoteView(
  found: FoundQuote,
  context: QuoteContext,
  terms = JSON.parse(found.quote.terms) as Terms,
): Quote {
  const { quote, state } = found;
  const status = quoteStatus(found, context.now);
  const short = state.short === null ? null : (JSON.parse(state.short) as Short[]);
  const overs = overOf(found);
  const over = overInWords(overs, terms);
  const other = elsewhere(found);
  const tooMany = over !== null && isPayable(status) && !isPaying(state);
  const linked = status === "CHECKOUT_READY" || status === "PROCESSING";
  const reviewUrl = linked ? context.reviewUrl : null;
  return {
    id: quote.id,
    status,
    quote_hash: quote.quote_hash,
    terms,
    total_display: terms.pricing.total_display,
    created_at: iso(quote.created_at),
    expires_at: iso(quote.expires_at),
    mode: context.mode,
    delivery: DELIVERY,
    ...(reviewUrl !== null && { checkout: { review_url: reviewUrl } }),
    ...(state.order_id !== null && { order_id: state.order_id }),
    ...(short && { waitlist: { short } }),
    ...(found.offerEnds && { offer_expires_at: iso(found.offerEnds) }),
    messages: [
      ...messages(found, status, terms, { short: short ?? [], overs, attempt: context.attempt }),
      // Who cannot pay for so many is not told what still more would bring.
      ...(tooMany ? [tooManyMessage(over)] : isPayable(status) ? advice(terms) : []),
      ...(found.offerEnds ? [offerMessage(found.offerEnds)] : []),
      ...(isPayable(status) ? lastPayment(state, context.attempt) : []),
      ...notReturned(context.attempt),
      ...other.messages,
    ],
    next: other.next.concat(
      tooMany ? fewer(over) : nextSteps(status, state, { short: short ?? [], over }),
    ),
  };
}

const overOf = ({ state, overShare }: FoundQuote): readonly OverShare[] =>
  overShare ?? (JSON.parse(state.over_share ?? "[]") as OverShare[]);

/** Null where all of it may be held by one buyer. */
const overInWords = (over: readonly OverShare[], terms: Terms): string | null =>
  over.length === 0 ? null : mostInWords(over, (id) => nameIn(terms, id));

const nameIn = ({ shipments }: Terms, id: string): string =>
  shipments.flatMap(({ items }) => items).find((item) => item.product_id === id)?.name ?? id;

const tooManyMessage = (over: string): Quote["messages"][number] => ({
  code: "TOO_MANY_AT_ONCE",
  text: `This quote cannot be paid now. ${tooManyText(over)}`,
});

const fewer = (over: string): NextStep[] => [
  step("request_quote", `Quote ${over}, and more once that is paid.`),
  step("send_bulk_lead", "Or ask the merchant for all of them."),
];

/** Why a quote that else could be paid has no link and no order yet, and what to do instead. */
export function tooManyAtOnce(
  found: FoundQuote,
  now: number,
): { text: string; next: NextStep[] } | null {
  if (!mayBePaid(found, now)) return null;
  const over = overInWords(overOf(found), JSON.parse(found.quote.terms) as Terms);
  return over === null ? null : { text: tooManyMessage(over).text, next: fewer(over) };
}

export const settlingText =
  "The buyer has paid by a method that settles in days. The order follows when it has settled.";

export const askLater = (quoteId: string): NextStep =>
  step("get_quote_order", "Ask again later; there is no need to pay again.", quoteId);

/** The quote as it was answered when it was made, whatever has become of it: for retries. */
export const quoteAsMade = (
  { quote, state }: FoundQuote,
  place: Pick<QuoteContext, "reviewUrl" | "mode">,
  { offer_expires_at: ends }: Pick<Quote, "offer_expires_at">,
): Quote => {
  const offerEnds = ends === undefined ? null : Date.parse(ends);
  const made = { quote, state: firstState(quote, state), revoked: false, offerEnds };
  return quoteView(made, { now: quote.created_at, ...place });
};

interface MessageFacts {
  short: readonly Short[];
  overs: readonly OverShare[];
  attempt: LastAttempt | undefined;
}

function messages(
  found: FoundQuote,
  status: QuoteStatus,
  terms: Terms,
  { short, overs, attempt }: MessageFacts,
): Quote["messages"] {
  const told: Quote["messages"] = [];
  const code = terms.discount_code;
  if (code && !code.applied) {
    told.push({ code: "DISCOUNT_NOT_APPLIED", text: code.reason ?? "The code was not applied." });
  }
  if (status === "WAITLIST_OFFERED") {
    const bags = short.map(
      ({ product_id: id, available, requested }) =>
        `${available} now of ${requested} ${nameIn(terms, id)}${inOneOrder(id, overs)}`,
    );
    told.push({
      code: "WAITLIST_OFFERED",
      text: `${bags.join(", ")}. Priced for information; this quote cannot be paid.`,
    });
  }
  if (status === "INVALIDATED") {
    const code = invalidReason(found, attempt) ?? "KEY_REVOKED";
    told.push({ code, text: invalidatedText(found, attempt) });
  }
  const late = status === "EXPIRED" && paidTooLate(attempt);
  if (late) told.push({ code: "PAID_TOO_LATE", text: late });
  if (status === "PROCESSING") {
    told.push({ code: "PAYMENT_PROCESSING", text: settlingText });
  }
  return told;
}

function nextSteps(
  status: QuoteStatus,
  { quote_id: id, order_id }: QuoteStateRow,
  { short, over }: { short: readonly Short[]; over: string | null },
): NextStep[] {
  switch (status) {
    case "OPEN":
      return [step("create_checkout", "Once the buyer has seen the total.", id)];
    case "CHECKOUT_READY":
      return [
        step("create_checkout", "Get the review link for the buyer again; it is the same one.", id),
        step("get_quote_order", "After the buyer has paid, read the order.", id),
      ];
    case "PROCESSING":
      return [askLater(id)];
    case "PAID":
      return [step("get_order", "Follow the order.", order_id ?? undefined)];
    case "WAITLIST_OFFERED":
      return [
        ...(short.every(({ available }) => available > 0)
          ? [
              step(
                "request_quote",
                `Take what is there now, if that will do${over === null ? "" : `: ${over} in one order`}.`,
              ),
            ]
          : []),
        step("join_waitlist", "Offer the buyer a place in the queue for all of it."),
        step("get_catalog", "Or choose another bean."),
      ];
    default:
      return [step("request_quote", "Request a new quote; this one cannot be paid any more.")];
  }
}
