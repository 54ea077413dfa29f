import { days } from "../core/calendar.ts";
import type { ListedOrder } from "../orders/admin-views.ts";
import { type Doubt, doubtsAbout } from "../orders/order-steps.ts";
import { humanStatus } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { theirs } from "./frame.ts";

/** An order, or the step or the request of one. */
type Numbered = { number?: number | null | undefined } & ({ order_id: string } | { id: string });

const orderId = (of: Numbered): string => ("order_id" in of ? of.order_id : of.id);

/** What people call an order; an id where an older version gave it no number. */
export const orderName = (of: Numbered): string =>
  of.number ? `#${of.number}` : orderId(of).slice(0, 12);

export const orderLink = (of: Numbered, text: Renderable = orderName(of)): Markup =>
  html`<a href="/desk/orders/${orderId(of)}">${text}</a>`;

/** What speaks against going on with an order as with any other, in words. */
export const doubts = (order: ListedOrder): string[] =>
  doubtsOf(order).map((one) => (one === "CANCEL_REQUESTED" ? "Asks to cancel" : humanStatus(one)));

const doubtsOf = ({ standing, cancel_request: request }: ListedOrder): Doubt[] =>
  doubtsAbout(standing.money.state, request?.status);

/**
 * What a page showed of its orders, sent along with its form by the id that each act is for: what has
 * come up since is not passed over. Never empty, so that a form made by hand may leave it out.
 */
export const knownField = (rows: readonly (readonly [id: string, order: ListedOrder])[]): string =>
  rows
    .map(([id, order]) => [id, ...doubtsOf(order)])
    .flatMap((row) => (row.length > 1 ? [row.join(":")] : []))
    .join(" ") || "NONE";

/** What the page of an order calls it there. */
export const THIS = "this";

/** The doubts that a form's page showed about one of its ids. */
export function knownIn(sent: string, id: string): Doubt[] | undefined {
  if (sent === "") return undefined;
  const rows = sent.split(" ").map((row) => row.split(":"));
  return (rows.find(([of]) => of === id)?.slice(1) as Doubt[] | undefined) ?? [];
}

export const warning = (words: string): Markup =>
  html`<span class="chip chip-warn">${words}</span>`;

/** By how much an order is past its estimate; null where it is not. */
export const lateMark = ({ standing: { lateness } }: Pick<ListedOrder, "standing">) =>
  lateness && warning(`${days(lateness.days)} late`);

/** Whom it goes to, and the place: by this an order's shipments are told apart. */
export function destinations({ shipments }: Pick<ListedOrder, "shipments">): Markup {
  const { name, city, region } = shipments[0]!.address;
  const more = shipments.length - 1;
  return html`${theirs(name)}, ${theirs(`${city}, ${region}`)}${more > 0 && ` and ${more} more`}`;
}
