import { CATALOG_VERSION_SETTING } from "../core/policy.ts";
import type { StockRow } from "../core/records.ts";
import { DEFAULT_SHOP, SHOP_SETTING, type Shop, storedShop } from "../core/shop.ts";
import type { Store, StoreContext } from "../db/store.ts";
import { catalogOfRows } from "./bean-rows.ts";
import type { Catalog } from "./catalog.ts";
import { CatalogOutdated, newestVersion } from "./catalog-version.ts";

/** The published catalog and the shop's settings, updated when any instance changes them. */
export interface LiveCatalog extends Catalog {
  readonly shop: Shop;
  /** The newest publication that it includes. */
  readonly version: number;
  /** Loads a newer catalog, if there is one. */
  refresh(): Promise<void>;
  /** Every bean's bags. Refreshes a catalog that is older than they are. */
  stock(): Promise<StockRow[]>;
  /** The same for answers that everybody gets. */
  shownStock(): Promise<StockRow[]>;
}

export interface CatalogContext extends StoreContext {
  catalog: LiveCatalog;
}

/** One object for as long as the service runs. See `madeFrom` for values derived from it. */
export async function openCatalog({
  queries,
  onCatalogChange,
}: Pick<Store, "queries" | "onCatalogChange">): Promise<LiveCatalog> {
  let version = -1;
  let now = catalogOfRows([]);
  let shop = DEFAULT_SHOP;

  async function look(): Promise<void> {
    const newest = Number((await queries.setting(CATALOG_VERSION_SETTING)) ?? 0);
    if (newest === version) return;
    // Version first: newer rows are then read again, never missed.
    const [beans, setting] = await Promise.all([queries.beans(), queries.setting(SHOP_SETTING)]);
    now = catalogOfRows(beans);
    shop = storedShop(setting);
    version = newest;
  }

  const refresh = oneAfterAnother(look);
  async function withBeans(rows: StockRow[]): Promise<StockRow[]> {
    if (newestVersion(rows) > version) await refresh();
    return rows;
  }
  await refresh();
  // The next hint, or the next read of stock or a quote, makes up for a failure.
  onCatalogChange(() => void refresh().catch(() => {}));
  return {
    get products() {
      return now.products;
    },
    get shop() {
      return shop;
    },
    find: (id) => now.find(id),
    known: (id) => now.known(id),
    get version() {
      return version;
    },
    refresh,
    stock: async () => withBeans(await queries.stock()),
    shownStock: async () => withBeans(await queries.shownStock()),
  };
}

/** Runs one at a time, so that none ends late. Each caller waits for a run that begins after its call. */
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

/** Runs, and runs again with the newest catalog if another instance has published. */
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

/** Derives a value from a catalog, again whenever its products change. */
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
