import { bagCount, bags } from "../core/bags.ts";
import type { MerchantError } from "../core/errors.ts";
import type { ListedOrder } from "../orders/admin-views.ts";
import type { Shipment } from "../orders/order-answer.ts";
import { fieldValues } from "../web/body.ts";
import { hiddenFields } from "../web/form-parts.ts";
import { html, type Markup } from "../web/html.ts";
import { destinations, doubts, lateMark, orderLink, orderName, warning } from "./order-parts.ts";
import { formFields, justDone, MOST_ROWS, type Worklist } from "./worklist.ts";

/** The packing table: print the slips, then scan or paste one tracking number after the other. */
export const ship: Worklist = {
  place: "ship",
  done: "on the way",
  chosen(req) {
    const [carrier = ""] = fieldValues(req.body, "carrier");
    const numberOf = (id: string) => fieldValues(req.body, id)[0]?.trim() ?? "";
    return {
      ids: Object.keys(req.body ?? {}).filter((id) => id.startsWith("shp_") && numberOf(id) !== ""),
      act: (admin, id, seen) =>
        admin.shipments.ship({
          shipment_id: id,
          tracking: { carrier, number: numberOf(id) },
          seen,
        }),
      // The next scan is for the same carrier.
      kept: { carrier },
    };
  },
  page(orders, done, req, refusals) {
    const all = orders.flatMap((order) =>
      order.shipments
        .filter(({ status }) => status === "ROASTING")
        .map((shipment) => ({ order, shipment })),
    );
    const waiting = all.slice(0, MOST_ROWS);
    const first = waiting.find(({ shipment }) => refusals.has(shipment.id)) ?? waiting[0];
    const [carrier] = [...fieldValues(req.body, "carrier"), ...fieldValues(req.query, "carrier")];
    const rows = waiting.map((one) => {
      const { id } = one.shipment;
      const refusal = refusals.get(id);
      // What was sent for another one is not shown again: it is done.
      const number = refusal && fieldValues(req.body, id)[0];
      return row(one, { number, refusal, focused: one === first });
    });
    return {
      lede: "A scanner that ends with Enter sends one shipment at a time; typed in all fields, all go at once.",
      body: html`${
        rows.length === 0
          ? html`<p>Nothing waits to be shipped.</p>`
          : html`<p><a class="button quiet" href="/desk/slips">Packing slips and note cards to print</a></p>
    <form method="post" class="form">
      ${hiddenFields(formFields([...new Set(waiting.map(({ order }) => order))]))}
      <p class="field"><label for="carrier">Carrier</label>
        <input id="carrier" name="carrier" value="${carrier?.slice(0, 60) ?? "USPS"}" maxlength="60" required></p>
      <ul class="worklist stack tight">${rows}</ul>
      ${all.length > MOST_ROWS && html`<p class="hint">${all.length - MOST_ROWS} more come when these have left.</p>`}
      <button type="submit">Hand over to the carrier</button>
    </form>`
      }
    ${justDone(done, "Handed over just now")}`,
    };
  },
};

/** `number` is what was typed for it, and `refusal` why it could not be done. */
function row(
  { order, shipment }: { order: ListedOrder; shipment: Shipment },
  about: { number: string | undefined; refusal: MerchantError | undefined; focused: boolean },
): Markup {
  const { number, refusal, focused } = about;
  const { id, items } = shipment;
  const error = `${id}-error`;
  return html`<li><label for="${id}"><b>${orderName(order)}</b>, ${bags(bagCount(items))} to
      ${destinations({ shipments: [shipment] })}: tracking number
      ${doubts(order).map(warning)} ${lateMark(order)}</label>
      <input id="${id}" name="${id}" maxlength="100" autocomplete="off"
        value="${number}"${focused && html` autofocus`}${
          refusal && html` aria-invalid="true" aria-describedby="${error}"`
        }> ${refusal && html`<p class="field-error" id="${error}">${refusal.message}</p>`}
      ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
}
