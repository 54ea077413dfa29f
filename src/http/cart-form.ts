import type { Catalog } from "../domain/catalog/catalog.ts";
import { type Query, quantityProblem } from "../domain/quick-checkout/quick-checkout-query.ts";
import type { Bags } from "../domain/shared/bags.ts";
import { LIMITS } from "../domain/shared/policy.ts";
import { addField } from "./pages/bean-view.ts";
import { quantityField } from "./pages/cart-fields.ts";
import type { FieldProblem } from "./pages/form-parts.ts";

/** What a form in an address says, field by field. A field sent twice counts as missing. */
export const onceEach = (query: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );

/** The bags of a form, in the catalog's order, and what is wrong with a number, at its own field. */
export function chosenBags(catalog: Catalog, values: Record<string, string>) {
  const problems: FieldProblem[] = [];
  const items = catalog.products.flatMap(
    ({ product_id, name_to_use_with_humans: name }): Bags[] => {
      const field = quantityField(product_id);
      const bags = values[field]?.trim() ?? "";
      if (bags === "" || bags === "0") return [];
      if (quantityProblem(bags) === null) return [{ product_id, quantity: Number(bags) }];
      problems.push({ field, message: `${name}: ${BAGS}` });
      return [];
    },
  );
  return { items, problems };
}

const BAGS = `a whole number of bags, at most ${LIMITS.quantity_per_line}.`;

/** The form's numbers after the button that was pressed: bags of one bean added, or a bean taken out. */
export function pressed(values: Record<string, string>): Record<string, string> {
  const { add, remove } = values;
  const after = { ...values };
  if (remove !== undefined) delete after[quantityField(remove)];
  if (add !== undefined) {
    const more = values[addField(add)]?.trim() || "1";
    const had = values[quantityField(add)]?.trim() || "0";
    const sum = Number(had) + Number(more);
    // What is no number stays as it was typed, to be mended where it stands.
    after[quantityField(add)] = quantityProblem(more) === null && sum >= 0 ? String(sum) : more;
  }
  return after;
}

/** A cart in the address of the shop's page, read back: a number for each bean, as the form has them. */
export function fromCartQuery(values: Record<string, string>): Record<string, string> {
  const parts = (values.items ?? "").slice(0, LIMITS.link_items_characters).split(",");
  const bags = parts.flatMap((part): [string, string][] => {
    const colon = part.lastIndexOf(":");
    return colon < 1 ? [] : [[quantityField(part.slice(0, colon)), part.slice(colon + 1)]];
  });
  const { discount_code = "", gift_note = "" } = values;
  return { ...Object.fromEntries(bags), discount_code, gift_note };
}
