import {
  AFTER_FAILURE,
  AFTER_RETURN,
  BANK_TIME,
  DISPUTE_WORDS,
  LATE_WHERE,
  lateTitle,
  moneyBackText,
  ORDER_TITLES,
  OWED_THEN,
  owedTitle,
} from "../../orders/buyer-words.ts";
import type { ReviewedOrder } from "../../orders/review.ts";
import { type OrderStanding, orderStanding } from "../../orders/standing.ts";
import type { Dispute, Payment } from "../../payments/payment-answer.ts";
import { calendarDay, daySpan, moment, money } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { METHODS } from "../../web/order-parts.ts";
import { contact, merchantNote, notice } from "../../web/parts.ts";
import { cancelNotice } from "./cancel-request.ts";
import type { ReviewView } from "./review-view.ts";

export const orderTitle = (ordered: ReviewedOrder): string =>
  ORDER_TITLES[orderStanding(ordered, 0).reason];

/** What the buyer should know beyond the title, the most urgent first, then the facts. */
export function orderLead(ordered: ReviewedOrder, view: ReviewView): Markup {
  const { order, payment } = ordered;
  const standing = orderStanding(ordered, view.daysLate);
  const { earliest, latest } = view.arrival;
  return html`${whereNotice(standing, ordered, view)} ${lateNotice(standing, view)} ${moneyNotice(ordered, standing, view)} ${cancelNotice(ordered, standing, view)}
    <dl class="facts">
      <div><dt>Order</dt>${
        order.number === null
          ? html`<dd class="code">${order.id}</dd>`
          : html`<dd>#${order.number}</dd>`
      }</div>
      ${
        standing.isUnderWay &&
        html`<div><dt>Estimated delivery</dt><dd>${daySpan(earliest, latest)}</dd></div>`
      }
      <div><dt>Payment</dt><dd>${paymentText(payment)}</dd></div>
    </dl>`;
}

function whereNotice(
  standing: OrderStanding,
  ordered: ReviewedOrder,
  view: ReviewView,
): Markup | null {
  const { reason, money, canceled, isReturnUndecided } = standing;
  switch (reason) {
    case "DELIVERY_FAILED":
      return notice(
        "warn",
        "The carrier could not deliver.",
        html`<p>${AFTER_FAILURE} Check the address below and the carrier's page. ${contact(view)}</p>`,
      );
    case "PARTLY_RETURNED":
    case "RETURNED":
      return notice(
        "warn",
        "The carrier brought a shipment back to us.",
        html`<p>${money.state !== "REFUNDED" && isReturnUndecided && `It can be sent again, to another address too. ${AFTER_RETURN}`}
        ${contact(view)}</p>`,
      );
    case "CANCELED":
      return canceledNotice(ordered, standing, view);
    default:
      return canceled === "PARTLY" ? partNotice(ordered, standing, view) : null;
  }
}

function lateNotice(
  { lateness, hasFailedDelivery }: OrderStanding,
  view: ReviewView,
): Markup | null {
  if (!lateness || hasFailedDelivery) return null;
  return notice(
    "warn",
    lateTitle(lateness.days),
    html`<p>We expected it by ${calendarDay(view.arrival.latest)}, and ${LATE_WHERE[lateness.where]}. ${contact(view)}</p>`,
  );
}

function partNotice(ordered: ReviewedOrder, standing: OrderStanding, view: ReviewView): Markup {
  const what = ordered.canceled?.byBuyer ? "what you asked for" : "a part of this order";
  const title = `The shop canceled ${what}${standing.isUnderWay ? "; the rest goes on" : ""}.`;
  return notice("info", title, whyAndMoney(ordered, standing, view));
}

function canceledNotice(ordered: ReviewedOrder, standing: OrderStanding, view: ReviewView): Markup {
  const { canceled } = ordered;
  const who = canceled?.byBuyer ? "Canceled, as you asked." : "The shop canceled this order.";
  return notice("warn", who, whyAndMoney(ordered, standing, view));
}

function whyAndMoney(
  { canceled, canceledAt, payment }: ReviewedOrder,
  { money }: OrderStanding,
  view: ReviewView,
): Markup {
  return html`${canceled?.reason && merchantNote(canceled.reason)}
    <p>${moneyBackText(payment, canceledAt)} ${money.isNothingBack && contact(view)}</p>`;
}

function moneyNotice(
  ordered: ReviewedOrder,
  { money: { state, refundedMinor } }: OrderStanding,
  view: ReviewView,
): Markup {
  const { dispute, refunds } = ordered.payment;
  const whole = state === "REFUNDED" ? "Your whole payment" : money(refundedMinor);
  return html`${dispute && disputeNotice(dispute, view)}
    ${refundedMinor > 0 && notice("good", `${whole} was refunded.`, html`<p>${BANK_TIME}</p>`)}
    ${refunds
      .filter(({ status }) => status === "PENDING")
      .map(({ amount_minor }) =>
        notice("info", `${money(amount_minor)} is on its way back to you.`, null),
      )}
    ${owedNotice(view)}`;
}

/** What was to go back and did not, with an order and without one. */
export const owedNotice = (view: ReviewView): Markup | null =>
  view.owedMinor > 0
    ? notice("warn", `${owedTitle(view.owedMinor)}.`, html`<p>${OWED_THEN} ${contact(view)}</p>`)
    : null;

function disputeNotice({ amount_minor, status }: Dispute, view: ReviewView): Markup {
  const body = html`<p>The payment: ${money(amount_minor)}. ${contact(view)}</p>`;
  return notice("info", DISPUTE_WORDS[status] ?? "Your bank is reviewing this payment.", body);
}

function paymentText(payment: Payment): string {
  const method = METHODS[payment.method];
  return `Paid${method ? ` ${method}` : ""}, ${moment(payment.paid_at)}`;
}
