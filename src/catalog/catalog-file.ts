import { readFileSync } from "node:fs";
import { CatalogError, type CatalogFile, readCatalog } from "./catalog.ts";

/**
 * Reads the merchant's catalog file (contract §1). Throws one CatalogError that names the file and
 * everything wrong with it: a bad file stops the start.
 */
export function loadCatalog(path: string): CatalogFile {
  try {
    return readCatalog(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof CatalogError) throw new CatalogError(error.problems, path);
    throw new CatalogError([`cannot be read: ${(error as Error).message}`], path);
  }
}
