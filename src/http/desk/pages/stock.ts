import { FIRST_ORDER } from "../../../domain/shared/policy.ts";
import type { Admin } from "../../../merchant/merchant.ts";
import { beanCell } from "../../pages/bean-picture.ts";
import { html, type Markup } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import { type ActionResult, actForm, deskPage, head, records } from "./frame.ts";

export type StockLine = Awaited<ReturnType<Admin["stock"]["list"]>>[number];
export type WantedBags = Awaited<ReturnType<Admin["waitlist"]["wanted"]>>[number];
export type QueueRow = Awaited<ReturnType<Admin["waitlist"]["list"]>>[number];

export interface StockView {
  mode: PaymentMode;
  rows: readonly StockLine[];
  wanted: readonly WantedBags[];
  /** Whether FIRSTBAG runs. */
  offer: boolean;
  said: ActionResult | undefined;
}

export function stockPage({ mode, rows, wanted, offer, said }: StockView): string {
  return deskPage({
    mode,
    title: "Stock",
    place: "stock",
    said,
    body: html`${head("Stock", "Count the bags and set what is there. Held bags belong to payments under way and to waitlist offers.")}
    ${records("Bags per bean", rows, [
      {
        name: "Bean",
        cell: (row) =>
          beanCell({ ...row, name: row.name ?? `${row.product_id}, not in the catalog` }),
      },
      { name: "On hand", number: true, cell: (row) => row.on_hand },
      { name: "Held", number: true, cell: (row) => row.held },
      { name: "Free", number: true, cell: (row) => row.free },
      { name: "Waited for", number: true, cell: (row) => wantedOf(wanted, row.product_id) },
      { name: "Set", number: true, cell: setForm },
    ])}
    ${offerSlip(offer)}`,
  });
}

/** How many bags the queue still asks for. */
export const wantedOf = (wanted: readonly WantedBags[], productId: string): number =>
  wanted.find((bean) => bean.product_id === productId)?.bags ?? 0;

function setForm({ product_id, name, on_hand }: StockLine): Markup {
  if (name === null) return html``;
  return actForm(
    "set",
    { product: product_id, seen: String(on_hand) },
    html`<input name="on_hand" inputmode="numeric" required value="${on_hand}"
        aria-label="${`Bags of ${name} on hand`}">
      <button class="small" type="submit" aria-label="${`Set bags of ${name}`}">Set</button>`,
    "inline-form",
  );
}

const offerSlip = (offer: boolean): Markup => html`<section class="slip desk-block"
    aria-labelledby="offer">
    <h2 id="offer">First-order courtesy</h2>
    <p>${FIRST_ORDER.code} is <b>${offer ? "on" : "off"}</b> for new quotes.</p>
    ${actForm(
      offer ? "offer-off" : "offer-on",
      {},
      html`<button class="quiet" type="submit">Switch ${FIRST_ORDER.code} ${offer ? "off" : "on"}</button>`,
    )}
  </section>`;
