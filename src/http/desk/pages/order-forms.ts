import { bags } from "../../../domain/shared/bags.ts";
import type { MerchantOrder } from "../../../merchant/admin-orders.ts";
import type { Field } from "../../pages/form-parts.ts";
import { humanStatus, money, shopMoment } from "../../pages/format.ts";
import { html, type Markup } from "../../pages/html.ts";
import { actForm, filledForm } from "./act-form.ts";
import { block, theirs, theirWords } from "./frame.ts";
import type { DeskOrderView } from "./order.ts";

/** The agent's wish, and the merchant's two answers. */
export function request({ order, refused }: DeskOrderView): Markup {
  const asked = order.cancel_request!;
  const targets = order.shipments.filter(({ id }) => asked.shipment_ids.includes(id));
  const left = targets.filter(({ shipped_at }) => shipped_at !== null).length;
  const whole = targets.length === order.shipments.length;
  const what = whole ? "" : targets.length === 1 ? " this shipment" : " these shipments";
  return block(
    "request",
    "The buyer asks to cancel",
    html`<p>${humanStatus(asked.reason_code)}, on ${shopMoment(asked.created_at)}.</p>
    ${asked.message ? theirWords(asked.message) : null}
    ${whole ? null : partOf(order, targets)}
    ${
      left > 0
        ? html`<p>${left} of ${targets.length} shipments have left: it can only be declined.</p>`
        : html`<div class="cluster">${acceptAndRefund(order, what)}
        ${actForm(
          "accept",
          { request: asked.id },
          html`<button class="quiet" type="submit">Accept and cancel${what}, no refund now</button>`,
        )}</div>`
    }
    ${filledForm(
      { act: "decline", hidden: { request: asked.id }, summary: "Decline…", open: left > 0 },
      refused,
      (show) => html`${show(REASON)}
      <button class="quiet" type="submit">Decline the request</button>`,
    )}`,
  );
}

/** Which shipments it is about, where others are to go on. */
const partOf = (order: MerchantOrder, targets: MerchantOrder["shipments"]): Markup =>
  html`<p>Only ${targets.length} of ${order.shipments.length} shipments:</p>
    <ul>${targets.map(
      ({ address, items }) =>
        html`<li>To ${theirs(address.name)}: ${items
          .map(({ name, quantity }) => `${bags(quantity)} of ${name}`)
          .join(", ")}</li>`,
    )}</ul>`;

/** One act: it is canceled and what was paid for it goes back. */
function acceptAndRefund(order: MerchantOrder, what: string): Markup | null {
  const { cancel_request: asked, refundable_minor: left, request_refund_minor: amount } = order;
  if (!amount) return null;
  return actForm(
    "accept-refund",
    { request: asked!.id, seen: String(left) },
    html`<button type="submit">Accept, cancel${what} and refund ${money(amount)}</button>`,
  );
}

export const REASON: Field = {
  name: "reason",
  label: "Reason",
  hint: "The agent reads it, and tells the buyer.",
};

/** For the merchant alone; said so, because everything else on the page reaches somebody. */
export function notes({ order, refused, form }: DeskOrderView): Markup {
  return block(
    "notes",
    "Internal notes",
    html`${order.notes.map(
      ({ text, created_at, written_by }) => html`<p class="their-words">${text}</p>
      <p class="hint">${shopMoment(created_at)}, ${written_by === "cli" ? "command line" : "desk"}</p>`,
    )}
    ${filledForm(
      { act: "note", hidden: { form }, summary: "Write a note…" },
      refused,
      (show) => html`${show({
        name: "text",
        label: "Note",
        hint: "No agent and no buyer reads it.",
        area: true,
        maxlength: 1000,
      })}
      <button class="quiet" type="submit">Keep the note</button>`,
    )}`,
  );
}
