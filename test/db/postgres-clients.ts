import { execFileSync } from "node:child_process";
import pg from "pg";
import { onTestFinished } from "vitest";
import { openPostgres, type PostgresOptions } from "../../src/db/postgres/postgres-store.ts";
import { freshPostgres, query } from "../support/postgres.ts";

export async function open(options: Partial<PostgresOptions> = {}) {
  const url = options.url ?? (await freshPostgres());
  const store = await openPostgres({ ...options, url });
  onTestFinished(() => store.close());
  return { url, store };
}

/** Another client's transaction, which keeps its locks until it ends. */
export async function rival(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  for (const statement of statements) await client.query(statement);
  return client;
}

/** Ends every connection of the service, as a failing network or server does. */
export const cut = (url: string) => query(url, END_ALL);

const END_ALL = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'coffee-merchant'`;

/** The same by another process, while this one is blocked. */
export function cutStandingStill(url: string): void {
  const script = `import pg from "pg";
    const client = new pg.Client(process.argv[1]);
    await client.connect();
    await client.query(process.argv[2]);
    await client.end();`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script, url, END_ALL]);
}
