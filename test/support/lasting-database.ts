import BetterSqlite3 from "better-sqlite3";
import { freshPostgres, query } from "./postgres.ts";
import { engine, scratchFile } from "./stores.ts";

export interface LastingDatabase {
  url: string;
}

/** Creates a database of the project's engine that outlives the services on it. */
export async function lastingDatabase(): Promise<LastingDatabase> {
  if (engine() === "postgres") return { url: await freshPostgres() };
  return { url: `sqlite:${await scratchFile()}` };
}

type Tables = Record<string, Record<string, unknown>[]>;

/** Reads every row of every table, past the service. */
export async function dump(url: string): Promise<Tables> {
  return url.startsWith("sqlite:") ? dumpSqlite(url.slice("sqlite:".length)) : dumpPostgres(url);
}

function dumpSqlite(file: string): Tables {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    const names = database
      .prepare("select name from sqlite_master where type = 'table' order by name")
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      names.map((name) => [name, database.prepare(`select * from "${name}"`).all()]),
    ) as Tables;
  } finally {
    database.close();
  }
}

/** One statement reads all tables from one snapshot. */
async function dumpPostgres(url: string): Promise<Tables> {
  const tables = await query(
    url,
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const each = tables.map(
    ({ name }) => `'${name}', (select coalesce(json_agg(t), '[]') from "${name}" t)`,
  );
  const [row] = await query(url, `select json_build_object(${each.join(", ")}) as tables`);
  return row!.tables as Tables;
}
