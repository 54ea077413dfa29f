import { bagCount } from "../core/bags.ts";
import { trackingKey } from "../core/fields.ts";
import type { ShipmentId } from "../core/ids.ts";
import type { NamedShipment } from "./order-answer.ts";
import { doubtsAbout } from "./order-steps.ts";
import type { OrderForPeople } from "./order-verbs.ts";
import { parcelName } from "./order-view.ts";
import { isHere } from "./standing.ts";
import { carrierOf, numberProblem } from "./tracking.ts";

/** Weights of a parcel in ounces: each bag, and the box with its filling. */
const PARCEL_OZ = { bag: 8, box: 6 } as const;

/** A shipment that needs a label, under the name that label tools give back. */
export interface ToLabel {
  order: OrderForPeople;
  shipment: NamedShipment;
  ref: string;
}

/** All shipments. An order with several has `1043-1`, `1043-2`. */
export const withRefs = (orders: readonly OrderForPeople[]): ToLabel[] =>
  orders.flatMap((order) =>
    order.shipments.map((shipment, i) => ({ order, shipment, ref: parcelName(order, i) })),
  );

/** Shipments at the shop. */
export const toLabel = (orders: readonly OrderForPeople[]): ToLabel[] =>
  withRefs(orders).filter(({ shipment }) => isHere(shipment));

/** Shipments for a label file. Disputed, refunded and to-be-canceled orders are left out. */
export const exportable = (orders: readonly OrderForPeople[]): ToLabel[] =>
  toLabel(orders).filter(
    ({ order: { standing, cancel_request, refunding_minor } }) =>
      refunding_minor === 0 &&
      doubtsAbout(standing.money.state, cancel_request?.status).length === 0,
  );

/** Headings that label tools such as Pirate Ship and ShipStation assign by themselves. */
export const LABEL_COLUMNS: Record<string, (row: ToLabel) => string | number | null> = {
  "Order ID": ({ ref }) => ref,
  Name: ({ shipment }) => shipment.address.name,
  "Address 1": ({ shipment }) => shipment.address.line1,
  "Address 2": ({ shipment }) => shipment.address.line2 ?? null,
  City: ({ shipment }) => shipment.address.city,
  State: ({ shipment }) => shipment.address.region,
  Zip: ({ shipment }) => shipment.address.postal_code,
  Country: ({ shipment }) => shipment.address.country,
  Email: ({ order }) => order.buyer_email,
  "Weight (oz)": ({ shipment: { items } }) => bagCount(items) * PARCEL_OZ.bag + PARCEL_OZ.box,
  Items: ({ shipment }) =>
    shipment.items.map(({ quantity, name }) => `${quantity} x ${name}`).join("; "),
};

/** One tracking number that was pasted or uploaded. */
export interface NumberLine {
  /** Line of the text, from 1. */
  line: number;
  /** `1043` or `1043-2`; null in a plain column of numbers. */
  ref: string | null;
  number: string;
  carrier: string | null;
}

const IS_REF = /^#?(\d{1,9}(-\d{1,2})?|ord_\w+(-\d{1,2})?)$/i;

/** A column of a pasted table, for the merchant to choose. */
export interface TableColumn {
  /** From 1. */
  column: number;
  heading: string;
  /** First value below the heading. */
  sample: string;
}

/** Lines with their order numbers, or the columns among which the merchant must choose. */
export type NumbersText =
  | { lines: NumberLine[]; columns: null }
  | { lines: []; columns: TableColumn[] };

/**
 * Reads a label tool's table or a plain column of numbers. The order's column is the one whose values are
 * orders that wait, whatever its heading; `column` is the merchant's own choice, from 1.
 */
export function readNumbers(
  text: string,
  waiting: readonly ToLabel[],
  column?: number,
): NumbersText {
  const rows = tableIn(text);
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const [first] = filled;
  if (!first) return { lines: [], columns: null };
  const named = columnsIn(first.cells);
  if (filled.every(({ cells }) => cells.filter(Boolean).length < 2)) {
    const body = named ? rows.slice(rows.indexOf(first) + 1) : rows;
    // A blank line skips a shipment.
    const lines = body.slice(0, body.indexOf(filled.at(-1)!) + 1);
    return {
      lines: lines.map(({ line, cells }) => {
        return { line, ref: null, number: cells.find(Boolean) ?? "", carrier: null };
      }),
      columns: null,
    };
  }
  const called = new Set(
    waiting.flatMap(({ ref, order }) => [ref, String(order.number ?? order.id)]),
  );
  const isData = first.cells.some((cell) => /\d{4}/.test(cell) || called.has(refIn(cell)));
  const body = named || !isData ? filled.slice(1) : filled;
  const place = column === undefined ? orderColumn(body, called) : column - 1;
  if (place === null) {
    const columns = first.cells
      .map((cell, i) => ({
        column: i + 1,
        heading: body.includes(first) ? "" : cell,
        sample: body.find(({ cells }) => cells[i])?.cells[i] ?? "",
      }))
      .filter(({ column, sample }) => sample !== "" && column - 1 !== named?.number);
    return { lines: [], columns };
  }
  const lines = body.map(({ line, cells }) => {
    const ref = refIn(cells[place]);
    return { line, ref, ...trackingIn(cells, named, place) };
  });
  return { lines, columns: null };
}

const refIn = (cell = ""): string => cell.replace(/^#/, "");

/**
 * Position of the column in which most rows name a waiting order; null if there is none, or if two columns
 * name different orders. ZIP codes that lost their zero look like order numbers, too.
 */
function orderColumn(
  rows: readonly { cells: readonly string[] }[],
  called: ReadonlySet<string>,
): number | null {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const columns = Array.from({ length: width }, (_, place) => {
    const refs = rows.map(({ cells }) => refIn(cells[place])).map((ref) => called.has(ref) && ref);
    return { place, refs, count: refs.filter(Boolean).length };
  }).sort((a, b) => b.count - a.count);
  const [best, ...others] = columns;
  if (!best || best.count * 2 <= rows.length) return null;
  const rivals = others.filter(({ count }) => count === best.count);
  const agree = rivals.every(({ refs }) => refs.every((ref, i) => ref === best.refs[i]));
  return agree ? best.place : null;
}

interface Named {
  number: number;
  carrier: number | null;
}

/** Positions of the columns, or null if this is no heading. A column of numbers may have one too. */
function columnsIn(cells: readonly string[]): Named | null {
  const at = (heading: RegExp) => {
    const found = cells.findIndex((cell) => heading.test(cell));
    return found < 0 ? null : found;
  };
  // "Tracking Status" and "Tracking URL" stand beside the number in some tools' files.
  const number = at(/^track\w*( ?(number|no\.?|#|id|code))?s?$/i) ?? at(/track/i);
  if (number === null || /\d{4}/.test(cells[number]!)) return null;
  return { number, carrier: at(/^(carrier|provider)( name)?$/i) };
}

/** The tracking number by its heading; without one, the number of a known carrier, or the only other value. */
function trackingIn(cells: readonly string[], named: Named | null, order: number) {
  if (named) {
    const carrier = named.carrier === null ? null : cells[named.carrier] || null;
    return { number: cells[named.number] ?? "", carrier };
  }
  const others = cells.filter((cell, i) => i !== order && cell !== "");
  const only = others.length === 1 ? others[0]! : "";
  return { number: others.find((cell) => carrierOf(cell) !== null) ?? only, carrier: null };
}

/** Rows of a table whose columns a tab, comma or semicolon separates, with quoted cells (RFC 4180). */
function tableIn(text: string): { line: number; cells: string[] }[] {
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const comma = ["\t", ",", ";"].find((one) => plain.includes(one)) ?? ",";
  const rows: { line: number; cells: string[] }[] = [];
  let line = 1;
  let row = { line, cells: [""] };
  let isQuoted = false;
  for (let i = 0; i < plain.length; i++) {
    const char = plain[i]!;
    const last = row.cells.length - 1;
    if (char === "\n") line += 1;
    if (isQuoted && char === '"' && plain[i + 1] === '"') row.cells[last] += plain[++i]!;
    else if (isQuoted && char === '"') isQuoted = false;
    else if (!isQuoted && char === '"' && row.cells[last]!.trim() === "") isQuoted = true;
    else if (!isQuoted && char === comma) row.cells.push("");
    else if (!isQuoted && char === "\n") {
      rows.push(row);
      row = { line, cells: [""] };
    } else row.cells[last] += char;
  }
  rows.push(row);
  return rows.map(({ line, cells }) => ({ line, cells: cells.map(unquoted) }));
}

/** Undoes what spreadsheets need to keep a number as text: `="9400…"` and `'9400…`. */
const unquoted = (cell: string): string =>
  cell
    .trim()
    .replace(/^="?(.*?)"?$/, "$1")
    .replace(/^'/, "")
    .trim();

/** A number with its shipment. `problem` says why it can't be saved; a `notice` doesn't stop it. */
export interface MatchedNumber {
  shipment_id: ShipmentId;
  number: string;
  carrier: string | null;
  problem: string | null;
  notice: string | null;
}

/** A line without a waiting shipment. */
export interface UnmatchedLine {
  line: number;
  text: string;
  problem: string;
}

/** Matches lines with waiting shipments by order number; a plain column by the order shown. */
export function matchNumbers(lines: readonly NumberLine[], waiting: readonly ToLabel[]) {
  const matched = new Map<string, MatchedNumber>();
  const unmatched: UnmatchedLine[] = [];
  const numbers = new Set<string>();
  let next = 0;
  for (const { line, ref, number, carrier } of lines) {
    const found = ref === null ? (waiting[next++] ?? "Every shipment has a number.") : byRef(ref);
    if (ref === null && number === "") continue;
    const text = [ref, number].filter(Boolean).join(", ");
    const id = typeof found === "string" ? null : found.shipment.id;
    if (typeof found === "string") unmatched.push({ line, text, problem: found });
    else if (matched.has(id!)) {
      const problem = `#${found.ref} is in the list twice; its first number counts.`;
      unmatched.push({ line, text, problem });
    } else if (number === "") unmatched.push({ line, text, problem: "No tracking number." });
    else {
      const notice = numbers.has(trackingKey(number))
        ? "It is in the list twice; submit to keep it."
        : null;
      const problem = numberProblem({ number, ...(carrier && { carrier }) });
      numbers.add(trackingKey(number));
      matched.set(id!, { shipment_id: id!, number, carrier, problem, notice });
    }
  }
  return { matched: [...matched.values()], unmatched };

  function byRef(ref: string): ToLabel | string {
    const exact = waiting.find((one) => one.ref === ref);
    if (exact) return exact;
    if (!IS_REF.test(ref)) return ref === "" ? "No order number." : `${ref} is no order number.`;
    const [order] = ref.split("-");
    const own = waiting.filter((one) => String(one.order.number ?? one.order.id) === order);
    // A tool may drop the suffix, which is needed only if several shipments still wait.
    if (own.length === 1 && order === ref) return own[0]!;
    if (own.length === 0) return `#${order} isn't waiting to be shipped.`;
    return `#${order} has several shipments: use ${own.map((one) => one.ref).join(", ")}.`;
  }
}
