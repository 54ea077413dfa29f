import type { SalesDay, SalesFigures, SalesOfBean } from "../../../domain/order/sales.ts";
import { sum } from "../../../domain/shared/money.ts";
import { beanCell } from "../../pages/bean-picture.ts";
import { money } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import { deskPage, head, records } from "./frame.ts";

export interface SalesView {
  mode: PaymentMode;
  figures: SalesFigures & { time_zone: string };
  /** The spans that can be chosen, and the one that is shown. */
  spans: readonly number[];
  span: number;
  exports: readonly string[];
  /** The name of a bean for people. */
  beanName(productId: string): string;
}

export function salesPage(view: SalesView): string {
  const { mode, figures, span, exports } = view;
  const { days } = figures;
  const total = (of: (day: SalesDay) => number) => sum(days.map(of));
  return deskPage({
    mode,
    title: "Sales",
    place: "sales",
    body: html`${head(
      "Sales",
      `The last ${span} days, by the calendar of ${figures.time_zone}. Refunds count on the day of their order.`,
    )}
    <p class="choices">${view.spans.map(
      (days) =>
        html`<a class="button quiet" href="/desk/sales?days=${days}"${
          days === span ? html` aria-current="page"` : null
        }>${days} days</a> `,
    )}</p>
    <dl class="totals">
      ${figure("Takings", money(total((day) => day.takings_minor)))}
      ${figure(
        "Orders",
        total((day) => day.orders),
      )}
      ${figure(
        "Bags",
        total((day) => day.bags),
      )}
      ${figure("Courtesies", money(total((day) => day.courtesy_minor)))}
      ${figure("Refunded", money(total((day) => day.refunded_minor)))}
    </dl>
    ${plot(days)}
    <h2>By bean</h2>
    ${beanTable(view, figures.beans)}
    <h2>By day</h2>
    ${dayTable(days)}
    <h2>For the bookkeeper</h2>
    <p>Every order, shipment and refund as a table for a spreadsheet:
      ${exports.map((name) => html`<a href="/desk/export/${name}.csv">${name}.csv</a> `)}</p>`,
  });
}

const figure = (name: string, value: string | number): Markup =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

const beanTable = ({ beanName }: SalesView, beans: readonly SalesOfBean[]) =>
  beans.length === 0
    ? html`<p>Nothing sold in these days.</p>`
    : records("Sales by bean", beans, [
        { name: "Bean", cell: (row) => beanCell({ ...row, name: beanName(row.product_id) }) },
        { name: "Bags", cell: (row) => row.bags, number: true },
        { name: "Coffee", cell: (row) => money(row.coffee_minor), number: true },
      ]);

const dayTable = (days: readonly SalesDay[]) =>
  records("Sales by day, newest first", days.toReversed(), [
    { name: "Day", cell: (row) => row.day },
    { name: "Orders", cell: (row) => row.orders, number: true },
    { name: "Bags", cell: (row) => row.bags, number: true },
    { name: "Takings", cell: (row) => money(row.takings_minor), number: true },
    { name: "Courtesies", cell: (row) => money(row.courtesy_minor), number: true },
    { name: "Refunded", cell: (row) => money(row.refunded_minor), number: true },
  ]);

const WIDTH = 720;
const HEIGHT = 160;
const FOOT = 24;

/** Takings as one bar a day. The table under it says the same in numbers. */
function plot(days: readonly SalesDay[]): Markup {
  const most = Math.max(1, ...days.map((day) => day.takings_minor));
  const step = WIDTH / days.length;
  const bar = (day: SalesDay, i: number) => {
    const height = Math.round((day.takings_minor / most) * HEIGHT);
    return html`<rect x="${(i * step + step * 0.1).toFixed(1)}" y="${HEIGHT - height}" width="${(step * 0.8).toFixed(1)}" height="${height}"><title>${day.day}: ${money(day.takings_minor)}, ${day.bags} bags</title></rect>`;
  };
  return html`<figure class="plot">
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT + FOOT}" role="img" aria-label="Takings by day, at most ${money(most)} a day">
        ${days.map(bar)}
        <line x1="0" y1="${HEIGHT}" x2="${WIDTH}" y2="${HEIGHT}"></line>
        <text x="0" y="${HEIGHT + FOOT - 6}">${days[0]?.day}</text>
        <text x="${WIDTH}" y="${HEIGHT + FOOT - 6}" text-anchor="end">${days.at(-1)?.day}</text>
      </svg>
      <figcaption>Takings by day; the highest bar is ${money(most)}.</figcaption>
    </figure>`;
}
