import { drizzle } from "drizzle-orm/node-postgres";
import type { Rule } from "../../core/command.ts";
import { ChangeEmitter } from "../change-emitter.ts";
import type { QueryDatabase } from "../queries/database.ts";
import { createQueries } from "../queries.ts";
import { jobFor, type Store, unavailable } from "../store.ts";
import { Batches } from "./batches.ts";
import { listenForChanges } from "./change-listener.ts";
import { connectionConfig, type Log, openPool } from "./connection.ts";
import { ConnectionWatchdog } from "./connection-watchdog.ts";
import { isDiskFull, readFailed } from "./errors.ts";
import { migrateOnce } from "./migrate.ts";
import { schema } from "./schema.ts";

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  url: string;
  /** Connections besides the one that listens. On hot rows more of them only queue up. */
  pool?: number;
  /** How many commands may share one transaction. 1 is a transaction per command. */
  batch?: number | undefined;
  /** How many transactions of commands are under way at once; the other connections read. */
  concurrency?: number;
  lockTimeoutMs?: number;
  /** How often waiting readers look for events that no notification told. */
  catchUpMs?: number;
  /** Told of broken connections and given-up commands, for the operator. */
  log?: Log;
}

/** How long a full disk is left to what was begun before anything new tries it again. */
const FULL_MS = 10_000;

/**
 * PostgreSQL for any number of instances: commands that wait together share a transaction, their
 * rows locked in one order everywhere, and instances tell each other of new events by NOTIFY.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { url, pool: size = 5, batch = 64, concurrency = 2, lockTimeoutMs = 3000 } = options;
  const log = options.log ?? (() => {});
  await migrateOnce(url);
  const line = new ConnectionWatchdog();
  const connection = connectionConfig(url, line);
  const pool = openPool(connection, { size, lockMs: lockTimeoutMs, log });
  const emitter = new ChangeEmitter();
  const catchUpMs = options.catchUpMs ?? 3000;
  const listener = listenForChanges({ connection, line, emitter, log, catchUpMs });
  await listener.ready;
  // The server's disk cannot be seen from here: it is full when a transaction failed for it.
  let fullUntil = 0;
  const hasRoom = () => performance.now() >= fullUntil;
  const batches = new Batches({
    pool,
    batch,
    concurrency: Math.max(1, Math.min(concurrency, size)),
    log,
    // Our own news come back to us too; only while we do not listen they have to be told here.
    committed: (writes) => listener.isOpen() || emitter.committed(writes),
    hasRoom,
    failed: (error) => {
      if (isDiskFull(error)) fullUntil = performance.now() + FULL_MS;
    },
  });
  const db = drizzle(pool, { schema }) as unknown as QueryDatabase;
  let closing: Promise<void> | null = null;
  return {
    run<C, R>(rule: Rule<C, R>, command: C) {
      if (closing) return Promise.reject(unavailable(new Error("the store is closed")));
      return jobFor(rule, command, (job) => batches.enqueue(job));
    },
    queries: createQueries(db, schema, readFailed),
    onOrderEvent: (listener) => emitter.onOrderEvent(listener),
    onCatalogChange: (listener) => emitter.onCatalogChange(listener),
    async health() {
      const answer = await pool
        .query("select pg_is_in_recovery() as standby")
        .catch((error: unknown) => {
          throw unavailable(error);
        });
      if (answer.rows[0].standby) throw unavailable(new Error("this server is a standby"));
      return { room: hasRoom() };
    },
    async backup() {
      throw new Error(
        "A PostgreSQL database is backed up with its own tools, while the service runs: " +
          'pg_dump --format=custom --file=merchant.dump "$DATABASE_URL"',
      );
    },
    close() {
      closing ??= (async () => {
        await batches.drained();
        // The one that listens goes last: it finds out where no farewell will be answered.
        await pool.end();
        await listener.close();
      })();
      return closing;
    },
  };
}
