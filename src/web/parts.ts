import { bags } from "../core/bags.ts";
import type { QuoteRow } from "../core/records.ts";
import { deliveryDays, type Shop, shippingRule } from "../core/shop.ts";
import type { Shipment } from "../orders/order-answer.ts";
import { notesByBag } from "../orders/order-view.ts";
import type { CartPricing } from "../quotes/quick-checkout.ts";
import type { Item, OutAddress } from "../quotes/quote-answer.ts";
import { moment, money, moneyOff } from "./format.ts";
import { html, type Markup, type Renderable } from "./html.ts";
import { mailLink } from "./layout.ts";

/** Bags of one bean. A bean that has left the catalog has no picture. */
export interface Line extends Pick<Item, "name" | "quantity"> {
  /** Unknown for canceled bags in an agent's answer. */
  unit_price_minor?: number | undefined;
  picture?: string | undefined;
}

/** The price of a quote or cart, and whether its code applied. */
export interface Prices
  extends Pick<CartPricing, "subtotal_minor" | "courtesy" | "shipping_minor" | "total_minor"> {
  discount_code?: CartPricing["discount_code"] | null;
  otherwise_minor?: CartPricing["otherwise_minor"];
}

export type NoticeTone = "good" | "info" | "warn" | "bad";

/** A framed message. Screen readers announce `bad` and `warn` at once. */
export function notice(tone: NoticeTone, title: Renderable, body: Renderable): Markup {
  const urgent = tone === "bad" || tone === "warn";
  return html`<div class="notice notice-${tone} stack tight" role="${urgent ? "alert" : "status"}">
    <p class="notice-title">${title}</p>
    ${body}
  </div>`;
}

/** The address without the name, which is the heading above. */
export function addressBlock(address: OutAddress): Markup {
  const { line1, line2, city, region, postal_code } = address;
  return html`<address class="address">
    ${line1}<br>
    ${line2 && html`${line2}<br>`}
    ${city}, ${region} ${postal_code}
  </address>`;
}

/** Bags with prices: name, quantity × price … amount. */
export function lineList(lines: readonly Line[]): Markup {
  return html`<ul class="stack">
    ${lines.map(
      ({ unit_price_minor: price, ...line }) => html`<li class="line row">
      ${line.picture && html`<img class="line-picture" src="${line.picture}" alt="" width="48" height="60">`}
      <div>
      <span class="line-name">${line.name}</span>
      <span class="line-sum row">
        <span class="line-qty">${bags(line.quantity)}${price !== undefined && ` × ${money(price)}`}</span>
        <span class="leader" aria-hidden="true"></span>
        ${price !== undefined && html`<span class="amount">${money(price * line.quantity)}</span>`}
      </span>
      </div>
    </li>`,
    )}
  </ul>`;
}

/** A deadline, for people and programs. */
export const time = (at: number): Markup =>
  html`<time datetime="${new Date(at).toISOString()}">${moment(at)}</time>`;

/** One row of a `<dl class="sums">`. */
export function sumRow(term: Renderable, amount: Renderable, className = ""): Markup {
  return html`<div class="sum ${className}">
    <dt>${term}</dt>
    <dd class="amount">${amount}</dd>
  </div>`;
}

function courtesyName(courtesy: NonNullable<Prices["courtesy"]>): string {
  const name = courtesy.kind === "FIRST_ORDER" ? "First-order discount" : "Large-order discount";
  return courtesy.code ? `${name} (${courtesy.code})` : name;
}

export function pricingSums(pricing: Prices, bagTotal: number): Markup {
  const { courtesy, discount_code: code, otherwise_minor: otherwise } = pricing;
  return html`<dl class="sums stack tight">
    ${sumRow(`Coffee, ${bags(bagTotal)}`, money(pricing.subtotal_minor))}
    ${courtesy && sumRow(courtesyName(courtesy), moneyOff(courtesy.amount_minor), "sum-off")}
    ${sumRow("Shipping", pricing.shipping_minor === 0 ? "Free" : money(pricing.shipping_minor))}
    ${sumRow("Total", money(pricing.total_minor), "sum-total")}
  </dl>
  ${
    otherwise !== undefined &&
    html`<p class="code-unused">If this isn’t your first order: <b>${money(otherwise)}</b></p>`
  }
  ${
    code &&
    !code.applied &&
    otherwise === undefined &&
    html`<p class="code-unused">Code <b>${code.code}</b>${
      code.applied === false ? " was not applied" : ""
    }: ${code.reason}</p>`
  }`;
}

/** `contactUrl`: the form for messages, which on an order's page is its own. */
export const policyList = (
  shop: Shop,
  contactUrl = "/contact",
): Markup => html`<ul class="policy stack tight">
    <li><b>Roasted to order.</b> Expect it ${deliveryDays(shop)} days after you order.</li>
    <li><b>Ships within the US only.</b> ${shippingRule(shop)}.</li>
    <li><b>Roasted for you.</b> Need to cancel? Ask before it ships; we don’t promise a refund.
    Damaged, lost or wrong? <a href="${contactUrl}">Write to us</a>.</li>
    <li><b>No substitutions.</b> You get exactly the beans listed here.</li>
  </ul>`;

/** The gift note of a cart. Keeps its white space. */
export function giftNoteCard(note: string, title = "Handwritten gift note"): Markup {
  return html`<div class="notes stack">
    <p class="notes-title">${title}</p>
    <p class="note">${note}</p>
  </div>`;
}

/** How to reach the shop from a page or card about a quote. */
export interface Reachable {
  /** The page's path or address. */
  url: string;
  supportEmail?: string | undefined;
}

interface QuotePage {
  quote: Pick<QuoteRow, "agent_id">;
  revoked: boolean;
}

/** An agent made the quote and can still act for its buyer. */
export const hasAgent = ({ quote, revoked }: QuotePage): boolean =>
  quote.agent_id !== null && !revoked;

/** How to reach the shop. */
export const contact = ({ supportEmail, url }: Reachable): Markup =>
  supportEmail
    ? html`Write to ${mailLink(supportEmail)}.`
    : html`<a href="${url}/message">Write to us</a>.`;

export const merchantNote = (words: string): Markup =>
  html`<p>A note from the shop: <q><bdi>${words}</bdi></q></p>`;

/** Payment methods in words. */
export const METHODS: Record<string, string> = {
  card: "by card",
  us_bank_account: "by bank debit",
};

export function giftNotes({
  items,
  gift_notes,
}: Pick<Shipment, "gift_notes"> & { items: readonly Line[] }): Markup {
  const { length } = gift_notes;
  const title = length === 1 ? "1 handwritten gift note" : `${length} handwritten gift notes`;
  return html`<details class="notes stack"${length <= NOTES_SHOWN && html` open`}>
    <summary class="notes-title">${title}</summary>
    <ol class="stack">
      ${notesByBag(gift_notes, items).map(
        ({ bag, name, note }) => html`<li>
        <p class="note-for">Bag ${bag}${name ? `, ${name}` : ""}</p>
        <p class="note">${note}</p>
      </li>`,
      )}
    </ol>
  </details>`;
}

/** More notes are folded, so that the total stays in view. */
const NOTES_SHOWN = 2;

/** The page that follows a shipment. The merchant typed its address: javascript: and the like stay out. */
export function trackingHref({ url }: NonNullable<Shipment["tracking"]>): string | null {
  const page = URL.parse(url ?? "");
  return page && ["https:", "http:"].includes(page.protocol) ? page.href : null;
}

/** `to`: the recipient, if there are several. */
export function trackingText(tracking: NonNullable<Shipment["tracking"]>, to?: string): Markup {
  const href = trackingHref(tracking);
  const number = html`<span class="code">${tracking.number}</span>`;
  const label = html`<span>${tracking.carrier}, tracking number ${number}</span>`;
  return href
    ? html`<a class="button quiet" href="${href}" rel="noreferrer"><span>Track package${to && html` to <bdi>${to}</bdi>`}</span></a> ${label}`
    : label;
}

/** Long lines scroll, so the box takes focus for people without a mouse. */
export const codeBlock = (code: string, label: string): Markup =>
  html`<pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>`;
