import { fileURLToPath } from "node:url";

const folder = (engine: string) =>
  fileURLToPath(new URL(`../../drizzle/${engine}`, import.meta.url));

/** Where drizzle-kit's migrations are, one folder an engine. */
export const MIGRATIONS = { sqlite: folder("sqlite"), postgres: folder("postgres") } as const;
