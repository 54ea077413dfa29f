import type { Shipment } from "../../domain/order/order-answer.ts";
import { notesByBag } from "../../domain/quote/gift-notes.ts";
import { SHIPPING } from "../../domain/shared/policy.ts";
import { humanStatus, moment, money, shipmentStatus } from "./format.ts";
import { html, type Markup } from "./html.ts";
import { addressBlock, lineList, sumRow, theirText } from "./parts.ts";
import type { DestinationView, ShipmentView } from "./review-view.ts";

type Progress = NonNullable<ShipmentView["progress"]>;

/** What goes where: every shipment of the order, grouped by shipping address. */
export function orderSlip(destinations: readonly DestinationView[]): Markup {
  return html`<div class="stack loose">
    ${destinations.map((destination, index) =>
      destinationSlip(destination, { index, count: destinations.length }),
    )}
  </div>`;
}

function destinationSlip(
  destination: DestinationView,
  place: { index: number; count: number },
): Markup {
  const id = `address-${place.index + 1}`;
  const { shipments, shippingMinor } = destination;
  const first = shipments[0];
  const single = shipments.length === 1 && first !== undefined;
  const which = `${place.index + 1} of ${place.count}`;
  const free = `Free: bags for this address come to ${money(SHIPPING.free_from_minor)} or more`;
  return html`<section class="slip" aria-labelledby="${id}">
    <p class="eyebrow">${place.count > 1 ? `Ship to: address ${which}` : "Ship to"}</p>
    <h2 id="${id}">${
      single ? first.address.name : `${shipments.length} shipments to one address`
    }</h2>
    ${shipments.map((shipment) => shipmentBlock(shipment, !single))}
    ${
      place.count > 1
        ? html`<dl class="sums stack tight">
      ${sumRow("Coffee for this address", money(destination.subtotalMinor))}
      ${sumRow(
        shippingMinor === 0 ? html`Shipping <span class="hint">${free}</span>` : "Shipping",
        shippingMinor === 0 ? "Free" : money(shippingMinor),
      )}
    </dl>`
        : shippingMinor === 0
          ? html`<p class="hint">${free}.</p>`
          : null
    }
  </section>`;
}

function shipmentBlock(shipment: ShipmentView, named: boolean): Markup {
  return html`<div class="shipment stack">
    ${named ? html`<h3>${shipment.address.name}</h3>` : null}
    ${shipment.progress ? progressBlock(shipment.progress) : null}
    <div class="stack tight">
      ${addressBlock(shipment.address)}
      ${
        shipment.recipient_ref
          ? html`<p class="hint">Recipient: ${theirText(shipment.recipient_ref)}</p>`
          : null
      }
    </div>
    ${lineList(shipment.items)}
    ${shipment.gift_notes.length > 0 ? giftNotes(shipment) : null}
  </div>`;
}

export function giftNotes({
  items,
  gift_notes,
}: Pick<ShipmentView, "items" | "gift_notes">): Markup {
  const { length } = gift_notes;
  const title = length === 1 ? "1 handwritten gift note" : `${length} handwritten gift notes`;
  return html`<details class="notes stack"${length <= NOTES_SHOWN ? html` open` : null}>
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

function progressBlock(progress: Progress): Markup {
  return html`<p class="progress cluster">
    <span class="chip">${shipmentStatus(progress.status)}</span>
    ${progress.tracking ? trackingText(progress.tracking) : null}
  </p>
  ${progress.steps.length > 0 ? stepList(progress.steps) : null}
  ${progress.corrections.map(
    ({ kind, was, at }) =>
      html`<p class="hint">${CORRECTED[kind](was ? humanStatus(was).toLowerCase() : "")} ${moment(at)}</p>`,
  )}`;
}

const CORRECTED: Record<Progress["corrections"][number]["kind"], (was: string) => string> = {
  STEP_UNDONE: (was) => `Corrected by the shop: it was marked as ${was} by mistake.`,
  TRACKING_CORRECTED: () => "The shop corrected the tracking number.",
  ADDRESS_CHANGED: () => "The shop changed the address; what you paid stays.",
};

const STEP_NAMES: Record<string, string> = {
  ORDERED: "Ordered and paid",
  ROASTING: "Roasted",
  SHIPPED: "Shipped",
  OUT_FOR_DELIVERY: "Out for delivery",
  DELIVERED: "Delivered",
};

const stepList = (steps: Progress["steps"]): Markup => html`<ol class="track stack tight">
    ${steps.map(
      ({ name, state, at }) =>
        html`<li class="step-${state}"${
          state === "now" ? html` aria-current="step"` : null
        }>${STEP_NAMES[name] ?? humanStatus(name)}${
          at ? html` <span class="hint">${moment(at)}</span>` : null
        }${state === "ahead" ? html`<span class="unseen"> (not yet)</span>` : null}</li>`,
    )}
  </ol>`;

export function trackingText(tracking: NonNullable<Shipment["tracking"]>): Markup {
  const href = tracking.url && webAddress(tracking.url);
  const number = html`<span class="code">${tracking.number}</span>`;
  const label = html`${tracking.carrier}, tracking number ${number}`;
  return href
    ? html`<a href="${href}" rel="noreferrer">Track with ${label}</a>`
    : html`<span>${label}</span>`;
}

/** Typed in by the merchant: whatever is not a plain web address, such as `javascript:`, is out. */
function webAddress(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed && ["https:", "http:"].includes(parsed.protocol) ? parsed.href : null;
}
