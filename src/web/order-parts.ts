import { type Catalog, nameForPeople } from "../catalog/catalog.ts";
import { bagList } from "../core/bags.ts";
import {
  type Asker,
  type CancelRequestRow,
  ERASED,
  type OrderRow,
  type QuoteRow,
  type ShipmentRow,
} from "../core/records.ts";
import type { Shop } from "../core/shop.ts";
import {
  AFTER_FAILURE,
  AFTER_RETURN,
  BANK_TIME,
  buyerStatus,
  disputeTitle,
  lateTitle,
  lateWhere,
  moneyBackText,
  ORDER_TITLES,
} from "../orders/buyer-words.ts";
import { requestedShipments } from "../orders/cancel-request.ts";
import type { Shipment } from "../orders/order-answer.ts";
import type { Correction, ReviewedOrder, TimelineEntry } from "../orders/review.ts";
import {
  isHere,
  isMoving,
  type OrderStanding,
  shipmentSteps,
  trackingOf,
} from "../orders/standing.ts";
import { toneOf } from "../orders/status-words.ts";
import { ownRefunds } from "../payments/payment-answer.ts";
import type { OutAddress } from "../quotes/quote-answer.ts";
import { OWED_THEN, owedTitle } from "../quotes/quote-words.ts";
import { lineForPeople, type ShownItem } from "./bean-view.ts";
import { calendarDay, daySpan, moment, money, moneyOff } from "./format.ts";
import { html, type Markup } from "./html.ts";
import {
  addressBlock,
  contact,
  giftNotes,
  lineList,
  METHODS,
  merchantNote,
  notice,
  type Reachable,
  sumRow,
  trackingText,
} from "./parts.ts";

/** Parts that show an order, before payment and after it: on its page, and on its card in a chat. */

type ShownShipment = Pick<
  ShipmentRow,
  "id" | "status" | "carrier" | "tracking_number" | "tracking_url"
>;

type ShownRequest = Pick<
  CancelRequestRow,
  | "id"
  | "shipment_ids"
  | "status"
  | "asked_by"
  | "message"
  | "created_at"
  | "decided_at"
  | "decision"
>;

/** An order's own facts. A card has those of the agent's answer. */
export interface ShownOrder
  extends Pick<
    ReviewedOrder,
    "payment" | "standing" | "canceled" | "canceledAt" | "corrections" | "withdrawnBy"
  > {
  order: Pick<OrderRow, "number">;
  shipments: readonly ShownShipment[];
  cancelRequests: readonly ShownRequest[];
  timeline: readonly Pick<TimelineEntry, "kind" | "at">[];
}

/** Shipments to one address. */
export interface ShownDestination {
  /** Absent if only the sums of all addresses are known. */
  subtotalMinor?: number;
  shippingMinor?: number;
  shipments: readonly {
    shipment: Pick<Shipment, "address" | "gift_notes"> & { items: readonly ShownItem[] };
    row?: ShownShipment | undefined;
  }[];
}

/** A page or card about one order or quote. */
export interface OrderView extends Reachable {
  ordered?: ShownOrder | undefined;
  destinations: readonly ShownDestination[];
  /** Delivery estimate; before payment, as if it were paid now. */
  arrival: { earliest: string; latest: string };
  catalog: Catalog;
  shop: Pick<Shop, "name">;
  /** This shop sends emails. */
  mailing?: boolean;
  /** Address where a buyer without an agent changes details and bags before paying. */
  change?: string | undefined;
}

/** Thanks only for money that the shop has. */
export function orderTitle({ standing: { reason, money } }: ShownOrder): string {
  const isKept = money.state === "PAID" || money.state === "PARTLY_REFUNDED";
  return reason === "ORDERED" && !isKept ? "Your coffee is ordered" : ORDER_TITLES[reason];
}

/** When it arrives and where it is, then notices, the most urgent first, then the facts. */
export function orderLead(
  ordered: ShownOrder,
  view: OrderView,
  withdraw: (request: ShownRequest) => Markup,
): Markup {
  const { order, payment, standing } = ordered;
  const method = METHODS[payment.method];
  return html`${erasedNotice(view)} ${arrival(ordered, view)} ${trackButtons(view)} ${whereNotice(standing, ordered, view)} ${lateNotice(standing, view)} ${moneyNotice(ordered, standing, view)} ${cancelNotice(ordered, view, withdraw)}
    <dl class="facts">
      <div><dt>Order</dt><dd>#${order.number}, sold by ${view.shop.name}</dd></div>
      <div><dt>Payment</dt><dd>Paid${method && ` ${method}`}, ${moment(payment.paid_at)}</dd></div>
    </dl>`;
}

const erasedNotice = ({ destinations }: OrderView): Markup | null =>
  destinations.some(({ shipments }) => shipments.some(({ shipment }) => isErased(shipment.address)))
    ? notice(
        "info",
        "The personal data of this order was erased.",
        html`<p>Names, addresses, email and notes are gone. Bags and amounts stay for our books.</p>`,
      )
    : null;

/** No estimate for a shipment that failed, came back or is late. */
function arrival({ standing, timeline }: ShownOrder, view: OrderView) {
  const { reason, isUnderWay, lateness, hasFailedDelivery, hasReturn } = standing;
  if (reason === "DELIVERED") {
    const arrived = timeline.findLast(({ kind }) => kind === "DELIVERED");
    return arrived ? html`<p class="lede">Delivered <b>${moment(arrived.at)}</b></p>` : null;
  }
  if (lateness && !lateness.isAtShop && isUnderWay && !hasFailedDelivery && !hasReturn) {
    const left = timeline.findLast(({ kind }) => kind === "SHIPPED");
    return left
      ? html`<p class="lede">Shipped <b>${moment(left.at)}</b>. The carrier knows where it is now. ${contact(view)}</p>`
      : null;
  }
  if (!isUnderWay || lateness || hasFailedDelivery || hasReturn) return null;
  return html`<p class="lede">Estimated delivery <b>${daySpan(view.arrival.earliest, view.arrival.latest)}</b></p>`;
}

/** More packages are followed below, beside their addresses. */
const MOST_TRACKED_ABOVE = 3;

/** Packages on their way that are followed above; a page with more has all of them below. */
function trackedAbove({ destinations }: OrderView) {
  const moving = destinations.flatMap(({ shipments }) =>
    shipments.flatMap(({ shipment, row }) => {
      const tracking = row && isMoving(row) ? trackingOf(row) : null;
      return tracking ? [{ row, tracking, name: shipment.address.name }] : [];
    }),
  );
  return moving.length > MOST_TRACKED_ABOVE ? [] : moving;
}

function trackButtons(view: OrderView): Markup | null {
  const moving = trackedAbove(view);
  const all = view.destinations.flatMap(({ shipments }) => shipments);
  return html`${moving.map(
    ({ tracking, name }) =>
      html`<p class="cluster">${trackingText(tracking, all.length > 1 ? name : undefined)}</p>`,
  )}`;
}

function whereNotice(standing: OrderStanding, ordered: ShownOrder, view: OrderView) {
  const { reason, money, canceled, isReturnUndecided, isUnderWay } = standing;
  const byBuyer = ordered.canceled?.byBuyer;
  const whyAndMoney = html`${ordered.canceled?.reason && merchantNote(ordered.canceled.reason)}
    <p>${moneyBackText(ordered.payment, ordered.canceledAt)} ${money.isNothingBack ? contact(view) : BANK_TIME}</p>`;
  switch (reason) {
    case "DELIVERY_FAILED":
      return notice(
        "warn",
        "The carrier couldn’t deliver.",
        html`<p>${AFTER_FAILURE} Check the address below and the carrier’s page. ${contact(view)}</p>`,
      );
    case "PARTLY_RETURNED":
    case "RETURNED":
      return notice(
        "warn",
        "The carrier returned a shipment to us.",
        html`<p>${money.state !== "REFUNDED" && isReturnUndecided && `It can be sent again, to another address too. ${AFTER_RETURN}`}
        ${contact(view)}</p>`,
      );
    case "CANCELED":
      return notice(
        "warn",
        byBuyer ? "Canceled, as you asked." : "We had to cancel this order.",
        whyAndMoney,
      );
    default: {
      if (canceled !== "PARTLY") return null;
      const part = byBuyer ? "what you asked for" : "part of this order";
      const rest = isUnderWay ? "; the rest goes on" : "";
      return notice("info", `We canceled ${part}${rest}.`, whyAndMoney);
    }
  }
}

const lateNotice = ({ lateness, hasFailedDelivery }: OrderStanding, view: OrderView) =>
  lateness?.isAtShop && !hasFailedDelivery
    ? notice(
        "warn",
        lateTitle(lateness.days),
        html`<p>We expected it by ${calendarDay(view.arrival.latest)}, and ${lateWhere(lateness.where)}. ${contact(view)}</p>`,
      )
    : null;

/** Whether the notice of a cancellation tells of all refunds. */
const tellsOfRefunds = ({ reason, canceled, money }: OrderStanding): boolean =>
  canceled !== "NONE" &&
  money.dispute !== "LOST" &&
  !["DELIVERY_FAILED", "PARTLY_RETURNED", "RETURNED"].includes(reason);

function moneyNotice(
  { payment: { dispute, refunds } }: ShownOrder,
  standing: OrderStanding,
  view: OrderView,
): Markup {
  const { state, refundedMinor } = standing.money;
  const refunded = state === "REFUNDED" ? "your full payment" : money(refundedMinor);
  const pending = refunds.filter(({ status }) => status === "PENDING");
  return html`${dispute && notice("info", disputeTitle(dispute), html`<p>${contact(view)}</p>`)}
    ${
      !tellsOfRefunds(standing) &&
      html`${refundedMinor > 0 && notice("good", `We refunded ${refunded}.`, html`<p>${BANK_TIME}</p>`)}
    ${pending.map(({ amount_minor }) =>
      notice("info", `Your refund of ${money(amount_minor)} is on its way.`, null),
    )}`
    }
    ${owedNotice(standing.money.owedMinor, view)}`;
}

/** A refund that failed, with or without an order. */
export const owedNotice = (owedMinor: number, view: Reachable): Markup | null =>
  owedMinor > 0
    ? notice("warn", `${owedTitle(owedMinor)}.`, html`<p>${OWED_THEN} ${contact(view)}</p>`)
    : null;

/** Every shipment, grouped by shipping address. */
export const orderSlip = (view: OrderView): Markup => html`<div class="stack loose">
    ${view.destinations.map((destination, index) => destinationSlip(destination, index, view))}
  </div>`;

function destinationSlip(destination: ShownDestination, index: number, view: OrderView): Markup {
  const id = `address-${index + 1}`;
  const count = view.destinations.length;
  const { shipments, subtotalMinor, shippingMinor } = destination;
  return html`<section class="slip" aria-labelledby="${id}">
    <div class="row apart">
      <p class="eyebrow">${count > 1 ? `Ship to: address ${index + 1} of ${count}` : "Ship to"}</p>
      ${view.change && changeTo(`${view.change}#name`, "address")}
    </div>
    <h2 id="${id}">${slipTitle(destination)}</h2>
    ${shipments.map((shipment) => shipmentBlock(shipment, view, shipments.length > 1))}
    ${
      count > 1 && subtotalMinor !== undefined && shippingMinor !== undefined
        ? html`<dl class="sums stack tight">
      ${sumRow("Coffee for this address", money(subtotalMinor))}
      ${sumRow("Shipping", shippingMinor === 0 ? "Free" : money(shippingMinor))}
    </dl>`
        : shippingMinor === 0 && html`<p class="hint">Ships free.</p>`
    }
  </section>`;
}

function slipTitle({ shipments }: ShownDestination): string {
  const { address } = shipments[0]!.shipment;
  const isOne = shipments.length === 1;
  if (isErased(address)) {
    return isOne ? address.region : `${shipments.length} shipments to ${address.region}`;
  }
  return isOne ? address.name : `${shipments.length} shipments to one address`;
}

/** Whether the recipient was erased. The books keep the state alone. */
export const isErased = ({ name }: OutAddress): boolean => name === ERASED;

function shipmentBlock(
  { shipment, row }: ShownDestination["shipments"][number],
  view: OrderView,
  named: boolean,
): Markup {
  const { ordered, catalog, change } = view;
  const { address, gift_notes } = shipment;
  const items = shipment.items.map((item) => lineForPeople(catalog, item));
  return html`<div class="shipment stack">
    ${named && !isErased(address) && html`<h3>${address.name}</h3>`}
    ${
      row &&
      ordered &&
      progressBlock(
        row,
        ordered,
        trackedAbove(view).some((one) => one.row === row),
      )
    }
    ${!isErased(address) && addressBlock(address)}
    ${lineList(items)}
    ${change && changeTo(`${change}#total`, "bags")}
    ${gift_notes.length > 0 && giftNotes({ items, gift_notes })}
    ${change && gift_notes.length > 0 && changeTo(`${change}#total`, "note")}
  </div>`;
}

/** Link to change a part of an unpaid checkout. */
const changeTo = (address: string, what: string): Markup =>
  html`<a class="quiet-link" href="${address}">Change ${what}</a>`;

function progressBlock(
  row: ShownShipment,
  { corrections }: ShownOrder,
  isTrackedAbove: boolean,
): Markup {
  const tracking = trackingOf(row);
  const steps = shipmentSteps(row.status);
  return html`<p class="progress cluster">
    <span class="chip chip-${toneOf(row.status)}">${buyerStatus(row.status)}</span>
    ${tracking && !isTrackedAbove && trackingText(tracking)}
  </p>
  ${
    steps.length > 0 &&
    html`<ol class="stages">
    ${steps.map(
      ({ name, state }) =>
        html`<li class="step-${state}"${state === "now" && html` aria-current="step"`}>${buyerStatus(name)}${state === "ahead" && html`<span class="unseen"> (not yet)</span>`}</li>`,
    )}
  </ol>`
  }
  ${corrections
    .filter(({ shipmentId }) => shipmentId === row.id)
    .map(
      ({ at, ...correction }) => html`<p class="hint">${corrected(correction)} ${moment(at)}</p>`,
    )}`;
}

function corrected({ kind, was }: Pick<Correction, "kind" | "was">): string {
  switch (kind) {
    case "STEP_UNDONE":
      return `Correction: it was marked “${buyerStatus(was ?? "")}” by mistake.`;
    case "TRACKING_CORRECTED":
      return "We corrected the tracking number.";
    case "ADDRESS_CHANGED":
      return "We changed the address. The price stays the same.";
  }
}

/** How the shop answers a request to cancel. */
export const reviewed = ({ mailing }: OrderView): string =>
  mailing ? "We’ll review this and email you." : "We’ll review this and answer on this page.";

const WHO: Record<Asker, string> = { AGENT: "Your agent", BUYER: "You" };

function withdrawnNotice({ decided_at: at }: ShownRequest, { withdrawnBy }: ShownOrder) {
  const what =
    withdrawnBy === null
      ? "The cancellation request was withdrawn."
      : `${WHO[withdrawnBy]} withdrew the cancellation request.`;
  return notice("good", `${what} Your order goes on.`, at && html`<p>On ${moment(at)}.</p>`);
}

/** The open request, and its end while the order goes on. */
function cancelNotice(
  ordered: ShownOrder,
  view: OrderView,
  withdraw: (request: ShownRequest) => Markup,
): Markup | null {
  const request = ordered.cancelRequests.at(-1);
  if (request?.status === "REQUESTED") {
    return askedNotice(request, ordered, view, withdraw(request));
  }
  if (!ordered.standing.isUnderWay || !request) return null;
  if (request.status === "WITHDRAWN") return withdrawnNotice(request, ordered);
  if (request.status !== "DECLINED") return null;
  // The shop may cancel later what it declined to cancel.
  if (requestedShipments(request, ordered.shipments).every(isCanceled)) return null;
  const reason = request.decision ? merchantNote(request.decision) : null;
  return notice("info", "We declined the cancellation. Your order goes on.", reason);
}

function askedNotice(
  request: ShownRequest,
  { shipments }: ShownOrder,
  view: OrderView,
  withdraw: Markup,
): Markup {
  const targets = requestedShipments(request, shipments);
  const part = targets.length < shipments.length;
  return notice(
    "info",
    `${WHO[request.asked_by]} asked us to cancel ${part ? "part of this order" : "this order"}.`,
    html`<p>Asked on ${moment(request.created_at)}. ${reviewed(view)} Until then your order goes on.</p>
    ${
      part &&
      html`<ul>${shipmentsOf(view, targets).map((one) => html`<li>${shipmentLine(one, view)}</li>`)}</ul>`
    }
    ${request.message && html`<p>The message: <q><bdi>${request.message}</bdi></q></p>`}
    ${
      !targets.every(isHere) &&
      html`<p>${
        targets.some(isHere)
          ? "Part of it has shipped, so we can only decline this request. To ask for the rest alone, withdraw it first."
          : "It has shipped, so we can only decline this request."
      }</p>`
    }
    ${withdraw}`,
  );
}

/** These rows as the page shows them, in its order. */
export const shipmentsOf = ({ destinations }: OrderView, rows: readonly ShownShipment[]) =>
  destinations.flatMap(({ shipments }) => shipments.filter(({ row }) => row && rows.includes(row)));

export function shipmentLine(
  { shipment: { address, items } }: ShownDestination["shipments"][number],
  { catalog }: OrderView,
): Markup {
  const named = items.map((item) => ({ ...item, name: nameForPeople(catalog, item) }));
  const to = isErased(address) ? address.region : html`<bdi>${address.name}</bdi>, ${address.city}`;
  return html`To ${to}: ${bagList(named)}`;
}

export const isCanceled = ({ status }: ShownShipment): boolean => status === "CANCELED";

/** Says who prepared the order and when it should arrive. */
export function introduction(
  view: Pick<OrderView, "arrival" | "change"> & {
    agentName: string | null;
    quote: Pick<QuoteRow, "agent_id" | "buyer_email">;
  },
): Markup {
  const { earliest, latest } = view.arrival;
  const who =
    view.agentName === null
      ? "This order is"
      : html`An agent that calls itself <q><bdi>${view.agentName}</bdi></q> prepared this order`;
  return html`<p class="lede">${who} for <b>${view.quote.buyer_email}</b>. Nothing is ordered until you pay.
    ${view.change && changeTo(`${view.change}#email`, "email")}</p>
    <p>If you order today, we expect it to arrive <b>${daySpan(earliest, latest)}</b>. That’s an estimate.</p>
    ${view.quote.agent_id !== null && html`<p class="hint">Something not right? Ask your agent for a new quote.</p>`}`;
}

/** Refunds and a lost dispute, and the rest of the payment. */
export function refundSums({ payment }: Pick<ShownOrder, "payment">): Markup | null {
  const lost = payment.dispute?.status === "LOST" ? payment.dispute : null;
  if (payment.refunded_minor === 0 && !lost) return null;
  const done = ownRefunds(payment).filter(({ status }) => status === "DONE");
  const left = payment.amount_minor - payment.refunded_minor - (lost?.amount_minor ?? 0);
  return html`<dl class="sums stack tight">
    ${done.map(({ amount_minor, at }) =>
      sumRow(`Refunded ${moment(at)}`, moneyOff(amount_minor), "sum-off"),
    )}
    ${
      lost &&
      sumRow(`Returned by your bank ${moment(lost.at)}`, moneyOff(lost.amount_minor), "sum-off")
    }
    ${sumRow("Paid after refunds", money(left), "sum-total")}
  </dl>`;
}
