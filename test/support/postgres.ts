import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished, TestRunner } from "vitest";

/** A database of its own for one test, migrated: the address to give to openPostgres. */
export async function freshPostgres(): Promise<string> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(6).toString("hex")}`;
  await query(url, `create database ${name} template ${template}`);
  return named(url, name);
}

/** Clean ones that are not in use, of this worker. */
const free: string[] = [];

/** A migrated database without rows; who has it leaves the schema as it is, and hands it back. */
export const takePostgres = async (): Promise<string> => free.pop() ?? (await freshPostgres());

/** Ends whatever is connected and empties it, for the next one: a tenth of what a new one costs. */
export async function handBack(url: string): Promise<void> {
  // On a server of your own only a superuser may put the guards to sleep; then each gets its own.
  await query(url, `${END_OTHERS}; ${EMPTY}`).then(
    () => free.push(url),
    () => {},
  );
}

/** One for a test, which hands it back by itself. */
export async function lentPostgres(): Promise<string> {
  const url = await takePostgres();
  // What is opened for a whole file is not handed back by a test.
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => handBack(url));
  return url;
}

const END_OTHERS = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** The guards of what is immutable sleep meanwhile. */
export const EMPTY = `do $$
  declare name text;
  begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('delete from %I', name);
    end loop;
  end $$`;

/** An empty database: not even migrated. */
export async function barePostgres(): Promise<string> {
  const { url, template } = inject("postgres");
  const name = `${template}_${randomBytes(6).toString("hex")}`;
  await query(url, `create database ${name}`);
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

/** The same server, another database. */
export function named(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
