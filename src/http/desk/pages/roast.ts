import type { RoastLine } from "../../../domain/order/roast-sheet.ts";
import { bags } from "../../../domain/shared/bags.ts";
import type { ListedOrder } from "../../../merchant/admin-views.ts";
import type { UndoableStep } from "../../../merchant/undoable-steps.ts";
import { beanCell } from "../../pages/bean-picture.ts";
import { shopMoment } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import { bagCount } from "../../pages/parts.ts";
import { type DeskPage, records, theirs } from "./frame.ts";
import { justDone } from "./just-done.ts";
import { orderLink, orderName } from "./orders.ts";

export interface RoastView {
  /** The oldest first. */
  orders: readonly ListedOrder[];
  sheet: readonly RoastLine[];
  /** Put into the roaster in the last minutes: one step an order. */
  done: readonly UndoableStep[];
}

/** What to roast today, and one button for all of it. It prints as the roaster's sheet. */
export const roastPage = ({ orders, sheet, done }: RoastView): DeskPage => ({
  place: "roast",
  lede: "Bags per bean over the orders that wait, the oldest orders first.",
  body: html`${
    orders.length === 0
      ? html`<p>Nothing waits to be roasted.</p>`
      : html`${records("Bags per bean", sheet, [
          { name: "Bean", cell: (line) => beanCell(line) },
          { name: "Bags", cell: (line) => line.bags, number: true },
          { name: "Orders", cell: (line) => line.orders, number: true },
        ])}
    <form method="post" class="form">
      ${orderChoice(orders)}
      <button type="submit">Put the chosen orders into the roaster</button>
    </form>`
  }
    ${justDone(done, "Put into the roaster just now")}`,
});

/** Every order of the list with a box, all of them chosen: what is not meant is taken out. */
const orderChoice = (
  orders: readonly ListedOrder[],
): Markup => html`<ul class="worklist stack tight">
    ${orders.map(
      (
        order,
      ) => html`<li><label class="tick-box"><input type="checkbox" name="order" value="${order.id}" checked>
        <span><b>${orderName(order)}</b>, ${bags(bagCount(order.items))}
        for ${theirs(order.shipments[0]!.address.name)}, ${shopMoment(order.created_at)}</span></label>
        ${orderLink(order, `Open ${orderName(order)}`)}</li>`,
    )}
  </ul>`;
