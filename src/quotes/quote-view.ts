import { addressKey } from "../core/address.ts";
import { inMode, playMoney } from "../core/answer.ts";
import { waitlistBags } from "../core/bags.ts";
import { type ErrorCode, MerchantError, type NextStep, refusal } from "../core/errors.ts";
import { display, type Minor, sum } from "../core/money.ts";
import { step } from "../core/next-step.ts";
import { FIRST_ORDER, iso, LIMITS, SPEND } from "../core/policy.ts";
import { breakText, deliveryDays, type Shop } from "../core/shop.ts";
import { estimateIn } from "../core/time.ts";
import { chooseCourtesy } from "./pricing.ts";
import type { Checkout, Message, Quote, Terms } from "./quote-answer.ts";
import {
  boughtForBuyer,
  boughtText,
  NOT_CHARGED,
  owedText,
  UNPAID,
  WHY,
  whyUnpayable,
} from "./quote-words.ts";
import {
  type FoundQuote,
  type InvalidReason,
  isOver,
  type PaymentObstacle,
  type Standing,
  standing,
} from "./standing.ts";

/** Everything an agent reads about a quote: answers, messages, next steps and errors. */

export interface QuoteContext {
  now: number;
  /** Null before the checkout. */
  reviewUrl: string | null;
  /** "sandbox", "test" or "live". Only "live" moves money. */
  mode: string;
  /** Current prices, for the estimate and the savings of a larger order. */
  shop: Shop;
  timeZone: string;
}

/** The quote's fixed terms and current status. */
export function quoteView(
  found: FoundQuote,
  context: QuoteContext,
  terms = JSON.parse(found.quote.terms) as Terms,
): Quote {
  const { quote, state } = found;
  const s = standing(found, context.now);
  const words = wordsOf(s, quote.id, terms);
  const linked = s.status === "CHECKOUT_READY" || s.status === "PROCESSING";
  const reviewUrl = linked ? context.reviewUrl : null;
  return {
    id: quote.id,
    status: s.status,
    quote_hash: quote.quote_hash,
    terms,
    created_at: iso(quote.created_at),
    ...inMode(context.mode),
    delivery: `in ${deliveryDays(context.shop)} days, not promised`,
    ...(!isOver(s.status) && {
      estimated_delivery: estimateIn(context, context.now)(context.now).delivery,
    }),
    ...(reviewUrl !== null && { checkout: { review_url: reviewUrl } }),
    ...(s.orderId !== null && { order_id: s.orderId }),
    ...(state.short !== null && { waitlist: { short: [...s.short] } }),
    ...(s.offerEnds && { offer_expires_at: iso(s.offerEnds) }),
    messages: [
      ...(s.payable ? pausedMessages(context, { now: context.now, endsAt: s.expiresAt }) : []),
      ...messages(s, words, terms, context.shop),
    ],
    next: words.next,
  };
}

/** The running break, beside something that could be paid without it. */
export function pausedMessages(...offer: Parameters<typeof breakText>): Message[] {
  const text = breakText(...offer);
  return text === null ? [] : [{ code: "SHOP_PAUSED", text }];
}

/** The review link, and what has become of the quote. */
export function checkoutView(
  found: FoundQuote,
  { reviewUrl, ...context }: QuoteContext & { reviewUrl: string },
): Checkout {
  const { now, mode } = context;
  const { quote } = found;
  const s = standing(found, now);
  const total = display(quote.total_minor);
  const { next } = wordsOf(s, quote.id, JSON.parse(quote.terms) as Terms);
  // The quote cannot be paid without bags that the waitlist holds.
  const deadline = Math.min(s.expiresAt, s.offerEnds ?? s.expiresAt);
  const notice = playMoney(mode);
  const open = [
    `Open the link to review your coffee order and pay exactly ${total}. Nothing is ordered until you pay.`,
    notice,
    s.offerEnds && `Bags are held for you until ${iso(s.offerEnds)}: pay before that.`,
    s.bought && boughtForBuyer(s.bought),
    breakText(context, { now, endsAt: s.expiresAt }),
  ];
  return {
    quote_id: quote.id,
    status: s.status,
    quote_hash: quote.quote_hash,
    review_url: reviewUrl,
    expires_at: iso(deadline),
    ...inMode(mode),
    total_minor: quote.total_minor,
    total_display: total,
    message_for_buyer: s.payable ? open.filter(Boolean).join(" ") : whyUnpayable(s),
    next: s.payable
      ? [
          step(
            "get_quote_order",
            "First give the buyer review_url, as plain text on its own line. With wait 25 it answers once they have paid or a first payment failed.",
            quote.id,
          ),
          revision(quote.id),
        ]
      : next,
  };
}

export const noSuchQuote = (): MerchantError =>
  refusal(
    "NOT_FOUND",
    "There is no such quote for this key.",
    step("list_orders", "Each order names its quote_id."),
    step("request_quote", "Request a new quote."),
  );

/** Throws if the quote cannot be paid now. */
export function refuseUnpayable(found: FoundQuote, now: number): void {
  const s = standing(found, now);
  if (s.payable) return;
  const { error, text, next } = wordsOf(s, found.quote.id, JSON.parse(found.quote.terms) as Terms);
  throw refusal(error!, withAsides(text, s), ...next);
}

/** A bank debit takes days to settle, a capture seconds. */
const SETTLING_S = 3600;

/** Why a quote has no order yet (contract §5). Retryable only while an order can still come. */
export function orderNotReady(
  found: FoundQuote,
  { reviewUrl, ...context }: Omit<QuoteContext, "mode"> & { reviewUrl: string },
): MerchantError {
  const { quote } = found;
  const s = standing(found, context.now);
  const { text, next } = wordsOf(s, quote.id, JSON.parse(quote.terms) as Terms, reviewUrl);
  const settling = s.status === "PROCESSING";
  const retryable = !isOver(s.status);
  const paused = s.payable && breakText(context, { now: context.now, endsAt: s.expiresAt });
  const begin = retryable ? "There is no order yet." : "This quote cannot become an order.";
  return new MerchantError(
    "ORDER_NOT_READY",
    withAsides(settling ? text : `${begin} ${text}${paused ? ` ${paused}` : ""}`, s),
    {
      next,
      retryable,
      ...(settling && { retryAfter: s.isCapturing ? SOON_S : SETTLING_S }),
    },
  );
}

/** Error for a payment that could not start (contract §11). */
export function paymentRefusal(why: PaymentObstacle): MerchantError {
  if (why.kind === "unavailable") {
    const detail = "The payment provider does not answer. Nothing was charged.";
    return new MerchantError("PROVIDER_UNAVAILABLE", detail, { retryAfter: SOON_S });
  }
  const again = { action: "press pay again", why: "In a minute. The quote stays valid." };
  if (why.what === "PAGE") {
    const detail = "Another payment of the same page is under way, and a page is one order.";
    return new MerchantError("QUOTE_ALREADY_PAID", detail, { retryAfter: TAKEN_S, next: [again] });
  }
  if (why.what === "BAGS") {
    const detail = "The bags are being paid for, or offered to the waitlist. Nothing was charged.";
    return new MerchantError("OUT_OF_STOCK", detail, { retryAfter: TAKEN_S, next: [again] });
  }
  const detail = "The discount is in use in another payment. Nothing was charged.";
  const without = step("request_quote", "Or request the quote without discount_code.");
  const next = [again, without];
  return new MerchantError("DISCOUNT_NOT_ELIGIBLE", detail, { retryAfter: TAKEN_S, next });
}

const SOON_S = 5;

/** A payment that has taken bags or a discount is usually settled by then. */
const TAKEN_S = 60;

/** What a quote's state means for its buyer, without advice about what to buy. */
export function standingMessages(found: FoundQuote, now: number): Message[] {
  const terms = JSON.parse(found.quote.terms) as Terms;
  const s = standing(found, now);
  const words = stateWords(s, found.quote.id, terms);
  return messages(s, words, { ...terms, discount_code: null }, null);
}

/** `shop: null`: no advice. */
function messages(s: Standing, { code, text }: Words, terms: Terms, shop: Shop | null): Message[] {
  const { discount_code: discount } = terms;
  const all: Message[] = [];
  if (discount && !discount.applied) {
    const text = discount.reason ?? "The code was not applied.";
    all.push({ code: "DISCOUNT_NOT_APPLIED", text });
  }
  if (code !== undefined) all.push({ code, text });
  if (shop && s.payable) all.push(...advice(terms, shop));
  if (s.offerEnds) {
    // The quote cannot be paid without those bags (contract §7).
    const text = `The waitlist holds bags of this quote until ${iso(s.offerEnds)}: the buyer pays before that.`;
    all.push({ code: "OFFER_ENDS", text });
  }
  if (s.payable) all.push(...paymentMessage(s));
  all.push(...asides(s).map(({ code, text }) => ({ code, text })));
  if (shop && s.payable && s.firstOrder) all.push(...firstOrderAdvice(terms));
  return all;
}

/** An agent's words for a quote's state. */
interface Words {
  /** Code of the message; absent where the status says enough. */
  code?: string;
  /** Why the quote cannot be paid, or what its order waits for. */
  text: string;
  /** Error of a checkout; absent while the quote can be paid. */
  error?: ErrorCode;
  next: NextStep[];
}

/** `reviewUrl`: for an agent that waits for the order. */
function wordsOf(s: Standing, id: string, terms: Terms, reviewUrl?: string): Words {
  const words = stateWords(s, id, terms, reviewUrl);
  return { ...words, next: [...asides(s).flatMap(({ look }) => look ?? []), ...words.next] };
}

function stateWords(s: Standing, id: string, terms: Terms, reviewUrl?: string): Words {
  switch (s.status) {
    case "OPEN":
      return {
        text: "The buyer has not been given the link to pay.",
        next: [step("create_checkout", "Once the buyer has seen the total.", id)],
      };
    case "CHECKOUT_READY": {
      const text = paymentMessage(s)[0]?.text ?? "Nothing is ordered until the buyer has paid.";
      const read = (why: string) => step("get_quote_order", why, id);
      if (reviewUrl === undefined) {
        const again = "Get the review link for the buyer again; it is the same one.";
        const link = step("create_checkout", again, id);
        const order = read("After the buyer has paid, read the order.");
        return { text, next: [link, order, revision(id)] };
      }
      const link = { action: reviewUrl, why: "The buyer opens this link and pays." };
      return {
        text,
        next: [link, read("With wait it answers once they have paid or a first payment failed.")],
      };
    }
    case "PROCESSING":
      return {
        code: "PAYMENT_PROCESSING",
        text: s.isCapturing
          ? "The payment is authorized and the bags are taken. The order follows in a moment."
          : "The buyer has paid by a method that settles in days. The order follows when it has settled.",
        error: "QUOTE_ALREADY_PAID",
        next: [step("get_quote_order", "Ask again later; there is no need to pay again.", id)],
      };
    case "PAID":
      return {
        text: `This quote has been paid: order ${s.orderNumber === null ? s.orderId : `${s.orderNumber} (${s.orderId})`}.`,
        error: "QUOTE_ALREADY_PAID",
        next: [step("get_order", "Follow the order.", s.orderId ?? undefined)],
      };
    case "EXPIRED": {
      const late = s.problem === "TOO_LATE";
      const then = late ? `. ${lateText(s)}` : s.owedMinor > 0 ? "." : " and was not paid.";
      return {
        ...(late && { code: "PAID_TOO_LATE" }),
        text: `The quote expired at ${iso(s.expiresAt)}${then}`,
        error: "QUOTE_EXPIRED",
        next: renewal(s, id),
      };
    }
    case "INVALIDATED": {
      const why = (WHY[s.reason!] ?? UNPAID).agent;
      const text =
        s.reason === "REPLACED"
          ? `${why} It is ${s.replacedBy}.`
          : s.hasAgent
            ? `${why} ${shortText(s, terms)}`.trim()
            : why;
      const isReturned = TOOK_MONEY.has(s.reason!) && s.owedMinor === 0;
      const money = isReturned ? " It is being returned." : s.released ? ` ${NOT_CHARGED}` : "";
      // A checkout's page shows what is possible now.
      const renewed = s.hasAgent ? " Request a new quote to see what is possible now." : "";
      const isReplaced = s.reason === "KEY_REVOKED" || s.reason === "REPLACED";
      const then = isReplaced || isOrdered(s.reason) ? "" : renewed;
      return {
        code: s.reason!,
        text: `${text}${money}${then}`,
        error: "QUOTE_NOT_PAYABLE",
        next: renewal(s, id),
      };
    }
    case "WAITLIST_OFFERED": {
      const isAll = s.short.every((short) => waitlistBags(short) === short.requested);
      const most = `Unless the buyer waits already: the waitlist takes at most ${LIMITS.waitlist_bags} bags of a coffee.`;
      const join = isAll
        ? "Offer the waitlist for all the bags, unless the buyer waits already."
        : most;
      const some = step("request_quote", "Take the bags in stock now.");
      return {
        code: "WAITLIST_OFFERED",
        text: `${shortText(s, terms)}The quote is for information; it cannot be paid.`,
        error: "QUOTE_NOT_PAYABLE",
        next: [
          ...(s.short.every(({ available }) => available > 0) ? [some] : []),
          ...(s.short.some((short) => waitlistBags(short) > 0)
            ? [step("join_waitlist", join)]
            : []),
          ...(isAll ? [] : [step("send_bulk_lead", "Ask the merchant about all the bags.")]),
          step("get_catalog", "Or choose another bean."),
        ],
      };
    }
  }
}

/** Two quotes of one wish could both be paid. */
const revision = (id: string): NextStep =>
  step(
    "request_quote",
    `To change it, request again with replaces ${id}: only the new one can be paid then.`,
  );

/** Its order exists: a new quote would be a second one. */
const isOrdered = (reason: Standing["reason"]): boolean =>
  reason === "ORDERED_ALREADY" || reason === "PAID_TWICE";

/** Steps to an order in place of a quote that cannot be paid any more. */
function renewal({ reason, replacedBy }: Standing, id: string): NextStep[] {
  if (reason === "REPLACED" && replacedBy) {
    return [step("get_quote", `Go on with ${replacedBy}, which replaced it.`, replacedBy)];
  }
  if (isOrdered(reason))
    return [step("get_quote_order", "Read the order that the buyer has paid.", id)];
  const over = "this one cannot be paid any more.";
  switch (reason) {
    case "OUT_OF_STOCK":
      return [
        step("get_catalog", "See how many bags are left."),
        step(
          "request_quote",
          `Then request a new quote for bags in stock, or for more to join a waitlist; ${over}`,
        ),
      ];
    case "COURTESY_USED":
      return [step("request_quote", `Request a new quote without discount_code; ${over}`)];
    default:
      return [step("request_quote", `Request a new quote; ${over}`)];
  }
}

/** Whether money came that led to no order: it is being returned, or still owed. */
export const tookMoney = ({ reason, problem, owedMinor }: Standing): boolean =>
  problem === "TOO_LATE" || owedMinor > 0 || (reason !== null && TOOK_MONEY.has(reason));

/** Reasons that follow a payment. */
const TOOK_MONEY: ReadonlySet<InvalidReason> = new Set([
  "PAID_TOO_LATE",
  "PAID_TWICE",
  "WRONG_AMOUNT",
]);

/** The newest attempt to pay a payable quote. Only the buyer learns why it was declined. */
function paymentMessage(s: Standing): Message[] {
  const declined = s.problem === "DECLINED" || s.problem === "BANK_REFUSED";
  if (declined) {
    const text = s.paying
      ? "The buyer's last try to pay was declined and not charged. The page is still open: another card may do. " +
        (s.hasAgent
          ? "The buyer's link leads back to it."
          : "In the buyer's own browser the checkout's link leads back to it.")
      : "The payment was declined by the buyer's bank and not charged. The buyer can pay again.";
    return [{ code: "PAYMENT_DECLINED", text }];
  }
  if (s.paying) {
    const text = "The buyer has begun to pay and has not finished.";
    return [{ code: "PAYMENT_BEGUN", text }];
  }
  if (s.released) {
    const text = `${WHY[s.released].agent} ${NOT_CHARGED} The buyer can pay again.`;
    return [{ code: "NOT_CHARGED", text }];
  }
  if (s.problem === null) return [];
  return [{ code: "PAID_TOO_LATE", text: `${lateText(s)} The buyer can pay again.` }];
}

const lateText = ({ owedMinor }: Standing): string =>
  `A payment came too late${owedMinor > 0 ? "." : " and is being refunded."}`;

/** Facts beside the state that keep a buyer from ordering twice. */
function asides(s: Standing): (Message & { look?: NextStep })[] {
  const { owedMinor, bought } = s;
  const all: ReturnType<typeof asides> = [];
  if (owedMinor > 0) all.push({ code: "REFUND_FAILED", text: owedText(owedMinor) });
  if (bought) {
    const { order, quoteId } = bought;
    const look = "Check first whether this is the order that the buyer wanted.";
    all.push({
      code: "BOUGHT_ALREADY",
      text: boughtText(bought),
      look: order ? step("get_order", look, order.id) : step("get_quote_order", look, quoteId),
    });
  }
  return all;
}

const withAsides = (text: string, s: Standing): string =>
  [text, ...asides(s).map((aside) => aside.text)].join(" ");

const nameIn = ({ shipments }: Terms, id: string): string =>
  shipments.flatMap(({ items }) => items).find((item) => item.product_id === id)?.name ?? id;

/** `Not in stock: 2 now of 4 Ethiopia Guji. ` */
function shortText({ short }: Standing, terms: Terms): string {
  const beans = short.map(
    ({ product_id: id, available, requested }) =>
      `${available} now of ${requested} ${nameIn(terms, id)}`,
  );
  return beans.length > 0 ? `Not in stock: ${beans.join(", ")}. ` : "";
}

/** The first-order discount, unless the request had a code or these terms have a discount. */
function firstOrderAdvice({ discount_code, pricing }: Terms): Message[] {
  const courtesy =
    discount_code || pricing.courtesy ? null : chooseCourtesy(pricing.subtotal_minor, true);
  if (!courtesy) return [];
  const off = display(courtesy.amountMinor);
  const text = `If this is the email's first order here, discount_code ${FIRST_ORDER.code} takes ${off} off; otherwise it is refused.`;
  return [{ code: "FIRST_ORDER", text }];
}

/** Addresses named in the hint, those nearest to free shipping first. */
const MOST_ADDRESSES = 3;

/** Savings within reach of a larger order (contract §4). */
export const advice = (terms: Terms, shop: Shop): Message[] => [
  ...freeShipping(terms, shop),
  ...nextCourtesy(terms.pricing.subtotal_minor),
];

function freeShipping({ shipments }: Terms, shop: Shop): Message[] {
  if (shop.shipping_per_address_minor === 0) return [];
  const refs = new Set(shipments.map(({ recipient_ref }) => recipient_ref));
  const refOf = ({ recipient_ref: ref, address }: Terms["shipments"][number]) =>
    refs.size < shipments.length ? `${ref} (${address.line1})` : ref;
  const addresses =
    shipments.length === 1
      ? [shipments]
      : [...Map.groupBy(shipments, ({ address }) => addressKey(address)).values()];
  const missing = addresses
    .map((shipments) => ({
      ref: refOf(shipments[0]!),
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

/** The next large-order discount, if at most twice the coffee reaches it. */
function nextCourtesy(subtotal: Minor): Message[] {
  const missing = SPEND.per_minor - (subtotal % SPEND.per_minor);
  if (missing > subtotal) return [];
  const off = (Math.floor(subtotal / SPEND.per_minor) + 1) * SPEND.off_minor;
  const text = `${display(missing)} more of coffee takes ${display(off)} off.`;
  return [{ code: "SPEND_COURTESY", text }];
}
