import { versionOf } from "../core/admin-verb.ts";
import type { NamedShipment } from "../orders/order-answer.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { notesByBag } from "../orders/order-view.ts";
import { isHere } from "../orders/standing.ts";
import { smallPicture } from "../web/bean-view.ts";
import { fieldValues } from "../web/body.ts";
import { html, type Markup } from "../web/html.ts";
import { pageHead } from "../web/layout.ts";
import { addressBlock } from "../web/parts.ts";
import { filledForm, type RefusedAction } from "./forms.ts";
import { tabs } from "./frame.ts";
import { shipmentName } from "./order-parts.ts";
import type { DeskRoute } from "./route.ts";
import { oldestOf, WORKLIST_SCRIPT } from "./worklist.ts";

/** Paper of label printers, in inches. */
const LABEL = "4x6";

/**
 * Packing slips of the named orders, or of all that wait: one sheet per shipment. No price and no other
 * recipient's address, since it may be a gift. Gift notes are cards to cut out.
 */
export const slips: DeskRoute = {
  place: "ship",
  path: "/desk/slips",
  async show({ req, merchant, admin, refused }) {
    const ids = new Set(fieldValues(req.query, "order"));
    const chosen = await Promise.all([...ids].map((id) => admin.orders.show({ order_id: id })));
    const { orders, more } =
      chosen.length > 0
        ? { orders: chosen, more: false }
        : await admin.views.inTurn({ view: "ship" });
    const address = await admin.shop.address();
    const isLabel = req.query.size === LABEL;
    const sheets = orders.flatMap((order) =>
      order.shipments
        // A chosen order's slips can be printed again after it has left.
        .filter((shipment) => (ids.size > 0 ? shipment.status !== "CANCELED" : isHere(shipment)))
        .map((shipment) => slip(order, shipment, { ...merchant.shop, address, isLabel })),
    );
    const sized = (size: string) => {
      const query = new URLSearchParams([...ids].map((id) => ["order", id] as [string, string]));
      query.set("size", size);
      return `/desk/slips?${query}`;
    };
    const sizes = tabs("Size of the paper", [
      { name: "Letter", href: sized("letter"), here: !isLabel },
      { name: "4 × 6 in", href: sized(LABEL), here: isLabel },
    ]);
    const title = "Packing slips";
    return {
      title,
      head: html`<div class="unprinted stack">${pageHead({ title, lede: html`Print this page: one sheet per shipment. ${more && oldestOf(orders)}` })}
    ${sizes}
    ${sheets.length > 0 && html`<p><button type="button" data-print hidden>Print</button></p>${WORKLIST_SCRIPT}`}
    ${addressForm(merchant.shop.name, address, refused)}</div>`,
      body: sheets.length === 0 ? html`<p>No shipment is waiting.</p>` : sheets,
    };
  },
  acts: { "shop.setAddress": { done: "The address is now on every slip." } },
};

function slip(
  order: OrderForPeople,
  shipment: NamedShipment,
  from: { name: string; address: string | null; isLabel: boolean },
): Markup {
  const { address, items, gift_notes } = shipment;
  const name = shipmentName(order, shipment);
  return html`<section class="slip packing-slip${from.isLabel ? " label-slip" : ""}" aria-label="${name}, ${address.name}">
    <div class="letterhead row apart">
      <p class="return-address"><b>${from.name}</b>${from.address === null ? null : html`<br>${from.address}`}</p>
      <p><b>Order ${name}</b></p>
    </div>
    <h2><bdi>${address.name}</bdi></h2>
    ${addressBlock(address)}
    <ul class="packing stack tight">
      ${items.map((item) => html`<li><span class="tick" aria-hidden="true"></span> ${smallPicture(item.product_id)} <b>${item.quantity} ×</b> ${item.name}, 8 oz</li>`)}
    </ul>
    ${gift_notes.length > 0 && cards(shipment)}
  </section>`;
}

const addressForm = (
  name: string,
  address: string | null,
  refused: RefusedAction | undefined,
): Markup =>
  filledForm(
    {
      act: "shop.setAddress",
      seen: versionOf(address),
      summary: address === null ? "Set your return address…" : "Change your return address…",
    },
    refused,
    (show) => html`${show({
      name: "address",
      label: "Return address",
      hint: `Printed on every slip under “${name}”, line by line.`,
      area: true,
      maxlength: 300,
      value: address ?? "",
    })}
    <button class="quiet" type="submit">Save this address</button>`,
  );

const cards = ({ items, gift_notes }: NamedShipment): Markup => html`<ol class="cards">
    ${notesByBag(gift_notes, items).map(
      ({ name, note }) => html`<li><p class="note-for">For a bag of ${name}</p>
      <p class="note">${note}</p></li>`,
    )}
  </ol>`;
