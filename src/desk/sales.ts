import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Express } from "express";
import type { Api } from "../api/api.ts";
import { nameForPeople } from "../catalog/catalog.ts";
import { sum } from "../core/money.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { SalesDay, SalesOfBean } from "../orders/sales.ts";
import { EXPORTS, Month } from "../orders/sales-verbs.ts";
import { humanStatus } from "../orders/status-words.ts";
import { beanCell } from "../web/bean-view.ts";
import { money, weekday } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { mountGet } from "../web/routes.ts";
import { tabs } from "./frame.ts";
import { type Column, records } from "./list-page.ts";
import type { DeskRoute } from "./route.ts";

const SPANS = [7, 30, 90] as const;

/** Sales figures and CSV exports. */
export const sales: DeskRoute = {
  place: "sales",
  async show({ req, merchant }) {
    const months = await merchant.sales.months();
    const month = months.find((one) => one === req.query.month);
    const span = SPANS.find((days) => String(days) === req.query.days) ?? 30;
    const { days, beans, time_zone } = await merchant.sales.figures(month ?? span);
    return {
      lede: `${month ? nameOf(month) : `The last ${span} days`}, by the calendar of ${time_zone}. Refunds and lost disputes count on their own day, so a closed month never changes.`,
      body: html`${tabs(
        "How many days",
        SPANS.map((days) => ({
          name: `${days} days`,
          href: `/desk/sales?days=${days}`,
          here: !month && days === span,
        })),
      )}
    ${monthForm(months, month)}
    <dl class="totals row">${MEASURES.map(
      ({ name, of, said }) => html`<div><dt>${name}</dt><dd>${said(sum(days.map(of)))}</dd></div>`,
    )}</dl>
    ${
      beans.length === 0
        ? html`<p>Nothing sold in these days.</p>`
        : html`${plot(days, SALES)}
    <h2>By bean</h2>
    ${beanTable(beans, merchant)}
    <h2>By day</h2>
    ${dayTable(days)}`
    }
    <h2>For the bookkeeper</h2>
    <p>${month ? nameOf(month) : "All orders since the first"} as tables for a spreadsheet:</p>
    <ul class="cluster">${EXPORTS.map(
      (name) =>
        html`<li><a href="/desk/export/${name}.csv${month && `?month=${month}`}">${humanStatus(name)}</a></li>`,
    )}</ul>`,
    };
  },
};

const nameOf = (month: string): string =>
  new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "long", year: "numeric" }).format(
    new Date(`${month}-01`),
  );

const monthForm = (months: readonly string[], here: string | undefined): Markup =>
  html`<form class="cluster months" method="get" action="/desk/sales">
      <label for="month">Month</label>
      <select id="month" name="month">${months.map(
        (month) =>
          html`<option value="${month}"${month === here && html` selected`}>${nameOf(month)}</option>`,
      )}</select>
      <button class="small quiet" type="submit">Show</button>
    </form>`;

export function mountExports(app: Express, api: Api): void {
  const { merchant } = api.service;
  const { sales } = merchant;
  mountGet(app, "/desk/export/labels.csv", async (_req, res) => {
    const csv = await merchant.admin("desk").labels.csv();
    // Label tools take the mark of UTF-8 for a part of the first heading.
    res.type("text/csv; charset=utf-8").attachment("labels.csv").send(csv);
  });
  for (const name of EXPORTS) {
    mountGet(app, `/desk/export/${name}.csv`, async (req, res) => {
      const month = Month.safeParse(req.query.month).data;
      const file = month === undefined ? name : `${name}-${month}`;
      res.type("text/csv; charset=utf-8").attachment(`${file}.csv`);
      // Excel recognizes UTF-8 by this mark.
      res.write("\uFEFF");
      await pipeline(Readable.from(sales.csv(name, month)), res).catch(unlessCanceled);
    });
  }
}

/** Ignores a canceled download. */
function unlessCanceled(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}

interface Measure {
  name: string;
  of: (day: SalesDay) => number;
  said: (value: number) => string;
}

const SALES: Measure = {
  name: "Sales before refunds",
  of: (day) => day.takings_minor,
  said: money,
};

const MEASURES: readonly Measure[] = [
  { name: "Coffee after discounts", of: (day) => day.net_minor, said: money },
  { name: "Shipping", of: (day) => day.shipping_minor, said: money },
  SALES,
  { name: "Refunded", of: (day) => day.refunded_minor, said: money },
  { name: "Sales after refunds", of: (day) => day.after_refunds_minor, said: money },
  { name: "Orders", of: (day) => day.orders, said: String },
  { name: "Bags", of: (day) => day.bags, said: String },
  { name: "Discounts", of: (day) => day.courtesy_minor, said: money },
];

function beanTable(beans: readonly SalesOfBean[], { catalog }: Merchant): Markup {
  return records("Sales by bean", beans, [
    { name: "Bean", cell: (row) => beanCell({ ...row, name: nameForPeople(catalog, row) }) },
    { name: "Bags", cell: (row) => row.bags, number: true },
    { name: "Coffee", cell: (row) => money(row.coffee_minor), number: true },
    { name: "Discounts", cell: (row) => money(row.courtesy_minor), number: true },
  ]);
}

/** Days with sales; empty cells are left out on a phone. */
function dayTable(days: readonly SalesDay[]): Markup {
  const sold = days.filter((day) => day.orders > 0 || day.refunded_minor !== 0).toReversed();
  const columns: Column<SalesDay>[] = MEASURES.map(({ name, of, said }) => ({
    name,
    cell: (row) => (of(row) === 0 ? null : said(of(row))),
    number: true,
  }));
  const day = { name: "Day", cell: (row: SalesDay) => weekday(row.day) };
  return records("Sales by day, newest first", sold, [day, ...columns], "short");
}

const WIDTH = 720;
const HEIGHT = 160;

/** One bar a day. The table below has the numbers. */
function plot(days: readonly SalesDay[], { name, of, said }: Measure): Markup {
  const most = Math.max(...days.map(of));
  const caption = most === 0 ? "none" : `highest day ${said(most)}`;
  const step = WIDTH / days.length;
  const bar = (day: SalesDay, i: number) => {
    const height = Math.round((of(day) / (most || 1)) * HEIGHT);
    return html`<rect x="${(i * step + step * 0.1).toFixed(1)}" y="${HEIGHT - height}" width="${(step * 0.8).toFixed(1)}" height="${height}"><title>${day.day}: ${said(of(day))}</title></rect>`;
  };
  const [first, last] = [days[0], days.at(-1)].map((day) => day && weekday(day.day));
  return html`<figure class="plot stack tight">
      <figcaption><b>${name} by day</b>, ${caption}</figcaption>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT + 1}" role="img" aria-label="${name} by day, ${caption}">
        ${days.map(bar)}
        <line x1="0" y1="${HEIGHT}" x2="${WIDTH}" y2="${HEIGHT}"></line>
      </svg>
      <p class="hint row apart"><span>${first}</span> <span>${last}</span></p>
    </figure>`;
}
