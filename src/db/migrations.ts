import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = (engine: string) =>
  fileURLToPath(new URL(`../../drizzle/${engine}`, import.meta.url));

/** Where drizzle-kit's migrations are, one folder an engine. */
export const MIGRATIONS = { sqlite: folder("sqlite"), postgres: folder("postgres") } as const;

/** How many of them this version has: a database with more was migrated by a newer one. */
export function knownMigrations(engine: keyof typeof MIGRATIONS): number {
  const journal = readFileSync(join(MIGRATIONS[engine], "meta/_journal.json"), "utf8");
  return (JSON.parse(journal) as { entries: unknown[] }).entries.length;
}
