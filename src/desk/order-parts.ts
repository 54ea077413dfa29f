import type { OrderId } from "../core/ids.ts";
import { days } from "../core/time.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import type { NamedShipment } from "../orders/order-answer.ts";
import { doubtsAbout } from "../orders/order-steps.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { humanStatus, type StatusWord, type Tone, toneOf } from "../orders/status-words.ts";
import { whole } from "../web/body.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import type { RefusedAction } from "./forms.ts";
import { theirs } from "./frame.ts";

/** Input of an order's page. */
export interface DeskOrder {
  refused: RefusedAction | undefined;
  order: MerchantOrder;
  /** There is a mail server. */
  sending?: boolean;
  /** Id of the message whose answer is open. */
  answering?: string;
}

/** An order, or a row about one. */
type Numbered = { number?: number | undefined } & ({ order_id: OrderId } | { id: string });

const orderId = (of: Numbered): string => ("order_id" in of ? of.order_id : of.id);

/** The order's number, or the start of the id of another subject. */
export const orderName = (of: Numbered): string =>
  of.number ? `#${of.number}` : orderId(of).slice(0, 12);

/** `#1043`, and `#1043-2` for the second of several shipments. */
export const shipmentName = (order: OrderForPeople, shipment: NamedShipment): string => {
  const { shipments } = order;
  return `${orderName(order)}${shipments.length > 1 ? `-${shipments.indexOf(shipment) + 1}` : ""}`;
};

export const orderLink = (of: Numbered, text: Renderable = orderName(of)): Markup =>
  html`<a href="/desk/orders/${orderId(of)}">${text}</a>`;

/** Warnings to read before the next step. */
export function doubts(order: OrderForPeople): string[] {
  const { state, paidMinor, refundedMinor } = order.standing.money;
  const isGoingBack =
    refundedMinor < paidMinor && refundedMinor + order.refunding_minor >= paidMinor;
  const words = doubtsAbout(state, order.cancel_request?.status).map((one) =>
    one === "CANCEL_REQUESTED" ? "Asks to cancel" : humanStatus(one),
  );
  return isGoingBack ? [...words, "Refund pending"] : words;
}

/** Versions of the orders on a page, as its form sends them back. */
export const versionsField = (orders: readonly Pick<OrderForPeople, "id" | "version">[]): string =>
  orders.map(({ id, version }) => `${id}:${version}`).join(" ");

/** Reads `versionsField`; empty for a form made by hand. */
export const versionsIn = (sent: string): Map<string, number> =>
  new Map(
    sent
      .split(" ")
      .map((row) => row.split(":"))
      .flatMap(([id = "", version]) => (version ? [[id, whole(version)] as const] : [])),
  );

const chip = (words: Renderable, tone: Tone): Markup =>
  html`<span class="chip chip-${tone}">${words}</span>`;

export const warning = (words: Renderable): Markup => chip(words, "trouble");

/** One status, in the color of what it means. */
export const statusChip = (status: string, words = humanStatus(status)): Markup =>
  chip(words, toneOf(status));

export const chips = (words: readonly StatusWord[]): Markup[] =>
  words.map(({ text, tone }) => chip(text, tone));

export const lateMark = ({ standing: { lateness } }: Pick<OrderForPeople, "standing">) =>
  lateness?.isAtShop && warning(`${days(lateness.days)} late`);

/** Recipient and place of the first shipment, and how many more there are. */
export function destinations({ shipments }: Pick<OrderForPeople, "shipments">): Markup {
  const { name, city, region } = shipments[0]!.address;
  const more = shipments.length - 1;
  return html`${theirs(name)}, ${theirs(`${city}, ${region}`)}${more > 0 && ` and ${more} more`}`;
}
