import type { Request } from "express";
import { bagCount, bags } from "../core/bags.ts";
import { decimal, trackingKey } from "../core/fields.ts";
import { DAY_MS, LIMITS, TIMES } from "../core/policy.ts";
import { exportable } from "../orders/labels.ts";
import type { NamedShipment } from "../orders/order-answer.ts";
import { nextShipmentSteps, type ShipmentStep } from "../orders/order-steps.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { carrierOf, isUsed } from "../orders/tracking.ts";
import { fieldValues } from "../web/body.ts";
import { formField, hiddenFields, tickBox } from "../web/form-parts.ts";
import { shopDay } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { notice, trackingHref } from "../web/parts.ts";
import { block, type DeskPage, theirs } from "./frame.ts";
import { type Column, records } from "./list-page.ts";
import {
  destinations,
  doubts,
  lateMark,
  orderLink,
  orderName,
  shipmentName,
  statusChip,
  warning,
} from "./order-parts.ts";
import {
  countButton,
  formFields,
  justDone,
  MOST_ROWS,
  type NumbersRead,
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

/** Packing: labels out, tracking numbers back from a label tool, a scanner or a pasted column. */
export const ship: Worklist = {
  place: "ship",
  done: "on the way",
  async read(req, admin) {
    const text = textIn(req);
    const column = decimal(fieldValues(req.body, "column")[0] ?? "");
    return text.trim() === "" ? null : admin.labels.match({ text, ...(column && { column }) });
  },
  chosen(req) {
    const [carrier = ""] = fieldValues(req.body, "carrier");
    const numbers = numbersIn(req);
    const kept = (fieldValues(req.body, "again")[0] ?? "").split(" ");
    return {
      ids: [...numbers.keys()],
      act(admin, id, seen) {
        const number = numbers.get(id) ?? "";
        const [own] = fieldValues(req.body, `carrier.${id}`);
        const by = carrierOf(number) ?? (own ?? carrier).trim();
        return admin.shipments.ship({
          shipment_id: id,
          tracking: { number, ...(by && { carrier: by }) },
          check: true,
          again: kept.includes(trackingKey(number)),
          seen,
        });
      },
      // The next scan is for the same carrier.
      kept: { carrier },
    };
  },
  page(orders, done, req, refusals, read) {
    if (read?.columns) return columnsPage(read.columns, textIn(req));
    const all = rowsBefore(orders, "SHIPPED");
    const waiting = all.slice(0, MOST_ROWS);
    const typed = numbersIn(req);
    const problems = new Map<string, string>();
    const used: string[] = [];
    for (const [id, refusal] of refusals) {
      problems.set(id, refusal.message);
      if (isUsed(refusal)) used.push(typed.get(id)!);
    }
    for (const { shipment_id: id, number, problem, notice } of read?.matched ?? []) {
      const said = problem ?? notice;
      if (said) problems.set(id, said);
      if (notice) used.push(number);
    }
    const first = waiting.find(({ shipment }) => problems.has(shipment.id)) ?? waiting[0];
    const [carrier] = [...fieldValues(req.body, "carrier"), ...fieldValues(req.query, "carrier")];
    const rows = waiting.map((one) => {
      const { id } = one.shipment;
      const problem = problems.get(id);
      const found = read?.matched.find((row) => row.shipment_id === id);
      // Numbers of shipped rows are not shown again.
      const number = found?.number ?? (problem ? typed.get(id) : undefined);
      const focused = one === first && !read;
      const isDoubtful = Boolean(found?.problem ?? found?.notice);
      return numberField(one, { number, carrier: found?.carrier, problem, isDoubtful, focused });
    });
    const labels = exportable(orders).length;
    const doubtful = (read?.matched ?? []).filter((row) => row.problem ?? row.notice).length;
    const rest = doubtful > 0 ? `, leave ${doubtful}` : "";
    const button = countButton((read?.matched.length ?? 0) - doubtful, {
      one: `Mark 1 as shipped${rest}`,
      many: `Mark # as shipped${rest}`,
      none: "Mark as shipped",
    });
    return {
      lede: "Export the labels, then bring the tracking numbers back, or scan them one after the other.",
      body: html`${
        rows.length === 0
          ? html`<p>Nothing to ship.</p>`
          : html`<p class="cluster">
      ${labels > 0 && html`<a class="button" href="/desk/export/labels.csv">Export ${labels} for labels</a>`}
      <a class="button quiet" href="/desk/slips">Print packing slips</a></p>
    ${read ? numbersFound(read, rows.length) : numbersForm()}
    <form method="post" class="form">
      ${hiddenFields({
        ...formFields([...new Set(waiting.map(({ order }) => order))]),
        again: used.map(trackingKey).join(" "),
      })}
      ${read && html`<div class="cluster">${button} <a class="button quiet" href="/desk/ship">Start over</a></div>`}
      <ul class="worklist stack tight">${rows}</ul>
      ${all.length > MOST_ROWS && html`<p class="hint">${all.length - MOST_ROWS} more come when these have left.</p>`}
      ${formField({
        name: "carrier",
        label: "Carrier of other numbers",
        hint: "USPS, UPS, FedEx and DHL are recognized by the number.",
        optional: true,
        maxlength: 60,
        value: carrier?.slice(0, 60) ?? "",
      })}
      ${button}
    </form>
    ${read && numbersForm()}`
      }
    ${justDone(done, "Shipped just now")}${WORKLIST_SCRIPT}`,
    };
  },
};

/** A pasted or chosen file. */
const textIn = (req: Request): string =>
  ["numbers", "file"]
    .flatMap((name) => fieldValues(req.body, name, LIMITS.desk_form_bytes))
    .find((text) => text.trim() !== "") ?? "";

/** Asks which column has the order numbers, because a wrong guess would send buyers a foreign number. */
const columnsPage = (columns: NonNullable<NumbersRead["columns"]>, text: string): DeskPage => ({
  title: "Which column has the order number?",
  lede: "Most lines of this file name no order that waits to be shipped. Nothing is saved yet.",
  body: html`<form method="post" class="form" enctype="multipart/form-data">
      ${hiddenFields({ numbers: text })}
      ${formField({
        name: "column",
        label: "Order number",
        choices: columns.map(({ column, heading, sample }) => ({
          value: String(column),
          label: [heading || `Column ${column}`, `such as ${sample}`].join(", ").slice(0, 80),
        })),
      })}
      <div class="cluster"><button type="submit">Check the numbers</button>
      <a class="button quiet" href="/desk/ship">Start over</a></div>
    </form>
    ${numbersForm()}`,
});

const numbersForm = (): Markup =>
  block(
    "from-labels",
    "Tracking numbers from your label tool",
    html`<form method="post" class="form" name="numbers" enctype="multipart/form-data">
      ${formField({
        name: "numbers",
        label: "Paste its file, or a column of numbers",
        hint: "Each line goes to the order that it names. A column with nothing but numbers goes to the shipments in the order shown; a blank line skips one.",
        area: true,
        optional: true,
      })}
      <p class="field"><label for="file">Or choose its file (CSV)</label>
        <input id="file" name="file" type="file" accept=".csv,.tsv,.txt,text/csv"></p>
      <button class="quiet" type="submit">Check the numbers</button>
    </form>`,
  );

/** What was read, before anything is saved. */
function numbersFound({ matched, unmatched }: NumbersRead, waiting: number): Markup {
  const wrong = matched.filter(({ problem }) => problem !== null).length;
  const used = matched.filter(({ notice }) => notice !== null).length;
  const left = waiting - matched.length;
  const facts = [
    wrong > 0 && `${wrong} of them can’t be right: see below.`,
    used > 0 && `${used} may be wrong: see below.`,
    left > 0 && `${left} ${left === 1 ? "shipment has" : "shipments have"} no number yet.`,
  ].filter((fact) => fact !== false);
  const found = matched.length === 1 ? "1 number has" : `${matched.length} numbers have`;
  return html`${notice(
    matched.length > 0 && wrong + used === 0 ? "good" : "warn",
    `${found} a shipment. Nothing is saved yet.`,
    facts.length > 0 && html`<p>${facts.join(" ")}</p>`,
  )}
    ${
      unmatched.length > 0 &&
      block(
        "unmatched",
        `${unmatched.length} ${unmatched.length === 1 ? "line" : "lines"} without a shipment`,
        records("Lines without a shipment", unmatched, UNMATCHED, "short"),
      )
    }`;
}

const UNMATCHED: readonly Column<NumbersRead["unmatched"][number]>[] = [
  { name: "Line", cell: ({ line }) => line },
  { name: "Read", cell: ({ text }) => theirs(text) },
  { name: "Why", cell: ({ problem }) => problem },
];

/** Tracking number per shipment, from its field. */
function numbersIn(req: Request): Map<string, string> {
  const ids = Object.keys(req.body ?? {}).filter((id) => id.startsWith("shp_"));
  const typed = ids.map((id) => [id, fieldValues(req.body, id)[0]?.trim() ?? ""] as const);
  /** A doubtful number of a file waits until it is changed, or its box is ticked. */
  const isLeft = (id: string, number: string) =>
    fieldValues(req.body, `doubtful.${id}`)[0] === number &&
    fieldValues(req.body, `anyway.${id}`).length === 0;
  return new Map(typed.filter(([id, number]) => number !== "" && !isLeft(id, number)));
}

function numberField(
  { order, shipment }: Row,
  about: {
    number: string | undefined;
    carrier: string | null | undefined;
    problem: string | undefined;
    isDoubtful: boolean;
    focused: boolean;
  },
): Markup {
  const { number, carrier, problem, isDoubtful, focused } = about;
  const { id, items } = shipment;
  const error = `${id}-error`;
  return html`<li><label for="${id}"><b>${shipmentName(order, shipment)}</b>, ${bags(bagCount(items))} to
      ${destinations({ shipments: [shipment] })}: tracking number
      ${doubts(order).map(warning)} ${lateMark(order)}</label>
      <input id="${id}" name="${id}" maxlength="100" autocomplete="off" data-cell
        value="${number}"${focused && html` autofocus`}${
          problem && html` aria-invalid="true" aria-describedby="${error}"`
        }> ${problem && html`<p class="field-error" id="${error}">${problem}</p>`}
      ${
        isDoubtful &&
        html`${hiddenFields({ [`doubtful.${id}`]: number ?? "" })}
        ${tickBox({ name: `anyway.${id}`, value: "on", label: "Ship it anyway", ticked: false })}`
      }
      ${carrier && hiddenFields({ [`carrier.${id}`]: carrier.slice(0, 60) })}
      ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
}

function trackLink(tracking: NonNullable<NamedShipment["tracking"]>): Markup {
  const href = trackingHref(tracking);
  const words = html`${tracking.carrier} <span class="code">${tracking.number}</span>`;
  return html`<span>${
    href ? html`<a href="${href}" rel="noreferrer">Track</a> ` : null
  }${words}</span>`;
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
      const { id, shipped_at, status, tracking } = shipment;
      const label = html`<b>${shipmentName(order, shipment)}</b> to ${destinations({ shipments: [shipment] })},
        left ${shipped_at && shopDay(shipped_at)}
        ${status === "SHIPPED" ? null : statusChip(status)} ${doubts(order).map(warning)} ${lateMark(order)}`;
      return html`<li>${tickBox({ name: "shipment", value: id, label, ticked: chosen.includes(id) })}
        ${tracking && trackLink(tracking)}
        ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
    };
    return {
      lede: `On the way, oldest first. Mark what has arrived; an order without news leaves this list ${TIMES.follow_ms / DAY_MS} days after it was shipped.`,
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
