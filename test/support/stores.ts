import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, onTestFinished } from "vitest";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import { freshPostgres } from "./postgres.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** Engine of the running Vitest project (vitest.config.ts); SQLite outside a test run. */
export const engine = (): "sqlite" | "postgres" =>
  process.env.TEST_ENGINE === "postgres" ? "postgres" : "sqlite";

/** Opens an empty store of the project's engine. */
export async function usualStore(): Promise<{ url: string; store: Store }> {
  if (engine() === "sqlite") {
    return { url: "sqlite::memory:", store: await openSqlite({ file: ":memory:" }) };
  }
  const url = await freshPostgres();
  return { url, store: await openPostgres({ url }) };
}

export interface OpenedStore {
  store: Store;
  /** A second connection or instance on the same database; the same store in memory. */
  other: Store;
  /** Closes both and opens the database again, as a restart would; does nothing in memory. */
  reopen(): Promise<Store>;
}

export type OpenStore = () => Promise<OpenedStore>;

interface OpenedEngine {
  name: string;
  open: OpenStore;
}

/** An empty store of the project's engine for one test, without a second connection. */
export const openUsual: OpenStore = async () => {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  return { store, other: store, reopen: async () => store };
};

/** Path of a file in a new folder. */
export const scratchFile = async (name = "merchant.db"): Promise<string> =>
  join(await scratchFolder("store"), name);

/** Path of a migrated, empty database. A copy is made because migrating costs more than most tests. */
export async function databaseFile(): Promise<string> {
  const file = await scratchFile();
  if (migrated) await writeFile(file, migrated);
  else {
    await (await openSqlite({ file })).close();
    migrated = await readFile(file);
  }
  return file;
}

let migrated: Buffer | undefined;

const SQLITE: readonly OpenedEngine[] = [
  {
    name: "SQLite in memory",
    async open() {
      const store = await openSqlite({ file: ":memory:" });
      return { store, other: store, reopen: async () => store };
    },
  },
  {
    name: "a SQLite file with two connections",
    async open() {
      const file = await databaseFile();
      const [store, other] = [await openSqlite({ file }), await openSqlite({ file })];
      const reopen = async () => {
        await Promise.all([store.close(), other.close()]);
        return openSqlite({ file });
      };
      return { store, other, reopen };
    },
  },
];

const POSTGRES: OpenedEngine = {
  name: "PostgreSQL with two instances",
  async open() {
    const url = await freshPostgres();
    const store = await openPostgres({ url });
    // Small batches make more transactions meet.
    const other = await openPostgres({ url, batch: 3 });
    const reopen = async () => {
      await Promise.all([store.close(), other.close()]);
      return openPostgres({ url });
    };
    return { store, other, reopen };
  },
};

const ENGINES = engine() === "postgres" ? [POSTGRES] : SQLITE;

/** Runs the tests on each store of the project's engine, and closes the stores after each test. */
export function describeEveryStore(name: string, tests: (open: OpenStore) => void): void {
  describe.each(ENGINES)(`${name}, on $name`, (opening) => {
    const opened: Store[] = [];
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    tests(async () => {
      const { store, other, reopen } = await opening.open();
      opened.push(store, other);
      return {
        store,
        other,
        async reopen() {
          const again = await reopen();
          opened.push(again);
          return again;
        },
      };
    });
  });
}
