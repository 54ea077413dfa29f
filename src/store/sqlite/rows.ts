import type BetterSqlite3 from "better-sqlite3";
import {
  and,
  eq,
  getTableColumns,
  inArray,
  is,
  isNull,
  or,
  Param,
  Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Read, type State, stateOf, type Write } from "../../domain/shared/command.ts";
import type { TableName } from "../../domain/shared/records.ts";
import { fits, keyOf, type Row } from "../match.ts";
import { GuardFailed } from "../store.ts";
import * as schema from "./schema.ts";

export type SqliteDatabase = BetterSQLite3Database<typeof schema> & {
  $client: BetterSqlite3.Database;
};

const tables = { ...schema } as unknown as Record<TableName, SQLiteTable>;

/**
 * Runs reads and writes of commands as prepared statements, one per shape: building a statement
 * anew costs several times what running it does.
 */
export class Rows {
  readonly #db: SqliteDatabase;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  load(reads: readonly Read[], seen?: SeenRows): State {
    const found: { [table: string]: Row[] } = {};
    for (const { table, match, lock } of reads) {
      const rows = this.#select(table, match as Row, lock === false ? seen : undefined);
      const known = found[table];
      found[table] = known ? distinct(table, [...known, ...rows]) : rows;
    }
    return stateOf(found as Partial<State>);
  }

  apply(write: Write, seen?: SeenRows): void {
    seen?.changed(write.table);
    if (write.op === "insert") {
      this.#insert(write.table).run(write.row as unknown as Row);
      return;
    }
    const where = { ...write.expect, ...write.key } as Row;
    if (write.expect && !fits(where, write.expect as Row)) {
      throw new GuardFailed(`update ${write.table}: its key is not what it expects`);
    }
    const set = Object.entries(write.set as Row).filter(([, value]) => value !== undefined);
    const names = set.map(([name]) => name);
    const { changes } = this.#update(write.table, names, where).run({
      ...Object.fromEntries(set.map(([name, value]) => [`set_${name}`, value])),
      ...valuesOf(where),
    });
    if (changes !== 1) throw new GuardFailed(`update ${write.table}: ${changes} rows`);
  }

  #select(table: TableName, match: Row, seen?: SeenRows): Row[] {
    const shape = `select ${table} ${shapeOf(match)}`;
    const statement = this.#once(shape, () => {
      const query = this.#db.select().from(tables[table]).where(conditionOf(table, match));
      return this.#prepare(query.toSQL());
    });
    const values = valuesOf(match);
    return seen ? seen.find(table, shape, values, statement.all) : statement.all(values);
  }

  #insert(table: TableName): PreparedStatement {
    return this.#once(`insert ${table}`, () => {
      const columns = Object.keys(getTableColumns(tables[table]));
      const values = Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]));
      return this.#prepare(
        this.#db
          .insert(tables[table])
          .values(values as never)
          .toSQL(),
      );
    });
  }

  #update(table: TableName, set: string[], where: Row): PreparedStatement {
    return this.#once(`update ${table} ${set} ${shapeOf(where)}`, () => {
      const values = Object.fromEntries(set.map((name) => [name, sql.placeholder(`set_${name}`)]));
      const query = this.#db.update(tables[table]).set(values as never);
      return this.#prepare(query.where(conditionOf(table, where)).toSQL());
    });
  }

  /**
   * drizzle writes the SQL, the driver runs it by itself: columns have the same names in code as in
   * the database, and plain values, so there is nothing to map.
   */
  #prepare({ sql, params }: { sql: string; params: unknown[] }): PreparedStatement {
    const statement = this.#db.$client.prepare<unknown[], Row>(sql);
    const names = params.map(placeholderName);
    const bound = (values: Row) => names.map((name) => values[name]);
    return {
      all: (values) => statement.all(bound(values)),
      run: (values) => statement.run(bound(values)),
    };
  }

  #once(shape: string, build: () => PreparedStatement): PreparedStatement {
    let statement = this.#prepared.get(shape);
    if (!statement) {
      statement = build();
      this.#prepared.set(shape, statement);
    }
    return statement;
  }
}

/**
 * What one transaction has read without locking: the stock of a bean is read once for all the quotes
 * that share a commit. Only the transaction itself can change it, which `changed` is told.
 */
export class SeenRows {
  readonly #tables = new Map<TableName, Map<string, Row[]>>();

  find(table: TableName, shape: string, values: Row, read: (values: Row) => Row[]): Row[] {
    const seen = this.#tables.get(table) ?? new Map<string, Row[]>();
    this.#tables.set(table, seen);
    const key = `${shape} ${JSON.stringify(values)}`;
    const rows = seen.get(key) ?? read(values);
    seen.set(key, rows);
    return rows;
  }

  changed(table: TableName): void {
    this.#tables.delete(table);
  }
}

interface PreparedStatement {
  all(values: Row): Row[];
  run(values: Row): { changes: number };
}

function placeholderName(param: unknown): string {
  const inner = is(param, Param) ? param.value : param;
  if (is(inner, Placeholder)) return inner.name;
  throw new Error("a statement of commands has placeholders only");
}

/** Two reads of one table may meet the same row; a rule sees it once. */
const distinct = (table: TableName, rows: Row[]): Row[] => [
  ...new Map(rows.map((row) => [keyOf(table, row), row])).values(),
];

/** Null is said in SQL by another word than equality, so it belongs to the shape. */
const shapeOf = (match: Row): string =>
  Object.entries(match)
    .map(([name, value]) => {
      if (!Array.isArray(value)) return value === null ? `${name} null` : name;
      const rest = value.filter((one) => one !== null);
      return `${name}[${rest.length}${rest.length < value.length ? " null" : ""}]`;
    })
    .join();

function conditionOf(table: TableName, match: Row): SQL | undefined {
  const columns = getTableColumns(tables[table]) as Record<string, SQLiteColumn>;
  const conditions = Object.entries(match).map(([name, value]) => {
    const column = columns[name];
    if (!column) throw new Error(`${table} has no column ${name}`);
    if (value === null) return isNull(column);
    if (!Array.isArray(value)) return eq(column, sql.placeholder(name));
    const rest = value.filter((one) => one !== null);
    const among = inArray(
      column,
      rest.map((_, i) => sql.placeholder(`${name}_${i}`)),
    );
    return rest.length < value.length ? or(among, isNull(column)) : among;
  });
  return and(...conditions);
}

function valuesOf(match: Row): Row {
  const values: Row = {};
  for (const [name, value] of Object.entries(match)) {
    const rest = Array.isArray(value) ? value.filter((one) => one !== null) : null;
    if (rest) for (const [i, one] of rest.entries()) values[`${name}_${i}`] = one;
    else if (value !== null) values[name] = value;
  }
  return values;
}
