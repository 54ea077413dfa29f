import { fileURLToPath } from "node:url";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { loadCatalog } from "../../src/catalog/catalog.ts";

/** Beans of another shop, so that the shipped catalog can change without breaking tests. */
export const CATALOG_FILE = fileURLToPath(new URL("catalog.json", import.meta.url));

/** One bean of each kind. */
export const STOCKED = "kenya-nyeri";
export const WAITLISTED = "rwanda-huye";
export const DECAF = "peru-cajamarca-decaf";
export const EXCLUSIVE = "yemen-haraz";

export const CATALOG: Catalog = loadCatalog(CATALOG_FILE);

/** The catalog that comes with the service. */
export const SHIPPED_CATALOG_FILE = fileURLToPath(
  new URL("../../resources/catalog.json", import.meta.url),
);
