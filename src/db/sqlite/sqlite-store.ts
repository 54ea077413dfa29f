import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import type { Rule } from "../../core/command.ts";
import { ROOM } from "../../core/policy.ts";
import { type AgentRow, TABLE_NAMES } from "../../core/records.ts";
import { ChangeEmitter } from "../change-emitter.ts";
import { isNewer, MIGRATIONS, newerVersion } from "../migrations.ts";
import type { QueryDatabase } from "../queries/database.ts";
import { createQueries } from "../queries.ts";
import { jobFor, type Store, unavailable } from "../store.ts";
import { type HeldFile, holdFile } from "./copy-mark.ts";
import { createFile, restrictFile, syncFolder, writeCopy } from "./database-file.ts";
import { answerFor, isDamage } from "./errors.ts";
import { watchFile } from "./file-watch.ts";
import { GroupCommit } from "./group-commit.ts";
import { groupReads } from "./group-read.ts";
import { schema } from "./schema.ts";
import { Rows } from "./statements.ts";

export interface SqliteOptions {
  /** Path of the database file, or ":memory:". */
  file: string;
  /**
   * How many commands may share one durable commit. 1 is a transaction per request, for comparison.
   */
  batch?: number | undefined;
}

/** How often a reader that waits looks for what another process has committed, in milliseconds. */
const LOOK_ACROSS_MS = 200;

/** How long another process may keep a start waiting, and then a turn of the event loop. */
const OPEN_PATIENCE_MS = 10_000;
const TURN_PATIENCE_MS = 50;

/** SQLite with group commit: commands share durable transactions, and wait for them. */
export async function openSqlite({ file, batch = 512 }: SqliteOptions): Promise<Store> {
  const { client, held } = opened(file);
  const db = drizzle(client, { schema });
  migrateOnce(client, db, file);
  const applied = client.prepare("select count(*) from __drizzle_migrations").pluck().get();
  if (isNewer("sqlite", Number(applied))) {
    client.close();
    held?.release();
    throw unavailable(newerVersion());
  }
  client.pragma(`busy_timeout = ${TURN_PATIENCE_MS}`);
  const watch = held && watchFile(file, held);
  let damaged = false;
  const failed = (error: unknown) => {
    damaged ||= isDamage(error);
    return answerFor(error);
  };
  const hasRoom = (bytes: number) => watch?.hasRoom(bytes) ?? true;
  const expectFile = () => {
    const harm = watch?.harm();
    if (harm !== undefined) throw unavailable(new Error(harm));
  };
  const rows = new Rows(client);
  const emitter = new ChangeEmitter();
  const stopLooking = watch ? watchOtherConnections(client, emitter, failed) : () => {};
  const commits = new GroupCommit({ client, rows, batch, emitter, expectFile, hasRoom, failed });
  let closing: Promise<void> | null = null;

  return {
    run<C, R>(rule: Rule<C, R>, command: C) {
      if (closing) return Promise.reject(unavailable(new Error("the store is closed")));
      return jobFor(rule, command, (job) => commits.enqueue(job));
    },
    queries: {
      ...createQueries(db as unknown as QueryDatabase, schema, failed),
      agentByKeyHash: groupReads(
        client,
        (key_hash: string) => rows.select("agents", { key_hash })[0] as AgentRow | undefined,
        failed,
      ),
    },
    onOrderEvent: (listener) => emitter.onOrderEvent(listener),
    onCatalogChange: (listener) => emitter.onCatalogChange(listener),
    async health() {
      if (damaged) throw unavailable(new Error(`${file} is damaged`));
      expectFile();
      try {
        client.prepare("select 1").get();
        if (watch) readAnew(file);
      } catch (error) {
        throw failed(error);
      }
      return { room: hasRoom(ROOM.offers_bytes) };
    },
    async backup(target) {
      const [pages, size] = ["page_count", "page_size"].map((name) =>
        Number(client.pragma(name, { simple: true })),
      );
      await writeCopy(target, pages! * size!, async (to) => {
        await client.backup(to);
      });
    },
    close() {
      closing ??= (async () => {
        await commits.drained();
        stopLooking();
        // Closing writes the log into the file: over a copy that was put there, page by page.
        if (held?.isOverwritten()) return;
        client.close();
        held?.release();
      })();
      return closing;
    },
  };
}

/** What keeps the file from being opened is told as any database that does not answer. */
function opened(file: string): { client: BetterSqlite3.Database; held: HeldFile | null } {
  let held: HeldFile | null = null;
  try {
    if (file !== ":memory:") {
      createFile(file);
      held = holdFile(file);
      held.adopt();
    }
    return { client: openFile(file), held };
  } catch (error) {
    held?.release();
    throw unavailable(error);
  }
}

function openFile(file: string): BetterSqlite3.Database {
  const onDisk = file !== ":memory:";
  const begun = onDisk ? file : (migratedInMemory ?? file);
  const client = new BetterSqlite3(begun, { timeout: OPEN_PATIENCE_MS });
  client.pragma("journal_mode = WAL");
  // Asked for by name: better-sqlite3's own default in WAL is NORMAL, which can lose answered writes.
  client.pragma("synchronous = FULL");
  client.pragma("foreign_keys = ON");
  // 16 MiB instead of 2: hashes as keys touch pages all over the file. More would cost more than it
  // saves: where pages were split, a commit looks at all that are kept here.
  client.pragma("cache_size = -16384");
  client.pragma("temp_store = MEMORY");
  // What is erased is overwritten: a person's data must not be found in the file's free pages.
  client.pragma("secure_delete = ON");
  if (!onDisk) return client;
  // What a killed process wrote last is in the log, and we read it; but it may not have been
  // synced. A checkpoint does, before anything is answered that a lost power could take back.
  client.pragma("wal_checkpoint(PASSIVE)");
  restrictFile(file);
  syncFolder(dirname(file));
  return client;
}

/**
 * A row of every table from the disk, not from memory: through a connection of its own, because
 * opening the file in any other way would let go of SQLite's locks when it is closed.
 */
function readAnew(file: string): void {
  const client = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    for (const table of TABLE_NAMES) client.prepare(`select * from "${table}" limit 1`).get();
  } finally {
    client.close();
  }
}

/** What the next database in memory begins with: migrating one costs as much as all else of a start. */
let migratedInMemory: Buffer | undefined;

/** Two processes may start at once: the second one waits, then finds nothing left to do. */
function migrateOnce(
  client: BetterSqlite3.Database,
  db: BetterSQLite3Database<typeof schema>,
  file: string,
): void {
  if (file === ":memory:" && migratedInMemory) return;
  for (let tries = 0; ; tries++) {
    try {
      migrate(db, { migrationsFolder: MIGRATIONS.sqlite });
      if (file === ":memory:") migratedInMemory = client.serialize();
      return;
    } catch (error) {
      const { cause = error } = error as { cause?: unknown };
      if (tries >= 20 || client.inTransaction) throw unavailable(cause);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/**
 * data_version moves when another connection has committed: then waiting readers look again. A file
 * that cannot be read is `failed`, which those are told who ask the database; it ends no process.
 */
function watchOtherConnections(
  client: BetterSqlite3.Database,
  emitter: ChangeEmitter,
  failed: (error: unknown) => unknown,
): () => void {
  const statement = client.prepare("PRAGMA data_version").pluck();
  let seen = statement.get();
  const look = () => {
    try {
      const now = statement.get();
      if (now !== seen) emitter.anythingChanged();
      seen = now;
    } catch (error) {
      failed(error);
    }
  };
  const timer = setInterval(look, LOOK_ACROSS_MS).unref();
  return () => clearInterval(timer);
}
