import { CATALOG_VERSION_SETTING, catalogOfRows } from "../domain/catalog/bean-rows.ts";
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Store } from "../store/store.ts";

/** The catalog as the database has it; `refresh` looks whether it has become another. */
export interface LiveCatalog extends Catalog {
  refresh(): Promise<void>;
}

/** One object for as long as the service runs; what is made from it is made anew when it changes. */
export async function openCatalog({ queries }: Pick<Store, "queries">): Promise<LiveCatalog> {
  let seen: string | undefined;
  let now = catalogOfRows([]);
  async function refresh(): Promise<void> {
    const version = await queries.setting(CATALOG_VERSION_SETTING);
    if (version !== undefined && version === seen) return;
    // The version first: rows that are newer than it are read once more, never missed.
    now = catalogOfRows(await queries.beans());
    seen = version;
  }
  await refresh();
  return {
    get products() {
      return now.products;
    },
    find: (id) => now.find(id),
    known: (id) => now.known(id),
    refresh,
  };
}

/** What is made from a catalog, made anew when its products are others. */
export function madeFrom<T>(catalog: Catalog, make: (catalog: Catalog) => T): () => T {
  let from: Catalog["products"] | undefined;
  let made: T;
  return () => {
    if (from !== catalog.products) {
      from = catalog.products;
      made = make(catalog);
    }
    return made;
  };
}
