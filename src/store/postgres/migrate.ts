import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { MIGRATIONS } from "../migrations.ts";
import { unavailable } from "../store.ts";
import { failureOf, StatementFailed } from "./errors.ts";

/** Any number, as long as it stays: all instances of all versions wait at this one door. */
const LOCK = 7_236_417_001;

const WAIT_MS = 120_000;

/** Brings the database to the newest schema. Of many instances that start at once, one does it. */
export async function migrateOnce(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "coffee-merchant migrations",
    connectionTimeoutMillis: 10_000,
    statement_timeout: WAIT_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    // On the very connection that migrates: a lock belongs to its session and ends with it.
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS.postgres });
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const gone = failureOf(new StatementFailed(cause, undefined)) === "gone";
    throw gone ? unavailable(cause) : error;
  } finally {
    await client.end().catch(() => {});
  }
}
