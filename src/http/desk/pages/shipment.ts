import type { Shipment } from "../../../domain/order/order-answer.ts";
import {
  nextShipmentSteps,
  SHIPMENT_STEPS,
  type ShipmentStep,
} from "../../../domain/order/order-steps.ts";
import { smallPicture } from "../../pages/bean-picture.ts";
import { shipmentStatus, shopMoment } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import { giftNotes, trackingText } from "../../pages/order-slip.ts";
import { addressBlock } from "../../pages/parts.ts";
import { actForm } from "./act-form.ts";
import { quoted, theirs } from "./frame.ts";
import type { DeskOrderView } from "./order.ts";
import { shipmentForms } from "./shipment-forms.ts";

/** One shipment as it lies on the packing table: where to, what goes in, and what can happen next. */
export function shipmentSlip(shipment: Shipment, index: number, view: DeskOrderView): Markup {
  const { address, items, gift_notes, tracking, status } = shipment;
  const id = `shipment-${index + 1}`;
  const forms = shipmentForms(shipment, index, view);
  return html`<section class="slip desk-block" aria-labelledby="${id}">
    <p class="eyebrow">Shipment ${index + 1} of ${view.order.shipments.length}</p>
    <h2 id="${id}">${theirs(address.name)}</h2>
    <p class="progress cluster"><span class="chip">${shipmentStatus(status)}</span> ${when(shipment)}</p>
    ${tracking ? html`<p>${trackingText(tracking)}</p>` : null}
    <div class="stack tight">
      ${addressBlock(address)}
      <p class="hint">The agent calls them ${quoted(shipment.recipient_ref)}</p>
    </div>
    <ul class="packing stack tight">
      ${items.map((item) => html`<li>${smallPicture(item.product_id)} <b>${item.quantity} ×</b> ${item.name}</li>`)}
    </ul>
    ${gift_notes.length > 0 ? giftNotes(shipment) : null}
    ${nextShipmentSteps(status).includes("SHIPPED") ? forms.ship() : steps(shipment)}
    ${forms.mend()}
  </section>`;
}

function when({ shipped_at, delivered_at }: Shipment): Markup | null {
  if (delivered_at) return html`<span>arrived ${shopMoment(delivered_at)}</span>`;
  return shipped_at ? html`<span>left ${shopMoment(shipped_at)}</span>` : null;
}

/** What can be noted of a shipment on its way, the arrival first: it is what happens to most. */
export const STEPS = {
  DELIVERED: { label: "Delivered", done: "The shipment has arrived." },
  IN_TRANSIT: { label: "In transit", done: "The shipment is in transit." },
  OUT_FOR_DELIVERY: { label: "Out for delivery", done: "The shipment is out for delivery." },
  FAILED: { label: "Delivery failed", done: "The failed delivery is noted." },
  RETURNED: { label: "Came back", done: "The shipment has come back." },
} satisfies Record<Exclude<ShipmentStep, "SHIPPED">, { label: string; done: string }>;

export const STEP_NAMES = Object.keys(STEPS) as (keyof typeof STEPS)[];

function steps(shipment: Shipment): Markup | null {
  const next = nextShipmentSteps(shipment.status);
  const buttons = STEP_NAMES.filter((to) => next.includes(to));
  if (buttons.length === 0) return null;
  return html`<div class="cluster">
    ${buttons.map((to, i) => {
      const button = html`<button class="small${i > 0 ? " quiet" : ""}" type="submit">${STEPS[to].label}</button>`;
      return actForm(
        SHIPMENT_STEPS[to].act,
        { shipment: shipment.id, seen: shipment.status },
        button,
      );
    })}
  </div>`;
}
