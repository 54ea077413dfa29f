import type { Shipment } from "../../../domain/order/order-answer.ts";
import { bags } from "../../../domain/shared/bags.ts";
import type { ListedOrder } from "../../../merchant/admin-views.ts";
import type { UndoableStep } from "../../../merchant/undoable-steps.ts";
import { flag, html, type Markup } from "../../pages/html.ts";
import { bagCount } from "../../pages/parts.ts";
import { type DeskPage, theirs } from "./frame.ts";
import { justDone } from "./just-done.ts";
import { orderLink, orderName } from "./orders.ts";

export interface WaitingShipment {
  order: ListedOrder;
  shipment: Shipment;
}

export interface ShipView {
  /** Roasted and not sent, the oldest order first. */
  waiting: readonly WaitingShipment[];
  /** Handed over in the last minutes. */
  done: readonly UndoableStep[];
  carrier: string;
  /** Of shipments that could not be handed over, what was typed and why, by the shipment's id. */
  refused: ReadonlyMap<string, { number: string; message: string }>;
}

/** The packing table: print the slips, then scan or paste one tracking number after the other. */
export function shipPage({ waiting, done, carrier, refused }: ShipView): DeskPage {
  const open = waiting.map(({ shipment }) => shipment.id);
  const first = open.find((id) => refused.has(id)) ?? open[0];
  return {
    place: "ship",
    lede: "A scanner that ends with Enter sends one shipment at a time; typed in all fields, all go at once.",
    body: html`${
      waiting.length === 0
        ? html`<p>Nothing waits to be shipped.</p>`
        : html`<p><a class="button quiet" href="/desk/slips">Packing slips and note cards to print</a></p>
    <form method="post" class="form">
      <p class="field"><label for="carrier">Carrier</label>
        <input id="carrier" name="carrier" value="${carrier}" maxlength="60" required></p>
      <ul class="worklist stack tight">${waiting.map((one) => row(one, refused.get(one.shipment.id), one.shipment.id === first))}</ul>
      <button type="submit">Hand over to the carrier</button>
    </form>`
    }
    ${justDone(done, "Handed over just now")}`,
  };
}

function row(
  { order, shipment }: WaitingShipment,
  refused: { number: string; message: string } | undefined,
  focused: boolean,
): Markup {
  const { name, city, region } = shipment.address;
  const error = `${shipment.id}-error`;
  return html`<li><label for="${shipment.id}"><b>${orderName(order)}</b>, ${bags(bagCount(shipment.items))} to
      ${theirs(name)}, ${theirs(`${city}, ${region}`)}: tracking number</label>
      <input id="${shipment.id}" name="${shipment.id}" maxlength="100" autocomplete="off"
        value="${refused?.number}"${flag("autofocus", focused)}${
          refused ? html` aria-invalid="true" aria-describedby="${error}"` : null
        }> ${refused ? html`<p class="field-error" id="${error}">${refused.message}</p>` : null}
      ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
}
