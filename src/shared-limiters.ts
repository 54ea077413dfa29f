import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterSQLite } from "rate-limiter-flexible";
import type { Limiter } from "./limits.ts";

/** Limiters that count across every instance on one database (CONTRACT §14: registration). */
export interface SharedLimiters {
  make(name: string, points: number, seconds: number): Limiter;
  close(): Promise<void>;
}

const TABLE = "rate_limits";

export function sharedLimiters(databaseUrl: string): SharedLimiters {
  if (/^postgres(ql)?:/.test(databaseUrl)) return inPostgres(databaseUrl);
  const file = databaseUrl.replace(/^sqlite:/, "");
  return file === ":memory:" ? inMemory() : inSqlite(file);
}

const options = (name: string, points: number, duration: number) => ({
  keyPrefix: name,
  points,
  duration,
  tableName: TABLE,
});

/** These limiters make their own table; nothing is counted before it is there. */
function onceReady(open: (ready: (error?: Error) => void) => Limiter): Limiter {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  const limiter = open((error) => (error ? reject(error) : resolve()));
  return { consume: (key) => promise.then(() => limiter.consume(key)) };
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
  return {
    make: (name, points, seconds) =>
      onceReady(
        (ready) =>
          new RateLimiterSQLite(
            {
              ...options(name, points, seconds),
              storeClient: client,
              storeType: "better-sqlite3",
            },
            ready,
          ),
      ),
    close: async () => {
      client.close();
    },
  };
}

function inPostgres(url: string): SharedLimiters {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5000 });
  pool.on("error", () => {});
  return {
    make: (name, points, seconds) =>
      onceReady(
        (ready) =>
          new RateLimiterPostgres(
            { ...options(name, points, seconds), storeClient: pool, storeType: "pool" },
            ready,
          ),
      ),
    close: () => pool.end(),
  };
}
