import BetterSqlite3 from "better-sqlite3";
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  RateLimiterSQLite,
} from "rate-limiter-flexible";
import type { Limiter } from "../operations/limits.ts";
import { parseDatabaseUrl } from "../store/database-url.ts";
import { type Log, openPool } from "../store/postgres/connection.ts";
import { unavailable } from "../store/store.ts";

/** Limiters that count across every instance on one database (contract §14: registration). */
export interface SharedLimiters {
  make(name: string, points: number, seconds: number): Limiter;
  close(): Promise<void>;
}

const TABLE = "rate_limits";

export function sharedLimiters(databaseUrl: string, log: Log = () => {}): SharedLimiters {
  const database = parseDatabaseUrl(databaseUrl);
  if (database.engine === "postgres") return inPostgres(database.url, log);
  return database.file === ":memory:" ? inMemory() : inSqlite(database.file);
}

const options = (name: string, points: number, duration: number) => ({
  keyPrefix: name,
  points,
  duration,
  tableName: TABLE,
});

type Open = (ready: (error?: Error) => void) => Limiter;

/**
 * These limiters make their own table, and nothing is counted before it is there: so they are opened
 * by their first use, and where that fails, once more by the next. What cannot be counted is refused
 * (contract §11: fail closed).
 */
function openedByUse(open: Open): Limiter {
  let opened: Promise<Limiter> | null = null;
  const opening = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const limiter = open((error) => (error ? reject(error) : resolve()));
    await promise;
    return limiter;
  };
  return {
    async consume(key) {
      try {
        opened ??= opening().catch((error: unknown) => {
          opened = null;
          throw error;
        });
        return await (await opened).consume(key);
      } catch (refused) {
        throw refused instanceof RateLimiterRes ? refused : unavailable(refused);
      }
    },
  };
}

function inMemory(): SharedLimiters {
  return {
    make: (name, points, duration) => new RateLimiterMemory({ keyPrefix: name, points, duration }),
    close: async () => {},
  };
}

/** A connection of its own: a limiter's small commits stay out of the store's transactions. */
function inSqlite(file: string): SharedLimiters {
  const client = new BetterSqlite3(file, { timeout: 10_000 });
  const store = { storeClient: client, storeType: "better-sqlite3" };
  return {
    make: (name, points, seconds) =>
      openedByUse(
        (ready) => new RateLimiterSQLite({ ...options(name, points, seconds), ...store }, ready),
      ),
    close: async () => {
      client.close();
    },
  };
}

/** Few connections: registrations are few, and each of them is one small statement a limit. */
const CONNECTIONS = 2;
const LOCK_MS = 3000;

function inPostgres(url: string, log: Log): SharedLimiters {
  const pool = openPool(url, CONNECTIONS, { lockMs: LOCK_MS }, log);
  const store = { storeClient: pool, storeType: "pool" };
  return {
    make: (name, points, seconds) =>
      openedByUse(
        (ready) => new RateLimiterPostgres({ ...options(name, points, seconds), ...store }, ready),
      ),
    close: () => pool.end(),
  };
}
