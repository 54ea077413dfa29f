import { isDeepStrictEqual } from "node:util";
import { TABLE_NAMES, type TableName } from "../core/records.ts";
import { sha256 } from "../core/sha256.ts";
import { DATABASE_URL_FORMS, readDatabaseUrl } from "./database-url.ts";
import { knownMigrations } from "./migrations.ts";
import type { Side } from "./move-side.ts";
import { postgresSide } from "./postgres/move-side.ts";
import { quoted, type Row } from "./rows.ts";
import { sqliteSide } from "./sqlite/move-side.ts";

export interface MoveOptions {
  /** sqlite:<file> or postgres://… */
  from: string;
  to: string;
  /** Told after every page, of copying and then of checking. */
  progress?: (progress: MoveProgress) => void;
  /** How long PostgreSQL may say nothing to one statement; otherwise a silent network kept both locked. */
  answerMs?: number;
}

export interface MoveProgress {
  table: TableName;
  doing: "copy" | "check";
  /** Rows so far, and of how many, over all tables; every row is copied, then checked. */
  done: number;
  total: number;
}

export type MovedRows = Record<TableName, number>;

/** The move was refused or did not come out right; nothing was changed. */
export class MoveError extends Error {
  override name = "MoveError";
}

/**
 * Copies every row of one database into another, empty one, in one transaction, and commits only
 * when count and checksum of every table are the same on both sides. Both sides are locked against
 * writers meanwhile; the service should be stopped, or it goes on with the old one afterwards.
 */
export async function move(options: MoveOptions): Promise<MovedRows> {
  const { from, to, progress = () => {}, answerMs } = options;
  const origin = readDatabaseUrl(from);
  if (origin && isDeepStrictEqual(origin, readDatabaseUrl(to)))
    throw new MoveError("From and to are the same database.");
  const source = await openSide(from, { isSource: true, answerMs });
  try {
    // There may be more in it than we know of.
    if ((await source.count(source.migrations)) > knownMigrations(source.engine)) {
      throw new MoveError("A newer version wrote this database. Move it with that version.");
    }
    const target = await openSide(to, { isSource: false, answerMs });
    try {
      await refuseUnlessEmpty(target);
      const moved = await copyAll(source, target, progress);
      await target.commit().catch(({ message }: Error) => {
        throw new MoveError(
          `It is not known whether the target keeps the rows: ${message}. Move again: where it is then ` +
            "refused as not empty, it does.",
        );
      });
      return moved;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openSide(
  address: string,
  { isSource, answerMs }: { isSource: boolean; answerMs: number | undefined },
): Promise<Side> {
  const database = readDatabaseUrl(address);
  if (!database || (database.engine === "sqlite" && database.file === ":memory:")) {
    throw new MoveError(`A database is named as ${DATABASE_URL_FORMS}.`);
  }
  try {
    if (database.engine === "postgres") return await postgresSide(database.url, answerMs);
    return await sqliteSide(database.file, isSource);
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new MoveError(`The ${isSource ? "source" : "target"} cannot be opened: ${why}`);
  }
}

async function refuseUnlessEmpty(target: Side): Promise<void> {
  for (const table of TABLE_NAMES) {
    const rows = await target.count(quoted(table));
    if (rows > 0) {
      throw new MoveError(
        `The target is not empty: ${rows} rows in ${table}. A move needs an empty database: name a ` +
          "new one, or delete this one first where nothing in it is needed.",
      );
    }
  }
}

async function copyAll(
  source: Side,
  target: Side,
  progress: (progress: MoveProgress) => void,
): Promise<MovedRows> {
  const counts: [TableName, number][] = [];
  for (const table of TABLE_NAMES) counts.push([table, await source.count(quoted(table))]);
  const total = 2 * counts.reduce((sum, [, rows]) => sum + rows, 0);
  if (total === 0) throw new MoveError("There is no shop in the source.");
  let done = 0;
  for (const [table, rows] of counts) {
    const read = new Checksum();
    for await (const page of source.pages(table)) {
      await target.insert(table, page);
      read.add(page);
      done += page.length;
      progress({ table, doing: "copy", done, total });
    }
    const written = new Checksum();
    for await (const page of target.pages(table)) {
      written.add(page);
      done += page.length;
      progress({ table, doing: "check", done, total });
    }
    if (read.rows !== rows || !read.same(written)) {
      throw new MoveError(
        `${table} did not come out the same: ${read.rows} rows read, ${written.rows} written. ` +
          "Nothing was changed.",
      );
    }
  }
  return Object.fromEntries(counts) as MovedRows;
}

/** Of all rows of a table, whatever their order: the sum of their hashes. */
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

  same(other: Checksum): boolean {
    return this.rows === other.rows && this.#sum === other.#sum;
  }
}
