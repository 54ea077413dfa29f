import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type AnyColumn, asc, count, DrizzleQueryError } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { sha256 } from "../core/hash.ts";
import { PRIMARY_KEYS, TABLE_NAMES, type TableName } from "../core/records.ts";
import { DATABASE_URL_FORMS, openStore, readDatabaseUrl } from "./database-url.ts";
import { behind } from "./queries/database.ts";
import type { Row } from "./rows.ts";
import type { LockedDatabase, Store } from "./store.ts";

export interface MoveOptions {
  /** sqlite:<file> or postgres://… */
  from: string;
  to: string;
  /** Called after every page. */
  progress?: (progress: MoveProgress) => void;
  /** How long PostgreSQL may take for a statement. A dead network then ends the move. */
  statementMs?: number;
}

export interface MoveProgress {
  table: TableName;
  doing: "copy" | "check";
  /** Rows so far. Every row counts twice, as it is copied and then checked. */
  done: number;
  total: number;
}

export type MovedRows = Record<TableName, number>;

/** The move was refused or failed. Nothing was changed. */
export class MoveError extends Error {
  override name = "MoveError";
}

const STATEMENT_MS = 150_000;

const PAGE_ROWS = 1000;

/**
 * Copies every row of one database into another, empty one, in one transaction. Commits only when count
 * and checksum of every table are equal on both sides. Both databases are locked against writers
 * meanwhile. A service that runs on the old one goes on with it afterwards, so stop it first.
 */
export async function move(options: MoveOptions): Promise<MovedRows> {
  const { from, to, progress = () => {}, statementMs = STATEMENT_MS } = options;
  const origin = readDatabaseUrl(from);
  if (origin && isDeepStrictEqual(origin, readDatabaseUrl(to))) {
    throw new MoveError("From and to are the same database.");
  }
  if (origin?.engine === "sqlite" && !existsSync(origin.file)) {
    throw new MoveError(`The source cannot be opened: there is no file ${origin.file}`);
  }
  return locked("source", from, statementMs, (source, { migratedByNewerVersion }) => {
    // It may have columns that this version would leave behind.
    if (migratedByNewerVersion) {
      throw new MoveError("A newer version wrote this database. Move it with that version.");
    }
    return locked("target", to, statementMs, async (target) => {
      await refuseUnlessEmpty(target);
      const moved = await copyAll(source, target, progress);
      await target.commit().catch(({ message }: Error) => {
        throw new MoveError(
          `It is not known whether the target has the rows: ${message}. Move again: if that is refused ` +
            "because the target is not empty, it has them.",
        );
      });
      return moved;
    });
  });
}

/** Opens and locks a database for `work`. What it did not commit is rolled back. */
async function locked<T>(
  side: "source" | "target",
  address: string,
  statementMs: number,
  work: (database: LockedDatabase, store: Store) => Promise<T>,
): Promise<T> {
  const url = readDatabaseUrl(address);
  if (!url || (url.engine === "sqlite" && url.file === ":memory:")) {
    throw new MoveError(`A database is named as ${DATABASE_URL_FORMS}.`);
  }
  let store: Store | undefined;
  let database: LockedDatabase;
  try {
    store = await openStore(address, { statementMs });
    database = await store.lock();
  } catch (error) {
    await store?.close();
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new MoveError(`The ${side} cannot be opened: ${why}`);
  }
  try {
    return await work(database, store);
  } catch (error) {
    // Drizzle's own error has the rows in its message.
    throw error instanceof DrizzleQueryError && error.cause ? error.cause : error;
  } finally {
    database.release();
    await store.close();
  }
}

async function refuseUnlessEmpty(target: LockedDatabase): Promise<void> {
  for (const table of TABLE_NAMES) {
    const rows = await countIn(target, table);
    if (rows > 0) {
      throw new MoveError(
        `The target is not empty: ${rows} rows in ${table}. Name a new, empty database, or delete this ` +
          "one first if you need nothing in it.",
      );
    }
  }
}

async function countIn({ db, tables }: LockedDatabase, table: TableName): Promise<number> {
  const [found] = await db.select({ n: count() }).from(tables[table] as SQLiteTable);
  return Number(found?.n);
}

/** Rows of a table in the order of their keys, a page at a time. */
async function* pagesOf({ db, tables }: LockedDatabase, name: TableName): AsyncGenerator<Row[]> {
  const table = tables[name] as SQLiteTable;
  const key: readonly string[] = PRIMARY_KEYS[name];
  const columns = key.map((column) => (table as unknown as Record<string, AnyColumn>)[column]!);
  let last: Row | undefined;
  do {
    const after = last;
    const page: Row[] = await db
      .select()
      .from(table)
      .where(
        after &&
          behind(
            columns,
            key.map((column) => after[column]),
          ),
      )
      .orderBy(...columns.map((column) => asc(column)))
      .limit(PAGE_ROWS);
    if (page.length > 0) yield page;
    last = page.length === PAGE_ROWS ? page.at(-1) : undefined;
  } while (last);
}

async function copyAll(
  source: LockedDatabase,
  target: LockedDatabase,
  progress: (progress: MoveProgress) => void,
): Promise<MovedRows> {
  const counts: [TableName, number][] = [];
  for (const table of TABLE_NAMES) counts.push([table, await countIn(source, table)]);
  const total = 2 * counts.reduce((sum, [, rows]) => sum + rows, 0);
  if (total === 0) throw new MoveError("There is no shop in the source.");
  let done = 0;
  for (const [table, rows] of counts) {
    const read = new Checksum();
    for await (const page of pagesOf(source, table)) {
      await target.write(page.map((row) => ({ op: "insert", table, touched: [], row })));
      read.add(page);
      done += page.length;
      progress({ table, doing: "copy", done, total });
    }
    const written = new Checksum();
    for await (const page of pagesOf(target, table)) {
      written.add(page);
      done += page.length;
      progress({ table, doing: "check", done, total });
    }
    if (read.rows !== rows || !read.equals(written)) {
      throw new MoveError(
        `${table} did not come out the same: ${read.rows} rows read, ${written.rows} written. ` +
          "Nothing was changed.",
      );
    }
  }
  return Object.fromEntries(counts) as MovedRows;
}

/** Checksum of a table's rows in any order: the sum of their hashes. */
class Checksum {
  rows = 0;
  #sum = 0n;

  add(page: readonly Row[]): void {
    for (const row of page) {
      const names = Object.keys(row).sort();
      const text = JSON.stringify(names.map((name) => [name, row[name]]));
      this.#sum += BigInt(`0x${sha256(text)}`);
      this.rows++;
    }
  }

  equals(other: Checksum): boolean {
    return this.rows === other.rows && this.#sum === other.#sum;
  }
}
