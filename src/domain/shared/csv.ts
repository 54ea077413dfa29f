/**
 * One line of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula is led by an
 * apostrophe: names, notes and tracking numbers are strangers' words.
 */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cell).join(",")}\r\n`;

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^\s*[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Dollars for a spreadsheet: 1250 → 12.5. Not text that could be a formula, so written as it is. */
export const dollars = (minor: number): number => minor / 100;
