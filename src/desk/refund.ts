import type { OrderId } from "../core/ids.ts";
import { display, sum, typedDollars } from "../core/money.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import { amountTyped } from "../orders/merchant-refund.ts";
import { humanStatus } from "../orders/status-words.ts";
import { fieldIn, fieldValues } from "../web/body.ts";
import { formField, tickBox } from "../web/form-parts.ts";
import { money, moneyOff, shopMoment } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { sumRow } from "../web/parts.ts";
import { actForm, type Fields, handleButton, type Target } from "./forms.ts";
import { theirs } from "./frame.ts";
import { orderName, statusChip } from "./order-parts.ts";
import type { DeskActs, DeskRoute } from "./route.ts";

/** Address of the page that confirms a refund: of an amount, or of a returned shipment. */
export function refundPage(orderId: OrderId, minor?: number, shipment?: string): string {
  const query = new URLSearchParams({
    ...(minor !== undefined && { amount: typedDollars(minor) }),
    ...(shipment && { shipment }),
  });
  return `/desk/orders/${orderId}/refund${query.size > 0 ? `?${query}` : ""}`;
}

/**
 * Lines of an order, each with its choices: from 1 bag to all, with the price that was paid for them, without
 * those that were refunded.
 */
const linesOf = ({ shipments }: MerchantOrder) =>
  shipments.flatMap((shipment, at) =>
    shipment.items.flatMap(({ name, quantity, paid_minor: paid }, line) => {
      const left = shipment.paid_minor - shipment.refunded_minor;
      const to = shipments.length > 1 ? ` to ${shipment.address.name}` : "";
      const choices = Array.from({ length: quantity }, (_, i) => ({
        key: `${at}-${line}-${i + 1}`,
        shipment: shipment.id,
        words: `${i + 1} × ${name}`,
        to,
        // Single bags of a line never add up to more than the line.
        paid_minor: Math.floor((paid * (i + 1)) / quantity),
      })).filter(({ paid_minor }) => paid_minor <= left);
      return choices.length > 0 ? { id: `${at}-${line}`, name, to, choices } : [];
    }),
  );

type Line = ReturnType<typeof linesOf>[number];

/** A box for a single bag, a list of counts for more. */
function lineField({ id, name, to, choices }: Line): Markup {
  const [only] = choices;
  if (only && choices.length === 1) {
    const label = html`${only.words}${to && theirs(to)}, ${money(only.paid_minor)}`;
    return tickBox({ name: "item", value: only.key, label, ticked: false });
  }
  return formField({
    name: "item",
    id: `refund-${id}`,
    label: `${name}${to}`,
    optional: true,
    choices: choices.map(({ key, words, paid_minor }) => ({
      value: key,
      label: `${words}, ${money(paid_minor)}`,
    })),
  });
}

export function amountForm(order: MerchantOrder, value: string, wrong?: string): Markup {
  const { id, refundable_minor: left, canceled_refund_minor: canceled } = order;
  const lines = linesOf(order);
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
        hint: `At most ${money(left)}. You can refund in parts.${
          canceled && canceled < left ? ` The canceled part cost ${money(canceled)}.` : ""
        }`,
      },
      problems,
    )}
    ${
      lines.length > 0 &&
      html`<fieldset><legend>Or for these bags <span class="hint">optional; their price counts then</span></legend>
      ${lines.map(lineField)}</fieldset>`
    }
    ${formField({
      name: "reason",
      id: "refund-reason",
      label: "Reason",
      hint: "Kept as an internal note.",
      optional: true,
      maxlength: 500,
    })}
    <button class="quiet" type="submit">Review the refund</button></form>`;
}

/** Refunds a returned shipment that is not sent again, or leaves its money. */
export const returnButtons = (
  row: NonNullable<MerchantOrder["shipments"][number]["returned"]>,
): Markup =>
  html`${
    row.refund_minor > 0 &&
    html`<a class="button small quiet" href="${refundPage(row.order_id, undefined, row.shipment_id)}">Refund ${money(row.refund_minor)}…</a>`
  }
    ${handleButton(row, "Dismiss")}`;

type Refund = MerchantOrder["refunds"][number];

/** One refund of an order. One that the provider has not taken can be tried again. */
export const refundLine = ({ id, amount_minor, status, problem, at, to_be_made }: Refund): Markup =>
  html`<p>Refund of ${money(amount_minor)}:
    ${statusChip(status)} ${shopMoment(at)}${problem && html` (${humanStatus(problem).toLowerCase()})`}</p>
    ${
      to_be_made &&
      actForm(
        "refunds.retry",
        { of: { refund_id: id }, seen: null },
        html`<button class="small quiet" type="submit">Try the refund of ${money(amount_minor)} again</button>`,
      )
    }`;

/** Acts of the order page. */
export const REFUND_ACTS = {
  "orders.refund": { done: "The refund is on its way: see Payment." },
  "refunds.retry": { done: "The refund was tried again: see Payment." },
} satisfies DeskActs;

const orderPage = (fields: Fields): string => `/desk/orders/${fields("order_id")}`;

const backTo = ({ id }: MerchantOrder): Markup =>
  html`<a class="button quiet" href="/desk/orders/${id}">Back to the order</a>`;

/** Shows what a refund leaves, and sends the form that asks for it. */
export function refundSlip(
  order: MerchantOrder,
  amount: number,
  { act, target, button }: { act: string; target: Target; button: string },
): Markup {
  const { refundable_minor: left, payment } = order;
  return html`<div class="slip desk-block"><dl class="sums stack tight">
      ${sumRow("Paid", money(payment.amount_minor))}
      ${payment.amount_minor > left && sumRow("Already refunded or taken back", moneyOff(payment.amount_minor - left))}
      ${amount > 0 && sumRow("This refund", moneyOff(amount))}
      ${sumRow("Left after it", money(left - amount), "sum-total")}
    </dl>
    <div class="cluster">${actForm(act, target, html`<button class="danger" type="submit">${button}</button>`)}
    ${backTo(order)}</div></div>`;
}

/** Asks once, with amount, bags and reason; then the refund is sent. */
export const confirmRefund: DeskRoute = {
  place: "orders",
  path: "/desk/orders/:id/refund",
  async show({ req, id, admin }) {
    const order = await admin.orders.show({ order_id: id });
    const { refundable_minor: left, version: seen } = order;
    const { amount: typed = "", shipment } = req.query;
    const title = `Refund order ${orderName(order)}`;
    const returned = order.shipments.find((row) => row.id === shipment)?.returned;
    if (shipment !== undefined && !returned) {
      const body = html`<p>This shipment needs no decision any more.</p><p>${backTo(order)}</p>`;
      return { title, body };
    }
    const items = fieldValues(req.query, "item").filter(Boolean);
    const chosen = linesOf(order).flatMap(
      ({ choices }) => choices.findLast(({ key }) => items.includes(key)) ?? [],
    );
    // Without this, bags refunded in another tab would leave no choice here, which means everything left.
    const isStale = chosen.length < items.length;
    const ofItems = Math.min(left, sum(chosen.map(({ paid_minor }) => paid_minor)));
    const amount = returned
      ? returned.refund_minor
      : chosen.length > 0
        ? ofItems
        : amountOf(String(typed), left);
    const reason = fieldIn(req.query, "reason").trim().slice(0, 500);
    const what = chosen.map(({ words, to }) => `${words}${to}`).join(", ");
    const why = [what && `for ${what}`, reason].filter(Boolean).join(": ");
    if (amount === null || amount < 1 || amount > left || isStale) {
      const wrong = isStale
        ? "Some of these bags were refunded already. Choose again."
        : `Enter an amount in dollars from ${display(1)} to ${display(left)}.`;
      return {
        title,
        body: html`${left < 1 ? html`<p>Nothing is left to refund.</p>` : amountForm(order, String(typed), wrong)}<p>${backTo(order)}</p>`,
      };
    }
    const shipment_ids = [...new Set(chosen.map((one) => one.shipment))];
    const note =
      why && `Refund of ${display(amount)} ${what ? why : `: ${why}`}`.replace(" :", ":");
    return {
      title,
      lede: "Check the amount. The refund is sent at once and can’t be undone.",
      body: html`${why && html`<p>${theirs(why.charAt(0).toUpperCase() + why.slice(1))}</p>`}
      ${refundSlip(order, amount, {
        button: `Refund ${money(amount)}`,
        ...(returned
          ? {
              act: "shipments.refund",
              target: { of: { shipment_id: returned.shipment_id }, seen },
            }
          : {
              act: "orders.refund",
              target: {
                seen,
                with: { note, amount: typedDollars(amount), shipment_ids },
              },
            }),
      })}`,
    };
  },
  acts: {
    "orders.refund": { ...REFUND_ACTS["orders.refund"], to: orderPage },
    "shipments.refund": { ...REFUND_ACTS["orders.refund"], to: orderPage },
  },
};

/** All that is left if nothing was typed; null for text that is no amount. */
function amountOf(typed: string, left: number): number | null {
  try {
    return amountTyped(typed) ?? left;
  } catch {
    return null;
  }
}
