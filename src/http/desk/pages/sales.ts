import type { SalesDay, SalesFigures, SalesOfBean } from "../../../domain/order/sales.ts";
import { sum } from "../../../domain/shared/money.ts";
import { beanCell } from "../../pages/bean-picture.ts";
import { money, weekday } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import { deskPage, head, records, recordsShort, tabs } from "./frame.ts";

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
    ${tabs(
      "How many days",
      view.spans.map((days) => ({
        name: `${days} days`,
        href: `/desk/sales?days=${days}`,
        here: days === span,
      })),
    )}
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
  recordsShort("Sales by day, newest first", days.filter(({ orders }) => orders > 0).toReversed(), [
    { name: "Day", cell: (row) => weekday(row.day) },
    { name: "Orders", cell: (row) => row.orders, number: true },
    { name: "Bags", cell: (row) => row.bags, number: true },
    { name: "Takings", cell: (row) => money(row.takings_minor), number: true },
    { name: "Courtesies", cell: (row) => moneyOrNone(row.courtesy_minor), number: true },
    { name: "Refunded", cell: (row) => moneyOrNone(row.refunded_minor), number: true },
  ]);

/** Most days have none; a phone leaves it out. */
const moneyOrNone = (minor: number): string | null => (minor === 0 ? null : money(minor));

const WIDTH = 720;
const HEIGHT = 160;

/** Takings as one bar a day. The table under it says the same in numbers. */
function plot(days: readonly SalesDay[]): Markup {
  const most = Math.max(1, ...days.map((day) => day.takings_minor));
  const step = WIDTH / days.length;
  const bar = (day: SalesDay, i: number) => {
    const height = Math.round((day.takings_minor / most) * HEIGHT);
    return html`<rect x="${(i * step + step * 0.1).toFixed(1)}" y="${HEIGHT - height}" width="${(step * 0.8).toFixed(1)}" height="${height}"><title>${day.day}: ${money(day.takings_minor)}, ${day.bags} bags</title></rect>`;
  };
  const ends = [days[0], days.at(-1)].map((day) => day && weekday(day.day));
  return html`<figure class="plot">
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT + 1}" role="img" aria-label="Takings by day, at most ${money(most)} a day">
        ${days.map(bar)}
        <line x1="0" y1="${HEIGHT}" x2="${WIDTH}" y2="${HEIGHT}"></line>
      </svg>
      <p class="hint"><span>${ends[0]}</span> <span>${ends[1]}</span></p>
      <figcaption>Takings by day; the highest bar is ${money(most)}.</figcaption>
    </figure>`;
}
