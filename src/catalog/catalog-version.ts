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
 * The version that a change of these beans makes. It stands in their stock rows, too: every quote of
 * a bean reads that row, and there finds out that the bean has become another.
 */
export function nextVersion(
  { settings: [row], stock }: Pick<State, "settings" | "stock">,
  productIds: readonly string[],
): { version: number; writes: Write[] } {
  const version = Number(row?.value ?? 0) + 1;
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

/**
 * What a command was made from is not what is sold any more, because another instance has published
 * a change that is not known here yet: it is to be made again from the newest catalog.
 */
export class CatalogOutdated extends Error {
  override name = "CatalogOutdated";
}

/** The newest version that changed any of these beans. */
export const newestVersion = (stock: State["stock"]): number =>
  stock.reduce((newest, row) => Math.max(newest, row.catalog_version), 0);

/** Nothing is sold by a catalog that was replaced before: the stock rows are read anyway. */
export function refuseOutdated(c: { catalogVersion: number }, { stock }: Pick<State, "stock">) {
  if (newestVersion(stock) > c.catalogVersion) throw new CatalogOutdated("the catalog has changed");
}

/** Beans that left the catalog after the request was found to be in order. */
export const noLongerSold = (
  productIds: readonly string[],
  { pointer, again }: { pointer: string; again: ToolName },
): MerchantError => {
  const detail = `No longer sold: ${productIds.join(", ")}.`;
  return invalid({ problems: [{ pointer, code: "UNKNOWN_PRODUCT", detail }], again });
};
