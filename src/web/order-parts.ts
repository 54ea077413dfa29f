/** Parts of an order that its buyer's page and the desk both show. */
import { notesByBag } from "../orders/order.ts";
import type { Shipment } from "../orders/order-answer.ts";
import { html, type Markup } from "./html.ts";
import type { Line } from "./parts.ts";

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

/** More of them stand folded, so that the total stays in reach. */
const NOTES_SHOWN = 2;

export function trackingText(tracking: NonNullable<Shipment["tracking"]>): Markup {
  const href = tracking.url && webAddress(tracking.url);
  const number = html`<span class="code">${tracking.number}</span>`;
  const label = html`<span>${tracking.carrier}, tracking number ${number}</span>`;
  return href
    ? html`<a class="button quiet" href="${href}" rel="noreferrer">Track package</a> ${label}`
    : label;
}

/** Typed in by the merchant: whatever is not a plain web address, such as `javascript:`, is out. */
function webAddress(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed && ["https:", "http:"].includes(parsed.protocol) ? parsed.href : null;
}
