import type { Shipment } from "../../../domain/order/order-answer.ts";
import { notesByBag } from "../../../domain/quote/gift-notes.ts";
import type { ListedOrder } from "../../../merchant/admin-views.ts";
import { smallPicture } from "../../pages/bean-picture.ts";
import { html, type Markup } from "../../pages/html.ts";
import { pageHead, SHOP_NAME } from "../../pages/layout.ts";
import { addressBlock } from "../../pages/parts.ts";
import type { RefusedAction } from "../act.ts";
import { filledForm } from "./act-form.ts";
import type { DeskPage } from "./frame.ts";
import { orderName } from "./orders.ts";

export interface SlipsView {
  orders: readonly ListedOrder[];
  /** The shop's own, as it was typed; null while there is none. */
  address: string | null;
  refused?: RefusedAction | undefined;
}

/**
 * One sheet per shipment, to be put into the box: no price and no other recipient's address, since
 * it may be a gift. The notes are cards A, B, C to copy by hand.
 */
export function slipsPage({ orders, address, refused }: SlipsView): DeskPage {
  const slips = orders.flatMap((order) =>
    order.shipments
      .filter(({ status }) => status === "PENDING" || status === "ROASTING")
      .map((shipment) => slip(order, shipment, address)),
  );
  const title = "Packing slips";
  return {
    title,
    place: "ship",
    head: html`<div class="unprinted">${pageHead({ title, lede: "Print this page: each shipment is a sheet of its own." })}
    ${addressForm(address, refused)}</div>`,
    body: slips.length === 0 ? html`<p>No shipment is waiting.</p>` : slips,
  };
}

function slip(order: ListedOrder, shipment: Shipment, from: string | null): Markup {
  const { address, items, gift_notes } = shipment;
  return html`<section class="slip packing-slip" aria-label="${orderName(order)}, ${address.name}">
    <div class="letterhead row apart">
      <p class="return-address"><b>${SHOP_NAME}</b>${from === null ? null : html`<br>${from}`}</p>
      <p><b>Order ${orderName(order)}</b></p>
    </div>
    <h2><bdi>${address.name}</bdi></h2>
    ${addressBlock(address)}
    <ul class="packing stack tight">
      ${items.map((item) => html`<li><span class="tick" aria-hidden="true"></span> ${smallPicture(item.product_id)} <b>${item.quantity} ×</b> ${item.name}, 8 oz</li>`)}
    </ul>
    ${gift_notes.length > 0 ? cards(shipment) : null}
  </section>`;
}

/** Where a shipment comes back to that cannot be delivered. */
const addressForm = (address: string | null, refused: RefusedAction | undefined): Markup =>
  filledForm(
    {
      act: "address",
      summary: address === null ? "Set your return address…" : "Change your return address…",
    },
    refused,
    (show) => html`${show({
      name: "address",
      label: "Return address",
      hint: "As it should stand on every slip, line by line.",
      area: true,
      maxlength: 300,
      value: address ?? "",
    })}
    <button class="quiet" type="submit">Keep this address</button>`,
  );

const cards = ({ items, gift_notes }: Shipment): Markup => html`<ol class="cards stack" type="A">
    ${notesByBag(gift_notes, items).map(
      ({ name, note }) => html`<li><p class="note-for">For a bag of ${name}</p>
      <p class="note">${note}</p></li>`,
    )}
  </ol>`;
