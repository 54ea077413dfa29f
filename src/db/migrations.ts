import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = (engine: string) =>
  fileURLToPath(new URL(`../../drizzle/${engine}`, import.meta.url));

/** Where drizzle-kit's migrations are, one folder an engine. */
export const MIGRATIONS = { sqlite: folder("sqlite"), postgres: folder("postgres") } as const;

/** A database with more migrations than this version knows was migrated by a newer one. */
export function isNewer(engine: keyof typeof MIGRATIONS, applied: number): boolean {
  const journal = readFileSync(join(MIGRATIONS[engine], "meta/_journal.json"), "utf8");
  return applied > (JSON.parse(journal) as { entries: unknown[] }).entries.length;
}

export const newerVersion = () =>
  new Error("a newer version migrated it: start that version, or restore a backup from before");
