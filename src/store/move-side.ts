import type { TableName } from "../domain/shared/records.ts";
import type { Row } from "./match.ts";

/** One of the two databases of a move, in one transaction from opening to closing. */
export interface Side {
  /** Whether a newer version has migrated it: there may be more in it than we know of. */
  newer(): Promise<boolean>;
  count(table: TableName): Promise<number>;
  /** All rows of a table, a page at a time. */
  pages(table: TableName): AsyncIterable<Row[]>;
  insert(table: TableName, rows: readonly Row[]): Promise<void>;
  commit(): Promise<void>;
  /** Takes everything back that was not committed. */
  close(): Promise<void>;
}

export const PAGE_ROWS = 1000;
