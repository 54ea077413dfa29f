import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";

/**
 * An empty store of the engine that this run is about: see engine.ts. Outside a test run,
 * where examples are captured, there is no PostgreSQL to ask for.
 */
export async function usualStore(): Promise<{ url: string; store: Store }> {
  if (process.env.VITEST !== undefined) {
    const { engine } = await import("./engine.ts");
    if (engine() === "postgres") return (await import("./lent-stores.ts")).lendStore();
  }
  return { url: "sqlite::memory:", store: await openSqlite({ file: ":memory:" }) };
}
