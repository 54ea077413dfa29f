import { CATALOG_VERSION_SETTING } from "../core/policy.ts";
import type { StockRow } from "../core/records.ts";
import type { Store } from "../db/store.ts";
import { catalogOfRows } from "./bean-rows.ts";
import type { Catalog } from "./catalog.ts";
import { CatalogOutdated, newestVersion } from "./catalog-version.ts";

/** The catalog as the database has it. It becomes another as soon as any instance publishes. */
export interface LiveCatalog extends Catalog {
  /** Whatever was published up to this version is in it. */
  readonly version: number;
  /** Looks whether there is a newer one, and takes it. */
  refresh(): Promise<void>;
  /** Every bean's bags. As a newer catalog shows in them, none older than they are is left. */
  stock(): Promise<StockRow[]>;
}

/** One object for as long as the service runs; what is made from it is made anew when it changes. */
export async function openCatalog({
  queries,
  onCatalogChange,
}: Pick<Store, "queries" | "onCatalogChange">): Promise<LiveCatalog> {
  let version = -1;
  let now = catalogOfRows([]);

  async function look(): Promise<void> {
    const newest = Number((await queries.setting(CATALOG_VERSION_SETTING)) ?? 0);
    if (newest === version) return;
    // The version first: rows that are newer than it are read once more, never missed.
    now = catalogOfRows(await queries.beans());
    version = newest;
  }

  const refresh = oneAfterAnother(look);
  await refresh();
  // One that fails is made up for by the next hint, and by the next read of stock or quote.
  onCatalogChange(() => void refresh().catch(() => {}));
  return {
    get products() {
      return now.products;
    },
    find: (id) => now.find(id),
    known: (id) => now.known(id),
    get version() {
      return version;
    },
    refresh,
    async stock() {
      const rows = await queries.stock();
      if (newestVersion(rows) > version) await refresh();
      return rows;
    },
  };
}

/** Never two at once, which could end in the wrong order; who asks gets one that begins after it. */
function oneAfterAnother<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    if (next) return next;
    const begin = () => {
      next = null;
      return work();
    };
    next = running.then(begin, begin);
    running = next;
    return next;
  };
}

/** Does it with what is sold now: again where a change was published that was not known here. */
export async function withNewest<T>(catalog: LiveCatalog, run: () => Promise<T>): Promise<T> {
  for (;;) {
    const { version } = catalog;
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof CatalogOutdated)) throw error;
      await catalog.refresh();
      if (catalog.version === version) throw error;
    }
  }
}

/** What is made from a catalog, made anew when its products are others. */
export function madeFrom<T>(catalog: Catalog, make: (catalog: Catalog) => T): () => T {
  let from: Catalog["products"] | undefined;
  let made: T;
  return () => {
    if (from !== catalog.products) {
      made = make(catalog);
      from = catalog.products;
    }
    return made;
  };
}
