import { bagCount, bags, mergeBags } from "../core/bags.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { type RoastLine, roastSheet, toRoast } from "../orders/roast-sheet.ts";
import { beanCell } from "../web/bean-view.ts";
import { tickBox } from "../web/form-parts.ts";
import { shopMoment } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { actForm, type RefusedAction } from "./forms.ts";
import { theirs } from "./frame.ts";
import { type Column, records } from "./list-page.ts";
import { doubts, lateMark, orderLink, orderName, versionsField, warning } from "./order-parts.ts";
import { countButton, worklist } from "./worklist.ts";

/** Today's roasting, with one button for all. Prints as the roaster's sheet. */
export const roast = worklist({
  place: "roast",
  justDone: "Started roasting just now",
  acts: {
    "orders.roast": {
      each: "order_id",
      done: (_fields, { count }) => `${count} in the roaster.`,
    },
  },
  page(orders, { refused }) {
    const chosen = ticked(orders, refused);
    const sheet = roastSheet(orders.filter(({ id }) => chosen.includes(id)));
    return {
      lede: "Waiting to be roasted, oldest first. Orders with a problem are not ticked. The bags are those of the ticked orders.",
      body:
        orders.length === 0
          ? html`<p>Nothing to roast.</p>`
          : html`${sheet.length === 0 ? null : records("Bags per bean", sheet, SHEET)}
    ${actForm(
      "orders.roast",
      { seen: versionsField(orders) },
      html`${orderChoice(orders, chosen)}
      ${countButton(chosen.length, { one: "Start roasting 1 order", many: "Start roasting # orders", none: "Start roasting" })}`,
    )}`,
    };
  },
});

const SHEET: readonly Column<RoastLine>[] = [
  { name: "Bean", cell: beanCell },
  {
    name: "Bags",
    cell: (line) => html`<span data-bean="${line.product_id}">${line.bags}</span>`,
    number: true,
  },
  {
    name: "Orders",
    cell: (line) => html`<span data-orders="${line.product_id}">${line.orders}</span>`,
    number: true,
  },
];

/** Ids of the orders to tick: the chosen ones; at first and after a refusal those without a warning. */
function ticked(orders: readonly OrderForPeople[], refused: RefusedAction | undefined): string[] {
  const chosen = (refused?.act === "orders.roast" && refused.fields.all("order_id")) || [];
  return orders
    .filter((order) => {
      const anew = chosen.length === 0 || refused?.rows.has(order.id);
      return anew ? doubts(order).length === 0 : chosen.includes(order.id);
    })
    .map(({ id }) => id);
}

const recipients = ([first, ...more]: OrderForPeople["shipments"]): Markup =>
  html`${theirs(first!.address.name)}${more.length > 0 && ` and ${more.length} more`}`;

const orderChoice = (
  orders: readonly OrderForPeople[],
  ticked: readonly string[],
): Markup => html`<ul class="worklist stack tight">
    ${orders.map((order) => {
      const doubtful = doubts(order);
      const waiting = toRoast(order);
      const bagged = bagCount(waiting.flatMap(({ items }) => items));
      const label = html`<b>${orderName(order)}</b>, ${bags(bagged)}
        for ${recipients(waiting)}, ${shopMoment(order.created_at)}
        ${doubtful.map(warning)} ${lateMark(order)}`;
      const beans = mergeBags(waiting.flatMap(({ items }) => items));
      return html`<li data-beans="${beans.map((one) => `${one.product_id}:${one.quantity}`).join(" ")}">${tickBox({ name: "order_id", value: order.id, label, ticked: ticked.includes(order.id) })}
        ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
    })}
  </ul>`;
