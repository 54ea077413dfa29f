import type BetterSqlite3 from "better-sqlite3";
import type { Read, State, Write } from "../../domain/shared/command.ts";
import type { TableName } from "../../domain/shared/records.ts";
import { columnOf, columnsOf, quoted } from "../columns.ts";
import { fits, type Row, stateOfReads } from "../match.ts";
import { GuardFailed } from "../store.ts";

/** Runs reads and writes of commands as prepared statements, one per shape. */
export class Rows {
  readonly #client: BetterSqlite3.Database;
  readonly #prepared = new Map<string, BetterSqlite3.Statement<unknown[], Row>>();

  constructor(client: BetterSqlite3.Database) {
    this.#client = client;
  }

  load(reads: readonly Read[], seen?: SeenRows): State {
    return stateOfReads(reads, ({ table, match, lock }) =>
      this.#select(table, match as Row, lock === false ? seen : undefined),
    );
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
    const { text, values } = conditionOf(table, match);
    const from = `from ${quoted(table)}${text}`;
    const read = () => {
      const select = this.#once(from, () => `select ${columnsOf(table).map(quoted)} ${from}`);
      return select.all(values);
    };
    return seen ? seen.find(table, `${from} ${JSON.stringify(values)}`, read) : read();
  }

  #insert(table: TableName, row: Row): void {
    const columns = columnsOf(table);
    const statement = this.#once(table, () => {
      const places = columns.map(() => "?");
      return `insert into ${quoted(table)} (${columns.map(quoted)}) values (${places})`;
    });
    statement.run(columns.map((name) => row[name]));
  }

  #update(table: TableName, set: Row, where: Row): number {
    const given = Object.entries(set).filter(([, value]) => value !== undefined);
    const { text, values } = conditionOf(table, where);
    const columns = given.map(([name]) => `${column(table, name)} = ?`);
    const update = `update ${quoted(table)} set ${columns}${text}`;
    const news = given.map(([, value]) => value);
    return this.#once(update, () => update).run([...news, ...values]).changes;
  }

  /** Values are bound by place: the driver takes longer to find them by their names. */
  #once(shape: string, text: () => string): BetterSqlite3.Statement<unknown[], Row> {
    const known = this.#prepared.get(shape);
    if (known) return known;
    const prepared = this.#client.prepare<unknown[], Row>(text());
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

  find(table: TableName, question: string, read: () => Row[]): Row[] {
    const seen = this.#tables.get(table) ?? new Map<string, Row[]>();
    this.#tables.set(table, seen);
    const rows = seen.get(question) ?? read();
    seen.set(question, rows);
    return rows;
  }

  changed(table: TableName): void {
    this.#tables.delete(table);
  }
}

function column(table: TableName, name: string): string {
  columnOf(table, name);
  return quoted(name);
}

/** Of an SQL statement: `text` begins with " where", `values` are those of its question marks. */
interface Condition {
  text: string;
  values: unknown[];
}

function conditionOf(table: TableName, match: Row): Condition {
  const values: unknown[] = [];
  const place = (name: string, value: unknown): string => {
    if (name === STATUS && typeof value === "string" && /^\w+$/.test(value)) return `'${value}'`;
    values.push(value);
    return "?";
  };
  const tests = Object.entries(match).map(([name, value]) =>
    testOf(column(table, name), value, (one) => place(name, one)),
  );
  return { text: tests.length === 0 ? "" : ` where ${tests.join(" and ")}`, values };
}

/** Null is said in SQL by another word than equality. */
function testOf(column: string, value: unknown, place: (value: unknown) => string): string {
  if (value === null) return `${column} is null`;
  if (!Array.isArray(value)) return `${column} = ${place(value)}`;
  const rest = value.filter((one) => one !== null);
  const among = `${column} in (${rest.map(place)})`;
  return rest.length < value.length ? `(${among} or ${column} is null)` : among;
}

/**
 * Written into the SQL: partial indexes are about statuses, and SQLite prepares a statement anew every
 * time it is given a value that decides whether such an index serves. That takes ten times the search.
 */
const STATUS = "status";
