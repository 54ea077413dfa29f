import type { OrderEvent } from "../../../domain/order/order-answer.ts";
import type { Dispute } from "../../../domain/payment/payment-answer.ts";
import { bags } from "../../../domain/shared/bags.ts";
import type { MerchantOrder } from "../../../merchant/admin-orders.ts";
import { humanStatus, money, moneyOff, shopMoment } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import { bagCount, notice, sumRow } from "../../pages/parts.ts";
import type { RefusedAction } from "../act.ts";
import { actForm, filledForm } from "./act-form.ts";
import { block, code, type DeskPage, theirs } from "./frame.ts";
import { notes, REASON, request } from "./order-forms.ts";
import { orderName } from "./orders.ts";
import { shipmentSlip } from "./shipment.ts";

export interface DeskOrderView {
  order: MerchantOrder;
  events: readonly OrderEvent[];
  refused: RefusedAction | undefined;
  /** Names this showing of its forms. */
  form: string;
}

export function orderPage(view: DeskOrderView): DeskPage {
  const { order, events } = view;
  const roast = order.shipments.some(({ status }) => status === "PENDING");
  return {
    title: `Order ${orderName(order)}`,
    place: "orders",
    lede: `Of ${shopMoment(order.created_at)}.`,
    body: html`<p class="progress cluster"><span class="chip">${humanStatus(order.status)}</span>
      ${bags(bagCount(order.items))},
      ${order.pricing.total_display}</p>
    ${facts(order)}
    ${hasOpenCancelRequest(order) ? request(view) : null}
    ${takenBack(order)}
    ${roast ? roastForm(order) : null}
    <div class="review">
      <div class="stack loose">
        ${order.shipments.map((shipment, index) => shipmentSlip(shipment, index, view))}
      </div>
      <div class="stack loose">
        ${payment(view)}
        ${notes(view)}
        ${history(events)}
      </div>
    </div>`,
  };
}

const facts = (order: MerchantOrder): Markup => html`<dl class="facts">
    <div><dt>Order</dt><dd class="code">${order.id}</dd></div>
    <div><dt>Buyer</dt><dd>${theirs(order.buyer_email)}</dd></div>
    <div><dt>Came by</dt><dd>${
      order.agent_id
        ? html`${order.agent_name ? theirs(order.agent_name) : null} ${code(order.agent_id)}`
        : "Quick checkout, without a key"
    }</dd></div>
  </dl>`;

const hasOpenCancelRequest = ({ cancel_request: asked }: MerchantOrder): boolean =>
  asked?.status === "REQUESTED";

/** Somebody may have read that they ask to cancel. */
const takenBack = ({ cancel_request: asked }: MerchantOrder): Markup | null =>
  asked?.status === "WITHDRAWN"
    ? notice("info", `The wish to cancel was taken back on ${shopMoment(asked.decided_at!)}.`, null)
    : null;

/** Not the first thing to press while somebody asks to cancel. */
function roastForm(order: MerchantOrder): Markup {
  const asked = hasOpenCancelRequest(order);
  const waiting = order.shipments.filter(({ status }) => status === "PENDING").length;
  const what = waiting === 1 ? "it" : `${waiting} shipments`;
  return actForm(
    "roast",
    {},
    html`<button${asked ? html` class="quiet"` : null} type="submit">Put ${what} into the roaster</button>`,
    asked ? "form" : "pay stack tight",
  );
}

const disputed = ({ status, amount_minor, reason, at, respond_by }: Dispute): Markup =>
  html`<p>Dispute of ${money(amount_minor)} (${humanStatus(reason).toLowerCase()}):
    <span class="chip">${humanStatus(status)}</span> ${shopMoment(at)}${
      respond_by ? html`. Answer it at the payment provider until ${shopMoment(respond_by)}` : null
    }.</p>`;

/** What was paid and went back, with what can be undone. */
function payment(view: DeskOrderView): Markup {
  const { payment, pricing, refunds } = view.order;
  return block(
    "payment",
    "Payment",
    html`<dl class="sums stack tight">
      ${sumRow("Coffee", money(pricing.subtotal_minor))}
      ${
        pricing.courtesy
          ? sumRow("Courtesy", moneyOff(pricing.courtesy.amount_minor), "sum-off")
          : null
      }
      ${sumRow("Shipping", pricing.shipping_minor === 0 ? "Free" : money(pricing.shipping_minor))}
      ${sumRow("Paid", money(payment.amount_minor), "sum-total")}
      ${payment.refunded_minor > 0 ? sumRow("Refunded", moneyOff(payment.refunded_minor)) : null}
    </dl>
    <p>${humanStatus(payment.status)} by ${humanStatus(payment.method).toLowerCase()} on ${shopMoment(payment.paid_at)}${
      payment.mode === "live" ? "" : `, ${payment.mode} money`
    }.</p>
    ${refunds.map(
      (refund) => html`<p>Refund of ${money(refund.amount_minor)}:
        <span class="chip">${humanStatus(refund.status)}</span> ${shopMoment(refund.at)}${
          refund.problem ? html` (${humanStatus(refund.problem).toLowerCase()})` : null
        }</p>`,
    )}
    ${payment.dispute ? disputed(payment.dispute) : null}
    ${refund(view)}
    ${cancel(view)}`,
  );
}

/** In parts as the merchant likes; while one waits to be made, pressing again tries it again. */
function refund({ order, refused }: DeskOrderView): Markup | null {
  const { refundable_minor: left } = order;
  const waits = order.refunds.some((r) => r.reason === "MERCHANT" && r.status === "PENDING");
  if (left < 1) {
    const again = html`<button class="quiet" type="submit">Try the refund again</button>`;
    return waits ? actForm("refund", {}, again) : null;
  }
  return filledForm(
    { act: "refund", hidden: { seen: String(left) }, summary: "Refund…" },
    refused,
    (show) => html`${show({
      name: "amount",
      label: "Amount in dollars",
      inputmode: "decimal",
      value: (left / 100).toFixed(2),
      hint: `At most ${money(left)}. It can be given in parts.`,
    })}
    <button class="danger" type="submit">Send the money back</button>`,
  );
}

function cancel({ order, refused }: DeskOrderView): Markup | null {
  if (order.status !== "CONFIRMED" && order.status !== "ROASTING") return null;
  return filledForm(
    { act: "cancel", summary: "Cancel the order…" },
    refused,
    (show) => html`${show(REASON)}
    <button class="danger" type="submit">Cancel this order</button>`,
  );
}

const history = (events: readonly OrderEvent[]): Markup =>
  block(
    "history",
    "What happened",
    html`<ol class="history stack tight">
      ${events.map(
        (event) => html`<li>${happened(event)}<br>
        <time datetime="${event.occurred_at}">${shopMoment(event.occurred_at)}</time></li>`,
      )}
    </ol>`,
  );

/** `shipment.updated` → `Shipment updated: in transit`. */
function happened({ type, data }: OrderEvent): string {
  const { status } = (data ?? {}) as { status?: unknown };
  const what = humanStatus(type.replaceAll(".", "_"));
  return typeof status === "string" ? `${what}: ${humanStatus(status).toLowerCase()}` : what;
}
