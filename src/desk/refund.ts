import { display, typedDollars } from "../core/money.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import { amountTyped } from "../orders/merchant-refund.ts";
import { formField } from "../web/form-parts.ts";
import { money, moneyOff } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { sumRow } from "../web/parts.ts";
import { actForm } from "./forms.ts";
import { orderName } from "./order-parts.ts";
import { type DeskAction, type DeskRoute, seenIn } from "./route.ts";

/** Address of the page that confirms a refund: of an amount, or of a shipment that came back. */
export function refundPage(orderId: string, minor?: number, shipment?: string): string {
  const query = new URLSearchParams({
    ...(minor !== undefined && { amount: typedDollars(minor) }),
    ...(shipment && { shipment }),
  });
  return `/desk/orders/${orderId}/refund${query.size > 0 ? `?${query}` : ""}`;
}

/** Asks for the amount; in parts as the merchant likes. */
export function amountForm(
  { id, refundable_minor: left, canceled_refund_minor: canceled }: MerchantOrder,
  value: string,
  wrong?: string,
): Markup {
  const problems = wrong === undefined ? [] : [{ field: "amount", message: wrong }];
  return html`<form class="form" method="get" action="${refundPage(id)}">
    ${formField(
      {
        name: "amount",
        id: "refund-amount",
        label: "Amount in dollars",
        inputmode: "decimal",
        value,
        focused: wrong !== undefined,
        hint: `At most ${money(left)}. It can be given in parts.${
          canceled && canceled < left ? ` For what is canceled it is ${money(canceled)}.` : ""
        }`,
      },
      problems,
    )}
    <button class="quiet" type="submit">Review the refund</button></form>`;
}

export const REFUND: DeskAction = {
  do: (admin, fields, id) =>
    admin.orders.refund({
      order_id: id,
      amount_minor: amountTyped(fields("amount")),
      seen: seenIn(fields),
    }),
  done: "The refund is recorded. Its status stands under Payment.",
};

/** Shows what a refund leaves before any money moves. */
export const confirmRefund: DeskRoute = {
  place: "orders",
  path: "/desk/orders/:id/refund",
  async show({ req, id, admin }) {
    const order = await admin.orders.show({ order_id: id });
    const { refundable_minor: left, payment, version } = order;
    const back = html`<a class="button quiet" href="/desk/orders/${order.id}">Back to the order</a>`;
    const { amount: typed = "", shipment } = req.query;
    const returned = order.shipments.find((row) => row.id === shipment)?.returned;
    const amount = returned ? returned.refund_minor : amountOf(String(typed), left);
    const title = `Refund order ${orderName(order)}`;
    if (amount === null || amount < 1 || amount > left) {
      const wrong = `Enter an amount in dollars from ${display(1)} to ${display(left)}.`;
      return {
        title,
        body: html`${left < 1 ? html`<p>Nothing is left to refund.</p>` : amountForm(order, String(typed), wrong)}<p>${back}</p>`,
      };
    }
    const fields = { seen: String(version) };
    const [act, hidden] = returned
      ? ["refund-returned", { ...fields, shipment: returned.shipment_id }]
      : ["refund", { ...fields, amount: typedDollars(amount) }];
    return {
      title,
      lede: "Check the amount. Once sent, a refund can't be taken back.",
      body: html`<div class="slip desk-block"><dl class="sums stack tight">
      ${sumRow("Paid", money(payment.amount_minor))}
      ${payment.amount_minor > left && sumRow("Already refunded or taken back", moneyOff(payment.amount_minor - left))}
      ${sumRow("This refund", moneyOff(amount))}
      ${sumRow("Left after it", money(left - amount), "sum-total")}
    </dl>
    <div class="cluster">${actForm(act as string, hidden as Record<string, string>, html`<button class="danger" type="submit">Refund ${money(amount)}</button>`)}
    ${back}</div></div>`,
    };
  },
  acts: {
    refund: { ...REFUND, to: (id) => `/desk/orders/${id}` },
    "refund-returned": {
      do: (admin, fields) =>
        admin.shipments.refund({ shipment_id: fields("shipment"), seen: seenIn(fields) }),
      done: REFUND.done,
      to: (id) => `/desk/orders/${id}`,
    },
  },
};

/** Null for what is no amount; all that is left where none was typed. */
function amountOf(typed: string, left: number): number | null {
  try {
    return amountTyped(typed) ?? left;
  } catch {
    return null;
  }
}
