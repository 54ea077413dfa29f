import { inOneOrder, mostInWords, tooManyText } from "../catalog/hold-share.ts";
import { addressKey } from "../core/address.ts";
import { type ErrorCode, MerchantError, type NextStep, refusal } from "../core/errors.ts";
import { display, type Minor, sum } from "../core/money.ts";
import { step } from "../core/next-step.ts";
import { FIRST_ORDER, iso, SPEND } from "../core/policy.ts";
import { deliveryDays, type Shop } from "../core/shop.ts";
import type { Bought } from "./bought-already.ts";
import { chooseCourtesy } from "./pricing.ts";
import type { Checkout, Quote, Terms } from "./quote-answer.ts";
import {
  type FoundQuote,
  firstState,
  type InvalidReason,
  type PaymentObstacle,
  type QuoteStatus,
  type Standing,
  standing,
} from "./standing.ts";

/** Everything an agent reads about a quote: answers, messages, next steps and errors. */

type Message = Quote["messages"][number];

export interface QuoteContext {
  now: number;
  /** Null before it was given out. */
  reviewUrl: string | null;
  /** "sandbox", "test" or "live": whether paying it moves money. */
  mode: string;
  /** As it is now: for the estimate and for what more coffee would bring. */
  shop: Shop;
}

/** The quote's terms as they were made, and its status now. */
export function quoteView(
  found: FoundQuote,
  context: QuoteContext,
  terms = JSON.parse(found.quote.terms) as Terms,
): Quote {
  const { quote, state } = found;
  const s = standing(found, context.now);
  const linked = s.status === "CHECKOUT_READY" || s.status === "PROCESSING";
  const reviewUrl = linked ? context.reviewUrl : null;
  return {
    id: quote.id,
    status: s.status,
    quote_hash: quote.quote_hash,
    terms,
    created_at: iso(quote.created_at),
    mode: context.mode,
    delivery: `in ${deliveryDays(context.shop)} days`,
    ...(reviewUrl !== null && { checkout: { review_url: reviewUrl } }),
    ...(s.orderId !== null && { order_id: s.orderId }),
    ...(state.short !== null && { waitlist: { short: [...s.short] } }),
    ...(s.offerEnds && { offer_expires_at: iso(s.offerEnds) }),
    messages: messages(s, terms, context.shop),
    next: nextSteps(s, quote.id, terms),
  };
}

/** The quote as it was answered when it was made, whatever has become of it: for retries. */
export const quoteAsMade = (
  { quote, state, firstOrder = false }: FoundQuote,
  place: Omit<QuoteContext, "now">,
  { offer_expires_at: ends }: Pick<Quote, "offer_expires_at">,
): Quote => {
  const offerEnds = ends === undefined ? null : Date.parse(ends);
  const made = { quote, state: firstState(quote, state), revoked: false, offerEnds, firstOrder };
  return quoteView(made, { now: quote.created_at, ...place });
};

/** The review link. `message_for_buyer` and `expires_at` can differ from call to call. */
export function checkoutView(
  { quote, bought = null, offerEnds }: Pick<FoundQuote, "quote" | "bought" | "offerEnds">,
  reviewUrl: string,
): Checkout {
  const total = display(quote.total_minor);
  const held = offerEnds ? ` Bags are held for you until ${iso(offerEnds)}: pay before that.` : "";
  // Without those bags the quote cannot be paid.
  const deadline = Math.min(quote.expires_at, offerEnds ?? quote.expires_at);
  return {
    quote_id: quote.id,
    quote_hash: quote.quote_hash,
    review_url: reviewUrl,
    expires_at: iso(deadline),
    total_minor: quote.total_minor,
    total_display: total,
    message_for_buyer: `Open the link to review your coffee order and pay exactly ${total}. Nothing is ordered until you pay.${held}${bought ? boughtForBuyer(bought) : ""}`,
    next: [
      step(
        "get_quote_order",
        "First give the buyer review_url as plain text on its own line; they pay there, you never do.",
        quote.id,
      ),
    ],
  };
}

export const noSuchQuote = (): MerchantError =>
  refusal(
    "NOT_FOUND",
    "There is no such quote for this key.",
    step("list_orders", "Each order names its quote_id."),
    step("request_quote", "Request a quote for what was not ordered."),
  );

const REFUSED: Partial<Record<QuoteStatus, ErrorCode>> = {
  EXPIRED: "QUOTE_EXPIRED",
  INVALIDATED: "QUOTE_NOT_PAYABLE",
  WAITLIST_OFFERED: "QUOTE_NOT_PAYABLE",
  PROCESSING: "QUOTE_ALREADY_PAID",
  PAID: "QUOTE_ALREADY_PAID",
};

/** Throws if the quote cannot be paid now. */
export function refuseUnpayable(found: FoundQuote, now: number): void {
  const s = standing(found, now);
  const code = s.tooMany ? "LIMIT_EXCEEDED" : REFUSED[s.status];
  if (!code) return;
  const { quote } = found;
  const terms = JSON.parse(quote.terms) as Terms;
  throw refusal(code, withAsides(explanation(s, terms), s), ...nextSteps(s, quote.id, terms));
}

/** Statuses that no order can follow. */
const FINAL: ReadonlySet<QuoteStatus> = new Set(["EXPIRED", "INVALIDATED", "WAITLIST_OFFERED"]);

/** A debit takes days: asking again sooner is of no use. */
const SETTLING_S = 3600;

/** Why a quote has no order yet (contract §5). Retryable only while an order can still come. */
export function orderNotReady(
  found: FoundQuote,
  { now, reviewUrl }: { now: number; reviewUrl: string },
): MerchantError {
  const { quote } = found;
  const s = standing(found, now);
  const terms = JSON.parse(quote.terms) as Terms;
  const why = explanation(s, terms);
  const next = nextSteps(s, quote.id, terms, reviewUrl);
  const final = FINAL.has(s.status);
  const detail =
    s.status === "PROCESSING"
      ? why
      : `${final ? "No order can come of this quote." : "There is no order yet."} ${why}`;
  return new MerchantError("ORDER_NOT_READY", withAsides(detail, s), {
    next,
    retryable: !final,
    ...(s.status === "PROCESSING" && { retryAfter: SETTLING_S }),
  });
}

/** Why a press of pay led to no payment page, for programs (contract §11). */
export function paymentRefusal(why: PaymentObstacle, now: number): MerchantError {
  if (why.kind === "unavailable") {
    const detail = "The payment provider does not answer. Nothing was charged.";
    return new MerchantError("PROVIDER_UNAVAILABLE", detail, { retryAfter: SOON_S });
  }
  if (why.kind === "too_many") {
    const detail = `At most ${why.most} bags of ${why.product_id} can be held for one buyer who has not paid yet. Take fewer, and pay for them first.`;
    const next = fewer("fewer bags of this bean");
    return new MerchantError("LIMIT_EXCEEDED", detail, { at: "/shipments", next });
  }
  const until = iso(why.until);
  const retryAfter = Math.max(1, Math.ceil((why.until - now) / 1000));
  const again = { action: "press pay again", why: `From ${until} on; the quote stays.` };
  if (why.what === "BAGS") {
    const detail = `Others are paying for these bags right now. Try again at ${until}; this quote stays as it is.`;
    return new MerchantError("BAGS_HELD", detail, { retryAfter, next: [again] });
  }
  const detail = `The discount is in use in another checkout. Try again at ${until}, or pay without it now. This quote stays as it is.`;
  const without = step("request_quote", "Or request the quote without discount_code.");
  return new MerchantError("COURTESY_HELD", detail, { retryAfter, next: [again, without] });
}

const SOON_S = 5;

function messages(s: Standing, terms: Terms, shop: Shop): Message[] {
  const { discount_code: discount } = terms;
  const { bought, fullPriceQuote } = s;
  const told: Message[] = [];
  const tell = (code: string, text: string) => told.push({ code, text });
  if (discount && !discount.applied) {
    tell("DISCOUNT_NOT_APPLIED", discount.reason ?? "The code was not applied.");
  }
  const code = statusCode(s);
  if (code !== null) tell(code, explanation(s, terms));
  // A buyer who cannot pay for so many bags is not told what still more would bring.
  if (s.payable && !s.tooMany) told.push(...advice(terms, shop));
  if (s.offerEnds) {
    const ends = iso(s.offerEnds);
    // Without those bags it cannot be paid (contract §7).
    tell(
      "OFFER_ENDS",
      `The waitlist holds bags of this quote until ${ends}: the buyer pays before that.`,
    );
  }
  if (s.payable) told.push(...paymentMessage(s));
  if (s.owedMinor > 0) tell("REFUND_FAILED", owedText(s.owedMinor));
  if (fullPriceQuote) tell("FULL_PRICE_ASKED", fullPriceText(fullPriceQuote));
  if (bought) tell("BOUGHT_ALREADY", boughtText(bought));
  if (s.payable && s.firstOrder) told.push(...firstOrderAdvice(terms));
  return told;
}

function statusCode({ status, reason, problem, tooMany }: Standing): string | null {
  if (tooMany) return "TOO_MANY_AT_ONCE";
  if (status === "WAITLIST_OFFERED") return "WAITLIST_OFFERED";
  if (status === "INVALIDATED") return reason;
  if (status === "EXPIRED" && problem === "TOO_LATE") return "PAID_TOO_LATE";
  return status === "PROCESSING" ? "PAYMENT_PROCESSING" : null;
}

/** Why the quote cannot be paid, or what its order waits for. */
function explanation(s: Standing, terms: Terms): string {
  if (s.tooMany) return `This quote cannot be paid now. ${tooManyText(mostOf(s, terms))}`;
  switch (s.status) {
    case "EXPIRED":
      return `The quote expired at ${iso(s.expiresAt)}${s.problem === "TOO_LATE" ? `. ${lateText(s)}` : s.owedMinor > 0 ? "." : " and was not paid."}`;
    case "INVALIDATED":
      return invalidatedText(s);
    case "WAITLIST_OFFERED":
      return `${shortText(s, terms)}The quote is for information; it cannot be paid.`;
    case "PROCESSING":
      return "The buyer has paid by a method that settles in days. The order follows when it has settled.";
    case "PAID":
      return "This quote has been paid.";
    case "OPEN":
      return "The buyer has not been given the link to pay.";
    case "CHECKOUT_READY":
      return paymentMessage(s)[0]?.text ?? "Nothing is ordered until the buyer has paid.";
  }
}

const INVALIDATED: Record<InvalidReason, string> = {
  OUT_OF_STOCK:
    "Bags of this quote sold out before payment started. Request it again: the answer says which, " +
    "and how many are left.",
  COURTESY_USED: "The first-order discount of this quote was used elsewhere. Request a new quote.",
  PAID_TOO_LATE: "A payment arrived after its bags and discount were released and went to others.",
  WRONG_AMOUNT: "A payment arrived that did not match the approved total.",
  ERASED: "The buyer's data has been erased, and this quote with it. Request a new quote.",
  KEY_REVOKED: "The key that made this quote has been revoked.",
};

function invalidatedText({ reason, owedMinor }: Standing): string {
  const text = INVALIDATED[reason!] ?? "This quote cannot be paid any more. Request a new quote.";
  if (reason !== "PAID_TOO_LATE" && reason !== "WRONG_AMOUNT") return text;
  return `${text}${owedMinor > 0 ? "" : " It is being returned."} Request a new quote.`;
}

/** The newest attempt to pay a payable quote. Why it was declined is the buyer's own affair. */
function paymentMessage(s: Standing): Message[] {
  if (!s.paying && s.problem === null) return [];
  const declined = s.problem === "DECLINED" || s.problem === "BANK_REFUSED";
  const [code, text] = s.paying
    ? declined
      ? [
          "PAYMENT_DECLINED",
          "The buyer's last try to pay was declined. The page is still open: another card may do.",
        ]
      : ["PAYMENT_BEGUN", "The buyer has begun to pay and has not finished."]
    : declined
      ? [
          "PAYMENT_DECLINED",
          "The payment was declined by the buyer's bank. The buyer can pay again.",
        ]
      : ["PAID_TOO_LATE", `${lateText(s)} The buyer can pay again.`];
  return [{ code, text }];
}

const lateText = ({ owedMinor }: Standing): string =>
  `A payment came too late${owedMinor > 0 ? "." : " and is being refunded."}`;

/** The part of failed refunds that the merchant still has. */
export const owedText = (owedMinor: Minor): string =>
  `${display(owedMinor)} could not be refunded yet: the merchant still has that and settles it with the buyer.`;

const fullPriceText = (id: string): string =>
  `On its page the buyer asked for the same order at its full price: quote ${id}.`;

function boughtText({ same, quoteId, order, paying }: Bought): string {
  const what = same
    ? `The buyer has ${paying === "OPEN" ? "begun to pay" : "paid"} for the same bags already`
    : "Since this quote was made the buyer has paid for another one";
  const settling = paying === "OPEN" ? "" : ", by a method that settles in days";
  const which = order ? `order ${order.called}` : `quote ${quoteId}${settling}`;
  const then =
    paying === "OPEN"
      ? "That page closes when the buyer goes on to pay here"
      : "This one would be a second order";
  return `${what}: ${which}. ${then}.`;
}

function boughtForBuyer({ same, order, paying }: Bought): string {
  if (paying === "OPEN") {
    return " You have begun to pay for the same items already: that page closes when you go on to pay here.";
  }
  const items = same ? "the same items" : "other items";
  const how = order
    ? `You have paid for ${items} already, in order ${order.called}`
    : `A payment of yours for ${items} is settling already`;
  return ` ${how}: pay only if you want ${same ? "them a second time" : "both"}.`;
}

/** An error's text, and everything else that its agent should know before it has this ordered twice. */
const withAsides = (text: string, { owedMinor, fullPriceQuote, bought }: Standing): string =>
  [
    text,
    ...(owedMinor > 0 ? [owedText(owedMinor)] : []),
    ...(fullPriceQuote ? [fullPriceText(fullPriceQuote)] : []),
    ...(bought ? [boughtText(bought)] : []),
  ].join(" ");

/** `reviewUrl`: for an agent that waits for the order. */
function nextSteps(s: Standing, id: string, terms: Terms, reviewUrl?: string): NextStep[] {
  const { fullPriceQuote, bought } = s;
  const own = s.tooMany
    ? fewer(`${mostOf(s, terms)}, and more once that is paid`)
    : stepsOf(s, id, terms, reviewUrl);
  if (bought) {
    const look = "Look first whether that is what the buyer wanted.";
    const { order, quoteId } = bought;
    own.unshift(order ? step("get_order", look, order.id) : step("get_quote_order", look, quoteId));
  }
  if (fullPriceQuote) {
    const look = "Look first whether the buyer has ordered that.";
    own.unshift(step("get_quote_order", look, fullPriceQuote));
  }
  return own;
}

function stepsOf(s: Standing, id: string, terms: Terms, reviewUrl?: string): NextStep[] {
  switch (s.status) {
    case "OPEN":
      return [step("create_checkout", "Once the buyer has seen the total.", id)];
    case "CHECKOUT_READY":
      if (reviewUrl !== undefined) {
        return [
          { action: reviewUrl, why: "The buyer opens this link and pays; then the order is here." },
          step("get_quote_order", "With wait it answers as soon as the order is there.", id),
        ];
      }
      return [
        step("create_checkout", "Get the review link for the buyer again; it is the same one.", id),
        step("get_quote_order", "After the buyer has paid, read the order.", id),
      ];
    case "PROCESSING":
      return [step("get_quote_order", "Ask again later; there is no need to pay again.", id)];
    case "PAID":
      return [step("get_order", "Follow the order.", s.orderId ?? undefined)];
    case "WAITLIST_OFFERED": {
      const most = s.over.length > 0 ? `: ${mostOf(s, terms)} in one order` : "";
      return [
        ...(s.short.every(({ available }) => available > 0)
          ? [step("request_quote", `Take what is there now, if that will do${most}.`)]
          : []),
        step("join_waitlist", "Offer the buyer a place in the queue for all of it."),
        step("get_catalog", "Or choose another bean."),
      ];
    }
    default:
      return [step("request_quote", "Request a new quote; this one cannot be paid any more.")];
  }
}

const fewer = (most: string): NextStep[] => [
  step("request_quote", `Request a quote for ${most}.`),
  step("send_bulk_lead", "Or ask the merchant for all of them."),
];

const mostOf = ({ over }: Standing, terms: Terms): string =>
  mostInWords(over, (id) => nameIn(terms, id));

const nameIn = ({ shipments }: Terms, id: string): string =>
  shipments.flatMap(({ items }) => items).find((item) => item.product_id === id)?.name ?? id;

/** `Not in stock: 2 now of 4 Ethiopia Guji, at most 1 in one order. ` */
function shortText({ short, over }: Standing, terms: Terms): string {
  const beans = short.map(
    ({ product_id: id, available, requested }) =>
      `${available} now of ${requested} ${nameIn(terms, id)}${inOneOrder(id, over)}`,
  );
  return beans.length > 0 ? `Not in stock: ${beans.join(", ")}. ` : "";
}

/** The first-order discount, unless the request had a code or these terms have a discount. */
function firstOrderAdvice({ discount_code, pricing }: Terms): Message[] {
  const courtesy =
    discount_code || pricing.courtesy ? null : chooseCourtesy(pricing.subtotal_minor, true);
  if (!courtesy) return [];
  const off = display(courtesy.amountMinor);
  const text = `A first order gets ${off} off: request it again with discount_code ${FIRST_ORDER.code}.`;
  return [{ code: "FIRST_ORDER", text }];
}

/** So many addresses are named, those nearest to free shipping first. */
const MOST_ADDRESSES = 3;

/** What a little more coffee would bring, from the terms alone (contract §4). */
export const advice = (terms: Terms, shop: Shop): Message[] => [
  ...freeShipping(terms, shop),
  ...nextCourtesy(terms.pricing.subtotal_minor),
];

function freeShipping({ shipments }: Terms, shop: Shop): Message[] {
  if (shop.shipping_per_address_minor === 0) return [];
  const addresses = [...Map.groupBy(shipments, ({ address }) => addressKey(address)).values()];
  const missing = addresses
    .map((shipments) => ({
      ref: shipments[0]!.recipient_ref,
      minor: shop.free_shipping_from_minor - sum(shipments.map((one) => one.subtotal_minor)),
    }))
    .filter(({ minor }) => minor > 0)
    .sort((a, b) => a.minor - b.minor);
  const [nearest] = missing;
  if (!nearest) return [];
  const more = ({ ref, minor }: { ref: string; minor: Minor }) =>
    `${display(minor)} more to ${ref}`;
  const text =
    addresses.length === 1
      ? `${display(nearest.minor)} more to this address ships free.`
      : `Free shipping needs ${missing.slice(0, MOST_ADDRESSES).map(more).join(", ")}.`;
  return [{ code: "FREE_SHIPPING", text }];
}

/** The next spend courtesy, if it takes at most as much coffee again. */
function nextCourtesy(subtotal: Minor): Message[] {
  const missing = SPEND.per_minor - (subtotal % SPEND.per_minor);
  if (missing > subtotal) return [];
  const off = (Math.floor(subtotal / SPEND.per_minor) + 1) * SPEND.off_minor;
  const text = `${display(missing)} more of coffee takes ${display(off)} off.`;
  return [{ code: "SPEND_COURTESY", text }];
}
