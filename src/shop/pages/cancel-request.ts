import { nameForPeople } from "../../catalog/catalog.ts";
import { bagList } from "../../core/bags.ts";
import { LIMITS } from "../../core/policy.ts";
import type { Asker, CancelRequestRow, ShipmentRow } from "../../core/records.ts";
import type { CancelWish } from "../../orders/cancel-request.ts";
import { askedBy, requestedShipments } from "../../orders/cancel-request.ts";
import type { Destination, ReviewedOrder } from "../../orders/review.ts";
import type { OrderStanding } from "../../orders/standing.ts";
import { cancelStep, isHere } from "../../orders/standing.ts";
import { disclosure, type Field, formField, tickBoxes } from "../../web/form-parts.ts";
import { moment } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { contact, hasAgent, merchantNote, notice } from "../../web/parts.ts";
import type { RefusedWish, ReviewView } from "./review-view.ts";

/** Asking to cancel on the order's own page, as an agent asks by its tool (contract §5). */

const REASONS: Record<CancelWish["reason_code"], string> = {
  CHANGED_MIND: "I changed my mind",
  WRONG_ITEM: "I ordered the wrong thing",
  WRONG_ADDRESS: "The address is wrong",
  DUPLICATE: "I ordered it twice",
  DELIVERY_TIME: "It takes too long",
  OTHER: "Another reason",
};

/** Names this showing of the form: another request makes it another form. */
const formOf = ({ cancelRequests }: ReviewedOrder): string => cancelRequests.at(-1)?.id ?? "first";

type OrderedShipment = Destination["shipments"][number];

/** By what the buyer knows it. */
function shipmentLine({ shipment }: OrderedShipment, { catalog }: ReviewView): Markup {
  const { address, items } = shipment;
  const named = items.map((item) => ({ ...item, name: nameForPeople(catalog, item) }));
  return html`To <bdi>${address.name}</bdi>, ${address.city}: ${bagList(named)}`;
}

const told = ({ mailing }: ReviewView): string =>
  mailing ? "We write to you when it has decided." : "This page shows what it decides.";

/** These rows as the page shows them, one below the other. */
const shipmentsOf = ({ destinations }: ReviewView, rows: readonly ShipmentRow[]) =>
  destinations.flatMap(({ shipments }) => shipments.filter(({ row }) => row && rows.includes(row)));

/** The form, where asking is still possible. */
export function cancelForm(view: ReviewView): Markup | null {
  const { ordered, refusedWish } = view;
  if (!ordered || cancelStep(ordered) !== "request_cancellation") return null;
  const one = ordered.shipments.length === 1;
  const form = html`<form class="form" method="post" action="${view.url}/cancel-request" novalidate>
      <input type="hidden" name="form" value="${formOf(ordered)}">
      ${shipmentChoice(ordered, view)}
      ${reasonFields(refusedWish)}
      <p>We’ll review this and decide. Until then your order goes on. A refund is not promised. ${told(view)}</p>
      <div><button type="submit">Ask the shop to cancel</button></div>
    </form>`;
  return html`<section class="terms stack unprinted" aria-labelledby="cancel">
    <h2 id="cancel">Cancel</h2>
    ${takenBack(ordered)}
    <p>As long as ${one ? "it" : "a shipment"} has not left the shop, you can ask to cancel it. The shop
      decides.</p>
    <p>Only the address is wrong? The shop can change it until then. ${
      view.supportEmail || hasAgent(view) ? contact(view) : "Ask below, and write the right one."
    }</p>
    ${disclosure("Ask to cancel…", form, refusedWish?.sent !== undefined)}
  </section>`;
}

/** Of several a box each, all of them ticked; where only one is here, that one. */
function shipmentChoice({ shipments }: ReviewedOrder, view: ReviewView): Markup {
  const { problems = [], sent } = view.refusedWish ?? {};
  const here = shipmentsOf(view, shipments.filter(isHere));
  const [only] = here;
  if (only && here.length === 1) {
    return html`<input type="hidden" name="shipment" value="${only.row!.id}">
      ${shipments.length > 1 && html`<p>${shipmentLine(only, view)}</p>`}`;
  }
  const choices = here.map((one) => {
    const value = one.row!.id;
    return {
      value,
      label: shipmentLine(one, view),
      ticked: sent?.shipments.includes(value) ?? true,
    };
  });
  const legend = "What do you want to cancel?";
  return tickBoxes({ name: "shipment", legend, choices }, problems);
}

function reasonFields({ problems, sent }: RefusedWish = { problems: [] }): Markup {
  const why: Field = {
    name: "reason",
    label: "Why?",
    choices: Object.entries(REASONS).map(([value, label]) => ({ value, label })),
    value: sent?.reason,
    optional: true,
  };
  const message: Field = {
    name: "message",
    label: "Message to the shop",
    area: true,
    maxlength: LIMITS.cancel_message_characters,
    value: sent?.message,
    optional: true,
  };
  return html`${formField(why, problems)} ${formField(message, problems)}`;
}

const WHO: Record<Asker, string> = { AGENT: "Your agent", BUYER: "You" };

function takenBack({ cancelRequests, withdrawnBy }: ReviewedOrder): Markup | null {
  const last = cancelRequests.at(-1);
  if (last?.status !== "WITHDRAWN" || last.decided_at === null) return null;
  const what =
    withdrawnBy === null
      ? "The request to cancel was taken back"
      : `${WHO[withdrawnBy]} took the request to cancel back`;
  return html`<p>${what} on ${moment(last.decided_at)}. Your order goes on.</p>`;
}

/** What was asked and what the shop said to it, for the top of the page. */
export function cancelNotice(
  ordered: ReviewedOrder,
  { isUnderWay }: OrderStanding,
  view: ReviewView,
): Markup | null {
  const request = ordered.cancelRequests.at(-1);
  if (request?.status === "REQUESTED") return askedNotice(request, ordered, view);
  if (request?.status !== "DECLINED") return null;
  // The shop may cancel after all what it has declined to.
  const targets = requestedShipments(request, ordered.shipments);
  if (targets.every(isCanceled)) return null;
  const reason = request.decision ? merchantNote(request.decision) : null;
  const then = isUnderWay ? " Your order goes on." : "";
  return notice("info", `The shop declined the cancellation.${then}`, reason);
}

function askedNotice(
  request: CancelRequestRow,
  { shipments }: ReviewedOrder,
  view: ReviewView,
): Markup {
  const targets = requestedShipments(request, shipments);
  const part = targets.length < shipments.length;
  const what = part ? "a part of this order" : "this order";
  return notice(
    "info",
    `${WHO[askedBy(request)]} asked the shop to cancel ${what}.`,
    html`<p>Asked on ${moment(request.created_at)}. The shop decides; until then the order goes on.
    ${told(view)}</p>
    ${
      part &&
      html`<ul>${shipmentsOf(view, targets).map((one) => html`<li>${shipmentLine(one, view)}</li>`)}</ul>`
    }
    ${request.message && html`<p>The message: <q><bdi>${request.message}</bdi></q></p>`}
    ${
      !targets.every(isHere) &&
      html`<p>${
        targets.some(isHere)
          ? "Some of it has left the shop since, so this request can only be declined. To ask for the rest alone, take it back first."
          : "It has left the shop since, so this request can only be declined."
      }</p>`
    }
    <form method="post" action="${view.url}/cancel-request/withdraw">
      <input type="hidden" name="request" value="${request.id}">
      <button type="submit" class="quiet">Take the request back</button>
    </form>`,
  );
}

const isCanceled = ({ status }: ShipmentRow): boolean => status === "CANCELED";

/** For a buyer who looks for the form where it is not. */
export function noCancelForm(ordered: ReviewedOrder, view: ReviewView): Markup | null {
  const { shipments } = ordered;
  if (cancelStep(ordered) !== null || shipments.every(isCanceled)) return null;
  return shipments.some(isHere)
    ? html`Canceling was asked for as often as can be. ${contact(view)}`
    : html`What has left the shop cannot be canceled any more.`;
}
