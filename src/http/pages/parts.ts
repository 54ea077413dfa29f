import { bags } from "../../domain/shared/bags.ts";
import { money, moneyOff } from "./format.ts";
import { html, type Markup, type Renderable } from "./html.ts";
import type { AddressView, CourtesyView, LineView, PolicyView, PricingView } from "./views.ts";

/** The pieces that several pages share. */

export type NoticeTone = "good" | "info" | "warn" | "bad";

/** A framed message. `bad` and `warn` are announced at once by screen readers. */
export function notice(tone: NoticeTone, title: string, body: Renderable): Markup {
  const urgent = tone === "bad" || tone === "warn";
  return html`<div class="notice notice-${tone} stack tight" role="${urgent ? "alert" : "status"}">
    <p class="notice-title">${title}</p>
    ${body}
  </div>`;
}

/**
 * Somebody's own words within a line, which may run from right to left: nothing beside them turns.
 */
export const theirText = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** Below the name, which stands above it as a heading. */
export function addressBlock(address: AddressView): Markup {
  const { line1, line2, city, region, postalCode, country } = address;
  return html`<address class="address">
    ${line1}<br>
    ${line2 ? html`${line2}<br>` : null}
    ${city}, ${region} ${postalCode}<br>
    ${country}
  </address>`;
}

/** Bags with prices, as on the board of a coffee bar: name, quantity × price … amount. */
export function lineList(lines: readonly LineView[]): Markup {
  return html`<ul class="stack">
    ${lines.map(
      (line) => html`<li class="line row">
      ${line.picture ? html`<img class="line-picture" src="${line.picture}" alt="" width="48" height="60">` : null}
      <div>
      <span class="line-name">${line.name}</span>
      <span class="line-sum row">
        <span class="line-qty">${bags(line.quantity)} × ${money(line.unitMinor)}</span>
        <span class="leader" aria-hidden="true"></span>
        <span class="amount">${money(line.lineMinor)}</span>
      </span>
      </div>
    </li>`,
    )}
  </ul>`;
}

export function bagCount(lines: readonly LineView[]): number {
  return lines.reduce((sum, line) => sum + line.quantity, 0);
}

/** One row of a `<dl class="sums stack tight">`. */
export function sumRow(term: Renderable, amount: Renderable, className = ""): Markup {
  return html`<div class="sum ${className}">
    <dt>${term}</dt>
    <dd class="amount">${amount}</dd>
  </div>`;
}

function courtesyName(courtesy: CourtesyView): string {
  const name = courtesy.kind === "FIRST_ORDER" ? "First-order courtesy" : "Spend courtesy";
  return courtesy.code ? `${name} (${courtesy.code})` : name;
}

/** From coffee to total, in the order of calculation. */
export function pricingSums(pricing: PricingView, bagTotal: number): Markup {
  const { courtesy, unusedCode } = pricing;
  return html`<dl class="sums stack tight">
    ${sumRow(`Coffee, ${bags(bagTotal)}`, money(pricing.subtotalMinor))}
    ${courtesy ? sumRow(courtesyName(courtesy), moneyOff(courtesy.amountMinor), "sum-off") : null}
    ${sumRow("Shipping", pricing.shippingMinor === 0 ? "Free" : money(pricing.shippingMinor))}
    ${sumRow("Total", money(pricing.totalMinor), "sum-total")}
  </dl>
  ${
    unusedCode
      ? html`<p class="code-unused">Code <b>${unusedCode.code}</b> was not applied:
        ${unusedCode.reason}</p>`
      : null
  }`;
}

/** Shipping is explained from the same numbers that the price was made with. */
function shippingRule(policy: PolicyView): string {
  return (
    `${money(policy.shippingMinor)} per shipping address, free for an address whose bags come to ` +
    `${money(policy.freeShippingAtMinor)} or more before any courtesy`
  );
}

export function policyList(policy: PolicyView): Markup {
  const { earliest, latest } = policy.deliveryDays;
  return html`<ul class="policy stack tight">
    <li><b>Roasted to order.</b> Expect it ${earliest} to ${latest} days after you order.</li>
    <li><b>Ships within the US only.</b> ${shippingRule(policy)}.</li>
    <li><b>No refunds.</b> You can request a cancellation; the merchant decides.</li>
    <li><b>No substitutions.</b> You get exactly the beans listed here.</li>
  </ul>`;
}

/** The one note that a link can carry. White space in it is the buyer's own and is kept. */
export function giftNoteCard(note: string, title = "Handwritten gift note"): Markup {
  return html`<div class="notes stack">
    <p class="notes-title">${title}</p>
    <p class="note">${note}</p>
  </div>`;
}
