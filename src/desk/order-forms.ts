import { bagList } from "../core/bags.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import type { Field } from "../web/form-parts.ts";
import { humanStatus, money, shopMoment } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { notice } from "../web/parts.ts";
import { actForm, filledForm } from "./forms.ts";
import { block, theirs, theirWords } from "./frame.ts";
import type { DeskOrder } from "./order-parts.ts";
import { type DeskAction, seenIn } from "./route.ts";

/** Of an order whose money has gone back already, too. */
export const NOT_REFUNDED = "Nothing was refunded with it.";

/** What the merchant answers a buyer who asks to cancel. */
export const REQUEST_ACTS = {
  accept: {
    do: (admin, fields) =>
      admin.cancellations.accept({ request_id: fields("request"), seen: seenIn(fields) }),
    done: `Canceled. ${NOT_REFUNDED}`,
  },
  "accept-refund": {
    do: (admin, fields) =>
      admin.cancellations.acceptAndRefund({
        request_id: fields("request"),
        seen: seenIn(fields),
      }),
    done: "Canceled. The refund is recorded under Payment.",
  },
  decline: {
    do: (admin, fields) =>
      admin.cancellations.decline({
        request_id: fields("request"),
        reason: fields("reason"),
        seen: seenIn(fields),
      }),
    done: "The request is declined. The order goes on.",
  },
} satisfies Record<string, DeskAction>;

export const hasOpenCancelRequest = ({ cancel_request: asked }: MerchantOrder): boolean =>
  asked?.status === "REQUESTED";

/** Somebody may have read that they ask to cancel. */
export const takenBack = ({ cancel_request: asked }: MerchantOrder): Markup | null =>
  asked?.status === "WITHDRAWN"
    ? notice("info", `The wish to cancel was taken back on ${shopMoment(asked.decided_at!)}.`, null)
    : null;

/** How a request came. */
const ASKED = { AGENT: "through their agent", BUYER: "on their own page" };

/** The buyer's wish, and the merchant's two answers. */
export function request({ order, refused }: DeskOrder): Markup {
  const asked = order.cancel_request!;
  const targets = order.shipments.filter(({ id }) => asked.shipment_ids.includes(id));
  const left = targets.filter(({ shipped_at }) => shipped_at !== null).length;
  const whole = targets.length === order.shipments.length;
  const what = whole ? "" : targets.length === 1 ? " this shipment" : " these shipments";
  return block(
    "request",
    "The buyer asks to cancel",
    html`<p>${humanStatus(asked.reason_code)}, on ${shopMoment(asked.created_at)}, ${ASKED[asked.asked_by]}.</p>
    ${asked.message && theirWords(asked.message)}
    ${whole ? null : partOf(order, targets)}
    ${
      left > 0
        ? html`<p>${
            targets.length === 1 ? "The shipment" : `${left} of ${targets.length} shipments`
          } ${left === 1 ? "has" : "have"} left: it can only be declined.${
            left < targets.length && " After that, the rest of it can be canceled under Payment."
          }</p>`
        : html`<div class="cluster">${acceptAndRefund(order, what)}
        ${actForm(
          "accept",
          { request: asked.id, seen: String(order.version) },
          html`<button class="quiet" type="submit">Accept and cancel${what}, no refund now</button>`,
        )}</div>`
    }
    ${filledForm(
      {
        act: "decline",
        hidden: { request: asked.id, seen: String(order.version) },
        summary: "Decline…",
        open: left > 0,
      },
      refused,
      (show) => html`${show(REASON)}
      <button class="quiet" type="submit">Decline the request</button>`,
    )}`,
  );
}

/** Which shipments it is about, where others are to go on. */
const partOf = (order: MerchantOrder, targets: MerchantOrder["shipments"]): Markup =>
  html`<p>Only ${targets.length} of ${order.shipments.length} shipments:</p>
    <ul>${targets.map((shipment) => html`<li>${shipmentLine(order, shipment)}</li>`)}</ul>`;

/** By its number on the page, and what it is. */
export const shipmentLine = (
  { shipments }: MerchantOrder,
  shipment: MerchantOrder["shipments"][number],
): Markup =>
  html`Shipment ${shipments.indexOf(shipment) + 1}, to ${theirs(shipment.address.name)}: ${bagList(shipment.items)}`;

/** One act: it is canceled and what was paid for it goes back. */
function acceptAndRefund(order: MerchantOrder, what: string): Markup | null {
  const { cancel_request: asked, request_refund_minor: amount } = order;
  if (!amount) return null;
  return actForm(
    "accept-refund",
    { request: asked!.id, seen: String(order.version) },
    html`<button type="submit">Accept, cancel${what} and refund ${money(amount)}</button>`,
  );
}

export const REASON: Field = {
  name: "reason",
  label: "Reason",
  hint: "The buyer and the agent read it.",
};

export const NOTE: DeskAction = {
  do: (admin, fields, id) => admin.orders.note({ order_id: id, text: fields("text") }),
  done: "The note is saved. No agent and no buyer reads it.",
};

/** For the merchant alone; said so, because everything else on the page reaches somebody. */
export function notes({ order, refused }: DeskOrder): Markup {
  return block(
    "notes",
    "Internal notes",
    html`${order.notes.map(
      ({ text, created_at, written_by }) => html`<p class="their-words">${text}</p>
      <p class="hint">${shopMoment(created_at)}, ${written_by === "cli" ? "command line" : "desk"}</p>`,
    )}
    ${filledForm(
      { act: "note", summary: "Write a note…" },
      refused,
      (show) => html`${show({
        name: "text",
        label: "Note",
        hint: "No agent and no buyer reads it.",
        area: true,
        maxlength: 1000,
      })}
      <button class="quiet" type="submit">Save the note</button>`,
    )}`,
  );
}
