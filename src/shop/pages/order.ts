import type { ShipmentRow } from "../../core/records.ts";
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
  OWED_THEN,
  owedTitle,
} from "../../orders/buyer-words.ts";
import type { Correction, Destination, ReviewedOrder, TimelineEntry } from "../../orders/review.ts";
import { isMoving, type OrderStanding, shipmentSteps, trackingOf } from "../../orders/standing.ts";
import { toneOf } from "../../orders/status-words.ts";
import { lineForPeople } from "../../web/bean-view.ts";
import { calendarDay, daySpan, moment, money, moneyOff } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import {
  addressBlock,
  contact,
  giftNotes,
  lineList,
  METHODS,
  merchantNote,
  notice,
  sumRow,
  trackingText,
} from "../../web/parts.ts";
import { cancelNotice } from "./cancel-request.ts";
import type { ReviewView } from "./review-view.ts";

/** Parts of the review page that show an order: its notices, its shipments and its timeline. */

/** Thanks only for money that the shop has. */
export function orderTitle({ standing: { reason, money } }: ReviewedOrder): string {
  const isKept = money.state === "PAID" || money.state === "PARTLY_REFUNDED";
  return reason === "ORDERED" && !isKept ? "Your coffee is ordered" : ORDER_TITLES[reason];
}

/** When it arrives and where it is, then notices, the most urgent first, then the facts. */
export function orderLead(ordered: ReviewedOrder, view: ReviewView): Markup {
  const { order, payment, standing } = ordered;
  const method = METHODS[payment.method];
  return html`${arrival(ordered, view)} ${trackButtons(view)} ${whereNotice(standing, ordered, view)} ${lateNotice(standing, view)} ${moneyNotice(ordered, standing, view)} ${cancelNotice(ordered, standing, view)}
    <dl class="facts">
      <div><dt>Order</dt><dd>#${order.number}, sold by ${view.shop.name}</dd></div>
      <div><dt>Payment</dt><dd>Paid${method && ` ${method}`}, ${moment(payment.paid_at)}</dd></div>
    </dl>`;
}

/** No estimate for a shipment that failed, came back or is late. */
function arrival({ standing, timeline }: ReviewedOrder, view: ReviewView) {
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
function trackedAbove({ destinations }: ReviewView) {
  const moving = destinations.flatMap(({ shipments }) =>
    shipments.flatMap(({ shipment, row }) => {
      const tracking = row && isMoving(row) ? trackingOf(row) : null;
      return tracking ? [{ row, tracking, name: shipment.address.name }] : [];
    }),
  );
  return moving.length > MOST_TRACKED_ABOVE ? [] : moving;
}

function trackButtons(view: ReviewView): Markup | null {
  const moving = trackedAbove(view);
  const all = view.destinations.flatMap(({ shipments }) => shipments);
  return html`${moving.map(
    ({ tracking, name }) =>
      html`<p class="cluster">${trackingText(tracking, all.length > 1 ? name : undefined)}</p>`,
  )}`;
}

function whereNotice(standing: OrderStanding, ordered: ReviewedOrder, view: ReviewView) {
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

const lateNotice = ({ lateness, hasFailedDelivery }: OrderStanding, view: ReviewView) =>
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
  { payment: { dispute, refunds } }: ReviewedOrder,
  standing: OrderStanding,
  view: ReviewView,
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
    ${owedNotice(view)}`;
}

/** A refund that failed, with or without an order. */
export const owedNotice = (view: ReviewView): Markup | null =>
  view.standing.owedMinor > 0
    ? notice(
        "warn",
        `${owedTitle(view.standing.owedMinor)}.`,
        html`<p>${OWED_THEN} ${contact(view)}</p>`,
      )
    : null;

/** Every shipment, grouped by shipping address. */
export const orderSlip = (view: ReviewView): Markup => html`<div class="stack loose">
    ${view.destinations.map((destination, index) => destinationSlip(destination, index, view))}
  </div>`;

function destinationSlip(destination: Destination, index: number, view: ReviewView): Markup {
  const id = `address-${index + 1}`;
  const count = view.destinations.length;
  const { shipments, shippingMinor } = destination;
  const [first] = shipments;
  const single = shipments.length === 1 && first !== undefined;
  return html`<section class="slip" aria-labelledby="${id}">
    <div class="row apart">
      <p class="eyebrow">${count > 1 ? `Ship to: address ${index + 1} of ${count}` : "Ship to"}</p>
      ${view.change && changeTo(`${view.change}#name`, "address")}
    </div>
    <h2 id="${id}">${
      single ? first.shipment.address.name : `${shipments.length} shipments to one address`
    }</h2>
    ${shipments.map((shipment) => shipmentBlock(shipment, view, !single))}
    ${
      count > 1
        ? html`<dl class="sums stack tight">
      ${sumRow("Coffee for this address", money(destination.subtotalMinor))}
      ${sumRow("Shipping", shippingMinor === 0 ? "Free" : money(shippingMinor))}
    </dl>`
        : shippingMinor === 0 && html`<p class="hint">Ships free.</p>`
    }
  </section>`;
}

function shipmentBlock(
  { shipment, row }: Destination["shipments"][number],
  view: ReviewView,
  named: boolean,
): Markup {
  const { ordered, catalog, change } = view;
  const { address, gift_notes } = shipment;
  const items = shipment.items.map((item) => lineForPeople(catalog, item));
  return html`<div class="shipment stack">
    ${named && html`<h3>${address.name}</h3>`}
    ${
      row &&
      ordered &&
      progressBlock(
        row,
        ordered,
        trackedAbove(view).some((one) => one.row === row),
      )
    }
    ${addressBlock(address)}
    ${lineList(items)}
    ${change && changeTo(`${change}#total`, "bags")}
    ${gift_notes.length > 0 && giftNotes({ items, gift_notes })}
    ${change && gift_notes.length > 0 && changeTo(`${change}#total`, "note")}
  </div>`;
}

/** What the buyer of a cart can still change. */
export const changeTo = (address: string, what: string): Markup =>
  html`<a class="quiet-link" href="${address}">Change ${what}</a>`;

function progressBlock(
  row: ShipmentRow,
  { corrections }: ReviewedOrder,
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

const HAPPENED: Record<TimelineEntry["kind"], string> = {
  PAID: "Ordered and paid",
  ROASTING: "Roasting started",
  SHIPPED: buyerStatus("SHIPPED"),
  OUT_FOR_DELIVERY: buyerStatus("OUT_FOR_DELIVERY"),
  DELIVERED: buyerStatus("DELIVERED"),
  FAILED: buyerStatus("FAILED"),
  RETURNED: buyerStatus("RETURNED"),
  CANCELED: "Order canceled",
  CANCELED_IN_PART: "Shipment canceled",
  CANCEL_RECEIVED: "Cancellation requested",
  CANCEL_DECLINED: "Cancellation declined",
  CANCEL_WITHDRAWN: "Cancellation request withdrawn",
  REFUNDED: "Refunded",
  REFUND_FAILED: "A refund didn’t go through",
  DISPUTE_LOST: "Returned by your bank",
};

/** An email that left this soon needs no time of its own. */
const SAME_TIME_MS = 60_000;

/** Events of the order, with their amounts and emails. */
export function timelineBlock({ timeline }: ReviewedOrder, { destinations }: ReviewView): Markup {
  const sent = destinations.flatMap(({ shipments }) => shipments);
  const nameOf = (id: string | null) =>
    sent.length > 1 && sent.find(({ row }) => row?.id === id)?.shipment.address.name;
  return html`<section class="terms stack" aria-labelledby="timeline">
    <h2 id="timeline">Timeline</h2>
    <ol class="track stack tight">
      ${timeline.map(({ kind, at, shipmentId, amountMinor, emailedAt }) => {
        const name = nameOf(shipmentId);
        const amount =
          amountMinor && (amountMinor < 0 ? moneyOff(-amountMinor) : money(amountMinor));
        return html`<li>${HAPPENED[kind]}${name && html` (<bdi>${name}</bdi>)`}${amount && html` <b class="amount">${amount}</b>`}<br>
        <span class="hint">${moment(at)}${emailedAt !== null && `, email sent ${emailedAt - at < SAME_TIME_MS ? "" : moment(emailedAt)}`.trimEnd()}</span></li>`;
      })}
    </ol>
  </section>`;
}
