import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import type * as sqliteSchema from "../sqlite/schema.ts";

/**
 * Every read outside commands is written once for both engines: drizzle's builders say the same on
 * SQLite and PostgreSQL, so PostgreSQL's database and tables are passed in under SQLite's types.
 */
export type QueryDatabase = BaseSQLiteDatabase<"async", unknown, typeof sqliteSchema>;
export type QueryTables = typeof sqliteSchema;

export const first = <T>(rows: readonly T[]): T | undefined => rows[0];

interface PreparedQuery<R> {
  execute(values: Record<string, unknown>): Promise<R>;
}

/**
 * A read prepared once: building its text anew costs several times what running it does. PostgreSQL
 * needs a name for it, SQLite takes none.
 */
export function prepared<R>(
  name: string,
  query: { prepare(): PreparedQuery<R> },
): (values: Record<string, unknown>) => Promise<R> {
  const prepare = query.prepare as (this: unknown, name: string) => PreparedQuery<R>;
  const statement = prepare.call(query, `read_${name}`);
  return async (values) => await statement.execute(values);
}
