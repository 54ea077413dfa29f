import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TABLE_NAMES } from "../core/records.ts";
import { columnsOf, quoted } from "./rows.ts";

const folder = (engine: string) =>
  fileURLToPath(new URL(`../../drizzle/${engine}`, import.meta.url));

/** Folders of drizzle-kit's migrations. */
export const MIGRATIONS = { sqlite: folder("sqlite"), postgres: folder("postgres") } as const;

type Engine = keyof typeof MIGRATIONS;

type Select = (sql: string) => Promise<unknown[]>;

const APPLIED = {
  sqlite: {
    table: "__drizzle_migrations",
    exists: "select 1 from sqlite_master where name = '__drizzle_migrations'",
  },
  postgres: {
    table: "drizzle.__drizzle_migrations",
    exists: "select 1 where to_regclass('drizzle.__drizzle_migrations') is not null",
  },
} as const;

/** Times that identify this version's migrations, oldest first. The first one is the schema of 0.3.0. */
export function knownMigrations(engine: Engine): [number, ...number[]] {
  const journal = readFileSync(join(MIGRATIONS[engine], "meta/_journal.json"), "utf8");
  const { entries } = JSON.parse(journal) as { entries: { when: number }[] };
  return entries.map(({ when }) => when) as [number, ...number[]];
}

/** Time of the newest migration that the database has; undefined if it is empty. */
async function newestApplied(engine: Engine, select: Select): Promise<number | undefined> {
  const { table, exists } = APPLIED[engine];
  if ((await select(exists)).length === 0) return undefined;
  const [row] = await select(`select max(created_at) as newest from ${table}`);
  const { newest } = row as { newest: number | string | null };
  return newest === null ? undefined : Number(newest);
}

/** Throws if the database is older than 0.3.0, whose schema the migrations start from. */
export async function refuseTooOld(engine: Engine, select: Select): Promise<void> {
  const newest = await newestApplied(engine, select);
  if (newest === undefined || newest >= knownMigrations(engine)[0]) return;
  throw new Error("it is older than version 0.3.0; run 0.3.0 on it for a day, then this version");
}

/**
 * Whether a newer version has migrated the database. Usually this version still runs on it, because
 * migrations only add. Throws when it can't.
 */
export async function migratedByNewerVersion(engine: Engine, select: Select): Promise<boolean> {
  const newest = await newestApplied(engine, select);
  if (newest === undefined || newest <= knownMigrations(engine).at(-1)!) return false;
  try {
    for (const table of TABLE_NAMES) {
      await select(`select ${columnsOf(table).map(quoted)} from ${quoted(table)} limit 0`);
    }
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    throw new Error(
      `a newer version has migrated it, and this version can't read it: ${(cause as Error).message}. ` +
        "Start the newer version again, or restore the backup from before the upgrade",
    );
  }
  return true;
}
