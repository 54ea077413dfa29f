import { fileURLToPath } from "node:url";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { loadCatalog } from "../../src/catalog/catalog.ts";

/** Another shop's beans: what we ship may change without a test noticing. */
export const CATALOG_FILE = fileURLToPath(new URL("catalog.json", import.meta.url));

/** A bean of each kind; a test names the one that has what it is about. */
export const STOCKED = "kenya-nyeri";
export const WAITLISTED = "rwanda-huye";
export const DECAF = "peru-cajamarca-decaf";
export const EXCLUSIVE = "yemen-haraz";

export const CATALOG: Catalog = loadCatalog(CATALOG_FILE);

/** The one that comes with the service. */
export const SHIPPED_CATALOG_FILE = fileURLToPath(
  new URL("../../resources/catalog.json", import.meta.url),
);
