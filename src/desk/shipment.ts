import type { Shipment } from "../orders/order-answer.ts";
import { nextShipmentSteps, type ShipmentStep } from "../orders/order-steps.ts";
import { isSendable } from "../orders/standing.ts";
import { statusText } from "../orders/status-words.ts";
import { isDoubt, trackingPage } from "../orders/tracking.ts";
import { smallPicture } from "../web/bean-view.ts";
import { addressFields, type Field } from "../web/form-parts.ts";
import { shopMoment } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { isErased } from "../web/order-parts.ts";
import { addressBlock, giftNotes, trackingText } from "../web/parts.ts";
import { actForm, type Fields, filledForm } from "./forms.ts";
import { theirs } from "./frame.ts";
import { type DeskOrder, statusChip } from "./order-parts.ts";
import { returnButtons } from "./refund.ts";
import type { DeskActs } from "./route.ts";

type SlipShipment = DeskOrder["order"]["shipments"][number];

/** One shipment with its address, bags, notes and next steps. */
export function shipmentSlip(shipment: SlipShipment, index: number, view: DeskOrder): Markup {
  const { address, items, gift_notes, tracking, status } = shipment;
  const id = `shipment-${index + 1}`;
  return html`<section class="slip desk-block" aria-labelledby="${id}-place ${id}">
    <p class="eyebrow" id="${id}-place">Shipment ${index + 1} of ${view.order.shipments.length}</p>
    <h2 id="${id}">${isErased(address) ? `Erased, ${address.region}` : theirs(address.name)}</h2>
    <p class="progress cluster">${statusChip(status, statusText(status))} ${when(shipment)}</p>
    ${tracking && html`<p>${trackingText(tracking)}</p>`}
    <div class="stack tight">
      ${!isErased(address) && addressBlock(address)}
    </div>
    <ul class="packing stack tight">
      ${items.map((item) => html`<li>${smallPicture(item.product_id)} <b>${item.quantity} ×</b> ${item.name}</li>`)}
    </ul>
    ${gift_notes.length > 0 && giftNotes(shipment)}
    ${forms(shipment, view)}
  </section>`;
}

function when({ shipped_at, delivered_at }: Shipment): Markup | null {
  if (delivered_at) return html`<span>arrived ${shopMoment(delivered_at)}</span>`;
  return shipped_at ? html`<span>left ${shopMoment(shipped_at)}</span>` : null;
}

/** Steps of a shipment on its way, most frequent first. */
const STEPS = {
  DELIVERED: { label: "Mark delivered", done: "The shipment has arrived." },
  IN_TRANSIT: { label: "On its way again", done: "The shipment is on its way again." },
  FAILED: { label: "Mark delivery failed", done: "The failed delivery is noted." },
  RETURNED: { label: "Mark returned", done: "The shipment is marked as returned." },
} satisfies Partial<Record<Exclude<ShipmentStep, "SHIPPED">, { label: string; done: string }>>;

const STEP_NAMES = Object.keys(STEPS) as (keyof typeof STEPS)[];

/** A number that another shipment has is kept if the form is sent again with it. */
const keepsNumber = (fields: Fields) => ({ again: fields("again") === fields("number") });

export const SHIPMENT_ACTS = {
  "shipments.ship": { also: keepsNumber, done: "The shipment is on its way." },
  "shipments.move": { done: (fields) => STEPS[fields("to") as keyof typeof STEPS].done },
  "shipments.undo": { done: "The step is undone. The log keeps both, and the agent reads both." },
  "shipments.correct": { also: keepsNumber, done: "The tracking number is corrected." },
  "shipments.changeAddress": { done: "The address is changed. The price stays." },
} satisfies DeskActs;

function steps(shipment: Shipment, version: number): Markup | null {
  const next = nextShipmentSteps(shipment.status);
  // Nobody else marks what the carrier does on the way.
  const buttons = STEP_NAMES.filter(
    (to) => next.includes(to) && (to !== "IN_TRANSIT" || shipment.status === "FAILED"),
  );
  if (buttons.length === 0) return null;
  return html`<div class="cluster">
    ${buttons.map((to, i) => {
      const button = html`<button class="small${i > 0 ? " quiet" : ""}" type="submit">${STEPS[to].label}</button>`;
      return actForm(
        "shipments.move",
        { of: { shipment_id: shipment.id, to }, seen: version },
        button,
      );
    })}
  </div>`;
}

/** The next step, then corrections: undo, tracking number, address. */
function forms(shipment: SlipShipment, { order, refused }: DeskOrder): Markup {
  const { id, status, address } = shipment;
  const form = (what: { act: string; summary?: string }, body: (show: Show) => Markup) =>
    filledForm({ ...what, of: { shipment_id: id }, seen: order.version, ...again }, refused, body);
  const isAsked = refused?.fields("shipment_id") === id && isDoubt(refused.error);
  const again = isAsked && { with: { again: refused.fields("number") } };
  const back = status === "RETURNED";
  const sendable = isSendable(shipment, order);
  const ship = {
    act: "shipments.ship",
    ...(back && { summary: "Send it again…" }),
  };
  return html`${
    sendable && nextShipmentSteps(status).includes("SHIPPED")
      ? form(
          ship,
          (
            show,
          ) => html`${back && html`<p class="hint">To send it elsewhere, change the address below first.</p>`}
        ${trackingFields(null, show)}
        <button type="submit">Mark as shipped</button>`,
        )
      : steps(shipment, order.version)
  }
    ${shipment.returned && html`<div class="cluster">${returnButtons(shipment.returned)}</div>`}
    ${undoForm(shipment, order)}
      ${
        shipment.tracking &&
        status !== "CANCELED" &&
        !back &&
        form(
          {
            act: "shipments.correct",
            summary: "Correct the tracking number…",
          },
          (show) => html`${trackingFields(shipment.tracking, show)}
              <button class="quiet" type="submit">Correct it</button>`,
        )
      }
      ${
        sendable &&
        form(
          { act: "shipments.changeAddress", summary: "Change the address…" },
          (show) => html`${addressFields((field) => show({ ...field, value: address[field.name] }))}
              <p class="hint">The price stays as it was paid.</p>
              <button class="quiet" type="submit">Send it to this address</button>`,
        )
      }`;
}

type Show = (field: Field) => Markup;

function trackingFields(tracking: Shipment["tracking"], show: Show): Markup {
  const { carrier = "", number = "", url } = tracking ?? {};
  // A link made from the number changes with it.
  const typedUrl = url === trackingPage(carrier, number) ? undefined : (url ?? undefined);
  return html`<div class="pair tiles">
      ${show({ name: "carrier", label: "Carrier", optional: true, hint: "Leave it empty for USPS, UPS, FedEx and DHL: the number tells.", value: carrier })}
      ${show({ name: "number", label: "Tracking number", hint: "As printed on the label.", value: number })}
    </div>
    ${show({
      name: "url",
      label: "Tracking link",
      optional: true,
      hint: "A complete https address.",
      value: typedUrl,
    })}`;
}

function undoForm({ id }: Shipment, order: DeskOrder["order"]): Markup | null {
  const step = order.undoable.find(({ shipment_id }) => shipment_id === id);
  if (!step) return null;
  // Shipments that were roasted together are undone together.
  const roasting = order.undoable.filter(({ was }) => was === "ROASTING").length;
  const together = step.was === "ROASTING" && roasting > 1;
  const what = together ? `the ${roasting} shipments in the roaster` : "it";
  return actForm(
    "shipments.undo",
    { of: { shipment_id: id }, seen: order.version },
    html`<button class="small quiet" type="submit">Undo “${statusText(step.was)}”</button>
    <p class="hint">Sets ${what} back to “${statusText(step.back_to)}”, until ${shopMoment(step.until)}.</p>`,
  );
}
