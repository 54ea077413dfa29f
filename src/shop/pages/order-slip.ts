import type { ShipmentRow } from "../../core/records.ts";
import type { Correction, Destination, ReviewedOrder, TimelineEntry } from "../../orders/review.ts";
import { type ProgressStep, shipmentSteps, trackingOf } from "../../orders/standing.ts";
import { statusText, toneOf } from "../../orders/status-words.ts";
import { lineForPeople } from "../../web/bean-view.ts";
import { moment, money, moneyOff } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { giftNotes, trackingText } from "../../web/order-parts.ts";
import { addressBlock, lineList, sumRow } from "../../web/parts.ts";
import type { ReviewView } from "./review-view.ts";

/** What goes where: every shipment of the order, grouped by shipping address. */
export function orderSlip(view: ReviewView): Markup {
  return html`<div class="stack loose">
    ${view.destinations.map((destination, index) => destinationSlip(destination, index, view))}
  </div>`;
}

function destinationSlip(destination: Destination, index: number, view: ReviewView): Markup {
  const id = `address-${index + 1}`;
  const count = view.destinations.length;
  const { shipments, shippingMinor } = destination;
  const first = shipments[0];
  const single = shipments.length === 1 && first !== undefined;
  return html`<section class="slip" aria-labelledby="${id}">
    <p class="eyebrow">${count > 1 ? `Ship to: address ${index + 1} of ${count}` : "Ship to"}</p>
    <h2 id="${id}">${
      single ? first.shipment.address.name : `${shipments.length} shipments to one address`
    }</h2>
    ${shipments.map((shipment) => shipmentBlock(shipment, view, !single))}
    ${
      count > 1
        ? html`<dl class="sums stack tight">
      ${sumRow("Coffee for this address", money(destination.subtotalMinor))}
      ${sumRow("Shipping", shippingMinor === 0 ? "Free" : money(shippingMinor))}
    </dl>`
        : shippingMinor === 0
          ? html`<p class="hint">Ships free.</p>`
          : null
    }
  </section>`;
}

function shipmentBlock(
  { shipment, row }: Destination["shipments"][number],
  { ordered, catalog }: ReviewView,
  named: boolean,
): Markup {
  const { address, gift_notes } = shipment;
  const items = shipment.items.map((item) => lineForPeople(catalog, item));
  return html`<div class="shipment stack">
    ${named && html`<h3>${address.name}</h3>`}
    ${row && ordered && progressBlock(row, ordered)}
    <div class="stack tight">
      ${addressBlock(address)}
    </div>
    ${lineList(items)}
    ${gift_notes.length > 0 && giftNotes({ items, gift_notes })}
  </div>`;
}

function progressBlock(row: ShipmentRow, { corrections }: ReviewedOrder): Markup {
  const tracking = trackingOf(row);
  const steps = shipmentSteps(row.status);
  return html`<p class="progress cluster">
    <span class="chip chip-${toneOf(row.status)}">${statusText(row.status)}</span>
    ${tracking && trackingText(tracking)}
  </p>
  ${steps.length > 0 && stepList(steps)}
  ${corrections
    .filter(({ shipmentId }) => shipmentId === row.id)
    .map(
      ({ kind, was, at }) =>
        html`<p class="hint">${CORRECTED[kind](was ? statusText(was).toLowerCase() : "")} ${moment(at)}</p>`,
    )}`;
}

const CORRECTED: Record<Correction["kind"], (was: string) => string> = {
  STEP_UNDONE: (was) => `Corrected by the shop: it was marked as ${was} by mistake.`,
  TRACKING_CORRECTED: () => "The shop corrected the tracking number.",
  ADDRESS_CHANGED: () => "The shop changed the address; what you paid stays.",
};

const stepList = (steps: readonly ProgressStep[]): Markup => html`<ol class="stages">
    ${steps.map(
      ({ name, state }) =>
        html`<li class="step-${state}"${state === "now" && html` aria-current="step"`}>${statusText(name)}${state === "ahead" && html`<span class="unseen"> (not yet)</span>`}</li>`,
    )}
  </ol>`;

const HAPPENED: Record<TimelineEntry["kind"], string> = {
  PAID: "Ordered and paid",
  ROASTING: "Roasting started",
  SHIPPED: statusText("SHIPPED"),
  OUT_FOR_DELIVERY: statusText("OUT_FOR_DELIVERY"),
  DELIVERED: statusText("DELIVERED"),
  FAILED: statusText("FAILED"),
  RETURNED: statusText("RETURNED"),
  CANCELED: "Order canceled",
  CANCELED_IN_PART: "Shipment canceled",
  CANCEL_RECEIVED: "Cancellation requested",
  CANCEL_DECLINED: "Cancellation declined",
  REFUNDED: "Refunded",
  REFUND_FAILED: "A refund didn’t go through",
  DISPUTE_LOST: "Returned by your bank",
};

/** What happened to an order, with its amounts and letters. */
export function timelineBlock({ timeline }: ReviewedOrder, { destinations }: ReviewView): Markup {
  const sent = destinations.flatMap(({ shipments }) => shipments);
  const nameOf = (id: string | null) =>
    sent.length > 1 && sent.find(({ row }) => row?.id === id)?.shipment.address.name;
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

/** A letter that leaves this soon needs no time of its own. */
const SAME_TIME_MS = 60_000;
