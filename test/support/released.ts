import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { drizzle as onSqlite } from "drizzle-orm/better-sqlite3";
import { migrate as migrateSqlite } from "drizzle-orm/better-sqlite3/migrator";
import { drizzle as onPostgres } from "drizzle-orm/node-postgres";
import { migrate as migratePostgres } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { onTestFinished } from "vitest";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import { barePostgres } from "./postgres.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { scratchFile } from "./stores.ts";

type Engine = keyof typeof MIGRATIONS;

/** Number of migrations that a release had. */
const MIGRATED = { "0.3.0": 1 } as const;

/** A database of an earlier release, before this version opens it. */
export interface ReleasedDatabase {
  /** Table of the applied migrations. */
  journal: string;
  execute(sql: string): Promise<unknown>;
  /** Opens it as this version does, which migrates it. */
  open(): Promise<Store>;
}

/** Creates an empty database with the schema of a release. */
export async function releasedDatabase(
  engine: Engine,
  release: keyof typeof MIGRATED,
): Promise<ReleasedDatabase> {
  const migrationsFolder = await firstMigrations(engine, MIGRATED[release]);
  if (engine === "sqlite") {
    const file = await scratchFile();
    const client = new BetterSqlite3(file);
    onTestFinished(() => void client.close());
    migrateSqlite(onSqlite(client), { migrationsFolder });
    return {
      journal: "__drizzle_migrations",
      execute: async (sql) => client.exec(sql),
      open: () => openSqlite({ file }),
    };
  }
  const url = await barePostgres();
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await migratePostgres(onPostgres(client), { migrationsFolder });
  return {
    journal: "drizzle.__drizzle_migrations",
    execute: (sql) => client.query(sql),
    open: () => openPostgres({ url }),
  };
}

async function firstMigrations(engine: Engine, count: number): Promise<string> {
  const folder = await scratchFolder("migrations");
  await cp(MIGRATIONS[engine], folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8")) as { entries: object[] };
  const entries = journal.entries.slice(0, count);
  await writeFile(file, JSON.stringify({ ...journal, entries }));
  return folder;
}
