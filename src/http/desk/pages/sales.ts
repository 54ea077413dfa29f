import type { SalesDay, SalesFigures, SalesOfBean } from "../../../domain/order/sales.ts";
import { sum } from "../../../domain/shared/money.ts";
import { beanCell } from "../../pages/bean-picture.ts";
import { money, weekday } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import { type DeskPage, records, recordsShort, tabs } from "./frame.ts";

export interface SalesView {
  figures: SalesFigures & { time_zone: string };
  /** The spans that can be chosen, and the one that is shown. */
  spans: readonly number[];
  span: number;
  exports: readonly string[];
  /** The name of a bean for people. */
  beanName(productId: string): string;
}

export function salesPage(view: SalesView): DeskPage {
  const { figures, span, exports } = view;
  const { days } = figures;
  return {
    place: "sales",
    lede: `The last ${span} days, by the calendar of ${figures.time_zone}. Refunds count on the day of their order.`,
    body: html`${tabs(
      "How many days",
      view.spans.map((days) => ({
        name: `${days} days`,
        href: `/desk/sales?days=${days}`,
        here: days === span,
      })),
    )}
    <dl class="totals row">${MEASURES.map(
      ({ name, of, said }) => html`<div><dt>${name}</dt><dd>${said(sum(days.map(of)))}</dd></div>`,
    )}</dl>
    ${
      figures.beans.length === 0
        ? html`<p>Nothing sold in these days.</p>`
        : html`<div class="plots tiles">${MEASURES.map((measure) => (measure.drawn ? plot(days, measure) : null))}</div>
    <h2>By bean</h2>
    ${beanTable(view, figures.beans)}
    <h2>By day</h2>
    ${dayTable(days)}`
    }
    <h2>For the bookkeeper</h2>
    <p>Every order, shipment and refund as a table for a spreadsheet:
      ${exports.map((name) => html`<a href="/desk/export/${name}.csv">${name}.csv</a> `)}</p>`,
  };
}

interface Measure {
  name: string;
  of: (day: SalesDay) => number;
  said: (value: number) => string;
  /** As bars, too. */
  drawn?: true;
}

const MEASURES: readonly Measure[] = [
  { name: "Takings", of: (day) => day.takings_minor, said: money, drawn: true },
  { name: "Orders", of: (day) => day.orders, said: String },
  { name: "Bags", of: (day) => day.bags, said: String, drawn: true },
  { name: "Courtesies", of: (day) => day.courtesy_minor, said: money, drawn: true },
  { name: "Refunded", of: (day) => day.refunded_minor, said: money },
];

function beanTable({ beanName }: SalesView, beans: readonly SalesOfBean[]): Markup {
  const most = Math.max(...beans.map(({ bags }) => bags));
  return records("Sales by bean", beans, [
    { name: "Bean", cell: (row) => beanCell({ ...row, name: beanName(row.product_id) }) },
    {
      name: "Share",
      cell: ({ bags }) => html`<svg class="bar" viewBox="0 0 100 8" aria-hidden="true">
        <rect width="${Math.round((bags / most) * 100)}" height="8"></rect></svg>`,
    },
    { name: "Bags", cell: (row) => row.bags, number: true },
    { name: "Coffee", cell: (row) => money(row.coffee_minor), number: true },
    { name: "Courtesies", cell: (row) => money(row.courtesy_minor), number: true },
  ]);
}

/** Days with sales; of what there was none, a phone leaves the name out as well. */
const dayTable = (days: readonly SalesDay[]): Markup =>
  recordsShort("Sales by day, newest first", days.filter(({ orders }) => orders > 0).toReversed(), [
    { name: "Day", cell: (row) => weekday(row.day) },
    ...MEASURES.map(({ name, of, said }) => ({
      name,
      cell: (row: SalesDay) => (of(row) === 0 ? null : said(of(row))),
      number: true as const,
    })),
  ]);

const WIDTH = 720;
const HEIGHT = 160;

/** One bar a day. The table under it says the same in numbers. */
function plot(days: readonly SalesDay[], { name, of, said }: Measure): Markup {
  const most = Math.max(1, ...days.map(of));
  const step = WIDTH / days.length;
  const bar = (day: SalesDay, i: number) => {
    const height = Math.round((of(day) / most) * HEIGHT);
    return html`<rect x="${(i * step + step * 0.1).toFixed(1)}" y="${HEIGHT - height}" width="${(step * 0.8).toFixed(1)}" height="${height}"><title>${day.day}: ${said(of(day))}</title></rect>`;
  };
  const [first, last] = [days[0], days.at(-1)].map((day) => day && weekday(day.day));
  return html`<figure class="plot stack tight">
      <figcaption><b>${name} by day</b>, at most ${said(most)}</figcaption>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT + 1}" role="img" aria-label="${name} by day, at most ${said(most)}">
        ${days.map(bar)}
        <line x1="0" y1="${HEIGHT}" x2="${WIDTH}" y2="${HEIGHT}"></line>
      </svg>
      <p class="hint row apart"><span>${first}</span> <span>${last}</span></p>
    </figure>`;
}
