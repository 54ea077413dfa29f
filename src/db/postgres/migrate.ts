import { setTimeout as delay } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { MIGRATIONS, migratedByNewerVersion, refuseTooOld } from "../migrations.ts";
import { unavailable } from "../store.ts";
import { disconnect } from "./connection.ts";
import { driverError, failureOf } from "./errors.ts";

/** Advisory-lock key of all versions; never change it. */
const LOCK = 7_236_417_001;

const WAIT_MS = 120_000;

/** How long others wait behind a migration that waits for a lock. */
const LOCK_MS = 1000;

/**
 * Migrates the database. When several instances start at once, one of them does it. Returns whether a
 * newer version has migrated the database.
 */
export async function migrateOnce(url: string): Promise<boolean> {
  let connected: pg.Client | undefined;
  try {
    const client = await connect(url);
    connected = client;
    // A lock belongs to its connection, so migrations run on the same one.
    await client.query(`set statement_timeout = ${WAIT_MS}`);
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await refuseEncoding(client);
    await refuseTransactionPooler(url);
    const select = async (sql: string) => (await client.query(sql)).rows;
    await refuseTooOld("postgres", select);
    await migrateBriefly(client);
    return await migratedByNewerVersion("postgres", select);
  } catch (error) {
    throw unavailable(driverError(error).cause);
  } finally {
    if (connected) await disconnect(connected);
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "coffee-merchant migrations",
    connectionTimeoutMillis: 10_000,
    query_timeout: WAIT_MS + 30_000,
  });
  client.on("error", () => {});
  return client.connect();
}

/**
 * A change of a table waits for its readers, such as a long pg_dump, and everybody else waits behind it.
 * So it waits only briefly, releases its locks, and tries again. It does the same after a deadlock.
 */
async function migrateBriefly(client: pg.Client): Promise<void> {
  const end = performance.now() + WAIT_MS;
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  for (;;) {
    try {
      await migrate(drizzle(client), { migrationsFolder: MIGRATIONS.postgres });
      return;
    } catch (error) {
      const failed = driverError(error);
      const isLocked = failed.code === "55P03" || failureOf(failed) === "race";
      if (!isLocked || performance.now() > end) throw error;
      await delay(LOCK_MS * (1 + Math.random()));
    }
  }
}

/** In another encoding some names could never be stored. */
async function refuseEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query("show server_encoding");
  const { server_encoding: encoding } = rows[0];
  if (encoding === "UTF8") return;
  throw new Error(
    `its encoding is ${encoding}, which can't store every name; create a database with ` +
      "ENCODING 'UTF8' TEMPLATE template0",
  );
}

/** Refuses a pooler that gives two connections of ours the same session, so both get the lock. */
async function refuseTransactionPooler(url: string): Promise<void> {
  const other = await connect(url);
  try {
    const { rows } = await other.query("select pg_try_advisory_lock($1) as shared", [LOCK]);
    if (!rows[0].shared) return;
    await other.query("select pg_advisory_unlock_all()");
    throw new Error(
      "it is reached through a pooler in transaction mode; connect directly, or in session mode",
    );
  } finally {
    await disconnect(other);
  }
}
