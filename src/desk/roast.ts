import { bagCount, bags } from "../core/bags.ts";
import type { ListedOrder } from "../orders/admin-views.ts";
import { type RoastLine, roastSheet, toRoast } from "../orders/roast-sheet.ts";
import { beanCell } from "../web/bean-view.ts";
import { fieldValues } from "../web/body.ts";
import { hiddenFields, tickBox } from "../web/form-parts.ts";
import { shopMoment } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { type Column, records, theirs } from "./frame.ts";
import { doubts, lateMark, orderLink, orderName, warning } from "./order-parts.ts";
import { formFields, justDone, type Refusals, type Worklist } from "./worklist.ts";

/** What to roast today, and one button for all of it. It prints as the roaster's sheet. */
export const roast: Worklist = {
  place: "roast",
  done: "in the roaster",
  chosen: (req) => ({
    ids: fieldValues(req.body, "order"),
    act: (admin, id, seen) => admin.orders.roast({ order_id: id, seen }),
  }),
  page(orders, done, req, refusals) {
    const sheet = roastSheet(orders.filter((order) => doubts(order).length === 0));
    return {
      lede: "Bags per bean over the orders that wait, the oldest orders first. One with a warning is neither counted nor chosen.",
      body: html`${
        orders.length === 0
          ? html`<p>Nothing waits to be roasted.</p>`
          : html`${sheet.length === 0 ? null : records("Bags per bean", sheet, SHEET)}
    <form method="post" class="form">
      ${hiddenFields(formFields(orders))}
      ${orderChoice(orders, fieldValues(req.body, "order"), refusals)}
      <button type="submit">Put the chosen orders into the roaster</button>
    </form>`
      }
    ${justDone(done, "Put into the roaster just now")}`,
    };
  },
};

const SHEET: readonly Column<RoastLine>[] = [
  { name: "Bean", cell: beanCell },
  { name: "Bags", cell: (line) => line.bags, number: true },
  { name: "Orders", cell: (line) => line.orders, number: true },
];

/**
 * Every order of the list with a box: chosen as it was, at first unless something speaks against it, and
 * not again where that came up and it was refused.
 */
const orderChoice = (
  orders: readonly ListedOrder[],
  chosen: readonly string[],
  refusals: Refusals,
): Markup => html`<ul class="worklist stack tight">
    ${orders.map((order) => {
      const doubtful = doubts(order);
      const waiting = toRoast(order);
      const bagged = bagCount(waiting.flatMap(({ items }) => items));
      const label = html`<b>${orderName(order)}</b>, ${bags(bagged)}
        for ${theirs(waiting[0]!.address.name)}, ${shopMoment(order.created_at)}
        ${doubtful.map(warning)} ${lateMark(order)}`;
      const anew = chosen.length === 0 || refusals.has(order.id);
      const ticked = anew ? doubtful.length === 0 : chosen.includes(order.id);
      return html`<li>${tickBox({ name: "order", value: order.id, label, ticked })}
        ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
    })}
  </ul>`;
