import { readFileSync } from "node:fs";
import { type Catalog, CatalogError, parseCatalog } from "../domain/catalog/catalog.ts";

/**
 * Reads the merchant's catalog file (contract §1). Throws one CatalogError that names the file and
 * everything wrong with it: a bad file stops the start.
 */
export function loadCatalog(path: string): Catalog {
  return naming(path, () => parseCatalog(parseJson(readText(path))));
}

function readText(path: string): string {
  try {
    // An editor's byte order mark is no mistake of the merchant's, but JSON.parse refuses it.
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CatalogError([`cannot be read: ${messageOf(error)}`]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CatalogError([`is not JSON: ${messageOf(error)}`]);
  }
}

function naming(path: string, read: () => Catalog): Catalog {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    throw new CatalogError(error.problems, path);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
