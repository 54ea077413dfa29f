import { readFileSync } from "node:fs";
import { type Catalog, CatalogError, parseCatalog } from "../domain/catalog/catalog.ts";

/**
 * Reads the merchant's catalog file (contract §1). Throws one CatalogError that names the file and
 * everything wrong with it: a bad file stops the start.
 */
export function loadCatalog(path: string): Catalog {
  try {
    // An editor's byte order mark is no mistake of the merchant's, but JSON.parse refuses it.
    return parseCatalog(JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, "")));
  } catch (error) {
    throw new CatalogError(problemsOf(error), path);
  }
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof CatalogError) return error.problems;
  const what = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
  return [`${what}: ${(error as Error).message}`];
}
