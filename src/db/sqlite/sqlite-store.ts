import { setImmediate } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { sha256 } from "../../core/hash.ts";
import { ROOM } from "../../core/policy.ts";
import { type AgentRow, type StockRow, TABLE_NAMES } from "../../core/records.ts";
import { ChangeEmitter } from "../changes.ts";
import { promiseReply } from "../decide.ts";
import { MIGRATIONS, migratedByNewerVersion, refuseTooOld } from "../migrations.ts";
import type { ListForm, QueryDatabase } from "../queries/database.ts";
import { createQueries } from "../queries.ts";
import type { Row } from "../rows.ts";
import { type Store, unavailable } from "../store.ts";
import { DatabaseFile, writeCopy } from "./database-file.ts";
import { answerFor, expectFile, GroupCommit } from "./group-commit.ts";
import { schema } from "./schema.ts";
import { Statements } from "./statements.ts";

export interface SqliteOptions {
  /** Path of the database file, or ":memory:". */
  file: string;
  /** Commands that may share one durable commit. With 1 each command has its own transaction. */
  batch?: number | undefined;
}

/** How often waiting readers look for commits of other processes, in milliseconds. */
const LOOK_ACROSS_MS = 200;

/** How long another process may delay a start, and later a turn of the event loop. */
const OPEN_PATIENCE_MS = 10_000;
const TURN_PATIENCE_MS = 50;

/** Most of the write-ahead log that stays on disk after a checkpoint. A usual day needs less. */
const MOST_KEPT_LOG_BYTES = 16 * 1024 * 1024;

const LISTS: ListForm = {
  parameter: (values) => JSON.stringify(values),
  has: (column, list) => sql`${column} in (select value from json_each(${list}))`,
};

/** Opens SQLite with group commit: commands share durable transactions. */
export async function openSqlite({ file: path, batch = 512 }: SqliteOptions): Promise<Store> {
  const { client, file, db, newer } = await openDatabase(path);
  const statements = new Statements(client);
  const emitter = new ChangeEmitter();
  const stopLooking = file ? watchOtherProcesses(client, emitter) : () => {};
  const commits = new GroupCommit({ client, statements, batch, emitter, file });
  const readStock = groupReads(
    client,
    () => statements.select("stock", {}).sort(byProduct) as unknown as StockRow[],
    answerFor,
  );
  let closing: Promise<void> | null = null;

  return {
    migratedByNewerVersion: newer,
    run(rule, command) {
      if (closing) return Promise.reject(unavailable(new Error("the store is closed")));
      return promiseReply(rule, command, (job) => commits.enqueue(job));
    },
    queries: {
      ...createQueries(db as unknown as QueryDatabase, schema, LISTS, (read) =>
        read().catch((error: unknown) => {
          throw answerFor(error);
        }),
      ),
      agentByKeyHash: groupReads(
        client,
        (key_hash: string) => statements.select("agents", { key_hash })[0] as AgentRow | undefined,
        answerFor,
      ),
      shownStock: () => readStock(null),
    },
    onNews: (listener) => emitter.onNews(listener),
    onCatalogChange: (listener) => emitter.onCatalogChange(listener),
    async health() {
      expectFile(file);
      try {
        client.prepare("select 1").get();
        if (file) readFromDisk(path);
      } catch (error) {
        throw answerFor(error);
      }
      return { room: file?.hasRoom(ROOM.offers_bytes) ?? true };
    },
    async backup(target) {
      const [pages, size] = ["page_count", "page_size"].map((name) =>
        Number(client.pragma(name, { simple: true })),
      );
      await writeCopy(target, pages! * size!, async (to) => {
        await client.backup(to);
      });
    },
    async lock() {
      client.pragma(`busy_timeout = ${OPEN_PATIENCE_MS}`);
      client.exec("BEGIN IMMEDIATE");
      return {
        db: db as unknown as QueryDatabase,
        tables: schema,
        write: async (steps) => statements.write(steps),
        commit: async () => void client.exec("COMMIT"),
        release() {
          if (client.inTransaction) client.exec("ROLLBACK");
        },
      };
    },
    close() {
      closing ??= (async () => {
        await commits.drained();
        stopLooking();
        // Closing would write the log into a backup that was copied over the file.
        if (file?.isOverwritten()) return;
        client.close();
        file?.close();
      })();
      return closing;
    },
  };
}

const byProduct = (a: Row, b: Row): number =>
  String(a.product_id) < String(b.product_id) ? -1 : 1;

async function openDatabase(path: string) {
  let file: DatabaseFile | undefined;
  let client: BetterSqlite3.Database | undefined;
  try {
    file = path === ":memory:" ? undefined : new DatabaseFile(path);
    client = connect(path, file);
    const db = drizzle(client, { schema });
    planOnce(db);
    const newer = await migrateOnce(client, db, path);
    client.pragma(`busy_timeout = ${TURN_PATIENCE_MS}`);
    file?.watch();
    return { client, file, db, newer };
  } catch (error) {
    client?.close();
    file?.close();
    const { cause = error } = error as { cause?: unknown };
    throw unavailable(cause);
  }
}

/**
 * Writes each value of a query as `+?`. SQLite looks at the value behind a bare `?` when it plans, so it
 * plans again for every value, which takes ten times as long as the search.
 */
function planOnce(db: object): void {
  (db as { dialect: { escapeParam(): string } }).dialect.escapeParam = () => "+?";
}

function connect(path: string, file: DatabaseFile | undefined): BetterSqlite3.Database {
  const client = new BetterSqlite3(file ? path : (migratedInMemory ?? path), {
    timeout: OPEN_PATIENCE_MS,
  });
  refuseForeign(client);
  // PostgreSQL has it. Migrations use it.
  client.function("sha256", { deterministic: true }, (text: string) => sha256(text));
  client.pragma("journal_mode = WAL");
  // Explicit: better-sqlite3's default in WAL mode is NORMAL, which can lose commits at a power loss.
  client.pragma("synchronous = FULL");
  client.pragma("foreign_keys = ON");
  // 16 MiB instead of 2: keys are hashes, so rows are all over the file. With more, commits that split
  // pages take longer, because they look at all pages that are kept.
  client.pragma("cache_size = -16384");
  // Otherwise the log keeps the size of its largest burst.
  client.pragma(`journal_size_limit = ${MOST_KEPT_LOG_BYTES}`);
  client.pragma("temp_store = MEMORY");
  // Overwrites deleted rows: an erased person's data must not stay in free pages.
  client.pragma("secure_delete = ON");
  // A killed process may have left commits in the log that were not synced. The checkpoint syncs them
  // before anything that depends on them is answered.
  client.pragma("wal_checkpoint(PASSIVE)");
  file?.secure();
  return client;
}

/** A wrong DATABASE_URL must change nothing in another program's database. */
function refuseForeign(client: BetterSqlite3.Database): void {
  const tables = client.prepare("select name from sqlite_master where type = 'table'").pluck();
  const names = tables.all() as string[];
  // SQLite's own tables, and those of replication tools such as Litestream, don't count.
  const isForeign = names.some((name) => !/^(sqlite_|_)/.test(name));
  if (isForeign && !names.includes("__drizzle_migrations")) {
    throw new Error("it is another program's database");
  }
}

/** Template for further databases in memory: migrating one takes as long as the rest of a start. */
let migratedInMemory: Buffer | undefined;

/** When two processes start at once, the second one retries and finds nothing left to do. */
async function migrateOnce(
  client: BetterSqlite3.Database,
  db: ReturnType<typeof drizzle<typeof schema>>,
  path: string,
): Promise<boolean> {
  if (path === ":memory:" && migratedInMemory) return false;
  const select = async (sql: string) => client.prepare(sql).all();
  await refuseTooOld("sqlite", select);
  for (let tries = 1; ; tries++) {
    try {
      migrate(db, { migrationsFolder: MIGRATIONS.sqlite });
      break;
    } catch (error) {
      if (tries > 20 || client.inTransaction) throw error;
      await delay(50);
    }
  }
  if (path === ":memory:") migratedInMemory = client.serialize();
  return migratedByNewerVersion("sqlite", select);
}

/** Reads a row of every table from the disk. Our own connection would read from memory. */
function readFromDisk(path: string): void {
  const client = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    for (const table of TABLE_NAMES) client.prepare(`select * from "${table}" limit 1`).get();
  } finally {
    client.close();
  }
}

/** SQLite's data_version changes when another connection has committed: then waiting readers look again. */
function watchOtherProcesses(client: BetterSqlite3.Database, emitter: ChangeEmitter): () => void {
  const statement = client.prepare("PRAGMA data_version").pluck();
  let seen = statement.get();
  const look = () => {
    try {
      const now = statement.get();
      if (now !== seen) emitter.anythingChanged();
      seen = now;
    } catch {
      // A damaged file must not end the process. Commands and health report it.
    }
  };
  const timer = setInterval(look, LOOK_ACROSS_MS).unref();
  return () => clearInterval(timer);
}

interface PendingRead<K, V> {
  key: K;
  resolve(value: V): void;
  reject(error: unknown): void;
}

/**
 * Groups a read that many requests make: an agent by its key, and the stock. Reads of one turn of the
 * event loop share a transaction, because starting one locks the file and costs several times as much as
 * finding a row. Nothing is cached between turns, so a revoked key is refused at once.
 */
function groupReads<K, V>(
  client: BetterSqlite3.Database,
  read: (key: K) => V,
  failed: (error: unknown) => unknown,
): (key: K) => Promise<V> {
  const begin = client.prepare("BEGIN");
  const commit = client.prepare("COMMIT");
  let queue: PendingRead<K, V>[] = [];

  const flush = () => {
    const pending = queue;
    queue = [];
    try {
      begin.run();
      const found = new Map(
        [...new Set(pending.map(({ key }) => key))].map((key) => [key, read(key)]),
      );
      commit.run();
      for (const { key, resolve } of pending) resolve(found.get(key)!);
    } catch (error) {
      if (client.inTransaction) client.exec("ROLLBACK");
      for (const { reject } of pending) reject(failed(error));
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject });
      if (queue.length === 1) setImmediate(flush);
    });
}
