import type { Shipment } from "../../../domain/order/order-answer.ts";
import { notesByBag } from "../../../domain/quote/gift-notes.ts";
import type { ListedOrder } from "../../../merchant/admin-views.ts";
import { smallPicture } from "../../pages/bean-picture.ts";
import { html, type Markup } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import { addressBlock } from "../../pages/parts.ts";
import { deskPage, head } from "./frame.ts";
import { orderName } from "./orders.ts";

export interface SlipsView {
  mode: PaymentMode;
  orders: readonly ListedOrder[];
}

/**
 * One sheet per shipment, to be put into the box: no price and no other recipient's address, since
 * it may be a gift. The notes are cards A, B, C to copy by hand.
 */
export function slipsPage({ mode, orders }: SlipsView): string {
  const slips = orders.flatMap((order) =>
    order.shipments
      .filter(({ status }) => status === "PENDING" || status === "ROASTING")
      .map((shipment) => slip(order, shipment)),
  );
  return deskPage({
    mode,
    title: "Packing slips",
    place: "ship",
    body: html`<div class="unprinted">${head("Packing slips", "Print this page: each shipment is a sheet of its own.")}</div>
    ${slips.length === 0 ? html`<p>No shipment is waiting.</p>` : slips}`,
  });
}

function slip(order: ListedOrder, shipment: Shipment): Markup {
  const { address, items, gift_notes } = shipment;
  return html`<section class="slip packing-slip" aria-label="${orderName(order)}, ${address.name}">
    <p class="eyebrow">${orderName(order)}</p>
    <h2><bdi>${address.name}</bdi></h2>
    ${addressBlock({ ...address, postalCode: address.postal_code })}
    <ul class="packing">
      ${items.map((item) => html`<li><span class="tick" aria-hidden="true"></span> ${smallPicture(item.product_id)} <b>${item.quantity} ×</b> ${item.name}, 8 oz</li>`)}
    </ul>
    ${gift_notes.length > 0 ? cards(shipment) : null}
  </section>`;
}

const cards = ({ items, gift_notes }: Shipment): Markup => html`<ol class="cards" type="A">
    ${notesByBag(gift_notes, items).map(
      ({ name, note }) => html`<li><p class="note-for">For a bag of ${name}</p>
      <p class="note">${note}</p></li>`,
    )}
  </ol>`;
