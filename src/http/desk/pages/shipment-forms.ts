import type { Shipment } from "../../../domain/order/order-answer.ts";
import type { MerchantOrder } from "../../../merchant/admin-orders.ts";
import { type FieldProblem, selectField, textField } from "../../pages/form-parts.ts";
import { humanStatus, shopMoment } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import { REGION_CHOICES } from "../../pages/quick-checkout.ts";
import type { RefusedAction } from "../act.ts";
import { actForm, disclosure } from "./frame.ts";

export type RefusedForm = Pick<RefusedAction, "act" | "fields" | "error"> | undefined;

/** Which of an order's shipments a form is about, and what was typed into one that was refused. */
export interface ShipmentPosition {
  index: number;
  count: number;
  refused: RefusedForm;
}

interface FormField {
  name: string;
  label: string;
  /** What stands in it before anything is typed. */
  value?: string | undefined;
  hint?: string;
  optional?: boolean;
  maxlength?: number;
}

/** The fields of one shipment's form, each with what was typed and what is wrong with it. */
function formOf(act: string, shipment: Shipment, { index, refused }: ShipmentPosition) {
  const mine = refused?.act === act && refused.fields("shipment") === shipment.id;
  const problems: FieldProblem[] = mine
    ? refused.error.problems.map(({ pointer, detail }) => ({
        field: pointer.slice(pointer.lastIndexOf("/") + 1),
        message: detail,
      }))
    : [];
  const filled = ({ value = "", ...field }: FormField) => ({
    ...field,
    id: `${act}-${field.name}-${index + 1}`,
    value: mine ? refused.fields(field.name) : value,
  });
  return {
    mine,
    text: (field: FormField) => textField({ maxlength: 500, ...filled(field) }, problems),
    region: (field: FormField) => selectField(filled(field), REGION_CHOICES, problems),
  };
}

/** With the number the buyer can follow it; the verb says what is wrong with a field. */
export function shipForm(shipment: Shipment, among: ShipmentPosition): Markup {
  return actForm(
    "ship",
    { shipment: shipment.id },
    html`${trackingFields("ship", shipment, among)}
    <button type="submit">Hand over to the carrier</button>`,
  );
}

function trackingFields(
  act: "ship" | "correct",
  shipment: Shipment,
  among: ShipmentPosition,
): Markup {
  const { text } = formOf(act, shipment, among);
  const { carrier, number, url } = shipment.tracking ?? {};
  return html`<div class="pair tiles">
      ${text({ name: "carrier", label: "Carrier", hint: "Such as USPS, UPS or FedEx.", value: carrier })}
      ${text({ name: "number", label: "Tracking number", hint: "As it stands on the label.", value: number })}
    </div>
    ${text({
      name: "url",
      label: "Tracking link",
      optional: true,
      hint: "A complete https address.",
      value: url ?? undefined,
    })}`;
}

/** What was a slip: the last step, the tracking number, the address. */
export function mendingForms(
  shipment: Shipment,
  undoable: MerchantOrder["undoable"],
  among: ShipmentPosition,
): Markup {
  const step = undoable.find(({ shipment_id }) => shipment_id === shipment.id);
  return html`${step ? undoForm(step) : null}
    ${shipment.tracking && shipment.status !== "CANCELED" ? correctForm(shipment, among) : null}
    ${
      shipment.status === "PENDING" || shipment.status === "ROASTING"
        ? addressForm(shipment, among)
        : null
    }`;
}

const undoForm = ({
  shipment_id,
  was,
  back_to,
  until,
}: MerchantOrder["undoable"][number]): Markup =>
  actForm(
    "undo",
    { shipment: shipment_id, seen: was },
    html`<button class="small quiet" type="submit">Undo “${humanStatus(was)}”</button>
    <p class="hint">It is ${humanStatus(back_to).toLowerCase()} again then. Possible until ${shopMoment(until)}.</p>`,
  );

function correctForm(shipment: Shipment, among: ShipmentPosition): Markup {
  return disclosure(
    "Correct the tracking number…",
    actForm(
      "correct",
      { shipment: shipment.id },
      html`${trackingFields("correct", shipment, among)}
      <button class="quiet" type="submit">Correct it</button>`,
    ),
    formOf("correct", shipment, among).mine,
  );
}

function addressForm(shipment: Shipment, among: ShipmentPosition): Markup {
  const { name, line1, line2, city, region, postal_code } = shipment.address;
  const form = formOf("address", shipment, among);
  return disclosure(
    "Change the address…",
    actForm(
      "address",
      { shipment: shipment.id },
      html`${form.text({ name: "name", label: "Name", value: name })}
      ${form.text({ name: "line1", label: "Street address", value: line1 })}
      ${form.text({ name: "line2", label: "Apartment, suite, unit", optional: true, value: line2 })}
      ${form.text({ name: "city", label: "City", value: city })}
      <div class="field-row stack">
        ${form.region({ name: "region", label: "State or territory", value: region })}
        ${form.text({ name: "postal_code", label: "ZIP code", value: postal_code })}
      </div>
      <p class="hint">The price stays as it was paid.</p>
      <button class="quiet" type="submit">Send it to this address</button>`,
    ),
    form.mine,
  );
}
