import { MOST_COUNTED } from "../../../domain/shared/counting.ts";
import type { adminViews } from "../../../merchant/admin-views.ts";
import { humanStatus, moment } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import { deskPage, head, records, theirs } from "./frame.ts";
import { type Incident, incidentTable } from "./incidents.ts";
import { type StockLine, type WantedBags, wantedOf } from "./stock.ts";

type WaitingCounts = Awaited<ReturnType<ReturnType<typeof adminViews>["waiting"]>>;

export interface TodayView {
  mode: PaymentMode;
  waiting: WaitingCounts;
  stock: readonly StockLine[];
  wanted: readonly WantedBags[];
  /** Of the last days: how many, and the newest of them. */
  incidents: { count: number; latest: readonly Incident[] };
}

/** So few free bags that the next order may be refused. */
const FEW_BAGS = 10;

/** What waits for the merchant, each number leading to its orders. */
export function todayPage({ mode, waiting, stock, wanted, incidents }: TodayView): string {
  const low = stock.filter((row) => row.free < FEW_BAGS || wantedOf(wanted, row.product_id) > 0);
  return deskPage({
    mode,
    title: "Today",
    place: "",
    body: html`${head("Today")}
    <ul class="trays">
      ${taskCard(waiting.roast, "to roast", "roast")}
      ${taskCard(waiting.ship, "to ship", "ship")}
      ${taskCard(waiting.asking, "asking to cancel", waiting.asking > 0 ? "#requests" : "orders")}
      ${taskCard(waiting.underway, "under way", "orders?show=underway", false)}
      ${taskCard(incidents.count, incidents.count === 1 ? "incident this week" : "incidents this week", "incidents")}
    </ul>
    ${waiting.asking > 0 ? requests(waiting.requests) : null}
    ${low.length > 0 ? lowStock(low, wanted) : null}
    ${
      incidents.count > 0
        ? html`<section class="desk-block" aria-labelledby="incidents">
        <h2 id="incidents">Latest incidents</h2>
        ${incidentTable(incidents.latest)}
      </section>`
        : null
    }`,
  });
}

/** Marked while something in it waits for a hand. */
function taskCard(count: number, what: string, to: string, wants = true): Markup {
  const href = to.startsWith("#") ? to : `/desk/${to}`;
  return html`<li><a class="tray${wants && count > 0 ? " tray-full" : ""}" href="${href}">
        <b>${count < MOST_COUNTED ? count : `${MOST_COUNTED - 1}+`}</b> ${what}</a></li>`;
}

const requests = (rows: WaitingCounts["requests"]): Markup => html`<section class="desk-block"
    aria-labelledby="requests">
    <h2 id="requests">Cancel requests to decide</h2>
    ${records("Cancel requests, oldest first", rows, [
      {
        name: "Asked",
        cell: (row) => html`<a href="/desk/orders/${row.order_id}">${moment(row.created_at)}</a>`,
      },
      { name: "Reason", cell: (row) => humanStatus(row.reason_code) },
      { name: "Message", cell: (row) => (row.message ? theirs(row.message) : null) },
    ])}
  </section>`;

const lowStock = (
  rows: readonly StockLine[],
  wanted: readonly WantedBags[],
): Markup => html`<section
    class="desk-block" aria-labelledby="low-stock">
    <h2 id="low-stock">Few bags left</h2>
    ${records("Beans that are nearly gone or waited for", rows, [
      {
        name: "Bean",
        cell: (row) => html`<a href="/desk/stock">${row.name ?? row.product_id}</a>`,
      },
      { name: "Free", number: true, cell: (row) => row.free },
      { name: "Held", number: true, cell: (row) => row.held },
      { name: "Waited for", number: true, cell: (row) => wantedOf(wanted, row.product_id) },
    ])}
  </section>`;
