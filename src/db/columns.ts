import type { Column, Columns } from "../core/columns.ts";
import { TABLES, type TableName } from "../core/records.ts";

export const columnsOf = (table: TableName): string[] => Object.keys(TABLES[table]);

export function columnOf(table: TableName, name: string): Column {
  const column = (TABLES[table] as Columns)[name];
  if (!column) throw new Error(`${table} has no column ${name}`);
  return column;
}

export const quoted = (name: string): string => `"${name}"`;
