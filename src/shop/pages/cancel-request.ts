import { nameForPeople } from "../../catalog/catalog.ts";
import { bagList } from "../../core/bags.ts";
import { LIMITS } from "../../core/policy.ts";
import type { Asker, CancelRequestRow, ShipmentRow } from "../../core/records.ts";
import { type CancelWish, requestedShipments } from "../../orders/cancel-request.ts";
import type { Destination, ReviewedOrder } from "../../orders/review.ts";
import { isHere, type OrderStanding } from "../../orders/standing.ts";
import { disclosure, formField, tickBoxes } from "../../web/form-parts.ts";
import { moment } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { contact, merchantNote, notice } from "../../web/parts.ts";
import type { RefusedCancelForm, ReviewView } from "./review-view.ts";

/** Parts of the order page that ask the shop to cancel (contract §5). */

const REASONS: Record<CancelWish["reason_code"], string> = {
  CHANGED_MIND: "I changed my mind",
  WRONG_ITEM: "I ordered the wrong thing",
  WRONG_ADDRESS: "The address is wrong",
  DUPLICATE: "I ordered it twice",
  DELIVERY_TIME: "It takes too long",
  OTHER: "Another reason",
};

const review = ({ mailing }: ReviewView): string =>
  mailing ? "We’ll review this and email you." : "We’ll review this and answer on this page.";

/** The form, while the order can be canceled. */
export function cancelForm(view: ReviewView): Markup | null {
  const { ordered, refusedForm } = view;
  if (ordered?.standing.cancelStep !== "request_cancellation") return null;
  // Names this showing of the form: the next request gets a new name.
  const formName = ordered.cancelRequests.at(-1)?.id ?? "first";
  const form = html`<form class="form" method="post" action="${view.url}/cancel-request" novalidate>
      <input type="hidden" name="form" value="${formName}">
      ${shipmentChoice(ordered, view)}
      ${reasonFields(refusedForm)}
      <p>${review(view)} Until then your order goes on. We can’t promise a refund.</p>
      <div><button type="submit">Ask us to cancel</button></div>
    </form>`;
  const one = ordered.shipments.length === 1;
  return html`<section class="terms stack unprinted" aria-labelledby="cancel">
    <h2 id="cancel">Cancel</h2>
    <p>You can ask us to cancel ${one ? "your order" : "a shipment"} until it ships.</p>
    <p>Just the wrong address? We can change it until then. ${contact(view)}</p>
    ${disclosure("Ask to cancel…", form, refusedForm?.sent !== undefined)}
  </section>`;
}

/** One box for each shipment that can be canceled. A single shipment needs no box. */
function shipmentChoice({ shipments }: ReviewedOrder, view: ReviewView): Markup {
  const { problems = [], sent } = view.refusedForm ?? {};
  const here = shipmentsOf(view, shipments.filter(isHere));
  const [only] = here;
  if (only && here.length === 1) {
    return html`<input type="hidden" name="shipment" value="${only.row!.id}">
      ${shipments.length > 1 && html`<p>${shipmentLine(only, view)}</p>`}`;
  }
  const choices = here.map((one) => {
    const value = one.row!.id;
    const ticked = sent?.shipments.includes(value) ?? false;
    return { value, label: shipmentLine(one, view), ticked };
  });
  const legend = "What do you want to cancel?";
  return tickBoxes({ name: "shipment", legend, choices }, problems);
}

/** These rows as the page shows them, in its order. */
const shipmentsOf = ({ destinations }: ReviewView, rows: readonly ShipmentRow[]) =>
  destinations.flatMap(({ shipments }) => shipments.filter(({ row }) => row && rows.includes(row)));

function shipmentLine(
  { shipment: { address, items } }: Destination["shipments"][number],
  { catalog }: ReviewView,
): Markup {
  const named = items.map((item) => ({ ...item, name: nameForPeople(catalog, item) }));
  return html`To <bdi>${address.name}</bdi>, ${address.city}: ${bagList(named)}`;
}

const reasonFields = ({ problems, sent }: RefusedCancelForm = { problems: [] }): Markup[] => [
  formField(
    {
      name: "reason",
      label: "Why?",
      choices: Object.entries(REASONS).map(([value, label]) => ({ value, label })),
      value: sent?.reason,
      optional: true,
    },
    problems,
  ),
  formField(
    {
      name: "message",
      label: "Message to the shop",
      area: true,
      maxlength: LIMITS.cancel_message_characters,
      value: sent?.message,
      optional: true,
    },
    problems,
  ),
];

const WHO: Record<Asker, string> = { AGENT: "Your agent", BUYER: "You" };

function withdrawnNotice({ decided_at: at }: CancelRequestRow, { withdrawnBy }: ReviewedOrder) {
  const what =
    withdrawnBy === null
      ? "The cancellation request was withdrawn."
      : `${WHO[withdrawnBy]} withdrew the cancellation request.`;
  return notice("good", `${what} Your order goes on.`, at && html`<p>On ${moment(at)}.</p>`);
}

/** The open request, and its end while the order goes on, for the top of the page. */
export function cancelNotice(
  ordered: ReviewedOrder,
  { isUnderWay }: OrderStanding,
  view: ReviewView,
): Markup | null {
  const request = ordered.cancelRequests.at(-1);
  if (request?.status === "REQUESTED") return askedNotice(request, ordered, view);
  if (!isUnderWay || !request) return null;
  if (request.status === "WITHDRAWN") return withdrawnNotice(request, ordered);
  if (request.status !== "DECLINED") return null;
  // The shop may cancel later what it declined to cancel.
  if (requestedShipments(request, ordered.shipments).every(isCanceled)) return null;
  const reason = request.decision ? merchantNote(request.decision) : null;
  return notice("info", "We declined the cancellation. Your order goes on.", reason);
}

function askedNotice(
  request: CancelRequestRow,
  { shipments }: ReviewedOrder,
  view: ReviewView,
): Markup {
  const targets = requestedShipments(request, shipments);
  const part = targets.length < shipments.length;
  return notice(
    "info",
    `${WHO[request.asked_by]} asked us to cancel ${part ? "part of this order" : "this order"}.`,
    html`<p>Asked on ${moment(request.created_at)}. ${review(view)} Until then your order goes on.</p>
    ${
      part &&
      html`<ul>${shipmentsOf(view, targets).map((one) => html`<li>${shipmentLine(one, view)}</li>`)}</ul>`
    }
    ${request.message && html`<p>The message: <q><bdi>${request.message}</bdi></q></p>`}
    ${
      !targets.every(isHere) &&
      html`<p>${
        targets.some(isHere)
          ? "Part of it has shipped, so we can only decline this request. To ask for the rest alone, withdraw it first."
          : "It has shipped, so we can only decline this request."
      }</p>`
    }
    <form method="post" action="${view.url}/cancel-request/withdraw">
      <input type="hidden" name="request" value="${request.id}">
      <button type="submit" class="quiet">Withdraw the request</button>
    </form>`,
  );
}

const isCanceled = ({ status }: ShipmentRow): boolean => status === "CANCELED";

/** Why there is no form. */
export function noCancelForm(ordered: ReviewedOrder, view: ReviewView): Markup | null {
  const { shipments, standing } = ordered;
  if (standing.cancelStep !== null || shipments.every(isCanceled)) return null;
  return shipments.some(isHere)
    ? html`This order has reached its limit of cancellation requests. ${contact(view)}`
    : html`A shipped order can’t be canceled.`;
}
