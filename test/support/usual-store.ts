import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import { engine } from "./engine.ts";
import { freshPostgres } from "./postgres.ts";

/** Opens an empty store of the running project's engine. */
export async function usualStore(): Promise<{ url: string; store: Store }> {
  if (engine() === "sqlite") {
    return { url: "sqlite::memory:", store: await openSqlite({ file: ":memory:" }) };
  }
  const url = await freshPostgres();
  return { url, store: await openPostgres({ url }) };
}
