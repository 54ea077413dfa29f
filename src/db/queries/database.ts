import {
  type AnyColumn,
  and,
  asc,
  count,
  desc,
  eq,
  getTableName,
  inArray,
  lte,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { MOST_COUNTED } from "../../core/policy.ts";
import type { Schema } from "../tables.ts";

/**
 * Every read outside commands is written once for both engines: drizzle's builders say the same on
 * SQLite and PostgreSQL, so PostgreSQL's database and tables are passed in under SQLite's types.
 */
export type QueryDatabase = BaseSQLiteDatabase<"async", unknown, Schema>;
export type QueryTables = Schema;

/** A row's place in a list: its moment, and its id where moments are equal. */
export interface ListCursor {
  at: number;
  id: string;
}

interface PreparedQuery<R> {
  execute(values: Record<string, unknown>): Promise<R>;
}

/**
 * A read prepared once, when it is first asked for: building its text anew costs several times what
 * running it does. PostgreSQL needs a name for it, SQLite takes none.
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

/** A keyset's condition: places strictly before or behind this one. */
export const before = (columns: readonly AnyColumn[], values: readonly unknown[]): SQL =>
  sql`${tuple(columns)} < ${tuple(values)}`;
export const behind = (columns: readonly AnyColumn[], values: readonly unknown[]): SQL =>
  sql`${tuple(columns)} > ${tuple(values)}`;

const tuple = (parts: readonly unknown[]): SQL =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`;

/** Matches columns with this text in them, plainly or inside of JSON; backslashes escape in it. */
export const anywhere = (text: string): string =>
  `%${JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, "\\$&")}%`;

/** A select of ids that is still to be cut off. */
interface Limitable {
  limit(rows: number): {
    as(name: string): Parameters<ReturnType<QueryDatabase["select"]>["from"]>[0];
  };
}

export type Reads = ReturnType<typeof readsOf>;

/** What the reads of every table are made of. */
export function readsOf(db: QueryDatabase, t: QueryTables) {
  async function rows<T extends SQLiteTable>(
    table: T,
    selection: Selection,
  ): Promise<T["$inferSelect"][]> {
    return await select(table, selection);
  }

  /** The same, prepared: what changes from one call to the next are placeholders. */
  const preparedRows = <T extends SQLiteTable>(name: string, table: T, selection: Selection) =>
    prepared<T["$inferSelect"][]>(`${getTableName(table)}_${name}`, () => select(table, selection));

  function select(table: SQLiteTable, { where, by = [], limit }: Selection) {
    const query = db.select().from(table).where(where);
    const ordered = query.orderBy(...by);
    return limit === undefined ? ordered : ordered.limit(limit);
  }

  /** The row with this value in a column that is unique. */
  function one<T extends SQLiteTable, C extends SQLiteColumn>(table: T, column: C) {
    const where = eq(column, sql.placeholder("value"));
    const only = preparedRows(`by_${column.name}`, table, { where, limit: 1 });
    return async (value: C["_"]["data"]): Promise<T["$inferSelect"] | undefined> =>
      (await only({ value }))[0];
  }

  function among<T extends SQLiteTable>(table: T, column: SQLiteColumn, ...by: SQLiteColumn[]) {
    const order = by.map((one) => asc(one));
    const ofMany = (many: number) => {
      const places = Array.from({ length: many }, (_, i) => sql.placeholder(`${i}`));
      const where = inArray(column, places);
      return preparedRows(`by_${column.name}_${many}`, table, { where, by: order });
    };
    const byPower: ReturnType<typeof ofMany>[] = [];
    return async (values: readonly string[]): Promise<T["$inferSelect"][]> => {
      if (values.length === 0) return [];
      // A few statements serve every number of values: the last one is said again up to a power of two.
      const power = Math.ceil(Math.log2(values.length));
      const read = byPower[power] ?? ofMany(2 ** power);
      byPower[power] = read;
      return read({ ...Array(2 ** power).fill(values.at(-1)), ...values });
    };
  }

  /** What was to be done by now, the longest waiting first. */
  function due<T extends SQLiteTable>(table: T, at: SQLiteColumn) {
    const where = lte(at, sql.placeholder("now"));
    const read = preparedRows("due", table, {
      where,
      by: [asc(at)],
      limit: sql.placeholder("limit"),
    });
    return (now: number, limit: number) => read({ now, limit });
  }

  /** Newest first, strictly before a row. */
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

  /** How many there are, as far as anybody counts. */
  async function counted(ids: Limitable): Promise<number> {
    const found = await db.select({ n: count() }).from(ids.limit(MOST_COUNTED).as("some"));
    return Number(found[0]?.n ?? 0);
  }

  return { db, t, rows, preparedRows, one, among, due, newest, counted };
}
