import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** A database of its own for one test, migrated: the address to give to openPostgres. */
export function freshPostgres(): Promise<string> {
  return barePostgres(inject("postgres").copied);
}

/** An empty database, not even migrated; or made as told. */
export async function barePostgres(how = ""): Promise<string> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(6).toString("hex")}`;
  await query(url, `create database ${name} ${how}`);
  return named(url, name);
}

/** One statement on a connection of its own, as somebody who goes round the store. */
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

/** How many wait for a lock in this database; other tests have theirs on the same server. */
export async function waitingIn(url: string): Promise<unknown> {
  const [row] = await query(
    url,
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.n;
}

/** The same server, another database. */
export function named(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
