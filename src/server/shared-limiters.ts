import BetterSqlite3 from "better-sqlite3";
import {
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRes,
  RateLimiterSQLite,
} from "rate-limiter-flexible";
import { addressPseudonym } from "../domain/shared/client-address.ts";
import type { Limiter, LimiterAnswer } from "../operations/limits.ts";
import { memoryLimiter } from "../operations/memory-limiter.ts";
import { parseDatabaseUrl } from "../store/database-url.ts";
import { type Log, openPool } from "../store/postgres/connection.ts";
import { unavailable } from "../store/store.ts";

/** Limiters that count across every instance on one database (contract §14: registration). */
export interface SharedLimiters {
  make(name: string, points: number, seconds: number): Limiter;
  close(): Promise<void>;
}

const TABLE = "rate_limits";

interface SharedLimiterOptions {
  /** Of the installation: addresses are stored under it. */
  secret: Buffer;
  clock: () => number;
  log?: Log;
}

export function sharedLimiters(databaseUrl: string, about: SharedLimiterOptions): SharedLimiters {
  const database = parseDatabaseUrl(databaseUrl);
  if (database.engine === "postgres") return inPostgres(database.url, about);
  return database.file === ":memory:" ? inMemory(about) : inSqlite(database.file, about);
}

const options = (name: string, points: number, duration: number) => ({
  keyPrefix: name,
  points,
  duration,
  tableName: TABLE,
});

/** The part of rate-limiter-flexible's limiters that we use. */
type Flexible = Pick<RateLimiterAbstract, "get" | "consume" | "reward">;

type OpenLimiter = (ready: (error?: Error) => void) => Flexible;

/**
 * These limiters make their own table, and nothing is counted before it is there: so they are opened
 * by their first use, and where that fails, once more by the next. What cannot be counted is refused
 * (contract §11: fail closed).
 */
function openedByUse(open: OpenLimiter): () => Promise<Flexible> {
  let opened: Promise<Flexible> | null = null;
  const opening = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const limiter = open((error) => (error ? reject(error) : resolve()));
    await promise;
    return limiter;
  };
  return () => {
    const limiter = opened ?? opening();
    opened = limiter;
    limiter.catch(() => {
      opened = null;
    });
    return limiter;
  };
}

const tally = (
  allowed: boolean,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): LimiterAnswer => ({
  allowed,
  remaining: remainingPoints,
  resetMs: msBeforeNext,
});

/** Addresses are stored as what only this installation can make of them, and refusals not at all. */
function limiter(points: number, { secret }: SharedLimiterOptions, open: OpenLimiter): Limiter {
  const opened = openedByUse(open);
  return {
    async consume(subject, wanted) {
      const key = addressPseudonym(secret, subject);
      try {
        const flexible = await opened();
        const before = await flexible.get(key);
        if (before && before.consumedPoints + wanted > points) return tally(false, before);
        const after = await flexible.consume(key, wanted).catch(refusal);
        if (after.consumedPoints <= points) return tally(true, after);
        await flexible.reward(key, wanted);
        return tally(false, after);
      } catch (error) {
        throw unavailable(error);
      }
    },
    async undo(subject) {
      const rewarded = opened().then((flexible) =>
        flexible.reward(addressPseudonym(secret, subject), 1),
      );
      // Where the database has gone, the caller has one less, and is told of the database.
      await rewarded.catch(() => {});
    },
  };
}

/** Others of the same address came first, between our two questions. */
function refusal(refused: unknown): RateLimiterRes {
  if (refused instanceof RateLimiterRes) return refused;
  throw refused;
}

function inMemory({ clock }: SharedLimiterOptions): SharedLimiters {
  return {
    make: (_name, points, seconds) => memoryLimiter(points, seconds, { clock }),
    close: async () => {},
  };
}

/** A lock of another process is waited for no longer: waiting here is waiting for everybody. */
const SQLITE_LOCK_MS = 1000;

/** How often rows of windows that have ended are removed. */
const SWEEP_EVERY_MS = 3_600_000;

/** A connection of its own: a limiter's small commits stay out of the store's transactions. */
function inSqlite(file: string, about: SharedLimiterOptions): SharedLimiters {
  const client = new BetterSqlite3(file, { timeout: SQLITE_LOCK_MS });
  const store = { storeClient: client, storeType: "better-sqlite3" };
  let swept = Date.now();
  /** The library leaves rows of windows that have ended; on PostgreSQL it removes them by itself. */
  const sweep = () => {
    const now = Date.now();
    if (now - swept < SWEEP_EVERY_MS) return;
    swept = now;
    try {
      client.prepare(`delete from ${TABLE} where expire < ?`).run(now);
    } catch {
      // Somebody else was writing, or nothing was counted yet: the next hour comes.
    }
  };
  return {
    make(name, points, seconds) {
      const all = { ...options(name, points, seconds), ...store };
      const made = limiter(points, about, (ready) => new RateLimiterSQLite(all, ready));
      return { ...made, consume: (...of) => made.consume(...of).finally(sweep) };
    },
    close: async () => {
      client.close();
    },
  };
}

/** Few connections: registrations are few, and each of them is one small statement a limit. */
const CONNECTIONS = 2;
const LOCK_MS = 3000;

function inPostgres(url: string, about: SharedLimiterOptions): SharedLimiters {
  const pool = openPool(url, CONNECTIONS, { lockMs: LOCK_MS }, about.log ?? (() => {}));
  const store = { storeClient: pool, storeType: "pool" };
  return {
    make(name, points, seconds) {
      const all = { ...options(name, points, seconds), ...store };
      return limiter(points, about, (ready) => new RateLimiterPostgres(all, ready));
    },
    close: () => pool.end(),
  };
}
