import type { Column, Columns } from "../core/columns.ts";
import { PRIMARY_KEYS, TABLES, type TableName } from "../core/records.ts";

/** A row of any table: column name to text, number or null. */
export type Row = Record<string, unknown>;

export const columnsOf = (table: TableName): string[] => Object.keys(TABLES[table]);

export function columnOf(table: TableName, name: string): Column {
  const column = (TABLES[table] as Columns)[name];
  if (!column) throw new Error(`${table} has no column ${name}`);
  return column;
}

export const quoted = (name: string): string => `"${name}"`;

/** A row's primary key as one text. */
export function keyOf(table: TableName, row: Row): string {
  const [first = "", ...more] = PRIMARY_KEYS[table];
  return more.reduce((key, name) => `${key}\u0000${row[name]}`, String(row[first]));
}

/** Whether a match names the whole primary key and nothing else, each column by one value. */
export const isKey = (table: TableName, match: Row): boolean => {
  const names = Object.keys(match);
  const key: readonly string[] = PRIMARY_KEYS[table];
  return (
    names.length === key.length &&
    names.every((name) => key.includes(name) && !Array.isArray(match[name]))
  );
};

/** Null equals null here, unlike in SQL. */
export const fits = (row: Row, match: Row): boolean =>
  Object.entries(match).every(([name, value]) =>
    Array.isArray(value) ? value.includes(row[name]) : row[name] === value,
  );
