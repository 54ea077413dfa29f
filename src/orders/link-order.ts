import { z } from "zod";
import { insteadOf } from "../catalog/catalog-answer.ts";
import { cartOf, isLive } from "../checkouts/checkout.ts";
import { findCheckout } from "../checkouts/checkout-verbs.ts";
import { answer, IN_MODE, inMode, NextSteps, open, Time } from "../core/answer.ts";
import { untilNews, waitBefore } from "../core/concurrency.ts";
import { type MerchantError, type NextStep, refusal } from "../core/errors.ts";
import { text } from "../core/fields.ts";
import { bareToken, linkedId, type QuoteId } from "../core/ids.ts";
import { display } from "../core/money.ts";
import { leavesTooFew, type Subject } from "../core/news.ts";
import { findOrderStep, followPage, step } from "../core/next-step.ts";
import { iso } from "../core/policy.ts";
import type { CheckoutRow } from "../core/records.ts";
import { breakText, pauseAt } from "../core/shop.ts";
import { estimateIn } from "../core/time.ts";
import type { StoredQuote } from "../db/queries/quotes.ts";
import type { Context } from "../payments/provider.ts";
import { orderOfCheckout } from "../quotes/cart-session-verbs.ts";
import { asItStands, lastTry, quoteOfCheckout } from "../quotes/found-quotes.ts";
import { isCartOf, type QuickCheckoutVerbs } from "../quotes/quick-checkout-verbs.ts";
import { Message, type Terms } from "../quotes/quote-answer.ts";
import { standingMessages, tookMoney } from "../quotes/quote-view.ts";
import { newsOf, purchaseOf, standing } from "../quotes/standing.ts";
import { standingViews } from "./found-orders.ts";
import { type NamedOrder, OpenOrder } from "./order-answer.ts";
import { openOrder } from "./order-view.ts";

/** The order of a checkout page. It repeats nothing that the buyer typed on that page. */
export const LinkOrder = answer({
  status: open(
    ["OPEN", "PROCESSING", "PAID", "ENDED", "UNKNOWN"],
    "UNKNOWN: this address cannot tell.",
  ),
  message: z.string().describe("The same in words."),
  ...IN_MODE,
  ...OpenOrder.partial().shape,
  pay_until: Time.optional().describe("End of the page."),
  messages: z.array(Message).optional(),
  next: NextSteps,
}).meta({ id: "LinkOrder" });

export type LinkOrder = z.infer<typeof LinkOrder>;

/** Addresses of checkout pages of 0.3.0 had a whole cart, sealed. */
const MOST_CHARACTERS = 8000;

export const CheckoutUrl = text({ what: "checkout_url", most: MOST_CHARACTERS }).describe(
  "Or the address of its review or payment page.",
);

interface Page {
  /** Of its checkout; without one, as it was asked for. */
  address: string;
  checkout: CheckoutRow | undefined;
  /** The quote that is paid or being paid, else the newest. */
  quote: StoredQuote | undefined;
  /** The purchase that both belong to. */
  purchase: string;
}

type Offer = Awaited<ReturnType<QuickCheckoutVerbs["offer"]>>;

/** An answer, and what ends a wait in it (see `newsOf`). */
interface Seen {
  answer: LinkOrder;
  news: string | null;
}

/** Reads the order behind any address that an agent may have of a purchase. */
export function linkOrder(context: Context, { offer }: Pick<QuickCheckoutVerbs, "offer">) {
  const { store, clock, secret, baseUrl } = context;
  const { queries } = store;
  const { mode } = context.provider;

  async function pageAt(address: string): Promise<Page | "UNKNOWN"> {
    const place = placeIn(address);
    if (place.kind === "link") return "UNKNOWN";
    if (place.kind === "none") throw noSuchPage(baseUrl);
    const page = await pageIn(place);
    return {
      address: page.checkout ? `${baseUrl}/checkout/${page.checkout.id}` : address,
      ...page,
    };
  }

  async function pageIn(place: PagePlace) {
    switch (place.kind) {
      case "checkout":
        return checkoutPage(place.token);
      case "review":
        return quotePage(linkedId(secret, "review", place.token));
      case "payment":
        return quotePage((await queries.attemptBySession(place.session))?.quote_id);
    }
  }

  async function checkoutPage(token: string): Promise<Omit<Page, "address">> {
    const checkout = await findCheckout(queries, token);
    if (checkout) {
      const quote = await quoteOfCheckout(store, checkout);
      return { checkout, quote, purchase: checkout.page };
    }
    const paid = await orderOfCheckout(queries, token);
    const order = paid && (await queries.order(paid.orderId));
    if (!order) throw noSuchPage(baseUrl);
    return quotePage(order.quote_id);
  }

  /** Quotes of one purchase stand for each other. */
  async function quotePage(quoteId: QuoteId | undefined): Promise<Omit<Page, "address">> {
    const found = quoteId === undefined ? undefined : await queries.quote(quoteId);
    if (!found) throw noSuchPage(baseUrl);
    const purchase = purchaseOf(found.quote);
    const checkout = found.quote.cart ? await queries.checkoutOfPage(found.quote.cart) : undefined;
    const quote = await quoteOfCheckout(store, {
      page: purchase,
      quote_id: checkout?.quote_id ?? (await newestOf(found)),
    });
    return { checkout, quote, purchase };
  }

  async function newestOf({ quote, state }: StoredQuote): Promise<QuoteId> {
    if (state.replaced_by === null) return quote.id;
    const all = await queries.quotesOfCarts([purchaseOf(quote)]);
    return all.find((one) => one.state.replaced_by === null)?.quote.id ?? quote.id;
  }

  async function view({ address, checkout, quote }: Page): Promise<Seen> {
    const orderId = quote?.state.order_id ?? null;
    const order = orderId === null ? undefined : await queries.order(orderId);
    if (order) {
      const [paid] = await standingViews(context, [order]);
      return over(paidView(paid!.view, address, baseUrl));
    }
    const row = checkout && isLive(checkout, clock()) ? checkout : undefined;
    if (quote) return unpaid(quote, row, address);
    if (!row) return over(ended(checkout));
    const begun = row.buyer === null ? "The buyer has not sent the form of this page." : BEGUN;
    return asOffered(row, await offer(row), `${UNPAID} ${begun}`, address);
  }

  const over = (answer: LinkOrder): Seen => ({ answer, news: answer.status });

  /** What the checkout's page offers at this moment. `said`: whether anything was paid so far, and why not. */
  function asOffered(
    row: CheckoutRow,
    { cart, gone, short, items, pricing }: Offer,
    said: string,
    address: string,
  ): Seen {
    const { total_minor, total_display, otherwise_display, discount_code } = pricing;
    const stops = [
      ...gone.map((name) => `${name} is not sold any more, so the page leaves it out.`),
      ...(items.length === 0 ? ["The buyer can choose coffee on the same page."] : []),
      ...short.map((bean) => insteadOf(bean, baseUrl)),
      ...paused(row.expires_at),
    ];
    const canPay = items.length > 0 && short.length === 0 && !pauseAt(context, clock());
    const total = otherwise_display ? discount_code!.reason : `${total_display}.`;
    const answer: LinkOrder = {
      status: "OPEN",
      message: [
        said,
        ...stops,
        ...(canPay ? [`On the same page the buyer pays ${total}`] : []),
      ].join(" "),
      ...inMode(mode),
      items,
      ...(cart.gift_note !== undefined && { gift_notes: 1 }),
      ...(items.length > 0 && { total_minor, total_display }),
      pay_until: iso(row.expires_at),
      ...(canPay && { estimated_delivery: estimate() }),
      next: [following(address, canPay)],
    };
    return { answer, news: canPay ? null : stops.join(" ") };
  }

  const paused = (endsAt: number): string[] => {
    const text = breakText(context, { now: clock(), endsAt });
    return text === null ? [] : [text];
  };

  /** `canPay`: another page would be a second order. */
  const following = (address: string, canPay: boolean): NextStep =>
    followPage(
      address,
      `Again, with wait 25: it answers as soon as the buyer has paid or a first payment failed.${canPay ? " Make no second page meanwhile." : ""}`,
    );

  async function unpaid(
    stored: StoredQuote,
    row: CheckoutRow | undefined,
    address: string,
  ): Promise<Seen> {
    const { id, terms: json } = stored.quote;
    const last = await lastTry(store, id);
    const now = clock();
    const standingQuote = { ...(await asItStands(context, stored)), last };
    const s = standing(standingQuote, now);
    const terms = JSON.parse(json) as Terms;
    const { total_minor, total_display } = terms.pricing;
    const messages = standingMessages(standingQuote, now);
    const gift_notes = terms.shipments.flatMap((shipment) => shipment.gift_notes).length;
    const base = {
      ...inMode(mode),
      items: terms.shipments.flatMap(({ items }) => items),
      ...(gift_notes > 0 && { gift_notes }),
      total_minor,
      total_display,
      ...(messages.length > 0 && { messages }),
    };
    const said = messages.map(({ text }) => ` ${text}`).join("");
    const news = newsOf(s, last);
    if (s.status === "PROCESSING" || s.status === "PAID") {
      const message = said.trim() || "The payment is being confirmed.";
      const next = [following(address, false)];
      return { answer: { status: "PROCESSING", message, ...base, next }, news };
    }
    const isChanged = row !== undefined && !isCartOf(terms, cartOf(row));
    const offered = row && (await offer(row));
    // Bags that another payment holds may come back; until then the page offers fewer.
    const isShort = offered !== undefined && !s.paying && offered.short.length > 0;
    if (s.payable && !isChanged && !isShort) {
      const canPay = !pauseAt(context, now);
      const answer: LinkOrder = {
        status: "OPEN",
        message: [`Not paid yet.${said}`, ...paused(s.expiresAt)].join(" "),
        ...base,
        pay_until: iso(Math.min(s.expiresAt, s.offerEnds ?? s.expiresAt)),
        ...(canPay && { estimated_delivery: estimate() }),
        next: [following(address, canPay)],
      };
      return { answer, news };
    }
    if (row && offered) {
      const stillOpen = s.payable && s.paying ? ` ${stillOpenText(total_display)}` : "";
      const wasChanged = isChanged ? ` The bags were changed since.${stillOpen}` : "";
      const lead = tookMoney(s) ? "There is no order yet." : UNPAID;
      const seen = asOffered(row, offered, `${lead}${said}${wasChanged}`, address);
      const answer = { ...seen.answer, ...(messages.length > 0 && { messages }) };
      return { answer, news: [seen.news, news].filter(Boolean).join(" ") || null };
    }
    return over({ ...ended(), message: `It ended without an order.${said}`, ...base });
  }

  const ended = (checkout?: CheckoutRow): LinkOrder => ({
    status: "ENDED",
    message: `This page ${checkout?.canceled_at ? "was canceled" : "ended"} without an order. Nothing was charged.`,
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

  return async (checkoutUrl: string, waitMs = 0, gone?: () => AbortSignal): Promise<LinkOrder> => {
    const page = await pageAt(checkoutUrl);
    if (page === "UNKNOWN") return unknown();
    const now = await view(page);
    const canCome = now.answer.status === "OPEN" || now.answer.status === "PROCESSING";
    if (waitMs === 0 || !canCome) return now.answer;
    const read = async () => {
      const again = await pageAt(checkoutUrl);
      return again === "UNKNOWN" ? over(unknown()) : view(again);
    };
    const look = async () => {
      const seen = await read();
      return seen.news === null || seen.news === now.news ? undefined : seen;
    };
    const concerns = (changed: Subject) =>
      changed === page.purchase || leavesTooFew(changed, now.answer.items ?? []);
    const { pay_until } = now.answer;
    const endsAt = pay_until === undefined ? Infinity : Date.parse(pay_until);
    const untilMs = waitBefore(endsAt, { waitMs, now: clock() });
    const news = await untilNews(context, { waitMs: untilMs, look, concerns, gone });
    return (news ?? (await read())).answer;
  };
}

const UNPAID = "Not paid, and nothing was charged.";

const BEGUN = "The buyer has begun to fill in the form of this page.";

const stillOpenText = (total: string): string =>
  `A payment page for ${total} is still open; whichever is paid first is the order.`;

function paidView(order: NamedOrder, address: string, baseUrl: string): LinkOrder {
  const { payment } = order;
  const open = openOrder(order);
  const twice = payment.refunds.some(({ reason }) => reason === "PAID_TWICE");
  const isAsked = open.cancel_request === "REQUESTED";
  const asked = open.cancel_request_for?.join(", ");
  const also = [
    ...(twice ? [" A second payment for it was refunded in full."] : []),
    ...(isAsked
      ? [` The shop has yet to decide about the cancel request${asked ? ` for ${asked}` : ""}.`]
      : []),
  ].join("");
  const canCancel = order.next.some(({ action }) => action === "request_cancellation");
  const act = isAsked ? "withdraw the request or to " : canCancel ? "cancel or to " : "";
  return {
    status: "PAID",
    message: `Paid: ${display(payment.amount_minor)}, order ${open.number}.${also}`,
    ...inMode(payment.mode),
    ...open,
    next: [
      followPage(address, "Again later, to follow the shipments.", { wait: false }),
      {
        action: "tell the buyer",
        why:
          `To ${act}ask something, open the order's page, in the browser where you paid. ` +
          `Elsewhere this link or ${baseUrl}/find-order leads to it.`,
      },
    ],
  };
}

const NEW_LINK: NextStep = step(
  "build_quick_checkout_link",
  "Only if the buyer still wants it: make a new checkout.",
);

/** Never leads to a new page: the buyer may have paid on this one. */
const noSuchPage = (baseUrl: string): MerchantError =>
  refusal(
    "NOT_FOUND",
    "This is no address of a checkout page here, or not a complete one; a number is none. Do not make a new one if the buyer has paid.",
    step(
      "get_link_order",
      "Send the whole address: checkout_url, or what the browser of the buyer shows.",
    ),
    findOrderStep(baseUrl),
  );

type PagePlace =
  | { kind: "checkout" | "review"; token: string }
  | { kind: "payment"; session: string };

type Place = PagePlace | { kind: "link" } | { kind: "none" };

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
  const isLink = /\bquick-(?:checkout|link)\b/.test(address);
  return isLink ? { kind: "link" } : { kind: "none" };
}
