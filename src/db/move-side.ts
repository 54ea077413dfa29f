import type { TableName } from "../core/records.ts";
import type { MIGRATIONS } from "./migrations.ts";
import type { Row } from "./rows.ts";

/** One of the two databases of a move, in one transaction from opening to closing. */
export interface Side {
  engine: keyof typeof MIGRATIONS;
  /** Where drizzle notes which migrations were made. */
  migrations: string;
  /** Of a table, as its name stands in SQL. */
  count(table: string): Promise<number>;
  pages(table: TableName): AsyncIterable<Row[]>;
  insert(table: TableName, rows: readonly Row[]): Promise<void>;
  commit(): Promise<void>;
  /** Takes everything back that was not committed. */
  close(): Promise<void>;
}

export const PAGE_ROWS = 1000;
