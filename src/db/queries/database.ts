import {
  type AnyColumn,
  and,
  asc,
  count,
  desc,
  eq,
  getTableName,
  lte,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { MOST_COUNTED } from "../../core/policy.ts";
import type { Schema } from "../tables.ts";

/**
 * Reads outside commands are written once for both engines: drizzle's builders are called alike, so
 * PostgreSQL's database and tables are passed under SQLite's types.
 */
export type QueryDatabase = BaseSQLiteDatabase<"async", unknown, Schema>;
export type QueryTables = Schema;

/** An engine's form of a list that is one parameter, so that no statement grows with its data. */
export interface ListForm {
  /** The value of the parameter. */
  parameter(values: readonly string[]): unknown;
  has(column: AnyColumn, list: Placeholder | SQLWrapper): SQL;
}

/** A row's place in a list: its time, and its id for rows of the same time. */
export interface ListCursor {
  at: number;
  id: string;
}

interface PreparedQuery<R> {
  execute(values: Record<string, unknown>): Promise<R>;
}

/**
 * Prepares a query at its first use, because building its text costs several times as much as running it.
 * PostgreSQL needs a name for it.
 */
export function prepared<R>(
  name: string,
  query: () => { prepare(): PreparedQuery<R> },
): (values: Record<string, unknown>) => Promise<R> {
  let statement: PreparedQuery<R> | undefined;
  return async (values) => {
    if (!statement) {
      const built = query();
      const prepare = built.prepare as (this: unknown, name: string) => PreparedQuery<R>;
      statement = prepare.call(built, `read_${name}`);
    }
    return await statement.execute(values);
  };
}

interface Selection {
  where?: SQL | undefined;
  by?: SQL[];
  limit?: number | Placeholder;
}

/** Keyset conditions: places strictly before or behind this one. */
export const before = (columns: readonly AnyColumn[], values: readonly unknown[]): SQL =>
  sql`${tuple(columns)} < ${tuple(values)}`;
export const behind = (columns: readonly AnyColumn[], values: readonly unknown[]): SQL =>
  sql`${tuple(columns)} > ${tuple(values)}`;

const tuple = (parts: readonly unknown[]): SQL =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`;

/** LIKE pattern for columns that contain this text, plain or in JSON; its escape is a backslash. */
export const anywhere = (text: string): string =>
  `%${JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, "\\$&")}%`;

/** A select of ids without a limit. */
interface Limitable {
  limit(rows: number): {
    as(name: string): Parameters<ReturnType<QueryDatabase["select"]>["from"]>[0];
  };
}

export type Reads = ReturnType<typeof readsOf>;

/** Parts that the reads of all tables are built from. */
export function readsOf(db: QueryDatabase, t: QueryTables, list: ListForm) {
  async function rows<T extends SQLiteTable>(
    table: T,
    selection: Selection,
  ): Promise<T["$inferSelect"][]> {
    return await select(table, selection);
  }

  /** The same, prepared, with placeholders for the values of each call. */
  const preparedRows = <T extends SQLiteTable>(name: string, table: T, selection: Selection) =>
    prepared<T["$inferSelect"][]>(`${getTableName(table)}_${name}`, () => select(table, selection));

  function select(table: SQLiteTable, { where, by = [], limit }: Selection) {
    const query = db.select().from(table).where(where);
    const ordered = query.orderBy(...by);
    return limit === undefined ? ordered : ordered.limit(limit);
  }

  /** Reads the row with this value in a unique column. */
  function one<T extends SQLiteTable, C extends SQLiteColumn>(table: T, column: C) {
    const where = eq(column, sql.placeholder("value"));
    const only = preparedRows(`by_${column.name}`, table, { where, limit: 1 });
    return async (value: C["_"]["data"]): Promise<T["$inferSelect"] | undefined> =>
      (await only({ value }))[0];
  }

  const isAmong = (column: AnyColumn, values: readonly string[]): SQL =>
    list.has(column, sql.param(list.parameter(values)));

  /** Reads the rows with any of these values. */
  function among<T extends SQLiteTable>(table: T, column: SQLiteColumn, ...by: SQLiteColumn[]) {
    const where = list.has(column, sql.placeholder("values"));
    const order = by.map((one) => asc(one));
    const read = preparedRows(`by_any_${column.name}`, table, { where, by: order });
    return async (values: readonly string[]): Promise<T["$inferSelect"][]> =>
      values.length === 0 ? [] : read({ values: list.parameter(values) });
  }

  /** Reads rows that are due, the longest waiting first. */
  function due<T extends SQLiteTable>(table: T, at: SQLiteColumn) {
    const where = lte(at, sql.placeholder("now"));
    const read = preparedRows("due", table, {
      where,
      by: [asc(at)],
      limit: sql.placeholder("limit"),
    });
    return (now: number, limit: number) => read({ now, limit });
  }

  /** Reads rows strictly before a row, the newest first. */
  function newest<T extends SQLiteTable>(
    table: T,
    [at, id]: readonly [at: AnyColumn, id: AnyColumn],
    {
      edge,
      limit,
      where,
    }: { edge?: ListCursor | undefined; limit: number; where?: SQL | undefined },
  ) {
    const older = edge && before([at, id], [edge.at, edge.id]);
    return rows(table, { where: and(where, older), by: [desc(at), desc(id)], limit });
  }

  /** Counts up to MOST_COUNTED. */
  async function counted(ids: Limitable): Promise<number> {
    const found = await db.select({ n: count() }).from(ids.limit(MOST_COUNTED).as("some"));
    return Number(found[0]?.n ?? 0);
  }

  return { db, t, rows, preparedRows, one, among, isAmong, due, newest, counted };
}
