import { buyerStatus } from "../../orders/buyer-words.ts";
import type { ReviewedOrder, TimelineEntry } from "../../orders/review.ts";
import { moment, money, moneyOff } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { isErased } from "../../web/order-parts.ts";
import type { ReviewView } from "./review-view.ts";

const HAPPENED: Record<TimelineEntry["kind"], string> = {
  PAID: "Ordered and paid",
  ROASTING: "Roasting started",
  SHIPPED: buyerStatus("SHIPPED"),
  OUT_FOR_DELIVERY: buyerStatus("OUT_FOR_DELIVERY"),
  DELIVERED: buyerStatus("DELIVERED"),
  FAILED: buyerStatus("FAILED"),
  RETURNED: buyerStatus("RETURNED"),
  CANCELED: "Order canceled",
  CANCELED_IN_PART: "Shipment canceled",
  CANCEL_RECEIVED: "Cancellation requested",
  CANCEL_DECLINED: "Cancellation declined",
  CANCEL_WITHDRAWN: "Cancellation request withdrawn",
  REFUNDED: "Refunded",
  REFUND_FAILED: "A refund didn’t go through",
  DISPUTE_LOST: "Returned by your bank",
};

/** An email that left this soon needs no time of its own. */
const SAME_TIME_MS = 60_000;

/** Events of the order, with their amounts and emails. */
export function timelineBlock({ timeline }: ReviewedOrder, { destinations }: ReviewView): Markup {
  const sent = destinations.flatMap(({ shipments }) => shipments);
  const nameOf = (id: string | null) => {
    const address = sent.find(({ row }) => row?.id === id)?.shipment.address;
    return sent.length > 1 && address && !isErased(address) && address.name;
  };
  return html`<section class="terms stack" aria-labelledby="timeline">
    <h2 id="timeline">Timeline</h2>
    <ol class="track stack tight">
      ${timeline.map(({ kind, at, shipmentId, amountMinor, emailedAt }) => {
        const name = nameOf(shipmentId);
        const amount =
          amountMinor && (amountMinor < 0 ? moneyOff(-amountMinor) : money(amountMinor));
        return html`<li>${HAPPENED[kind]}${name && html` (<bdi>${name}</bdi>)`}${amount && html` <b class="amount">${amount}</b>`}<br>
        <span class="hint">${moment(at)}${emailedAt !== null && `, email sent ${emailedAt - at < SAME_TIME_MS ? "" : moment(emailedAt)}`.trimEnd()}</span></li>`;
      })}
    </ol>
  </section>`;
}
