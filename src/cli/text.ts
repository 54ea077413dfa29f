import { display } from "../core/money.ts";
import { days } from "../core/time.ts";
import type { Kinds, ListColumn } from "../merchant/list-columns.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import type { CancelRequest } from "../orders/order-answer.ts";
import { moment } from "../web/format.ts";

/** One line for a terminal, without control characters or line breaks of strangers. */
export const line = (value: unknown): string =>
  value === null || value === undefined
    ? "-"
    : inShopTime(String(value))
        .replaceAll("\n", " / ")
        .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "?");

/** Shows times by the shop's clock, as the desk does. JSON keeps UTC. */
export const inShopTime = (text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (at) =>
    moment(at).replace("\u00a0", " "),
  );

/** A column that the desk shows too, a field of the row, or a title with the text made from a row. */
type Column<R> = ListColumn<R> | Extract<keyof R, string> | readonly [string, (row: R) => unknown];
export type Columns<R> = readonly Column<R>[];

const TEXTS: { [K in keyof Kinds]?: (value: NonNullable<Kinds[K]>) => unknown } = {
  order: ({ id, number }) => number ?? id,
  bean: ({ product_id }) => product_id,
  words: (words) => words.map(({ text }) => text).join(", "),
  act: ({ sentence }) => sentence,
};

function titleOf<R>(column: Column<R>): string {
  if (typeof column === "string") return column.replaceAll("_", " ");
  return "title" in column ? column.title : column[0];
}

function cell<R>(row: R, column: Column<R>): string {
  if (typeof column === "string") return line(row[column]);
  if (!("title" in column)) return line(column[1](row));
  const value = column.of(row);
  const text = TEXTS[column.kind] as ((value: unknown) => unknown) | undefined;
  return line(value !== null && text ? text(value) : value);
}

/** A text table with columns as wide as needed. */
export function table<R>(rows: readonly R[], columns: NoInfer<Columns<R>>, none: string): string {
  if (rows.length === 0) return `${none}\n`;
  const lines = [
    columns.map((column) => titleOf(column).toUpperCase()),
    ...rows.map((row) => columns.map((column) => cell(row, column))),
  ];
  const widths = columns.map((_, i) => Math.max(...lines.map((cells) => [...cells[i]!].length)));
  return lines.map((cells) => `${joined(cells, widths)}\n`).join("");
}

const joined = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, i) => cell + " ".repeat(widths[i]! - [...cell].length))
    .join("  ")
    .trimEnd();

export const askedBy = ({ asked_by }: Pick<CancelRequest, "asked_by">): string =>
  `asked by the ${asked_by.toLowerCase()}`;

/** An order with its shipments, notes, payment and refunds. */
export function orderText(order: MerchantOrder): string {
  const { payment, pricing, cancel_request: asked } = order;
  const back = payment.refunded_minor > 0 ? `, ${display(payment.refunded_minor)} refunded` : "";
  const { courtesy } = pricing;
  const due = order.estimated_delivery;
  const { lateness } = order.standing;
  const late = lateness ? `, ${days(lateness.days)} late` : "";
  const lines = [
    `Order ${order.id}  ${order.status}`,
    `  number    ${order.number}`,
    `  buyer     ${line(order.buyer_email)}`,
    `  ordered   ${order.created_at}`,
    ...(due ? [`  expected  ${due.earliest} to ${due.latest}${late}`] : []),
    `  page      ${order.order_url}`,
    `  total     ${order.pricing.total_display}${courtesy ? ` (${courtesy.kind} -${display(courtesy.amount_minor)})` : ""}`,
    `  payment   ${payment.status} by ${line(payment.method)} (${payment.mode})${back}`,
    `  key       ${order.agent_id ?? "none, by quick checkout"}`,
    ...order.refunds.flatMap((r) => [
      `  refund    ${r.id}  ${display(r.amount_minor)}  ${r.status}${r.problem ? `  ${line(r.problem)}` : ""}`,
      ...(r.undo_until
        ? [`            sent at ${r.undo_until}; to undo it before: refunds undo ${r.id}`]
        : []),
    ]),
    ...order.notes.map((note) => `  note      ${note.created_at}  ${line(note.text)}`),
    ...(payment.dispute ? [disputeLine(payment.dispute)] : []),
    ...(asked
      ? [
          `  cancel    ${asked.id}  ${asked.status}  ${asked.reason_code}  ${askedBy(asked)}`,
          ...(asked.message ? [`            ${line(asked.message)}`] : []),
        ]
      : []),
    ...order.shipments.flatMap((shipment) =>
      shipmentLines(
        shipment,
        asked?.status === "REQUESTED" && asked.shipment_ids.includes(shipment.id),
      ),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

const disputeLine = (d: NonNullable<MerchantOrder["payment"]["dispute"]>): string =>
  `  dispute   ${display(d.amount_minor)}  ${d.status}  ${line(d.reason)}` +
  (d.respond_by ? `  answer it until ${d.respond_by}` : "");

function shipmentLines(shipment: MerchantOrder["shipments"][number], toCancel: boolean): string[] {
  const { name, line1, line2, city, region, postal_code } = shipment.address;
  const { tracking, returned } = shipment;
  return [
    `  Shipment ${shipment.id}  ${shipment.status}${toCancel ? "  asked to be canceled" : ""}`,
    `    to      ${line([name, line1, line2, `${city}, ${region} ${postal_code}`].filter(Boolean).join(", "))}`,
    ...(tracking
      ? [
          `    by      ${[tracking.carrier, tracking.number, tracking.url ?? ""].map(line).join(" ")}`,
        ]
      : []),
    ...(returned ? [`    task    ${returned.id}, since ${returned.since}`] : []),
    ...shipment.items.map((item) => `    bags    ${item.quantity} x ${line(item.name)}`),
    ...shipment.gift_notes.map((note, i) => `    note ${i + 1}  ${line(note)}`),
  ];
}
