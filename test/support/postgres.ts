import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** Creates a migrated, empty database and returns its URL. */
export function freshPostgres(): Promise<string> {
  return barePostgres(inject("postgres").copied);
}

/** Creates a database without migrations, or with other options of `create database`. */
export async function barePostgres(how = ""): Promise<string> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(6).toString("hex")}`;
  await query(url, `create database ${name} ${how}`);
  created.push(name);
  return named(url, name);
}

const created: string[] = [];

/** Drops the databases that this worker has created. Each one takes about 10 MB, mostly of memory. */
export async function dropDatabases(): Promise<void> {
  for (const name of created.splice(0)) {
    await query(inject("postgres").url, `drop database if exists ${name} with (force)`);
  }
}

/** Runs one statement on its own connection, past the store. */
export async function query(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Number of sessions that wait for a lock in this database. */
export async function waitingIn(url: string): Promise<unknown> {
  const [row] = await query(
    url,
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.n;
}

/** URL of another database on the same server. */
export function named(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
