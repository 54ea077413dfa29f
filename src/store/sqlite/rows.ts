import type BetterSqlite3 from "better-sqlite3";
import { type Read, type State, stateOf, type Write } from "../../domain/shared/command.ts";
import type { TableName } from "../../domain/shared/records.ts";
import { columnOf, columnsOf, quoted } from "../columns.ts";
import { fits, keyOf, type Row } from "../match.ts";
import { GuardFailed } from "../store.ts";

/** Runs reads and writes of commands as prepared statements, one per shape. */
export class Rows {
  readonly #client: BetterSqlite3.Database;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(client: BetterSqlite3.Database) {
    this.#client = client;
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
      this.#insert(write.table, write.row as unknown as Row);
      return;
    }
    const where = { ...write.expect, ...write.key } as Row;
    if (write.expect && !fits(where, write.expect as Row)) {
      throw new GuardFailed(`update ${write.table}: its key is not what it expects`);
    }
    const changes = this.#update(write.table, write.set as Row, where);
    if (changes !== 1) throw new GuardFailed(`update ${write.table}: ${changes} rows`);
  }

  #select(table: TableName, match: Row, seen?: SeenRows): Row[] {
    const shape = `select ${table} ${shapeOf(match)}`;
    const statement = this.#once(
      shape,
      () => `select ${columnsOf(table).map(quoted)} from ${quoted(table)}${whereOf(table, match)}`,
    );
    const values = valuesOf(match);
    return seen ? seen.find(table, shape, values, statement.all) : statement.all(values);
  }

  #insert(table: TableName, row: Row): void {
    const statement = this.#once(`insert ${table}`, () => {
      const columns = columnsOf(table);
      const values = columns.map((name) => `@${name}`);
      return `insert into ${quoted(table)} (${columns.map(quoted)}) values (${values})`;
    });
    statement.run(row);
  }

  #update(table: TableName, set: Row, where: Row): number {
    const given = Object.entries(set).filter(([, value]) => value !== undefined);
    const names = given.map(([name]) => name);
    const statement = this.#once(`update ${table} ${names} ${shapeOf(where)}`, () => {
      const columns = names.map((name) => `${column(table, name)} = @set_${name}`);
      return `update ${quoted(table)} set ${columns}${whereOf(table, where)}`;
    });
    const values = given.map(([name, value]) => [`set_${name}`, value]);
    return statement.run({ ...Object.fromEntries(values), ...valuesOf(where) }).changes;
  }

  #once(shape: string, text: () => string): PreparedStatement {
    const known = this.#prepared.get(shape);
    if (known) return known;
    const named = text();
    const names = [...named.matchAll(/@(\w+)/g)].map(([, name]) => name!);
    // Bound by place: the driver takes longer to find values by their names.
    const statement = this.#client.prepare<unknown[], Row>(named.replace(/@\w+/g, "?"));
    const bound = (values: Row) => names.map((name) => values[name]);
    const prepared: PreparedStatement = {
      all: (values) => statement.all(bound(values)),
      run: (values) => statement.run(bound(values)),
    };
    this.#prepared.set(shape, prepared);
    return prepared;
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

/** Two reads of one table may meet the same row; a rule sees it once. */
const distinct = (table: TableName, rows: Row[]): Row[] => [
  ...new Map(rows.map((row) => [keyOf(table, row), row])).values(),
];

function column(table: TableName, name: string): string {
  columnOf(table, name);
  return quoted(name);
}

/**
 * Null is said in SQL by another word than equality, so it belongs to the shape. And so does a status,
 * written into the SQL: partial indexes are about statuses, and SQLite prepares a statement anew every
 * time it is given a value that decides whether such an index serves. That takes ten times the search.
 */
const shapeOf = (match: Row): string =>
  Object.entries(match)
    .map(([name, value]) => {
      if (name === STATUS) return `${name} ${value}`;
      if (!Array.isArray(value)) return value === null ? `${name} null` : name;
      const rest = value.filter((one) => one !== null);
      return `${name}[${rest.length}${rest.length < value.length ? " null" : ""}]`;
    })
    .join();

const STATUS = "status";

const placed = (name: string, value: unknown, place: string): string =>
  name === STATUS && typeof value === "string" && /^\w+$/.test(value) ? `'${value}'` : `@${place}`;

function whereOf(table: TableName, match: Row): string {
  const conditions = Object.entries(match).map(([name, value]) => {
    const tested = column(table, name);
    if (value === null) return `${tested} is null`;
    if (!Array.isArray(value)) return `${tested} = ${placed(name, value, name)}`;
    const rest = value.filter((one) => one !== null);
    const among = `${tested} in (${rest.map((one, i) => placed(name, one, `${name}_${i}`))})`;
    return rest.length < value.length ? `(${among} or ${tested} is null)` : among;
  });
  return conditions.length > 0 ? ` where ${conditions.join(" and ")}` : "";
}

function valuesOf(match: Row): Row {
  const values: Row = {};
  for (const [name, value] of Object.entries(match)) {
    if (!Array.isArray(value)) values[name] = value;
    else
      for (const [i, one] of value.filter((one) => one !== null).entries())
        values[`${name}_${i}`] = one;
  }
  return values;
}
