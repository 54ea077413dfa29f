import type BetterSqlite3 from "better-sqlite3";
import { PRIMARY_KEYS, type TableName } from "../../core/records.ts";
import type { RowsNeeded } from "../decide.ts";
import type { WriteStep } from "../overlay.ts";
import { columnOf, columnsOf, quoted, type Row } from "../rows.ts";

/** Reads and writes the rows of commands with prepared statements, one per shape. */
export class Statements {
  readonly #client: BetterSqlite3.Database;
  readonly #prepared = new Map<string, BetterSqlite3.Statement<unknown[], Row>>();

  constructor(client: BetterSqlite3.Database) {
    this.#client = client;
  }

  /** Commands that share a commit read a row once, such as a bean's stock. */
  load({ overlay, reads }: RowsNeeded): void {
    for (const read of new Set(reads)) {
      if (overlay.holds(read)) continue;
      overlay.load(read.table, this.select(read.table, read.match as Row), true);
    }
  }

  select(table: TableName, match: Row): Row[] {
    const { text, values } = conditionOf(table, match);
    const from = `from ${quoted(table)}${text}`;
    const select = this.#once(from, () => `select ${columnsOf(table).map(quoted)} ${from}`);
    return select.all(values);
  }

  write(steps: readonly WriteStep[]): void {
    for (const step of steps) {
      if (step.op === "insert") this.#insert(step);
      else this.#update(step);
    }
  }

  #insert({ table, row }: WriteStep): void {
    const columns = columnsOf(table);
    const statement = this.#once(table, () => {
      const places = columns.map(() => "?");
      return `insert into ${quoted(table)} (${columns.map(quoted)}) values (${places})`;
    });
    statement.run(columns.map((name) => row[name]));
  }

  #update({ table, touched, row }: WriteStep): void {
    const key = PRIMARY_KEYS[table];
    const statement = this.#once(`${table} ${touched}`, () => {
      const set = touched.map((name) => `${columnIn(table, name)} = ?`);
      const same = key.map((name) => `${quoted(name)} = ?`);
      return `update ${quoted(table)} set ${set} where ${same.join(" and ")}`;
    });
    statement.run([...touched, ...key].map((name) => row[name]));
  }

  /** Values are bound by position, which is faster in this driver than by name. */
  #once(shape: string, text: () => string): BetterSqlite3.Statement<unknown[], Row> {
    const known = this.#prepared.get(shape);
    if (known) return known;
    const prepared = this.#client.prepare<unknown[], Row>(text());
    this.#prepared.set(shape, prepared);
    return prepared;
  }
}

function columnIn(table: TableName, name: string): string {
  columnOf(table, name);
  return quoted(name);
}

/** Builds a condition that begins with " where", and the values of its question marks. */
function conditionOf(table: TableName, match: Row): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown): string => {
    values.push(value);
    return "?";
  };
  const tests = Object.entries(match).map(([name, value]) => {
    const column = columnIn(table, name);
    return name === STATUS ? statusTest(column, value) : testOf(column, value, place);
  });
  return { text: tests.length === 0 ? "" : ` where ${tests.join(" and ")}`, values };
}

/** A list is one parameter, so that its length does not change the statement. */
function testOf(column: string, value: unknown, place: (value: unknown) => string): string {
  if (value === null) return `${column} is null`;
  if (!Array.isArray(value)) return `${column} = ${place(value)}`;
  const rest = value.filter((one) => one !== null);
  const among = `${column} in (select value from json_each(${place(JSON.stringify(rest))}))`;
  return rest.length < value.length ? `(${among} or ${column} is null)` : among;
}

/**
 * Statuses are written into the SQL. Partial indexes are on statuses, and SQLite prepares a statement
 * again for every bound value that decides whether such an index can be used. That takes ten times the
 * search.
 */
const STATUS = "status";

function statusTest(column: string, value: unknown): string {
  const names = [value].flat().map((one) => {
    if (typeof one !== "string" || !/^\w+$/.test(one)) throw new Error(`no status: ${one}`);
    return `'${one}'`;
  });
  return names.length === 1 ? `${column} = ${names[0]}` : `${column} in (${names})`;
}
