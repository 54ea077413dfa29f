import type { Shipment } from "../../../domain/order/order-answer.ts";
import { addressFields } from "../../pages/address-fields.ts";
import type { Field } from "../../pages/form-parts.ts";
import { humanStatus, shopMoment } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import { actForm, filledForm } from "./act-form.ts";
import type { DeskOrderView } from "./order.ts";

/** The forms of one shipment among those of an order; the verb says what is wrong with a field. */
export function shipmentForms(shipment: Shipment, index: number, view: DeskOrderView) {
  const about = { hidden: { shipment: shipment.id }, place: index + 1 };
  const { status } = shipment;
  return {
    /** With the number the buyer can follow it. */
    ship: () =>
      filledForm(
        { act: "ship", ...about },
        view.refused,
        (show) => html`${trackingFields(shipment, show)}
        <button type="submit">Hand over to the carrier</button>`,
      ),
    /** What was a slip: the last step, the tracking number, the address. */
    mend: () => html`${undoForm(shipment, view)}
      ${
        shipment.tracking && status !== "CANCELED"
          ? filledForm(
              { act: "correct", ...about, summary: "Correct the tracking number…" },
              view.refused,
              (show) => html`${trackingFields(shipment, show)}
              <button class="quiet" type="submit">Correct it</button>`,
            )
          : null
      }
      ${
        status === "PENDING" || status === "ROASTING"
          ? filledForm(
              { act: "address", ...about, summary: "Change the address…" },
              view.refused,
              (show) => html`${addressFields((field) =>
                show({ ...field, value: shipment.address[field.name] }),
              )}
              <p class="hint">The price stays as it was paid.</p>
              <button class="quiet" type="submit">Send it to this address</button>`,
            )
          : null
      }`,
  };
}

function trackingFields({ tracking }: Shipment, show: (field: Field) => Markup): Markup {
  const { carrier, number, url } = tracking ?? {};
  return html`<div class="pair tiles">
      ${show({ name: "carrier", label: "Carrier", hint: "Such as USPS, UPS or FedEx.", value: carrier })}
      ${show({ name: "number", label: "Tracking number", hint: "As it stands on the label.", value: number })}
    </div>
    ${show({
      name: "url",
      label: "Tracking link",
      optional: true,
      hint: "A complete https address.",
      value: url ?? undefined,
    })}`;
}

function undoForm({ id }: Shipment, { order }: DeskOrderView): Markup | null {
  const step = order.undoable.find(({ shipment_id }) => shipment_id === id);
  if (!step) return null;
  return actForm(
    "undo",
    { shipment: id, seen: step.was },
    html`<button class="small quiet" type="submit">Undo “${humanStatus(step.was)}”</button>
    <p class="hint">It is ${humanStatus(step.back_to).toLowerCase()} again then. Possible until ${shopMoment(step.until)}.</p>`,
  );
}
