import type { Column, Columns } from "../domain/shared/columns.ts";
import { TABLES, type TableName } from "../domain/shared/records.ts";

export const columnsOf = (table: TableName): string[] => Object.keys(TABLES[table]);

export function columnOf(table: TableName, name: string): Column {
  const column = (TABLES[table] as Columns)[name];
  if (!column) throw new Error(`${table} has no column ${name}`);
  return column;
}

export const quoted = (name: string): string => `"${name}"`;
