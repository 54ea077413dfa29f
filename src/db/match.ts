import { PRIMARY_KEYS, type TableName } from "../core/records.ts";

/** A row of any table: column name to text, number or null. */
export type Row = Record<string, unknown>;

/** What a row is found again by, as one text. */
export function keyOf(table: TableName, row: Row): string {
  const [first = "", ...more] = PRIMARY_KEYS[table];
  return more.reduce((key, name) => `${key}\u0000${row[name]}`, String(row[first]));
}

/** Whether a match names nothing but the whole primary key, each column by one value. */
export const isKey = (table: TableName, match: Row): boolean => {
  const names = Object.keys(match);
  const key: readonly string[] = PRIMARY_KEYS[table];
  return (
    names.length === key.length &&
    names.every((name) => key.includes(name) && !Array.isArray(match[name]))
  );
};

/** Null equals null here, as a rule means it; in SQL it has to be said as IS NULL. */
export const fits = (row: Row, match: Row): boolean =>
  Object.entries(match).every(([name, value]) =>
    Array.isArray(value) ? value.includes(row[name]) : row[name] === value,
  );

/** A match without arrays: every combination of its values, one a row to look for. */
export function combinations(match: Row): Row[] {
  let rows: Row[] = [{}];
  for (const [name, value] of Object.entries(match)) {
    if (value === undefined) throw new Error(`a match names ${name} without a value`);
    const values: unknown[] = Array.isArray(value) ? [...new Set(value)] : [value];
    rows = rows.flatMap((row) => values.map((one) => ({ ...row, [name]: one })));
  }
  return rows;
}
