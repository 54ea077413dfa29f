import { bagCount, bags } from "../core/bags.ts";
import { decimal, trackingKey } from "../core/fields.ts";
import { DAY_MS, TIMES } from "../core/policy.ts";
import { exportable } from "../orders/labels.ts";
import type { NamedShipment } from "../orders/order-answer.ts";
import { nextShipmentSteps, type ShipmentStep } from "../orders/order-steps.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { carrierOf, isDoubt } from "../orders/tracking.ts";
import { fieldIn } from "../web/body.ts";
import { formField, hiddenFields, tickBox } from "../web/form-parts.ts";
import { shopDay } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { notice, trackingHref } from "../web/parts.ts";
import { actForm, type Fields } from "./forms.ts";
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
  versionsField,
  warning,
} from "./order-parts.ts";
import type { DeskRequest, DeskRoute } from "./route.ts";
import { countButton, MOST_ROWS, type NumbersRead, worklist } from "./worklist.ts";

interface Row {
  order: OrderForPeople;
  shipment: NamedShipment;
}

/** One that failed or came back is decided on its order's page. */
const STOPPED = ["FAILED", "RETURNED"];

const rowsBefore = (orders: readonly OrderForPeople[], step: ShipmentStep): Row[] =>
  orders.flatMap((order) =>
    order.shipments
      .filter(({ status }) => !STOPPED.includes(status) && nextShipmentSteps(status).includes(step))
      .map((shipment) => ({ order, shipment })),
  );

/** Packing: labels out, tracking numbers back from a label tool, a scanner or a pasted column. */
const shipping = (read?: NumbersRead): DeskRoute =>
  worklist({
    place: "ship",
    justDone: "Shipped just now",
    acts: {
      "shipments.ship": {
        each: "shipment_id",
        skip: (row) =>
          row("number") === "" ||
          // A doubtful number of a file waits until it is changed, or its box is ticked.
          (row("doubtful") === row("number") && row("anyway") === ""),
        also(row) {
          const number = row("number");
          const carrier = carrierOf(number) ?? row("carrier");
          const again = row("again") === trackingKey(number);
          return { tracking: { number, ...(carrier && { carrier }) }, check: true, again };
        },
        done: (_fields, { count }) => `${count} on the way.`,
        // The next scan is for the same carrier.
        to: (fields) => `/desk/ship?${new URLSearchParams({ carrier: fields("carrier") })}`,
      },
      "labels.match": {
        also: (fields) => ({ text: textIn(fields) }),
        /** Shows the numbers before any is saved. */
        async confirm(request, fields) {
          const text = textIn(fields);
          const column = decimal(fields("column"));
          if (text === "") return null;
          const found = await request.admin.labels.match({ text, ...(column && { column }) });
          if (found.columns) return columnsPage(found.columns, text);
          return shipping(found).show(request);
        },
        done: "",
      },
    },
    page: (orders, request) => shipPage(orders, request, read),
  });

export const ship = shipping();

function shipPage(
  orders: readonly OrderForPeople[],
  { req, refused }: DeskRequest,
  read: NumbersRead | undefined,
): DeskPage {
  const all = rowsBefore(orders, "SHIPPED");
  const waiting = all.slice(0, MOST_ROWS);
  const sent = refused?.act === "shipments.ship" ? refused : undefined;
  const problemOf = (id: string) => {
    const found = read?.matched.find((row) => row.shipment_id === id);
    return found ? (found.problem ?? found.notice) : sent?.rows.get(id)?.message;
  };
  const first = waiting.find(({ shipment }) => problemOf(shipment.id)) ?? waiting[0];
  const carrier = sent?.fields("carrier") ?? fieldIn(req.query, "carrier");
  const rows = waiting.map((one) => {
    const { id } = one.shipment;
    const problem = problemOf(id) ?? undefined;
    const found = read?.matched.find((row) => row.shipment_id === id);
    // Numbers of shipped rows are not shown again.
    const number = found?.number ?? (problem && sent?.fields(`number.${id}`));
    const refusal = sent?.rows.get(id);
    const isDoubted =
      (found?.problem === null && found.notice !== null) ||
      (refusal !== undefined && isDoubt(refusal));
    const focused = one === first && !read;
    const isDoubtful = Boolean(found?.problem ?? found?.notice);
    const carrier = found?.carrier;
    const about = { number, carrier, problem, isDoubtful, isDoubted, focused };
    return numberField(one, about);
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
    ${actForm(
      "shipments.ship",
      {
        of: { shipment_id: waiting.map(({ shipment }) => shipment.id).join(" ") },
        seen: versionsField([...new Set(waiting.map(({ order }) => order))]),
      },
      html`${read && html`<div class="cluster">${button} <a class="button quiet" href="/desk/ship">Start over</a></div>`}
      <ul class="worklist stack tight">${rows}</ul>
      ${all.length > MOST_ROWS && html`<p class="hint">${all.length - MOST_ROWS} more come when these have left.</p>`}
      ${formField({
        name: "carrier",
        label: "Carrier of other numbers",
        hint: "USPS, UPS, FedEx and DHL are recognized by the number.",
        optional: true,
        maxlength: 60,
        value: carrier.slice(0, 60),
      })}
      ${button}`,
    )}
    ${read && numbersForm()}`
    }`,
    ...(read?.matched.every(({ problem }) => problem !== null) && { status: 422 }),
  };
}

/** A pasted or chosen file. Its first line may be blank, to skip a shipment. */
const textIn = (fields: Fields): string =>
  ["text", "file"].flatMap((name) => fields.all(name)).find((text) => text.trim() !== "") ?? "";

const READ = { act: "labels.match" };

/** Asks which column has the order numbers, because a wrong guess would send buyers a foreign number. */
const columnsPage = (columns: NonNullable<NumbersRead["columns"]>, text: string): DeskPage => ({
  title: "Which column has the order number?",
  lede: "Most lines of this file name no order that waits to be shipped. Nothing is saved yet.",
  status: 422,
  body: html`<form method="post" class="form" enctype="multipart/form-data">
      ${hiddenFields({ ...READ, text })}
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
      ${hiddenFields(READ)}
      ${formField({
        name: "text",
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

function numberField(
  { order, shipment }: Row,
  about: {
    number: string | undefined;
    carrier: string | null | undefined;
    problem: string | undefined;
    isDoubtful: boolean;
    isDoubted: boolean;
    focused: boolean;
  },
): Markup {
  const { number = "", carrier, problem, isDoubtful, isDoubted, focused } = about;
  const { id, items } = shipment;
  const error = `${id}-error`;
  return html`<li><label for="${id}"><b>${shipmentName(order, shipment)}</b>, ${bags(bagCount(items))} to
      ${destinations({ shipments: [shipment] })}: tracking number
      ${doubts(order).map(warning)} ${lateMark(order)}</label>
      <input id="${id}" name="number.${id}" maxlength="100" autocomplete="off" data-cell
        value="${number}"${focused && html` autofocus`}${
          problem && html` aria-invalid="true" aria-describedby="${error}"`
        }> ${problem && html`<p class="field-error" id="${error}">${problem}</p>`}
      ${
        isDoubtful &&
        html`${hiddenFields({ [`doubtful.${id}`]: number })}
        ${isDoubted && tickBox({ name: `anyway.${id}`, value: "on", label: "Ship it anyway", ticked: false })}`
      }
      ${isDoubted && hiddenFields({ [`again.${id}`]: trackingKey(number) })}
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
export const deliver = worklist({
  place: "deliver",
  justDone: "Delivered just now",
  acts: {
    "shipments.move": {
      each: "shipment_id",
      done: (_fields, { count }) => `${count} delivered.`,
    },
  },
  page(orders, { refused }) {
    const rows = rowsBefore(orders, "DELIVERED").slice(0, MOST_ROWS);
    const box = ({ order, shipment }: Row) => {
      const { id, shipped_at, status, tracking } = shipment;
      const label = html`<b>${shipmentName(order, shipment)}</b> to ${destinations({ shipments: [shipment] })},
        left ${shipped_at && shopDay(shipped_at)}
        ${status === "SHIPPED" ? null : statusChip(status)} ${doubts(order).map(warning)} ${lateMark(order)}`;
      const ticked = refused?.act === "shipments.move" && refused.rows.has(id);
      return html`<li>${tickBox({ name: "shipment_id", value: id, label, ticked })}
        ${tracking && trackLink(tracking)}
        ${orderLink(order, `Open ${orderName(order)}`)}</li>`;
    };
    const all = rows.map(({ shipment }) => shipment.id).join(" ");
    return {
      lede: `On the way, oldest first. Mark what has arrived; an order without news leaves this list ${TIMES.follow_ms / DAY_MS} days after it was shipped.`,
      body:
        rows.length === 0
          ? html`<p>Nothing is on the way.</p>`
          : actForm(
              "shipments.move",
              {
                of: { to: "DELIVERED" },
                seen: versionsField([...new Set(rows.map(({ order }) => order))]),
              },
              html`<ul class="worklist stack tight">${rows.map(box)}</ul>
      <div class="cluster">${countButton(refused?.rows.size ?? 0, {
        one: "Mark 1 as delivered",
        many: "Mark # as delivered",
        none: "Mark chosen as delivered",
      })}
      ${rows.length > 1 && html`<button class="quiet" type="submit" name="shipment_id" value="${all}">Mark all ${rows.length} as delivered</button>`}</div>`,
            ),
    };
  },
});
