import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { TABLE_NAMES } from "../../core/records.ts";
import { ChangeEmitter } from "../changes.ts";
import { promiseReply } from "../decide.ts";
import type { ListForm, QueryDatabase } from "../queries/database.ts";
import { createQueries } from "../queries.ts";
import { quoted } from "../rows.ts";
import { type Store, unavailable } from "../store.ts";
import { Batches } from "./batches.ts";
import { listenForChanges } from "./change-listener.ts";
import { connectionConfig, type Log, openPools, STATEMENT_MS } from "./connection.ts";
import { driverError, isDiskFull, readFailed, StatementFailed } from "./errors.ts";
import { migrateOnce } from "./migrate.ts";
import { schema } from "./schema.ts";
import { inBulk } from "./statements.ts";

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  url: string;
  /** Connections, without the one that listens. More of them only wait for the same rows. */
  pool?: number;
  /** Commands that may share one transaction. With 1 each command has its own. */
  batch?: number | undefined;
  /** Transactions of commands that run at once. The other connections, at least one, read. */
  concurrency?: number;
  lockTimeoutMs?: number;
  /** Limit of a statement; a connection is given up a second later. */
  statementMs?: number | undefined;
  /** How often waiting readers look for events that no notification announced. */
  catchUpMs?: number;
  /** Reports broken connections and failed commands to the operator. */
  log?: Log | undefined;
}

const LISTS: ListForm = {
  parameter: (values) => [...values],
  has: (column, list) => sql`${column} = any(${list})`,
};

/** How long new requests are refused after a full disk. */
const FULL_MS = 10_000;

/**
 * Opens PostgreSQL for any number of instances. Commands that are queued together share a transaction,
 * rows are locked in one order everywhere, and instances announce new events with NOTIFY.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const {
    url,
    pool: size = 5,
    batch = 64,
    concurrency = 2,
    lockTimeoutMs: lockMs = 3000,
  } = options;
  const { statementMs = STATEMENT_MS, catchUpMs = 3000, log = () => {} } = options;
  const newer = await migrateOnce(url);
  const connection = connectionConfig(url, statementMs);
  const commandsAtOnce = Math.max(1, Math.min(concurrency, size));
  const sizes = { commands: commandsAtOnce, reads: Math.max(1, size - commandsAtOnce) };
  const limits = { lockMs, statementMs };
  const { commands, reads, cut, isLate } = openPools(connection, { sizes, ...limits, log });
  const emitter = new ChangeEmitter();
  const listener = listenForChanges({ connection, emitter, log, catchUpMs });
  await listener.ready;
  // The server's free space can't be read from here: a transaction fails when its disk is full.
  let fullUntil = 0;
  const hasRoom = () => performance.now() >= fullUntil;
  const batches = new Batches({
    pool: commands,
    batch,
    concurrency: commandsAtOnce,
    log,
    // PostgreSQL also notifies us of our own changes, unless the listener is disconnected.
    onCommit: (committed) => listener.isOpen() || emitter.signal(committed),
    hasRoom,
    onFailure: (error) => {
      if (isDiskFull(error)) fullUntil = performance.now() + FULL_MS;
      if (error instanceof StatementFailed) cut(error);
    },
  });
  const db = drizzle(reads, { schema }) as unknown as QueryDatabase;
  let closing: Promise<void> | null = null;
  return {
    migratedByNewerVersion: newer,
    run(rule, command) {
      if (closing) return Promise.reject(unavailable(new Error("the store is closed")));
      return promiseReply(rule, command, (job) => batches.enqueue(job));
    },
    queries: createQueries(db, schema, LISTS, async (read) => {
      for (let tries = 1; ; tries++) {
        const began = performance.now();
        try {
          return await read();
        } catch (error) {
          const failed = driverError(error, performance.now() - began);
          cut(failed);
          const readAgain = failed.disconnected || isLate(failed);
          if (!readAgain || tries > 1) throw readFailed(error);
        }
      }
    }),
    onNews: (listener) => emitter.onNews(listener),
    onCatalogChange: (listener) => emitter.onCatalogChange(listener),
    async health() {
      const answer = await commands
        .query(
          `select pg_is_in_recovery() as standby,
             current_setting('transaction_read_only')::bool as "readOnly"`,
        )
        .catch((error: unknown) => {
          throw unavailable(error);
        });
      const { standby, readOnly } = answer.rows[0];
      if (standby) throw unavailable(new Error("this server is a standby"));
      if (readOnly) throw unavailable(new Error("this server is read-only"));
      return { room: hasRoom() };
    },
    async backup() {
      throw new Error(
        "Back up a PostgreSQL database with its own tools, while the service runs: " +
          'pg_dump --format=custom --file=merchant.dump "$DATABASE_URL"',
      );
    },
    async lock() {
      const client = await commands.connect();
      try {
        await client.query("begin isolation level read committed");
        await client.query("set local idle_in_transaction_session_timeout = 0");
        await client.query(`lock table ${TABLE_NAMES.map(quoted)} in share row exclusive mode`);
      } catch (error) {
        client.release(true);
        throw error;
      }
      return {
        db: drizzle(client, { schema }) as unknown as QueryDatabase,
        tables: schema,
        async write(steps) {
          for (const { text, values } of inBulk(steps)) await client.query(text, values);
        },
        async commit() {
          await client.query("commit");
        },
        // Closing the connection rolls back.
        release: () => client.release(true),
      };
    },
    close() {
      closing ??= (async () => {
        const listening = listener.close();
        await batches.drained();
        await Promise.all([commands.end(), reads.end()]);
        await listening;
      })();
      return closing;
    },
  };
}
