import { setTimeout as delay } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";
import { isNewer, MIGRATIONS, newerVersion } from "../migrations.ts";
import { unavailable } from "../store.ts";
import { ownClient } from "./connection.ts";
import { whyOf } from "./errors.ts";

/** Any number, as long as it stays: all instances of all versions wait for this one lock. */
const LOCK = 7_236_417_001;

const WAIT_MS = 120_000;

/** How long a migration may keep others waiting behind the lock that it waits for itself. */
const LOCK_MS = 1000;

/** Brings the database to the newest schema. Of many instances that start at once, one does it. */
export async function migrateOnce(url: string): Promise<void> {
  const client = clientFor(url);
  try {
    await client.connect();
    // On the very connection that migrates: a lock belongs to its session and ends with it.
    await client.query(`set statement_timeout = ${WAIT_MS}`);
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await expectSession(url);
    await migrateBetween(client);
    const count = "select count(*)::int as applied from drizzle.__drizzle_migrations";
    const { rows } = await client.query<{ applied: number }>(count);
    if (isNewer("postgres", rows[0]!.applied)) throw newerVersion();
  } catch (error) {
    throw unavailable(whyOf(error).cause);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The driver reads the address here, and files that it names, such as a certificate. */
function clientFor(url: string): pg.Client {
  try {
    return ownClient(url, "migrations");
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * A change of a table waits for its readers, a long pg_dump too, and everybody else then waits
 * behind it. So it waits only briefly, lets go of everything, and comes again; so it does where a reader
 * that it waits for waits for it.
 */
async function migrateBetween(client: pg.Client): Promise<void> {
  const end = performance.now() + WAIT_MS;
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  for (;;) {
    try {
      await migrate(drizzle(client), { migrationsFolder: MIGRATIONS.postgres });
      return;
    } catch (error) {
      const { cause, failure } = whyOf(error);
      const isLocked = (cause as { code?: string }).code === "55P03" || failure === "race";
      if (!isLocked || performance.now() > end) throw error;
      await delay(LOCK_MS * (1 + Math.random()));
    }
  }
}

/** Where another connection gets the lock that this one holds, both are one to the server. */
async function expectSession(url: string): Promise<void> {
  const other = ownClient(url, "migrations");
  try {
    await other.connect();
    const { rows } = await other.query("select pg_try_advisory_lock($1) as shared", [LOCK]);
    if (!rows[0].shared) return;
    await other.query("select pg_advisory_unlock_all()");
    throw new Error(
      "it is reached through a pooler in transaction mode; connect directly, or in session mode",
    );
  } finally {
    await other.end().catch(() => {});
  }
}
