import { days } from "../../core/calendar.ts";
import type { ReviewedOrder } from "../../orders/review.ts";
import {
  type Headline,
  isAwaited,
  isHere,
  type OrderProgress,
  orderProgress,
} from "../../orders/standing.ts";
import {
  backAround,
  type Dispute,
  nothingBack,
  type Payment,
} from "../../payments/payment-answer.ts";
import { calendarDay, daySpan, moment, money } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { contact, merchantNote, notice } from "../../web/parts.ts";
import { cancelNotice } from "./cancel-request.ts";
import type { ReviewView } from "./review.ts";

/** The words for where an order is. Each is true of its shipments and its money together. */

const TITLES: Record<Headline, string> = {
  ORDERED: "Thank you. Your coffee is ordered.",
  ROASTING: "Your coffee is in the roaster",
  PARTLY_ON_ITS_WAY: "Part of your order is on its way",
  ON_ITS_WAY: "Your coffee is on its way",
  OUT_FOR_DELIVERY: "Out for delivery",
  PARTLY_DELIVERED: "Part of your order has arrived",
  DELIVERED: "Delivered. Enjoy your coffee.",
  DELIVERY_FAILED: "A delivery did not work",
  PARTLY_RETURNED: "Part of your order came back",
  RETURNED: "Your coffee came back to us",
  CANCELED: "This order was canceled",
};

export const orderTitle = (ordered: ReviewedOrder): string =>
  TITLES[orderProgress(ordered).headline];

/** What the buyer should know beyond the title, the most urgent first, then the facts. */
export function orderLead(ordered: ReviewedOrder, view: ReviewView): Markup {
  const { order, payment } = ordered;
  const progress = orderProgress(ordered);
  const { earliest, latest } = view.arrival;
  return html`${whereNotice(progress, ordered, view)} ${lateNotice(progress, ordered, view)} ${moneyNotice(ordered, progress, view)} ${cancelNotice(ordered, progress, view)}
    <dl class="facts">
      <div><dt>Order</dt>${
        order.number === null
          ? html`<dd class="code">${order.id}</dd>`
          : html`<dd>#${order.number}</dd>`
      }</div>
      ${
        progress.underWay &&
        html`<div><dt>Estimated delivery</dt><dd>${daySpan(earliest, latest)}</dd></div>`
      }
      <div><dt>Payment</dt><dd>${paymentText(payment)}</dd></div>
    </dl>`;
}

function whereNotice(
  { headline, money: state, partlyCanceled, underWay }: OrderProgress,
  ordered: ReviewedOrder,
  view: ReviewView,
): Markup | null {
  switch (headline) {
    case "DELIVERY_FAILED":
      return notice(
        "warn",
        "The carrier could not deliver.",
        html`<p>It is tried again, or the shipment comes back to us. Check the address below and the
        carrier's page. ${contact(view)}</p>`,
      );
    case "PARTLY_RETURNED":
    case "RETURNED":
      return notice(
        "warn",
        "The carrier brought a shipment back to us.",
        html`<p>${state !== "REFUNDED" && ordered.isToDecide && "It can be sent again, to another address too: what happens next is decided with you."}
        ${contact(view)}</p>`,
      );
    case "CANCELED":
      return canceledNotice(ordered, view);
    default:
      return partlyCanceled ? partNotice(ordered, underWay, view) : null;
  }
}

/** What is so, and no new day: none is known. */
function lateNotice(
  { headline }: OrderProgress,
  { shipments }: ReviewedOrder,
  view: ReviewView,
): Markup | null {
  if (view.daysLate === 0 || headline === "DELIVERY_FAILED") return null;
  const live = shipments.filter(({ status }) => status !== "CANCELED");
  const where = live.some(isHere)
    ? `${live.every(isHere) ? "it" : "a part of it"} has not left our shop yet`
    : `we do not know yet that ${live.every(isAwaited) ? "it" : "all of it"} has arrived`;
  return notice(
    "warn",
    `Your order is ${days(view.daysLate)} later than we estimated.`,
    html`<p>We expected it by ${calendarDay(view.arrival.latest)}, and ${where}. ${contact(view)}</p>`,
  );
}

function partNotice(ordered: ReviewedOrder, underWay: boolean, view: ReviewView): Markup {
  const what = ordered.canceled?.byBuyer ? "what you asked for" : "a part of this order";
  const title = `The shop canceled ${what}${underWay ? "; the rest goes on" : ""}.`;
  return notice("info", title, whyAndMoney(ordered, view));
}

function canceledNotice(ordered: ReviewedOrder, view: ReviewView): Markup {
  const { canceled } = ordered;
  const who = canceled?.byBuyer ? "Canceled, as you asked." : "The shop canceled this order.";
  return notice("warn", who, whyAndMoney(ordered, view));
}

/** What goes back for it is told apart from what was refunded before: that is told below. */
function whyAndMoney({ canceled, canceledAt, payment }: ReviewedOrder, view: ReviewView): Markup {
  const { before, since } = backAround(payment, canceledAt);
  const nothing =
    before > 0
      ? `Nothing has been refunded for this so far; ${money(before)} was refunded before it.`
      : "Nothing has been refunded so far.";
  return html`${canceled?.reason && merchantNote(canceled.reason)}
    ${nothingBack(payment, canceledAt) && html`<p>${nothing} ${contact(view)}</p>`}
    ${before > 0 && since > 0 && html`<p>For this, ${money(since)} goes back or went back the way you paid.</p>`}`;
}

function moneyNotice(
  ordered: ReviewedOrder,
  { money: state }: OrderProgress,
  view: ReviewView,
): Markup {
  const { dispute, refunds, refunded_minor } = ordered.payment;
  const whole = state === "REFUNDED" ? "Your whole payment" : money(refunded_minor);
  return html`${dispute && disputeNotice(dispute, view)}
    ${
      refunded_minor > 0 &&
      notice("good", `${whole} was refunded.`, html`<p>Banks take some days to show it.</p>`)
    }
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
    ? notice(
        "warn",
        `${money(view.owedMinor)} could not be refunded yet.`,
        html`<p>The shop knows and will settle it with you. ${contact(view)}</p>`,
      )
    : null;

const DISPUTES: Record<string, string> = {
  OPEN: "Your bank is looking into this payment.",
  WON: "Your bank has decided that the payment stands.",
  LOST: "Your bank has returned the money to you.",
};

function disputeNotice({ amount_minor, status }: Dispute, view: ReviewView): Markup {
  const body = html`<p>It is about ${money(amount_minor)}. ${contact(view)}</p>`;
  return notice("info", DISPUTES[status] ?? "There is a dispute about this payment.", body);
}

export const METHODS: Record<string, string> = {
  card: "by card",
  us_bank_account: "by bank debit",
};

function paymentText(payment: Payment): string {
  const method = METHODS[payment.method];
  return `Paid${method ? ` ${method}` : ""}, ${moment(payment.paid_at)}`;
}
