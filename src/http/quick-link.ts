import type { Express } from "express";
import type { Query } from "../domain/quick-checkout/quick-checkout-query.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Api } from "./api.ts";
import { onceEach } from "./body.ts";
import { chosenBags } from "./cart-form.ts";
import { fieldProblems, sendPage } from "./page-answers.ts";
import { quantityField } from "./pages/cart-fields.ts";
import type { FieldProblem } from "./pages/form-parts.ts";
import {
  QUICK_LINK_FIELDS,
  QUICK_LINK_PATH,
  quickLinkFormPage,
  quickLinkPage,
} from "./pages/quick-link.ts";
import { mountGet, refusalOf } from "./request-context.ts";

/** The link builder: for people who send a cart to somebody else. */
export const mountQuickLink = (app: Express, { service }: Api): void =>
  mountGet(app, QUICK_LINK_PATH, async (req, res) => {
    const { page, status } = await linkPage(service.merchant, req.query as Query);
    sendPage(res, page, status);
  });

/** The link builder's answer: the form's fields become the parameters of the link (contract §10). */
async function linkPage({ catalog, information, quickCheckout }: Merchant, query: Query) {
  const values = onceEach(query);
  const { items, problems } = chosenBags(catalog, values);
  if (items.length === 0 && problems.length === 0) {
    const first = catalog.products.find((bean) => bean.availability !== "EXCLUSIVE");
    const field = first ? quantityField(first.product_id) : null;
    problems.push({ field, message: "Choose at least one bag." });
  }
  const rest = QUICK_LINK_FIELDS.flatMap((name): [string, string][] => {
    const value = values[name]?.trim();
    return value ? [[name, value]] : [];
  });
  try {
    const cart = await quickCheckout.checkCart({ items, ...Object.fromEntries(rest) });
    if (problems.length > 0) return again(problems, 422);
    const page = quickLinkPage(quickCheckout.link(cart), cart.gift_note, catalog);
    return { page, status: 200 };
  } catch (error) {
    const refused = refusalOf(error);
    const further = fieldProblems(refused, (pointer) => {
      if (pointer === "/items" && problems.length > 0) return undefined;
      return QUICK_LINK_FIELDS.find((name) => pointer === `/${name}`) ?? null;
    });
    return again([...problems, ...further], refused.status);
  }

  async function again(wrong: FieldProblem[], status: number) {
    const beans = await information.beans();
    return { page: quickLinkFormPage({ beans, values, problems: wrong }), status };
  }
}
