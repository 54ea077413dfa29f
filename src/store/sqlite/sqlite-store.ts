import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers";
import BetterSqlite3 from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import type { Rule, Write } from "../../domain/command.ts";
import { MIGRATIONS } from "../migrations.ts";
import { OrderBell } from "../order-bell.ts";
import { createQueries, type QueryDatabase } from "../queries.ts";
import type { Store } from "../store.ts";
import { Rows, type SqliteDatabase } from "./rows.ts";
import * as schema from "./schema.ts";

export interface SqliteOptions {
  /** Path of the database file, or ":memory:". */
  file: string;
  /** How many commands may share one durable commit. 1 is a transaction per request, for comparison. */
  batch?: number;
}

interface Job {
  rule: Rule<unknown, unknown>;
  command: unknown;
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

/** How often a reader that waits looks for what another process has committed, in milliseconds. */
const LOOK_ACROSS_MS = 200;

/**
 * SQLite with group commit: everything queued in one turn of the event loop shares one BEGIN
 * IMMEDIATE … COMMIT, each command in a savepoint of its own, and no answer leaves before COMMIT.
 */
export async function openSqlite({ file, batch = 512 }: SqliteOptions): Promise<Store> {
  const client = openFile(file);
  const db = drizzle(client, { schema }) as SqliteDatabase;
  migrateOnce(client, db);
  const rows = new Rows(db);
  const bell = new OrderBell();
  const stopLooking = lookAcross(client, file, bell);
  const commit = groupCommit(client, rows, batch, bell);
  let closed = false;
  return {
    run: <C, R>(rule: Rule<C, R>, command: C) =>
      new Promise<R>((resolve, reject) => {
        if (closed) reject(new Error("the store is closed"));
        else {
          commit({
            rule: rule as Rule<unknown, unknown>,
            command,
            resolve: resolve as (reply: unknown) => void,
            reject,
          });
        }
      }),
    queries: createQueries(db as unknown as QueryDatabase, schema),
    onOrderEvent: (listener) => bell.listen(listener),
    async health() {
      client.prepare("select 1").get();
    },
    async backup(target) {
      await client.backup(target);
    },
    async close() {
      if (closed) return;
      closed = true;
      stopLooking();
      client.close();
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

function groupCommit(
  client: BetterSqlite3.Database,
  rows: Rows,
  batch: number,
  bell: OrderBell,
): (job: Job) => void {
  const begin = client.prepare("BEGIN IMMEDIATE");
  const end = client.prepare("COMMIT");
  const rollback = client.prepare("ROLLBACK");
  const savepoint = client.prepare("SAVEPOINT command");
  const release = client.prepare("RELEASE command");
  const undo = client.prepare("ROLLBACK TO command");
  const queue: Job[] = [];

  const decide = (job: Job, changed: Write[]): (() => void) => {
    savepoint.run();
    try {
      const state = rows.load(job.rule.reads(job.command));
      const { reply, writes } = job.rule.decide(job.command, state);
      for (const write of writes) rows.apply(write);
      release.run();
      changed.push(...writes);
      return () => job.resolve(reply);
    } catch (error) {
      undo.run();
      release.run();
      return () => job.reject(error);
    }
  };

  const flush = (): void => {
    const jobs = queue.splice(0, batch);
    if (queue.length > 0) setImmediate(flush);
    const settled: (() => void)[] = [];
    const changed: Write[] = [];
    try {
      begin.run();
      for (const job of jobs) settled.push(decide(job, changed));
      end.run();
    } catch (error) {
      if (client.inTransaction) rollback.run();
      for (const job of jobs) job.reject(error);
      return;
    }
    for (const settle of settled) settle();
    bell.ringFor(changed);
  };

  return (job) => {
    queue.push(job);
    if (queue.length === 1) setImmediate(flush);
  };
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
