/**
 * Formats one line of a CSV file (RFC 4180). Strangers write names, notes and tracking numbers, so an
 * apostrophe leads whatever a spreadsheet would run as a formula. Some spreadsheets also split cells at
 * semicolons and tabs, even between quotes.
 */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cell).join(",")}\r\n`;

const STARTS_FORMULA = /^\s*[=+\-@＝＋－＠\t\r\n]/;
const FORMULA_INSIDE = /(?<=[;\t\r\n]\s*)[=+\-@＝＋－＠]/g;

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const inner = value.replace(FORMULA_INSIDE, "'$&");
  const text = STARTS_FORMULA.test(value) ? `'${inner}` : inner;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Dollars for a spreadsheet: 1250 → 12.5. */
export const dollars = (minor: number): number => minor / 100;
