import { Reason } from "../core/admin-verb.ts";
import { bagList } from "../core/bags.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import { shipmentsRefundMinor } from "../orders/merchant-refund.ts";
import { hasLeft, isHere } from "../orders/standing.ts";
import { humanStatus } from "../orders/status-words.ts";
import { type Field, tickBox, tickBoxes } from "../web/form-parts.ts";
import { money, shopMoment } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { notice } from "../web/parts.ts";
import { actForm, type Fields, filledForm, type SentForm } from "./forms.ts";
import { block, type DeskPage, quoted, theirs, theirWords } from "./frame.ts";
import { type DeskOrder, orderName } from "./order-parts.ts";
import { refundSlip } from "./refund.ts";
import type { DeskAction, DeskActs, DeskRequest, Done } from "./route.ts";

type DeskShipment = MerchantOrder["shipments"][number];

const CANCELED = "was canceled, and nothing was refunded with it.";
const REFUNDED = "was canceled, and its refund is on its way.";

/** A sentence about the order of the act, which other pages need to name. */
const about =
  (words: string, isCancellation = false) =>
  async (_fields: Fields, { admin, result }: Done) => {
    if (typeof result !== "string") return `The order ${words}`;
    const order = await admin.orders.show({ order_id: result });
    const isPart = isCancellation && order.status !== "CANCELED";
    return `${isPart ? "Part of order" : "Order"} ${orderName(order)} ${words}`;
  };

const REASON: Field = {
  name: "reason",
  label: "Reason",
  hint: "The buyer and the agent read it.",
};

const isRefunding = (fields: Fields) => fields("refund") !== "";

const requested = ({ cancel_request: asked, shipments }: MerchantOrder) =>
  asked?.status === "REQUESTED"
    ? shipments.filter(({ id }) => asked.shipment_ids.includes(id))
    : [];

/** Shipments that an act cancels. */
type CanceledBy = (order: MerchantOrder, fields: Fields) => readonly DeskShipment[];

/** A cancellation, which is confirmed. A form without a valid reason goes to the verb, which refuses it. */
const canceling = (canceledBy: CanceledBy, needsReason = true): DeskAction => ({
  confirm: async (request, fields) =>
    !needsReason || Reason.safeParse(fields("reason")).success
      ? confirmCancel(request, fields, canceledBy)
      : null,
  done: (fields, did) => about(isRefunding(fields) ? REFUNDED : CANCELED, true)(fields, did),
});

/** The merchant cancels, asked or unasked, and answers a cancel request. */
export const CANCEL_ACTS = {
  "orders.cancel": canceling(({ shipments }) => shipments),
  "shipments.cancel": canceling(({ shipments }, fields) =>
    shipments.filter(({ id }) => fields.all("shipment_ids").includes(id)),
  ),
  "cancellations.accept": canceling(requested, false),
  "cancellations.decline": { done: about("goes on: the request is declined.") },
} satisfies DeskActs;

/**
 * Shows what a cancellation refunds and leaves. Null once that was seen, and for a form that the verb
 * refuses.
 */
async function confirmCancel(
  { admin }: DeskRequest,
  fields: Fields,
  canceledBy: CanceledBy,
): Promise<DeskPage | null> {
  if (fields("confirmed") !== "") return null;
  const order = await admin.orders.show({ order_id: fields("order_id") });
  const refunds = isRefunding(fields);
  const { shipments, refundable_minor: left } = order;
  const targets = canceledBy(order, fields);
  const paid = shipments.map(({ paid_minor }) => paid_minor);
  const amount = refunds ? shipmentsRefundMinor(targets, shipments, { paid, left }) : 0;
  const seen = fields("seen");
  const isStale = seen !== "" && seen !== String(order.version);
  if (isStale || targets.length === 0 || (refunds && amount < 1) || targets.some(hasLeft))
    return null;
  const reason = fields("reason");
  const isWhole = targets.length === shipments.length;
  const [what, button] = isWhole
    ? ["Cancel", "Cancel the order"]
    : targets.length === 1
      ? ["Cancel a shipment of", "Cancel the shipment"]
      : [`Cancel ${targets.length} shipments of`, "Cancel them"];
  return {
    title: `${what} order ${orderName(order)}`,
    lede: refunds
      ? "Check the amount. A cancellation is final, and its refund is sent at once. Bags not yet roasting go back to stock."
      : "A cancellation is final, and bags not yet roasting go back to stock. Nothing is refunded; the order waits on Today until you decide.",
    body: html`${!isWhole && html`<ul>${targets.map((one) => html`<li>${shipmentLine(order, one)}</li>`)}</ul>`}
    ${reason && html`<p>The buyer reads: ${quoted(reason)}</p>`}
    ${refundSlip(order, amount, {
      act: fields("act"),
      button: refunds ? `${button} and refund ${money(amount)}` : `${button} without a refund`,
      target: {
        seen,
        with: {
          order_id: order.id,
          reason,
          ...(refunds && { refund: "on" }),
          request_id: fields("request_id"),
          shipment_ids: fields.all("shipment_ids"),
          confirmed: "on",
        },
      },
    })}`,
  };
}

const ENDED = { ACCEPTED: "accepted", DECLINED: "declined", WITHDRAWN: "withdrawn" };

/** A cancel request that was decided or withdrawn, with the buyer's words. */
export function decidedRequest({ cancel_request: asked }: MerchantOrder): Markup | null {
  if (!asked || asked.status === "REQUESTED") return null;
  return notice(
    "info",
    `The cancel request was ${ENDED[asked.status]} on ${shopMoment(asked.decided_at!)}.`,
    html`${askedLine(asked)}${asked.message && theirWords(asked.message)}`,
  );
}

const askedLine = (asked: NonNullable<MerchantOrder["cancel_request"]>): Markup =>
  html`<p>${humanStatus(asked.reason_code)}, on ${shopMoment(asked.created_at)}, ${ASKED[asked.asked_by]}.</p>`;

const ASKED = { AGENT: "through their agent", BUYER: "on their own page" };

/** The open cancel request with the merchant's answers; null without one. */
export function cancelRequest({ order, refused }: DeskOrder): Markup | null {
  const targets = requested(order);
  const [only] = targets;
  if (!only) return null;
  const asked = order.cancel_request!;
  const whole = targets.length === order.shipments.length;
  return block(
    "request",
    "The buyer asks to cancel",
    html`${askedLine(asked)}
    ${asked.message && theirWords(asked.message)}
    ${!whole && html`<p>Only ${targets.length} of ${order.shipments.length} shipments:</p>`}
    ${requestedLines(order)}
    ${cancelAnswers({ order, refused })}`,
  );
}

/** What the buyer asks to cancel: parcel, person and bags. */
export const requestedLines = (order: MerchantOrder): Markup =>
  html`<ul>${requested(order).map((shipment) => html`<li>${shipmentLine(order, shipment)}</li>`)}</ul>`;

/** The merchant's answers to an open request. */
export function cancelAnswers({ order, refused }: DeskOrder): Markup | null {
  const targets = requested(order);
  if (targets.length === 0) return null;
  const asked = order.cancel_request!;
  const gone = targets.filter(({ shipped_at }) => shipped_at !== null).length;
  const whole = targets.length === order.shipments.length;
  const what = whole ? "" : targets.length === 1 ? " this shipment" : " these shipments";
  const target = {
    of: { request_id: asked.id, order_id: order.id },
    seen: order.version,
  };
  const { request_refund_minor: amount } = order;
  return html`${
    gone > 0
      ? html`<p>${
          targets.length === 1 ? "The shipment" : `${gone} of ${targets.length} shipments`
        } ${gone === 1 ? "has" : "have"} left, so you can only decline.${
          gone < targets.length && " After that you can cancel the rest under Payment."
        }</p>`
      : html`<div class="cluster">${
          amount
            ? actForm(
                "cancellations.accept",
                { ...target, with: { refund: "on" } },
                html`<button type="submit">Accept, cancel${what} and refund ${money(amount)}…</button>`,
              )
            : null
        }
        ${actForm(
          "cancellations.accept",
          target,
          html`<button class="quiet" type="submit">Cancel${what} without a refund…</button>`,
        )}</div>`
  }
    ${filledForm(
      { act: "cancellations.decline", ...target, summary: "Decline…", open: gone > 0 },
      refused,
      (show) => html`${show(REASON)}
      <button class="quiet" type="submit">Decline the request</button>`,
    )}`;
}

/** A shipment by its number on the page, its recipient and its bags. */
const shipmentLine = ({ shipments }: MerchantOrder, shipment: DeskShipment): Markup =>
  html`${shipments.length > 1 ? html`Shipment ${shipments.indexOf(shipment) + 1}, to` : "To"} ${theirs(shipment.address.name)}: ${bagList(shipment.items)}`;

/** Cancels the whole order while nothing has left, and single shipments that have not left. */
export function cancelForms(view: DeskOrder): Markup {
  const { status, shipments, refundable_minor: left } = view.order;
  const here = shipments.filter(isHere);
  const whole = status === "CONFIRMED" || status === "ROASTING";
  return html`${
    whole &&
    cancelForm(view, {
      act: "orders.cancel",
      summary: "Cancel the order…",
      refund: `Refund ${money(left)} with it`,
      button: "Cancel this order…",
    })
  }
  ${here.length > (whole ? 1 : 0) && shipmentsForm(view, here, whole)}`;
}

/** None of several is ticked at first, because a cancellation is final. */
function shipmentsForm(view: DeskOrder, here: readonly DeskShipment[], whole: boolean): Markup {
  const act = "shipments.cancel";
  const [only] = here;
  if (only && here.length === 1) {
    const paid = Math.min(only.paid_minor, view.order.refundable_minor);
    return cancelForm(view, {
      act,
      shipment_ids: only.id,
      summary: "Cancel the rest…",
      what: () => html`<p>${shipmentLine(view.order, only)}</p>`,
      refund: `Refund ${money(paid)} with it`,
      button: "Cancel this shipment…",
    });
  }
  const boxes = ({ sent, problems }: SentForm) => {
    const chosen = sent?.all("shipment_ids") ?? [];
    const choices = here.map((shipment) => ({
      value: shipment.id,
      label: html`${shipmentLine(view.order, shipment)} (${money(shipment.paid_minor)} paid)`,
      ticked: chosen.includes(shipment.id),
    }));
    const legend = "Which shipments?";
    return tickBoxes({ name: "shipment_ids", legend, choices, focused: true }, problems);
  };
  return cancelForm(view, {
    act,
    summary: whole ? "Cancel some shipments…" : "Cancel the rest…",
    what: boxes,
    refund: "Refund what was paid for them",
    button: "Cancel these shipments…",
  });
}

interface CancelForm {
  act: string;
  /** The only shipment to cancel. */
  shipment_ids?: string;
  summary: string;
  what?: (kept: SentForm) => Renderable;
  /** Label of the box that adds a refund. */
  refund: string;
  button: string;
}

function cancelForm(
  { order, refused }: DeskOrder,
  { act, summary, what, refund, button, ...only }: CancelForm,
): Markup {
  const { refundable_minor: left } = order;
  const refundBox = ({ sent }: SentForm) => {
    const ticked = sent === undefined || sent("refund") !== "";
    return tickBox({ name: "refund", value: "on", label: refund, ticked });
  };
  return filledForm(
    { act, of: only, seen: order.version, summary },
    refused,
    (show, kept) => html`${what?.(kept)}
    ${show(REASON)}
    ${left > 0 && refundBox(kept)}
    <button class="danger" type="submit">${button}</button>`,
  );
}
