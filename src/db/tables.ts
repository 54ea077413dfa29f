/**
 * Builds every table for both engines from its columns in core/records.ts and its indexes in
 * indexes.ts. A test compares both with the migrations in drizzle/.
 */
import type * as sqlite from "drizzle-orm/sqlite-core";
import type { SQLiteColumn, SQLiteTableWithColumns } from "drizzle-orm/sqlite-core";
import type { Column } from "../core/columns.ts";
import { PRIMARY_KEYS, TABLE_NAMES, TABLES, type TableName } from "../core/records.ts";
import { INDEXES, type Index } from "./indexes.ts";

/**
 * Column builders of one engine. Every table is declared once with either kit. SQLite's types serve both
 * engines, because rows hold only numbers, text and null, and drizzle names both builders alike.
 */
export interface Kit {
  table: typeof sqlite.sqliteTable;
  text(name: string): sqlite.SQLiteTextBuilderInitial<string, [string, ...string[]], undefined>;
  integer(name: string): sqlite.SQLiteIntegerBuilderInitial<string>;
  long(name: string): sqlite.SQLiteIntegerBuilderInitial<string>;
  index: typeof sqlite.index;
  uniqueIndex: typeof sqlite.uniqueIndex;
  primaryKey: typeof sqlite.primaryKey;
}

/** Drizzle's type of a column that holds `T`. */
type QueryColumn<N extends string, K extends string, T> = SQLiteColumn<{
  name: K;
  tableName: N;
  dataType: [NonNullable<T>] extends [number] ? "number" : "string";
  columnType: string;
  data: NonNullable<T>;
  driverParam: NonNullable<T>;
  notNull: null extends T ? false : true;
  hasDefault: false;
  isPrimaryKey: false;
  isAutoincrement: false;
  hasRuntimeDefault: false;
  enumValues: undefined;
  generated: undefined;
}>;

type QueryColumns<N extends string, C> = {
  [K in keyof C & string]: C[K] extends Column<infer T> ? QueryColumn<N, K, T> : never;
};

type Table<N extends TableName> = SQLiteTableWithColumns<{
  name: N;
  schema: undefined;
  columns: QueryColumns<N, (typeof TABLES)[N]>;
  dialect: "sqlite";
}>;

export type Schema = { [N in TableName]: Table<N> };

/** Every table, built with an engine's kit. */
export const tables = (kit: Kit): Schema =>
  Object.fromEntries(TABLE_NAMES.map((name) => [name, tableOf(kit, name)])) as never;

function tableOf(kit: Kit, name: TableName) {
  const key = PRIMARY_KEYS[name];
  const composite = key.length > 1;
  const columns = Object.entries<Column>(TABLES[name]).map(([column, declared]) => {
    const built = kit[declared.kind](column);
    if (declared.nullable) return [column, built];
    if (declared.key && !composite) return [column, built.primaryKey()];
    const { default: value } = declared;
    const needed = built.notNull();
    return [column, value === undefined ? needed : needed.default(value as never)];
  });
  return kit.table(name, Object.fromEntries(columns), (t) => {
    const on = (names: readonly string[]) => {
      const [first, ...rest] = names.map((column) => t[column]!);
      return [first!, ...rest] as const;
    };
    const indexes = Object.entries<Index>(INDEXES[name] ?? {}).map(([own, index]) => {
      const builder = (index.unique ? kit.uniqueIndex : kit.index)(`${name}_${own}`);
      const built = builder.on(...on(index.columns));
      return index.where ? built.where(index.where) : built;
    });
    return composite ? [kit.primaryKey({ columns: [...on(key)] }), ...indexes] : indexes;
  });
}
