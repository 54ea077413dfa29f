import { type ListedOrder, SEARCHED_ORDERS } from "../../../merchant/admin-views.ts";
import type { OrderViewName } from "../../../merchant/order-views.ts";
import { humanStatus, shopMoment } from "../../pages/format.ts";
import { html, type Markup, type Renderable } from "../../pages/html.ts";
import { bagCount } from "../../pages/parts.ts";
import { type Column, type DeskPage, records, tabs, theirs } from "./frame.ts";

export interface OrdersView {
  view: OrderViewName | undefined;
  /** Whether this is the newest page. */
  first: boolean;
  orders: readonly ListedOrder[];
  next_before: string | null;
  /** What was looked for, where something was. */
  q?: string;
}

/** An order, or the step or the request of one. */
type Numbered = { number?: number | null | undefined } & ({ order_id: string } | { id: string });

const orderId = (of: Numbered): string => ("order_id" in of ? of.order_id : of.id);

/** What people call an order; an id where an older version gave it no number. */
export const orderName = (of: Numbered): string =>
  of.number ? `#${of.number}` : orderId(of).slice(0, 12);

export const orderLink = (of: Numbered, text: Renderable = orderName(of)): Markup =>
  html`<a href="/desk/orders/${orderId(of)}">${text}</a>`;

const VIEWS: readonly (readonly [OrderViewName | undefined, string])[] = [
  [undefined, "All"],
  ["roast", "To roast"],
  ["ship", "To ship"],
  ["underway", "Under way"],
  ["done", "Completed"],
  ["canceled", "Canceled"],
];

export function ordersPage(view: OrdersView): DeskPage {
  const { orders, view: shown } = view;
  return {
    place: "orders",
    body: html`<form class="cluster search" method="get" action="/desk/orders" role="search">
      <label for="q">Number, name, email, city or tracking number</label>
      <input id="q" name="q" type="search" value="${view.q ?? ""}" maxlength="100">
      <button class="small quiet" type="submit">Search</button>
    </form>
    ${
      view.q
        ? html`<p>${orders.length === 0 ? "Nothing" : orders.length} found for <b>${view.q}</b>. Parts of names
      and addresses are looked for in the newest ${SEARCHED_ORDERS} orders; numbers, whole emails and tracking
      numbers in all.</p>`
        : null
    }
    ${tabs(
      "Which orders",
      VIEWS.map(([view, name]) => ({ name, href: address(view), here: view === shown })),
    )}
    ${orders.length > 0 ? records("Orders, newest first", orders, COLUMNS) : html`<p>No orders here.</p>`}
    ${pages(view)}`,
  };
}

const address = (view: OrderViewName | undefined, before?: string): string => {
  const query = new URLSearchParams({ ...(view && { show: view }), ...(before && { before }) });
  return query.size > 0 ? `/desk/orders?${query}` : "/desk/orders";
};

function pages({ view, first, next_before }: OrdersView): Markup | null {
  if (first && next_before === null) return null;
  return html`<p class="cluster">
    ${first ? null : html`<a class="button quiet" href="${address(view)}">Newest</a>`}
    ${
      next_before === null
        ? null
        : html`<a class="button quiet" href="${address(view, next_before)}">Older orders</a>`
    }
  </p>`;
}

const COLUMNS: readonly Column<ListedOrder>[] = [
  { name: "Order", cell: (order) => orderLink(order) },
  { name: "Ordered", cell: ({ created_at }) => shopMoment(created_at) },
  { name: "Status", cell: statusOf },
  { name: "Bags", number: true, cell: ({ items }) => bagCount(items) },
  { name: "To", cell: ({ shipments }) => destinations(shipments) },
  { name: "Buyer", cell: ({ buyer_email }) => theirs(buyer_email) },
  { name: "Total", number: true, cell: ({ pricing }) => pricing.total_display },
];

function statusOf({ status, payment, cancel_request: request }: ListedOrder): Markup {
  const warnings = [
    ...(payment.status === "PAID" ? [] : [humanStatus(payment.status)]),
    ...(request?.status === "REQUESTED" ? ["Asks to cancel"] : []),
  ];
  return html`<span class="chip">${humanStatus(status)}</span>${warnings.map(
    (words) => html`<br><span class="chip chip-warn">${words}</span>`,
  )}`;
}

function destinations(shipments: ListedOrder["shipments"]): Markup {
  const { name, city, region } = shipments[0]!.address;
  const more = shipments.length - 1;
  return html`${theirs(name)}, ${theirs(`${city}, ${region}`)}${more > 0 ? ` and ${more} more` : null}`;
}
