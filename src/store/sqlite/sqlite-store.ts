import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { type Rule, read } from "../../domain/shared/command.ts";
import { MIGRATIONS } from "../migrations.ts";
import { OrderBell } from "../order-events.ts";
import { createQueries, type QueryDatabase } from "../queries.ts";
import { jobFor, type Store, unavailable } from "../store.ts";
import { answerFor } from "./errors.ts";
import { GroupCommit } from "./group-commit.ts";
import { groupReads } from "./group-read.ts";
import { Rows, type SqliteDatabase } from "./rows.ts";
import * as schema from "./schema.ts";

export interface SqliteOptions {
  /** Path of the database file, or ":memory:". */
  file: string;
  /** How many commands may share one durable commit. 1 is a transaction per request, for comparison. */
  batch?: number;
}

/** How often a reader that waits looks for what another process has committed, in milliseconds. */
const LOOK_ACROSS_MS = 200;

/** SQLite with group commit: commands share durable transactions, and wait for them. */
export async function openSqlite({ file, batch = 512 }: SqliteOptions): Promise<Store> {
  const client = openFile(file);
  const db = drizzle(client, { schema }) as SqliteDatabase;
  migrateOnce(client, db);
  const rows = new Rows(db);
  const bell = new OrderBell();
  const stopLooking = lookAcross(client, file, bell);
  const commits = new GroupCommit(client, rows, batch, bell);
  let closing: Promise<void> | null = null;
  return {
    run: <C, R>(rule: Rule<C, R>, command: C) =>
      closing
        ? Promise.reject(unavailable(new Error("the store is closed")))
        : jobFor(rule, command, (job) => commits.enqueue(job)),
    queries: {
      ...createQueries(db as unknown as QueryDatabase, schema, answerFor),
      agentByKeyHash: groupReads(
        client,
        (key_hash: string) => rows.load([read("agents", { key_hash })]).agents[0],
      ),
    },
    onOrderEvent: (listener) => bell.listen(listener),
    async health() {
      try {
        client.prepare("select 1").get();
      } catch (error) {
        throw unavailable(error);
      }
    },
    async backup(target) {
      await client.backup(target);
    },
    close() {
      closing ??= (async () => {
        await commits.drained();
        stopLooking();
        client.close();
      })();
      return closing;
    },
  };
}

function openFile(file: string): BetterSqlite3.Database {
  if (file !== ":memory:" && !existsSync(dirname(file))) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  }
  const client = new BetterSqlite3(file, { timeout: 10_000 });
  client.pragma("journal_mode = WAL");
  // Asked for by name: better-sqlite3's own default in WAL is NORMAL, which can lose answered writes.
  client.pragma("synchronous = FULL");
  client.pragma("foreign_keys = ON");
  // 64 MiB instead of 2: hashes as keys touch pages all over the file.
  client.pragma("cache_size = -65536");
  client.pragma("temp_store = MEMORY");
  return client;
}

/** Two processes may start at once: the second one waits, then finds nothing left to do. */
function migrateOnce(client: BetterSqlite3.Database, db: SqliteDatabase): void {
  for (let tries = 0; ; tries++) {
    try {
      migrate(db, { migrationsFolder: MIGRATIONS.sqlite });
      return;
    } catch (error) {
      if (tries >= 20 || client.inTransaction) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** data_version moves when another connection has committed: then waiting readers look again. */
function lookAcross(client: BetterSqlite3.Database, file: string, bell: OrderBell): () => void {
  if (file === ":memory:") return () => {};
  const version = () => client.pragma("data_version", { simple: true }) as number;
  let seen = version();
  const timer = setInterval(() => {
    if (!bell.heard) return;
    const now = version();
    if (now !== seen) bell.ringAll();
    seen = now;
  }, LOOK_ACROSS_MS);
  timer.unref();
  return () => clearInterval(timer);
}
