import type { Rule } from "../core/command.ts";
import type { Settings } from "../core/context.ts";
import { MerchantError } from "../core/errors.ts";
import type { Subject } from "../core/news.ts";
import type { WriteStep } from "./overlay.ts";
import type { QueryDatabase } from "./queries/database.ts";
import type { Queries } from "./queries.ts";
import type { Schema } from "./tables.ts";

/**
 * The port to the database. `run` decides one command in one transaction and resolves when all of its
 * writes are durable. `queries` read without locks, never inside a command.
 */
export interface Store {
  /** A newer version has migrated this database; this version still runs on it. */
  readonly migratedByNewerVersion: boolean;
  run<C, R>(rule: Rule<C, R>, command: C): Promise<R>;
  readonly queries: Queries;
  /** Calls back with what may have changed, in this or another process. */
  onNews(listener: (subject: Subject) => void): () => void;
  /** Calls back when the catalog may have changed, in this or another process. */
  onCatalogChange(listener: () => void): () => void;
  /**
   * Throws when the database does not answer or takes no writes. `room` is false when the disk is nearly full: then only
   * payments and orders that were begun go on (contract §14).
   */
  health(): Promise<{ room: boolean }>;
  /** Writes a consistent copy of SQLite's file while the service runs. PostgreSQL has pg_dump. */
  backup(file: string): Promise<void>;
  /** Locks the whole database against writers, in one transaction, for a move. Use nothing else meanwhile. */
  lock(): Promise<LockedDatabase>;
  /** Drains running commands, then disconnects. */
  close(): Promise<void>;
}

export interface StoreContext extends Settings {
  store: Store;
}

/** A database in a transaction that only this caller can write in. */
export interface LockedDatabase {
  db: QueryDatabase;
  tables: Schema;
  write(steps: readonly WriteStep[]): Promise<void>;
  commit(): Promise<void>;
  /** Rolls back uncommitted changes. */
  release(): void;
}

/** Error for callers when the database does not answer. The cause is for the log only. */
export const unavailable = (cause: unknown): MerchantError =>
  Object.assign(
    new MerchantError("STORE_UNAVAILABLE", "The store does not answer. Try again in a moment.", {
      retryAfter: 1,
    }),
    { cause },
  );
