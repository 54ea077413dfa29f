import type { Request } from "express";
import { bagCount, bags } from "../core/bags.ts";
import type { MerchantError } from "../core/errors.ts";
import type { NamedShipment } from "../orders/order-answer.ts";
import { nextShipmentSteps, type ShipmentStep } from "../orders/order-steps.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { carrierOf } from "../orders/tracking.ts";
import { fieldValues } from "../web/body.ts";
import { formField, hiddenFields, tickBox } from "../web/form-parts.ts";
import { shopMoment } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import {
  destinations,
  doubts,
  lateMark,
  orderLink,
  orderName,
  statusChip,
  warning,
} from "./order-parts.ts";
import {
  countButton,
  formFields,
  justDone,
  MOST_ROWS,
  WORKLIST_SCRIPT,
  type Worklist,
} from "./worklist.ts";

interface Row {
  order: OrderForPeople;
  shipment: NamedShipment;
}

const rowsBefore = (orders: readonly OrderForPeople[], step: ShipmentStep): Row[] =>
  orders.flatMap((order) =>
    order.shipments
      .filter(({ status }) => status !== "RETURNED" && nextShipmentSteps(status).includes(step))
      .map((shipment) => ({ order, shipment })),
  );

/** Packing: print the slips, then scan tracking numbers or paste them as a column. */
export const ship: Worklist = {
  place: "ship",
  done: "on the way",
  chosen(req) {
    const [carrier = ""] = fieldValues(req.body, "carrier");
    const { numbers, problem } = numbersIn(req);
    return {
      ids: problem ? [] : [...numbers.keys()],
      problem,
      act(admin, id, seen) {
        const number = numbers.get(id) ?? "";
        const by = carrierOf(number) ?? carrier.trim();
        return admin.shipments.ship({
          shipment_id: id,
          tracking: { number, ...(by && { carrier: by }) },
          seen,
        });
      },
      // The next scan is for the same carrier.
      kept: { carrier },
    };
  },
  page(orders, done, req, refusals) {
    const all = rowsBefore(orders, "SHIPPED");
    const waiting = all.slice(0, MOST_ROWS);
    const first = waiting.find(({ shipment }) => refusals.has(shipment.id)) ?? waiting[0];
    const [carrier] = [...fieldValues(req.body, "carrier"), ...fieldValues(req.query, "carrier")];
    const { numbers, problem } = numbersIn(req);
    const rows = waiting.map((one) => {
      const { id } = one.shipment;
      const refusal = refusals.get(id);
      // Numbers of shipped rows are not shown again.
      const number = refusal || problem ? numbers.get(id) : undefined;
      return numberField(one, { number, refusal, focused: one === first });
    });
    return {
      lede: "Scan one number after the other, or paste a column of them into the first field.",
      body: html`${
        rows.length === 0
          ? html`<p>Nothing to ship.</p>`
          : html`<p><a class="button quiet" href="/desk/slips">Print packing slips and note cards</a></p>
    <form method="post" class="form">
      ${hiddenFields(formFields([...new Set(waiting.map(({ order }) => order))]))}
      <ul class="worklist stack tight">${rows}</ul>
      ${all.length > MOST_ROWS && html`<p class="hint">${all.length - MOST_ROWS} more come when these have left.</p>`}
      ${formField({
        name: "numbers",
        label: "Paste tracking numbers, one per line",
        hint: "Top to bottom, for the shipments without a number above. A blank line skips one.",
        area: true,
        optional: true,
        value: problem ? fieldValues(req.body, "numbers")[0] : "",
      })}
      ${formField({
        name: "carrier",
        label: "Carrier of other numbers",
        hint: "USPS, UPS, FedEx and DHL are recognized by the number.",
        optional: true,
        maxlength: 60,
        value: carrier?.slice(0, 60) ?? "USPS",
      })}
      ${countButton(0, {
        one: "Mark 1 as shipped",
        many: "Mark # as shipped",
        none: "Mark as shipped",
      })}
    </form>`
      }
    ${justDone(done, "Shipped just now")}${WORKLIST_SCRIPT}`,
    };
  },
};

/** Tracking number per shipment, from its field or from the pasted column, whose lines fill empty fields. */
function numbersIn(req: Request): { numbers: Map<string, string>; problem?: string } {
  const ids = Object.keys(req.body ?? {}).filter((id) => id.startsWith("shp_"));
  const own = ids.map((id) => [id, fieldValues(req.body, id)[0]?.trim() ?? ""] as const);
  const empty = own.filter(([, number]) => number === "");
  const [column = ""] = fieldValues(req.body, "numbers");
  const lines = column.trimEnd() === "" ? [] : column.trimEnd().split(/\r\n|\r|\n/);
  const filled = own.filter(([, number]) => number !== "");
  if (lines.length > empty.length) {
    const problem = `You pasted ${lines.length} lines for ${empty.length} shipments without a number.`;
    return { numbers: new Map(filled), problem };
  }
  const pasted = lines.map((line, i) => [empty[i]![0], line.trim()] as const);
  const numbers = new Map([...filled, ...pasted.filter(([, number]) => number !== "")]);
  return { numbers };
}

function numberField(
  { order, shipment }: Row,
  about: { number: string | undefined; refusal: MerchantError | undefined; focused: boolean },
): Markup {
  const { number, refusal, focused } = about;
  const { id, items } = shipment;
  const error = `${id}-error`;
  return html`<li><label for="${id}"><b>${orderName(order)}</b>, ${bags(bagCount(items))} to
      ${destinations({ shipments: [shipment] })}: tracking number
      ${doubts(order).map(warning)} ${lateMark(order)}</label>
      <input id="${id}" name="${id}" maxlength="100" autocomplete="off" data-cell
        value="${number}"${focused && html` autofocus`}${
          refusal && html` aria-invalid="true" aria-describedby="${error}"`
        }> ${refusal && html`<p class="field-error" id="${error}">${refusal.message}</p>`}
      ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
}

/** Marks shipments on the way as delivered: some of them, or all that are shown. */
export const deliver: Worklist = {
  place: "deliver",
  done: "delivered",
  chosen: (req) => ({
    ids:
      fieldValues(req.body, "all").length > 0
        ? (fieldValues(req.body, "shown")[0] ?? "").split(" ").filter(Boolean)
        : fieldValues(req.body, "shipment"),
    act: (admin, id, seen) => admin.shipments.move({ shipment_id: id, to: "DELIVERED", seen }),
  }),
  page(orders, done, req, refusals) {
    const rows = rowsBefore(orders, "DELIVERED").slice(0, MOST_ROWS);
    const chosen = fieldValues(req.body, "shipment").filter((id) => refusals.has(id));
    const box = ({ order, shipment }: Row) => {
      const { id, shipped_at, status } = shipment;
      const label = html`<b>${orderName(order)}</b> to ${destinations({ shipments: [shipment] })},
        left ${shipped_at && shopMoment(shipped_at)}
        ${status === "SHIPPED" ? null : statusChip(status)} ${doubts(order).map(warning)} ${lateMark(order)}`;
      return html`<li>${tickBox({ name: "shipment", value: id, label, ticked: chosen.includes(id) })}
        ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
    };
    return {
      lede: "On the way, oldest first. You can undo a delivery for ten minutes.",
      body: html`${
        rows.length === 0
          ? html`<p>Nothing is on the way.</p>`
          : html`<form method="post" class="form">
      ${hiddenFields({
        ...formFields([...new Set(rows.map(({ order }) => order))]),
        shown: rows.map(({ shipment }) => shipment.id).join(" "),
      })}
      <ul class="worklist stack tight">${rows.map(box)}</ul>
      <div class="cluster">${countButton(chosen.length, {
        one: "Mark 1 as delivered",
        many: "Mark # as delivered",
        none: "Mark chosen as delivered",
      })}
      ${rows.length > 1 && html`<button class="quiet" type="submit" name="all" value="yes">Mark all ${rows.length} as delivered</button>`}</div>
    </form>`
      }
    ${justDone(done, "Delivered just now")}${WORKLIST_SCRIPT}`,
    };
  },
};
