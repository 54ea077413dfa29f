import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TABLE_NAMES } from "../core/records.ts";
import { columnsOf, quoted } from "./rows.ts";

const folder = (engine: string) =>
  fileURLToPath(new URL(`../../drizzle/${engine}`, import.meta.url));

/** Folders of drizzle-kit's migrations. */
export const MIGRATIONS = { sqlite: folder("sqlite"), postgres: folder("postgres") } as const;

/** How many migrations this version has. */
export function knownMigrations(engine: keyof typeof MIGRATIONS): number {
  const journal = readFileSync(join(MIGRATIONS[engine], "meta/_journal.json"), "utf8");
  return (JSON.parse(journal) as { entries: unknown[] }).entries.length;
}

/**
 * Whether a newer version has migrated the database. Usually this version still runs on it, because
 * migrations only add. Throws when it can't.
 */
export async function migratedByNewerVersion(
  engine: keyof typeof MIGRATIONS,
  select: (sql: string) => Promise<unknown[]>,
): Promise<boolean> {
  const journal = engine === "sqlite" ? "__drizzle_migrations" : "drizzle.__drizzle_migrations";
  const rows = await select(`select 1 from ${journal}`);
  if (rows.length <= knownMigrations(engine)) return false;
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
