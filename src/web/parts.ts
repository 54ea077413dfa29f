import { bags } from "../core/bags.ts";
import type { QuoteRow } from "../core/records.ts";
import { deliveryDays, type Shop, shippingRule } from "../core/shop.ts";
import type { CartPricing } from "../quotes/quick-checkout.ts";
import type { Item, OutAddress } from "../quotes/quote-answer.ts";
import { moment, money, moneyOff } from "./format.ts";
import { html, type Markup, type Renderable } from "./html.ts";
import { mailLink } from "./layout.ts";

/** The pieces that several pages share. */

/** Bags of one bean, by the name for people; without a picture where it is not known any more. */
export interface Line extends Pick<Item, "name" | "quantity" | "unit_price_minor"> {
  picture?: string | undefined;
}

/** A price as quotes and carts have it, and what became of the code that was sent along. */
export interface Prices
  extends Pick<CartPricing, "subtotal_minor" | "courtesy" | "shipping_minor" | "total_minor"> {
  discount_code?: CartPricing["discount_code"] | null;
}

export type NoticeTone = "good" | "info" | "warn" | "bad";

/** A framed message. `bad` and `warn` are announced at once by screen readers. */
export function notice(tone: NoticeTone, title: string, body: Renderable): Markup {
  const urgent = tone === "bad" || tone === "warn";
  return html`<div class="notice notice-${tone} stack tight" role="${urgent ? "alert" : "status"}">
    <p class="notice-title">${title}</p>
    ${body}
  </div>`;
}

/** Below the name, which stands above it as a heading. */
export function addressBlock(address: OutAddress): Markup {
  const { line1, line2, city, region, postal_code, country } = address;
  return html`<address class="address">
    ${line1}<br>
    ${line2 && html`${line2}<br>`}
    ${city}, ${region} ${postal_code}<br>
    ${country}
  </address>`;
}

/** Bags with prices, as on the board of a coffee bar: name, quantity × price … amount. */
export function lineList(lines: readonly Line[]): Markup {
  return html`<ul class="stack">
    ${lines.map(
      (line) => html`<li class="line row">
      ${line.picture && html`<img class="line-picture" src="${line.picture}" alt="" width="48" height="60">`}
      <div>
      <span class="line-name">${line.name}</span>
      <span class="line-sum row">
        <span class="line-qty">${bags(line.quantity)} × ${money(line.unit_price_minor)}</span>
        <span class="leader" aria-hidden="true"></span>
        <span class="amount">${money(line.unit_price_minor * line.quantity)}</span>
      </span>
      </div>
    </li>`,
    )}
  </ul>`;
}

/** A moment to act by, for people and for programs. */
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

/** From coffee to total, in the order of calculation. */
export function pricingSums(pricing: Prices, bagTotal: number): Markup {
  const { courtesy, discount_code: code } = pricing;
  return html`<dl class="sums stack tight">
    ${sumRow(`Coffee, ${bags(bagTotal)}`, money(pricing.subtotal_minor))}
    ${courtesy && sumRow(courtesyName(courtesy), moneyOff(courtesy.amount_minor), "sum-off")}
    ${sumRow("Shipping", pricing.shipping_minor === 0 ? "Free" : money(pricing.shipping_minor))}
    ${sumRow("Total", money(pricing.total_minor), "sum-total")}
  </dl>
  ${
    code &&
    !code.applied &&
    html`<p class="code-unused">Code <b>${code.code}</b> was not applied:
        ${code.reason}</p>`
  }`;
}

export const policyList = (shop: Shop): Markup => html`<ul class="policy stack tight">
    <li><b>Roasted to order.</b> Expect it ${deliveryDays(shop)} days after you order.</li>
    <li><b>Ships within the US only.</b> ${shippingRule(shop)}.</li>
    <li><b>No refunds.</b> You can ask us to cancel until it ships; we decide.</li>
    <li><b>No substitutions.</b> You get exactly the beans listed here.</li>
  </ul>`;

/** The one note that a link can carry. White space in it is the buyer's own and is kept. */
export function giftNoteCard(note: string, title = "Handwritten gift note"): Markup {
  return html`<div class="notes stack">
    <p class="notes-title">${title}</p>
    <p class="note">${note}</p>
  </div>`;
}

/** A buyer's page of a quote, whoever made it. */
interface QuotePage {
  quote: Pick<QuoteRow, "agent_id">;
  revoked: boolean;
  supportEmail?: string | undefined;
}

/** Whether the agent that made the quote can still act for its buyer. */
export const hasAgent = ({ quote, revoked }: QuotePage): boolean =>
  quote.agent_id !== null && !revoked;

/** How to reach the shop; null if there is no way. */
export function contact(view: QuotePage): Markup | null {
  if (view.supportEmail) return html`Write to ${mailLink(view.supportEmail)}.`;
  return hasAgent(view) ? html`Ask your agent to send us a message.` : null;
}

export const merchantNote = (words: string): Markup =>
  html`<p>The shop wrote: <q><bdi>${words}</bdi></q></p>`;
