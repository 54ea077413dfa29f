import type { Kinds, ListColumn } from "../merchant/list-columns.ts";
import { moment } from "../web/format.ts";

/** One line for a terminal, without control characters or line breaks of strangers. */
export const line = (value: unknown): string =>
  value === null || value === undefined
    ? "-"
    : inShopTime(String(value))
        .replaceAll("\n", " / ")
        .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "?");

/** Shows times by the shop's clock, as the desk does. JSON keeps UTC. */
const inShopTime = (text: string): string =>
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

/** A result by its fields; as JSON if they have fields themselves. */
export function facts(value: object): string {
  const fields = Object.entries(value);
  if (fields.some(([, field]) => typeof field === "object" && field !== null))
    return `${JSON.stringify(value, null, 2)}\n`;
  const width = Math.max(...fields.map(([name]) => name.length)) + 2;
  return labelLines(
    { indent: 0, width },
    fields.map(([name, field]) => [name.replaceAll("_", " "), field ?? "-"]),
  );
}

/** A line for each label that has a value. */
export const labelLines = (
  { indent, width }: { indent: number; width: number },
  rows: readonly (readonly [label: string, value: unknown])[],
): string =>
  rows
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([label, value]) => `${" ".repeat(indent)}${label.padEnd(width)}${line(value)}\n`)
    .join("");
