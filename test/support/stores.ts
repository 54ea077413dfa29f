import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, inject, onTestFinished } from "vitest";
import { openPostgres } from "../../src/store/postgres/postgres-store.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { lendPair } from "./lent-stores.ts";
import { lentPostgres } from "./postgres.ts";
import { scratchFolder } from "./scratch-folder.ts";

export interface OpenedStore {
  store: Store;
  /** Another connection, or another instance, on the same database; in memory the same one. */
  other: Store;
  /** Closes both and opens the database again, as a restart would; in memory does nothing. */
  reopen(): Promise<Store>;
}

export type OpenStore = () => Promise<OpenedStore>;

interface Engine {
  name: string;
  /** An opener of one new database; each call opens it once more. */
  create(): Promise<() => Promise<Store>>;
  /** What its close takes away cannot be opened again. */
  once?: true;
  /** Two that are open already. */
  lend?(): ReturnType<typeof lendPair>;
}

/** A file in a folder of its own, which goes after the test. */
export async function scratchFile(name = "merchant.db"): Promise<string> {
  const folder = await scratchFolder("store");
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** The second one decides a few commands at a time: more transactions get in the way. */
function instancesOn(url: string): () => Promise<Store> {
  const batches = [64, 3];
  return () => openPostgres({ url, batch: batches.shift() ?? 64 });
}

const ALL: readonly Engine[] = [
  {
    name: "SQLite in memory",
    once: true,
    create: async () => () => openSqlite({ file: ":memory:" }),
  },
  {
    name: "a SQLite file with two connections",
    async create() {
      const file = await scratchFile();
      return () => openSqlite({ file });
    },
  },
  {
    name: "PostgreSQL with two instances",
    create: async () => instancesOn(await lentPostgres()),
    lend: () => lendPair(instancesOn),
  },
];

export const ENGINES = inject("fast") ? ALL.slice(0, 1) : ALL;

/** The same tests on every engine. Whatever a test opens is closed after it. */
export function describeEveryStore(name: string, tests: (open: OpenStore) => void): void {
  describe.each(ENGINES)(`${name}, on $name`, (engine) => {
    const opened: Store[] = [];
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    tests(async () => {
      const lent = await engine.lend?.();
      const create = lent?.create ?? (await engine.create());
      const open = async () => {
        const store = await create();
        opened.push(store);
        return store;
      };
      if (lent) {
        const { store, other } = lent;
        return { store, other, reopen: () => lent.close().then(open) };
      }
      const store = await open();
      if (engine.once) return { store, other: store, reopen: async () => store };
      const other = await open();
      const reopen = async () => {
        await Promise.all([store.close(), other.close()]);
        return open();
      };
      return { store, other, reopen };
    });
  });
}
