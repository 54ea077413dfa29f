import { lock, type State, update, type Write } from "../core/command.ts";
import type { MerchantError } from "../core/errors.ts";
import { invalid } from "../core/input-problems.ts";
import type { ToolName } from "../core/next-step.ts";
import { CATALOG_VERSION_SETTING } from "../core/policy.ts";

export const catalogReads = (productIds: readonly string[]) => [
  lock("settings", { name: CATALOG_VERSION_SETTING }),
  lock("beans", { product_id: productIds }),
  lock("stock", { product_id: productIds }),
];

/**
 * The catalog's version after a change of these beans. It is also written into their stock rows, which every
 * quote reads: there an instance with an older catalog finds out.
 */
export function nextVersion(
  { settings, stock }: Pick<State, "settings" | "stock">,
  productIds: readonly string[],
): { version: number; writes: Write[] } {
  const version = versionIn(settings) + 1;
  const counted = stock.filter(({ product_id }) => productIds.includes(product_id));
  return {
    version,
    writes: [
      update("settings", { name: CATALOG_VERSION_SETTING }, { value: String(version) }),
      ...counted.map(({ product_id }) =>
        update("stock", { product_id }, { catalog_version: version }),
      ),
    ],
  };
}

const versionIn = (settings: State["settings"]): number =>
  Number(settings.find(({ name }) => name === CATALOG_VERSION_SETTING)?.value ?? 0);

/** Another instance has saved a newer catalog, from which the command must be made again. */
export class CatalogOutdated extends Error {
  override name = "CatalogOutdated";
}

/** The newest version that changed any of these beans. */
export const newestVersion = (stock: State["stock"]): number =>
  stock.reduce((newest, row) => Math.max(newest, row.catalog_version), 0);

/** Refuses to sell by an outdated catalog. */
export function refuseOutdated(c: { catalogVersion: number }, { stock }: Pick<State, "stock">) {
  if (newestVersion(stock) > c.catalogVersion) throw new CatalogOutdated("the catalog has changed");
}

/** Refuses to edit another catalog than the one whose beans are locked. */
export function refuseOtherVersion(
  { catalogVersion }: { catalogVersion: number },
  { settings }: Pick<State, "settings">,
): void {
  if (versionIn(settings) !== catalogVersion) throw new CatalogOutdated("the catalog has changed");
}

export const offSale = (productIds: readonly string[]): string =>
  `No longer sold: ${productIds.join(", ")}.`;

/** Beans that left the catalog after the request was found to be in order. */
export const noLongerSold = (
  productIds: readonly string[],
  { pointer, again }: { pointer: string; again: ToolName },
): MerchantError => {
  const problem = { pointer, code: "UNKNOWN_PRODUCT", detail: offSale(productIds) };
  return invalid({ problems: [problem], again });
};
