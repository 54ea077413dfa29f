import { readFileSync } from "node:fs";
import type { CatalogBean } from "../catalog/admin-catalog.ts";
import { MerchantError } from "../core/errors.ts";
import { display } from "../core/money.ts";
import { type Commands, verb, whole } from "./command.ts";
import { table } from "./text.ts";

/** The catalog as a file; single beans are edited at the desk. */
export const CATALOG: Commands = {
  "catalog list": verb({
    does: "Every bean, on sale or not, with unpublished drafts.",
    act: (admin) => admin.catalog.list(),
    text: beanTable,
  }),
  "catalog move <product> <place>": verb({
    does: "Move a bean to another place in the shop, counted from 1.",
    act: (admin, [product, place]) =>
      admin.catalog.move({ product_id: product, place: whole(place, "PLACE") }),
    text: beanTable,
  }),
  "catalog export": verb({
    does: "Print the beans on sale as a catalog file.",
    act: (admin) => admin.catalog.export(),
    text: (file) => `${JSON.stringify(file, null, 2)}\n`,
  }),
  "catalog import <file>": verb({
    does: "Publish a catalog file. Beans that it lacks are taken off sale.",
    act: (admin, [file]) => admin.catalog.import({ file: readText(file) }),
    text: ({ version, changed }) =>
      changed.length === 0
        ? "Nothing has changed.\n"
        : `Catalog ${version}: ${changed.join(", ")} changed.\n`,
  }),
};

function beanTable(beans: readonly CatalogBean[]): string {
  return table(
    beans,
    [
      "product_id",
      ["Name", ({ published, draft }) => (published ?? draft?.product)?.name_to_use_with_humans],
      ["Price", ({ published }) => published && display(published.price_minor)],
      ["On sale", (bean) => (bean.on_sale ? "yes" : "no")],
      ["Draft", (bean) => (bean.draft ? "yes" : null)],
    ],
    "No beans yet.",
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new MerchantError("VALIDATION_FAILED", `${file}: ${(error as Error).message}`);
  }
}
