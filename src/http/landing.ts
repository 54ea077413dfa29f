import type { Express } from "express";
import type { Query } from "../domain/quick-checkout/quick-checkout-query.ts";
import { guideText } from "../merchant/guide.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Api } from "./api.ts";
import { chosenBags, onceEach } from "./cart-form.ts";
import { fresh } from "./documents.ts";
import { fieldProblems, preferred, sendPage } from "./page-answers.ts";
import { quantityField } from "./pages/cart-fields.ts";
import type { FieldProblem } from "./pages/form-parts.ts";
import { guidePage } from "./pages/guide.ts";
import { layout } from "./pages/layout.ts";
import {
  QUICK_LINK_FIELDS,
  QUICK_LINK_PATH,
  quickLinkFormPage,
  quickLinkPage,
} from "./pages/quick-link.ts";
import { mountGet, refusalOf } from "./request-context.ts";

/** The link builder, /agent-info and /llms.txt: for people and agents who were given the address. */
export function mountLanding(app: Express, { service }: Api): void {
  const { merchant } = service;
  const { information } = merchant;
  const send = { guide: fresh(HTML), markdown: fresh(MARKDOWN) };
  const plain = { text: fresh("text/plain; charset=utf-8"), info: fresh(JSON_TYPE) };

  mountGet(app, "/agent-info", async (req, res) =>
    plain.info(req, res, JSON.stringify(await information.agentInfo("endpoints"))),
  );

  mountGet(app, "/llms.txt", async (req, res) => {
    const guide = await information.guide();
    const best = preferred(req, res, ["text/plain", "text/markdown", "text/html"]);
    if (best === "text/plain") return plain.text(req, res, guideText(guide));
    if (best === "text/markdown") return send.markdown(req, res, guideText(guide));
    return send.guide(req, res, layout(guidePage(guide), merchant.mode));
  });

  mountGet(app, QUICK_LINK_PATH, async (req, res) => {
    const { page, status } = await linkPage(merchant, req.query as Query);
    sendPage(res, page, status);
  });
}

const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

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
