import { readFileSync } from "node:fs";
import { type Catalog, CatalogError, readCatalog } from "../domain/catalog/catalog.ts";

/**
 * Reads the merchant's catalog file (contract §1). Throws one CatalogError that names the file and
 * everything wrong with it: a bad file stops the start.
 */
export function loadCatalog(path: string): Catalog {
  try {
    return readCatalog(readFileSync(path, "utf8"));
  } catch (error) {
    const unread = () => [`cannot be read: ${(error as Error).message}`];
    throw new CatalogError(error instanceof CatalogError ? error.problems : unread(), path);
  }
}
