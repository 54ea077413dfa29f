import { ORDER_COLUMNS } from "../merchant/list-columns.ts";
import type { Admin } from "../merchant/merchant.ts";
import { ORDER_VIEWS, type OrderViewName } from "../orders/admin-views.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { SEARCHED_ORDERS } from "../orders/search.ts";
import { html, type Markup } from "../web/html.ts";
import { tabs } from "./frame.ts";
import { type Column, records, shared } from "./list-page.ts";
import { destinations } from "./order-parts.ts";
import type { DeskRoute } from "./route.ts";

const PAGE = 50;

/** Orders by status, or by search. */
export const orders: DeskRoute = {
  place: "orders",
  async show({ req, admin }) {
    const { show, before, q } = req.query;
    const sought = typeof q === "string" && q.trim() !== "" ? q : undefined;
    const view = sought === undefined && isView(show) ? show : undefined;
    const after = typeof before === "string" && sought === undefined ? { before } : null;
    const { orders, next_before } =
      sought === undefined
        ? await admin.views.page({ view, limit: PAGE, ...after })
        : { orders: await found(admin, sought), next_before: null };
    return {
      body: html`<form class="cluster search" method="get" action="/desk/orders" role="search">
      <label for="q">Number, name, email, city or tracking number</label>
      <input id="q" name="q" type="search" value="${sought}" maxlength="100">
      <button class="small quiet" type="submit">Search</button>
    </form>
    ${
      sought &&
      html`<p>${orders.length === 0 ? "Nothing" : orders.length} found for <b>${sought}</b>.${
        orders.length === 0 &&
        ` Orders older than the newest ${SEARCHED_ORDERS} are found only by number, whole email or tracking number.`
      }</p>`
    }
    ${tabs(
      "Which orders",
      VIEWS.map(([name, title]) => ({ name: title, href: address(name), here: name === view })),
    )}
    ${orders.length > 0 ? records("Orders, newest first", orders, COLUMNS, "dense") : sought === undefined && html`<p>No orders here.</p>`}
    ${links(view, next_before, after === null)}`,
    };
  },
};

/** Pasted text may carry invisible characters. */
async function found(admin: Admin, sought: string): Promise<OrderForPeople[]> {
  const words = sought.slice(0, 100).replace(/\p{C}/gu, "").replace(/\s+/g, " ").trim();
  return words === "" ? [] : admin.views.search({ words });
}

const isView = (name: unknown): name is OrderViewName =>
  typeof name === "string" && Object.hasOwn(ORDER_VIEWS, name);

const VIEWS: readonly (readonly [OrderViewName | undefined, string])[] = [
  [undefined, "All"],
  ["roast", "To roast"],
  ["ship", "To ship"],
  ["underway", "On the way"],
  ["done", "Done"],
  ["canceled", "Canceled"],
];

const address = (view: OrderViewName | undefined, before?: string): string => {
  const query = new URLSearchParams({ ...(view && { show: view }), ...(before && { before }) });
  return query.size > 0 ? `/desk/orders?${query}` : "/desk/orders";
};

/** Links to the newest and to older orders. */
function links(
  view: OrderViewName | undefined,
  next: string | null,
  newest: boolean,
): Markup | null {
  if (newest && next === null) return null;
  return html`<p class="cluster">
    ${newest ? null : html`<a class="button quiet" href="${address(view)}">Newest</a>`}
    ${next === null ? null : html`<a class="button quiet" href="${address(view, next)}">Older orders</a>`}
  </p>`;
}

const COLUMNS: readonly Column<OrderForPeople>[] = [
  ...shared(ORDER_COLUMNS),
  { name: "To", cell: destinations },
];
