import { z } from "zod";
import {
  answer,
  Display,
  Estimate,
  IN_MODE,
  inMode,
  Minor,
  NextSteps,
  open,
  Time,
} from "../core/answer.ts";
import { sharedAnswers, untilEvent } from "../core/concurrency.ts";
import { type MerchantError, type NextStep, refusal } from "../core/errors.ts";
import { text } from "../core/fields.ts";
import { sha256 } from "../core/hash.ts";
import { bareToken, linkedId, type OrderId, type QuoteId } from "../core/ids.ts";
import { display } from "../core/money.ts";
import { followPage, step } from "../core/next-step.ts";
import { DAY_MS, iso } from "../core/policy.ts";
import { ORDER_STATUSES, SHIPMENT_STATUSES } from "../core/records.ts";
import { estimateIn } from "../core/time.ts";
import type { StoredQuote } from "../db/queries/quotes.ts";
import { ownRefunds, Refund } from "../payments/payment-answer.ts";
import type { Context } from "../payments/provider.ts";
import { isSessionId } from "../quotes/cart-session.ts";
import type { SessionPage } from "../quotes/cart-session-verbs.ts";
import { asItStands, lastTry } from "../quotes/found-quotes.ts";
import type { Cart, QuickCheckout } from "../quotes/quick-checkout.ts";
import type { CartFound } from "../quotes/quick-checkout-verbs.ts";
import { Item, Message, type Terms } from "../quotes/quote-answer.ts";
import { standingMessages } from "../quotes/quote-view.ts";
import { standing } from "../quotes/standing.ts";
import { orderViews } from "./found-orders.ts";
import type { Order } from "./order-answer.ts";

/** The order of a checkout page. It repeats nothing that the buyer typed on that page. */
export const LinkOrder = answer({
  status: open(
    ["OPEN", "PROCESSING", "PAID", "ENDED", "UNKNOWN"],
    "Whether the buyer has paid. UNKNOWN: this address cannot tell.",
  ),
  message: z.string().describe("The same in words."),
  ...IN_MODE,
  items: z.array(Item).optional(),
  total_minor: Minor.optional(),
  total_display: Display.optional(),
  pay_until: Time.optional().describe("Until then the page can be paid."),
  messages: z.array(Message).optional(),
  number: z.int().optional().describe("The order number, such as 1042."),
  order_status: open(ORDER_STATUSES, "Status of the order.").optional(),
  paid_minor: Minor.optional().describe("What the buyer was charged."),
  refunds: z.array(Refund).optional(),
  cancel_request: z.string().optional().describe("Status of the newest request to cancel."),
  shipments: z
    .array(
      answer({
        status: open(SHIPMENT_STATUSES, "Status of the shipment."),
        carrier: z.string().optional(),
        number: z.string().optional().describe("The tracking number."),
        url: z.string().optional(),
      }),
    )
    .optional(),
  estimated_delivery: Estimate.nullable().optional(),
  next: NextSteps,
}).meta({ id: "LinkOrder" });

export type LinkOrder = z.infer<typeof LinkOrder>;

/** The URL of a checkout page carries its whole cart, sealed. */
const MOST_CHARACTERS = 8000;

export const CheckoutUrl = text({ what: "checkout_url", most: MOST_CHARACTERS }).describe(
  "Or the address of the page where the buyer reviews or pays.",
);

interface Pages {
  /** Opens the token of a page that carries its cart. */
  find: (token: string) => Promise<CartFound>;
  findSession: (token: string) => Promise<SessionPage>;
  /** Content of a page whose buyer has not sent the form. */
  shown: (cart: Cart) => Pick<QuickCheckout, "items" | "pricing">;
}

/** The page of an address: its cart while it takes the form, and its quotes, the most telling first. */
interface Page {
  /** As it was asked for. */
  address: string;
  cart: Cart | null;
  /** End of the page, before its buyer has sent the form. */
  until: number | null;
  quotes: readonly Omit<StoredQuote, "revoked">[];
  /** Whose order belongs to this page. */
  owns(quote: { id: string; cart: string | null }): boolean;
}

/** Milliseconds for which waiting callers share one read of an order. */
const NEWS_MS = 10_000;

/** Reads the order behind any address that an agent may have of a purchase. */
export function linkOrder(context: Context, pages: Pages) {
  const { store, clock, secret } = context;
  const { queries } = store;
  const { mode } = context.provider;

  async function pageAt(address: string): Promise<Page | "UNKNOWN"> {
    const place = placeIn(address);
    switch (place.kind) {
      case "checkout":
        return { address, ...(await checkoutPage(place.token)) };
      case "review":
        return { address, ...(await quotePage(linkedId(secret, "review", place.token))) };
      case "payment":
        return {
          address,
          ...(await quotePage((await queries.attemptBySession(place.session))?.quote_id)),
        };
      case "link":
        return "UNKNOWN";
      case "none":
        throw noSuchPage();
    }
  }

  async function checkoutPage(token: string): Promise<Omit<Page, "address">> {
    const found = await (isSessionId(token) ? pages.findSession : pages.find)(token);
    const known = typeof found !== "string" && "page" in found ? found.page : token;
    const filed = sha256(known);
    const quotes = await queries.quotesOfCarts([filed]);
    if (found === "BROKEN" && quotes.length === 0) throw noSuchPage();
    const isOpen = typeof found !== "string" && "cart" in found;
    return {
      cart: isOpen ? found.cart : null,
      until: isOpen ? found.expiresAt : null,
      quotes,
      owns: ({ cart }) => cart === filed,
    };
  }

  /** Quotes of one checkout page stand for each other. */
  async function quotePage(quoteId: QuoteId | undefined): Promise<Omit<Page, "address">> {
    const found = quoteId === undefined ? undefined : await queries.quote(quoteId);
    if (!found) throw noSuchPage();
    const { cart, id } = found.quote;
    return {
      cart: null,
      until: null,
      quotes: cart === null ? [found] : await queries.quotesOfCarts([cart]),
      owns: (quote) => quote.id === id || (cart !== null && quote.cart === cart),
    };
  }

  async function view({ address, cart, until, quotes: [newest] }: Page): Promise<LinkOrder> {
    const again = followPage(
      address,
      "Again, with wait 25: it answers as soon as the buyer has paid. Make no second page meanwhile.",
    );
    if (newest === undefined) {
      return cart === null ? ended() : { ...unsent(cart, until), next: [again] };
    }
    const orderId = newest.state.order_id;
    const order = orderId === null ? undefined : await queries.order(orderId);
    if (order) {
      const [paid] = await orderViews(context, [order]);
      return paidView(paid!, address, newest.quote.cart !== null);
    }
    // A quote's address leads to its checkout page, which takes its form for a day.
    const isFromPage = newest.quote.cart !== null && clock() < newest.quote.created_at + DAY_MS;
    return unpaid(newest, cart !== null || isFromPage, again);
  }

  function unsent(cart: Cart, until: number | null): Omit<LinkOrder, "next"> {
    const { items, pricing } = pages.shown(cart);
    const { total_minor, total_display, otherwise_display, discount_code } = pricing;
    const condition = otherwise_display ? ` ${discount_code?.reason ?? ""}` : "";
    return {
      status: "OPEN",
      message: `Not paid, and nothing was charged: the buyer has not sent the form of this page.${condition}`,
      ...inMode(mode),
      ...{ items, total_minor, total_display },
      ...(until !== null && { pay_until: iso(until) }),
      estimated_delivery: estimate(),
    };
  }

  async function unpaid(
    stored: Omit<StoredQuote, "revoked">,
    isPageOpen: boolean,
    again: NextStep,
  ): Promise<LinkOrder> {
    const { id, terms: json } = stored.quote;
    const found = (await queries.quote(id)) ?? { ...stored, revoked: false };
    const last = await lastTry(store, id);
    const now = clock();
    const standingQuote = { ...(await asItStands(context, found)), last };
    const s = standing(standingQuote, now);
    const terms = JSON.parse(json) as Terms;
    // Without its discount, the page asks for the full price.
    const { subtotal_minor, shipping_minor } = terms.pricing;
    const isFull = s.reason === "COURTESY_USED";
    const total_minor = isFull ? subtotal_minor + shipping_minor : terms.pricing.total_minor;
    const total_display = display(total_minor);
    const messages = standingMessages(standingQuote, {
      ...{ now, mode, reviewUrl: null },
      ...{ shop: context.shop, timeZone: context.timeZone },
    });
    const base = {
      ...inMode(mode),
      items: terms.shipments.flatMap(({ items }) => items),
      total_minor,
      total_display,
      ...(messages.length > 0 && { messages }),
    };
    const said = messages.map(({ text }) => ` ${text}`).join("");
    if (s.status === "PROCESSING" || s.status === "PAID") {
      const message = said.trim() || "The payment is being confirmed.";
      return { status: "PROCESSING", message, ...base, next: [again] };
    }
    if (s.payable) {
      return {
        status: "OPEN",
        message: `Not paid yet.${said}`,
        ...base,
        pay_until: iso(Math.min(s.expiresAt, s.offerEnds ?? s.expiresAt)),
        estimated_delivery: estimate(),
        next: [again],
      };
    }
    if (isPageOpen) {
      const message = `Not paid.${said} The buyer opens the same checkout link again and pays ${total_display}.`;
      return { status: "OPEN", message, ...base, next: [again] };
    }
    return { ...ended(), message: `It ended without an order.${said}`, ...base };
  }

  const ended = (): LinkOrder => ({
    status: "ENDED",
    message: "This page ended without an order. Nothing was charged.",
    ...inMode(mode),
    next: [NEW_LINK],
  });

  const estimate = () => estimateIn(context, clock())(clock()).delivery;

  const unknown = (): LinkOrder => ({
    status: "UNKNOWN",
    message:
      "Every opening of this link makes a page of its own, so the link cannot tell what was paid. Ask the " +
      "buyer for the address of the page where they paid. Do not make another link if the buyer has paid.",
    ...inMode(mode),
    next: [step("get_link_order", "With the address that the buyer's browser shows.")],
  });

  /** Quote of a new order, read once for all waiting callers. */
  const quoteOf = sharedAnswers(
    async (orderId) => {
      const order = await queries.order(orderId);
      return order && (await queries.quote(order.quote_id))?.quote;
    },
    { forMs: NEWS_MS, clock },
  );

  return async (checkoutUrl: string, waitMs = 0, gone?: () => AbortSignal): Promise<LinkOrder> => {
    const page = await pageAt(checkoutUrl);
    if (page === "UNKNOWN") return unknown();
    const now = await view(page);
    const canCome = now.status === "OPEN" || now.status === "PROCESSING";
    if (waitMs === 0 || !canCome) return now;
    const read = async () => {
      const again = await pageAt(checkoutUrl);
      return again === "UNKNOWN" ? unknown() : view(again);
    };
    const look = async () => {
      const seen = await read();
      return seen.status === "PAID" ? seen : undefined;
    };
    const concerns = async (orderId: OrderId) => {
      const quote = await quoteOf(orderId);
      return quote !== undefined && page.owns(quote);
    };
    return (await untilEvent(context, { waitMs, look, concerns, gone })) ?? read();
  };
}

/** `hasPage`: the buyer's way to the order is a checkout page, which anybody may have made. */
function paidView(order: Order, address: string, hasPage: boolean): LinkOrder {
  const { number, status, payment, cancel_request, shipments, estimated_delivery } = order;
  const refunds = ownRefunds(payment);
  const twice = payment.refunds.some(({ reason }) => reason === "PAID_TWICE");
  const also = [
    ...(twice ? [" A second payment for it was refunded in full."] : []),
    ...(cancel_request?.status === "REQUESTED"
      ? [" The shop has yet to decide about the cancel request."]
      : []),
  ].join("");
  return {
    status: "PAID",
    message: `Paid: ${display(payment.amount_minor)}${number == null ? "" : `, order ${number}`}.${also}`,
    ...inMode(payment.mode),
    items: order.items,
    total_minor: order.pricing.total_minor,
    total_display: order.pricing.total_display,
    ...(number != null && { number }),
    order_status: status,
    paid_minor: payment.amount_minor,
    ...(refunds.length > 0 && { refunds }),
    ...(cancel_request && { cancel_request: cancel_request.status }),
    shipments: shipments.map(({ status, tracking }) => ({
      status,
      ...(tracking && { carrier: tracking.carrier, number: tracking.number }),
      ...(tracking?.url && { url: tracking.url }),
    })),
    estimated_delivery,
    next: [
      followPage(address, "Again later, to follow the shipments."),
      {
        action: "tell the buyer",
        why: `To cancel or to ask something, open the page where you paid${hasPage ? ", or the checkout page with the order's email" : ""}.`,
      },
    ],
  };
}

const NEW_LINK: NextStep = step(
  "build_quick_checkout_link",
  "Only if the buyer still wants it: make a new checkout.",
);

/** Never leads to a new page: the buyer may have paid on this one. */
const noSuchPage = (): MerchantError =>
  refusal(
    "NOT_FOUND",
    "This address leads to no checkout page here. Check that it is complete. Do not make a new one if the buyer has paid.",
    step(
      "get_link_order",
      "Send the whole address: checkout_url, or what the browser of the buyer shows.",
    ),
  );

type Place =
  | { kind: "checkout" | "review"; token: string }
  | { kind: "payment"; session: string }
  | { kind: "link" | "none" };

/** Finds the page in an address as people and chats pass it on: cut, bracketed, without its scheme. */
function placeIn(address: string): Place {
  const [session] = /\bcs_(?:test|live)_[\w-]+/.exec(address) ?? [];
  if (session !== undefined) return { kind: "payment", session: bareToken(session) };
  const [, kind, token = ""] = /\b(checkout|review)\/([\w.-]+)/.exec(address) ?? [];
  if (kind !== undefined) {
    return { kind: kind as "checkout" | "review", token: bareToken(token) };
  }
  const [bare] = /^\W*((?:crt|chk)_[\w-]{22})\W*$/.exec(address)?.slice(1) ?? [];
  if (bare !== undefined) return { kind: "checkout", token: bareToken(bare) };
  return { kind: /\bquick-(?:checkout|link)\b/.test(address) ? "link" : "none" };
}
