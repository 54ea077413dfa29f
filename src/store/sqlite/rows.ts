import type BetterSqlite3 from "better-sqlite3";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Read, type State, stateOf, type Write } from "../../domain/command.ts";
import { PRIMARY_KEYS, type TableName } from "../../domain/records.ts";
import { GuardFailed } from "../store.ts";
import * as schema from "./schema.ts";

export type SqliteDatabase = BetterSQLite3Database<typeof schema> & {
  $client: BetterSqlite3.Database;
};

type Row = Record<string, unknown>;

/**
 * Runs reads and writes of commands as prepared statements, one per shape: building a statement
 * anew costs several times what running it does.
 */
export class Rows {
  readonly #db: SqliteDatabase;
  readonly #prepared = new Map<string, Prepared>();

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  load(reads: readonly Read[]): State {
    const found: { [table: string]: Row[] } = {};
    for (const { table, match } of reads) {
      const rows = this.#select(table, match as Row);
      const known = found[table];
      found[table] = known ? distinct(table, [...known, ...rows]) : rows;
    }
    return stateOf(found as Partial<State>);
  }

  apply(write: Write): void {
    if (write.op === "insert") {
      this.#insert(write.table).run(write.row as unknown as Row);
      return;
    }
    const where = { ...write.key, ...write.expect } as Row;
    const set = Object.entries(write.set as Row).filter(([, value]) => value !== undefined);
    const values = Object.fromEntries(set.map(([name, value]) => [`set_${name}`, value]));
    const names = set.map(([name]) => name);
    const { changes } = this.#update(write.table, names, Object.keys(where)).run({
      ...values,
      ...where,
    });
    if (changes !== 1) throw new GuardFailed(`update ${write.table}: ${changes} rows`);
  }

  #select(table: TableName, match: Row): Row[] {
    const many = Object.keys(match).filter((name) => Array.isArray(match[name]));
    if (many.some((name) => (match[name] as unknown[]).length === 0)) return [];
    const widths = many.map((name) => `${name}:${(match[name] as unknown[]).length}`);
    const shape = `select ${table} ${Object.keys(match)} ${widths}`;
    const statement = this.#once(shape, () => {
      const columns = schema[table] as unknown as Record<string, never>;
      const conditions = Object.entries(match).map(
        ([name, value]): SQL =>
          Array.isArray(value)
            ? inArray(
                columns[name]!,
                value.map((_, i) => sql.placeholder(`${name}_${i}`)),
              )
            : eq(columns[name]!, sql.placeholder(name)),
      );
      return this.#db
        .select()
        .from(schema[table] as SQLiteTable)
        .where(and(...conditions))
        .prepare() as unknown as Prepared;
    });
    const values: Row = {};
    for (const [name, value] of Object.entries(match)) {
      if (Array.isArray(value))
        value.forEach((v, i) => {
          values[`${name}_${i}`] = v;
        });
      else values[name] = value;
    }
    return statement.all(values);
  }

  #insert(table: TableName): Prepared {
    return this.#once(`insert ${table}`, () => {
      const columns = Object.keys(schema[table]).filter((name) => name !== "enableRLS");
      const values = Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]));
      return this.#db
        .insert(schema[table] as SQLiteTable)
        .values(values as never)
        .prepare() as unknown as Prepared;
    });
  }

  #update(table: TableName, set: string[], where: string[]): Prepared {
    return this.#once(`update ${table} ${set} ${where}`, () => {
      const columns = schema[table] as unknown as Record<string, never>;
      const values = Object.fromEntries(set.map((name) => [name, sql.placeholder(`set_${name}`)]));
      return this.#db
        .update(schema[table] as SQLiteTable)
        .set(values as never)
        .where(and(...where.map((name) => eq(columns[name]!, sql.placeholder(name)))))
        .prepare() as unknown as Prepared;
    });
  }

  #once(shape: string, build: () => Prepared): Prepared {
    let statement = this.#prepared.get(shape);
    if (!statement) {
      statement = build();
      this.#prepared.set(shape, statement);
    }
    return statement;
  }
}

interface Prepared {
  all(values: Row): Row[];
  run(values: Row): { changes: number };
}

/** Two reads of one table may meet the same row; a rule sees it once. */
function distinct(table: TableName, rows: Row[]): Row[] {
  const key = PRIMARY_KEYS[table];
  return [
    ...new Map(rows.map((row) => [key.map((name) => row[name]).join("\u0000"), row])).values(),
  ];
}
