import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { Operation } from "../../api/operation.ts";
import { addressKey } from "../../core/address.ts";
import { bagCount } from "../../core/bags.ts";
import type { Merchant } from "../../merchant/merchant.ts";
import { ORDER_TITLES } from "../../orders/buyer-words.ts";
import { merchantWords } from "../../orders/cancel-order.ts";
import { Order } from "../../orders/order-answer.ts";
import { destinations } from "../../orders/review.ts";
import { orderStanding } from "../../orders/standing.ts";
import { Checkout, Quote } from "../../quotes/quote-answer.ts";
import { messageForBuyer, QUOTE_TITLES, UNPAID, WHY } from "../../quotes/quote-words.ts";
import { html, type Markup, type Renderable } from "../../web/html.ts";
import {
  introduction,
  type OrderView,
  orderLead,
  orderSlip,
  orderTitle,
  refundSums,
  type ShownOrder,
} from "../../web/order-parts.ts";
import { pricingSums, sumRow, time } from "../../web/parts.ts";

/** The extension MCP Apps (SEP-1865). */
export const CARDS = "io.modelcontextprotocol/ui";

/** A result's HTML for its card, in the result's `_meta`, which models don't read. */
const CARD_META = "coffee/card";

export const showsCards = (capabilities: ClientCapabilities | undefined): boolean =>
  capabilities?.extensions?.[CARDS] !== undefined;

/**
 * A card's own call has the argument `card`. Many hosts show cards without declaring it, and the 2025 eras
 * over HTTP declare it only in a request of its own.
 */
export const asksForCard = ({ card }: Record<string, unknown>): boolean => card === true;

/** An answer as the buyer's page would show it. Undefined for an answer without a card. */
export function cardMeta({ output }: Operation, body: unknown, merchant: Merchant) {
  const card = CARD_OF.get(output);
  return card && { [CARD_META]: card(body, merchant).toString() };
}

// biome-ignore lint/suspicious/noExplicitAny: each card reads the answer of its schema.
const CARD_OF = new Map<unknown, (body: any, merchant: Merchant) => Markup>([
  [Quote, quoteCard],
  [Checkout, checkoutCard],
  [Order, orderCard],
]);

const card = (notice: string | undefined, title: Renderable, body: Markup): Markup =>
  html`<article class="stack">
    ${notice && html`<p class="mode-banner">${notice}</p>`}
    <h1>${title}</h1>
    ${body}
  </article>`;

const isPayable = ({ status }: Pick<Quote, "status">): boolean =>
  status === "OPEN" || status === "CHECKOUT_READY";

/** Every address with its bags, then the sums and the next step. */
function quoteCard(quote: Quote, merchant: Merchant): Markup {
  const { id, terms, checkout, estimated_delivery: arrival, messages } = quote;
  const { pricing, shipments, discount_code, buyer, expires_at } = terms;
  const payable = isPayable(quote);
  const lead = arrival && {
    arrival,
    agentName: null,
    quote: { agent_id: null, buyer_email: buyer.email },
  };
  const view = {
    ...frameOf(merchant),
    destinations: destinations(terms, []),
    arrival: arrival ?? NO_ESTIMATE,
    url: merchant.baseUrl,
  };
  return card(
    quote.notice,
    payable ? QUOTE_TITLES.OPEN : overTitle(quote),
    html`${payable && lead && introduction(lead)}
    ${messages
      .flatMap((message) => messageForBuyer(message) ?? [])
      .map((words) => html`<p class="notice notice-${payable ? "info" : "warn"}">${words}</p>`)}
    ${orderSlip(view)}
    <section class="till stack">
      <h2>Your total</h2>
      ${pricingSums({ ...pricing, discount_code }, bagCount(shipments.flatMap(({ items }) => items)))}
      ${payable && payBy(quote.offer_expires_at ?? expires_at)}
    </section>
    ${payable && payActions({ quote_id: id, total_display: pricing.total_display }, checkout?.review_url ?? quote)}
    ${quote.order_id && toolButton("get_order", { order_id: quote.order_id }, "Show my order")}`,
  );
}

/** The quote's own result has shown its lines. */
function checkoutCard(checkout: Checkout): Markup {
  const { total_display, expires_at, message_for_buyer, review_url } = checkout;
  const payable = isPayable(checkout);
  return card(
    undefined,
    payable ? QUOTE_TITLES.OPEN : overTitle(checkout),
    html`<p>${message_for_buyer}</p>
    <section class="till stack">
      <dl>${sumRow("Total", total_display, "sum-total")}</dl>
      ${payable && payBy(expires_at)}
    </section>
    ${payable && payActions(checkout, review_url)}`,
  );
}

/** Title of a quote that can't be paid. */
function overTitle({ status, messages = [] }: Pick<Quote, "status"> & Partial<Quote>): string {
  if (status === "PAID") return ORDER_TITLES.ORDERED;
  if (status in QUOTE_TITLES) return QUOTE_TITLES[status as keyof typeof QUOTE_TITLES];
  const why = messages.flatMap(({ code }) => WHY[code as keyof typeof WHY] ?? []);
  return why.map((one) => ("title" in one ? one.title : undefined)).find(Boolean) ?? UNPAID.title;
}

const payBy = (at: string): Markup =>
  html`<dl class="small-print"><div><dt>Pay by</dt><dd>${time(Date.parse(at))}</dd></div></dl>`;

/** `link`: the review link, or the quote whose link is still to make. */
function payActions(
  { quote_id, total_display }: Pick<Checkout, "quote_id" | "total_display">,
  link: string | Quote,
): Markup {
  const label = `Review and pay ${total_display}`;
  const told = `The buyer opened the review link of quote ${quote_id} from the card.`;
  const paid = "The payment hasn’t arrived yet. Try again in a moment.";
  const made = "We couldn’t make the link just now. Ask for it in the chat.";
  return html`<div class="stack tight">
    ${
      typeof link === "string"
        ? html`<a class="button" href="${link}" data-told="${told}">${label}</a>`
        : html`${toolButton(
            "create_checkout",
            { quote_id, quote_hash: link.quote_hash, idempotency_key: `card-${quote_id}` },
            label,
            { kind: "", told, failed: made },
          )}<p class="without-tools">Ask in the chat for the link to pay.</p>`
    }
    ${toolButton("get_quote_order", { quote_id }, "I have paid: show my order", { failed: paid })}
  </div>`;
}

/** `told`: for the model, once the buyer has opened a link that the tool returns. `failed`: for the buyer. */
const toolButton = (
  tool: string,
  args: object,
  label: string,
  { kind = "quiet", told = "", failed = "That didn’t work just now. Ask for it in the chat." } = {},
): Markup =>
  html`<button type="button" class="${kind}" data-tool="${tool}" data-arguments="${JSON.stringify(args)}" data-told="${told}" data-failed="${failed}">${label}</button>`;

/** The order's page without its timeline and forms. */
function orderCard(order: Order, merchant: Merchant): Markup {
  const { order_url: url, shipments, pricing } = order;
  const ordered = shownOrder(order);
  const view: OrderView = {
    ...frameOf(merchant),
    ordered,
    destinations: addressesOf(order, ordered),
    arrival: order.estimated_delivery ?? NO_ESTIMATE,
    url,
  };
  const pageLink = (label: string, part = "") =>
    html`<a class="button quiet" href="${url}${part}">${label}</a>`;
  const canAsk = order.next.some(({ action }) => action === "request_cancellation");
  return card(
    order.notice,
    orderTitle(ordered),
    html`${orderLead(ordered, view, () => pageLink("Withdraw the request"))}
    ${orderSlip(view)}
    <section class="till stack">
      <h2>What you paid</h2>
      ${pricingSums(pricing, bagCount(shipments.flatMap(({ items }) => items)))}
      ${refundSums(ordered)}
    </section>
    <div class="stack tight">
      ${toolButton("get_order", { order_id: order.id }, "Refresh")}
      ${pageLink("Open your order’s page")}
      ${canAsk && pageLink("Ask us to cancel", "#cancel")}
    </div>`,
  );
}

/** No part shows the estimate of a canceled order. */
const NO_ESTIMATE = { earliest: "", latest: "" };

const frameOf = ({ catalog, shop, supportEmail, mail }: Merchant) => ({
  catalog,
  shop,
  supportEmail,
  mailing: mail.sending,
});

/** The order's facts as its page has them, as far as an agent's answer tells them. */
function shownOrder(order: Order): ShownOrder {
  const { number, payment, shipments, cancel_request: request, estimated_delivery } = order;
  const rows = shipments.map(({ id, status, tracking }) => ({
    id: id as ShownOrder["shipments"][number]["id"],
    status,
    carrier: tracking?.carrier ?? null,
    tracking_number: tracking?.number ?? null,
    tracking_url: tracking?.url ?? null,
  }));
  const cancelRequests = request
    ? [
        {
          ...request,
          id: request.id as ShownOrder["cancelRequests"][number]["id"],
          shipment_ids: JSON.stringify(request.shipment_ids),
          created_at: Date.parse(request.created_at),
          decided_at: request.decided_at === null ? null : Date.parse(request.decided_at),
        },
      ]
    : [];
  const byBuyer =
    request?.status === "ACCEPTED" &&
    shipments.every(({ id, status }) => status !== "CANCELED" || request.shipment_ids.includes(id));
  const facts = { payment, shipments: rows, cancelRequests, canceledAt: 0 };
  const due = { isToDecide: false, owedMinor: payment.owed_minor ?? 0 };
  const times = shipments.flatMap(({ shipped_at, delivered_at }) => [
    { kind: "SHIPPED" as const, at: Date.parse(shipped_at ?? "") },
    { kind: "DELIVERED" as const, at: Date.parse(delivered_at ?? "") },
  ]);
  return {
    ...facts,
    order: { number },
    standing: orderStanding({ ...facts, ...due }, estimated_delivery?.days_late ?? 0),
    canceled: { byBuyer, reason: byBuyer ? merchantWords(request.decision ?? undefined) : null },
    corrections: [],
    withdrawnBy: null,
    timeline: times.filter(({ at }) => !Number.isNaN(at)).sort((a, b) => a.at - b.at),
  };
}

/** Shipments by address, with the names and prices of the order's items. */
function addressesOf({ shipments, items }: Order, ordered: ShownOrder) {
  const known = new Map(items.map((item) => [item.product_id, item]));
  const shown = shipments.map((shipment, i) => ({
    shipment: {
      ...shipment,
      items: shipment.items.map((item) => ({ ...known.get(item.product_id), ...item })),
    },
    row: ordered.shipments[i],
  }));
  const groups = Map.groupBy(shown, ({ shipment }) => addressKey(shipment.address));
  return [...groups.values()].map((shipments) => ({ shipments }));
}
