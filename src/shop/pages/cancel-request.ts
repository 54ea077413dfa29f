import { LIMITS } from "../../core/policy.ts";
import type { CancelRequestRow } from "../../core/records.ts";
import type { CancelWish } from "../../orders/cancel-request.ts";
import type { ReviewedOrder } from "../../orders/review.ts";
import { isHere } from "../../orders/standing.ts";
import { disclosure, formField, tickBoxes } from "../../web/form-parts.ts";
import { html, type Markup } from "../../web/html.ts";
import { isCanceled, reviewed, shipmentLine, shipmentsOf } from "../../web/order-parts.ts";
import { contact } from "../../web/parts.ts";
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
      <p>${reviewed(view)} Until then your order goes on. We can’t promise a refund.</p>
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

/** The form that withdraws an open request. */
export const withdrawForm =
  ({ url }: ReviewView) =>
  (request: Pick<CancelRequestRow, "id">): Markup =>
    html`<form method="post" action="${url}/cancel-request/withdraw">
      <input type="hidden" name="request" value="${request.id}">
      <button type="submit" class="quiet">Withdraw the request</button>
    </form>`;

/** Why there is no form. */
export function noCancelForm(ordered: ReviewedOrder, view: ReviewView): Markup | null {
  const { shipments, standing } = ordered;
  if (standing.cancelStep !== null || shipments.every(isCanceled)) return null;
  return shipments.some(isHere)
    ? html`This order has reached its limit of cancellation requests. ${contact(view)}`
    : html`A shipped order can’t be canceled.`;
}
