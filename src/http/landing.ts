import type { Express } from "express";
import type { Cart } from "../domain/quick-checkout/quick-checkout.ts";
import { type Query, quantityProblem } from "../domain/quick-checkout/quick-checkout-query.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import { LIMITS } from "../domain/shared/policy.ts";
import { guideText } from "../merchant/guide.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Api } from "./api.ts";
import { linkHeader } from "./discovery.ts";
import { fresh } from "./documents.ts";
import { preferred, sendPage } from "./page-answers.ts";
import {
  type BeanView,
  type FieldProblem,
  guidePage,
  landingPage,
  QUICK_LINK_FIELDS,
  QUICK_LINK_PATH,
  quantityField,
  quickLinkPage,
} from "./pages/index.ts";
import { lineView, pricingView } from "./price-view.ts";
import { onlyMethods } from "./request-context.ts";
import { POLICY_VIEW } from "./review-model.ts";

/** The front page, its link builder, /agent-info and /llms.txt: for whoever was given the address. */
export function mountLanding(app: Express, { service, edge }: Api): void {
  const { merchant } = service;
  const { information } = merchant;
  const send = { page: fresh(HTML), guide: fresh(HTML), markdown: fresh(MARKDOWN) };
  const plain = { text: fresh("text/plain; charset=utf-8"), info: fresh(JSON_TYPE) };

  async function frontPage(): Promise<string> {
    const beans = await beanViews(merchant);
    const { mode } = merchant;
    const firstOrderOffer = await information.firstOrderRuns();
    const { baseUrl } = edge;
    return landingPage({ mode, baseUrl, beans, policy: POLICY_VIEW, firstOrderOffer });
  }

  app
    .route("/")
    .get(async (req, res) => {
      linkHeader(res);
      const best = preferred(req, res, ["text/html", "text/markdown"]);
      if (best === "text/html") return send.page(req, res, await frontPage());
      return send.markdown(req, res, guideText(await information.guide()));
    })
    .all(onlyMethods(["GET"]));

  app
    .route("/agent-info")
    .get(async (req, res) => plain.info(req, res, JSON.stringify(await information.agentInfo())))
    .all(onlyMethods(["GET"]));

  app
    .route("/llms.txt")
    .get(async (req, res) => {
      const guide = await information.guide();
      const best = preferred(req, res, ["text/plain", "text/markdown", "text/html"]);
      if (best === "text/plain") return plain.text(req, res, guideText(guide));
      if (best === "text/markdown") return send.markdown(req, res, guideText(guide));
      return send.guide(req, res, guidePage({ mode: merchant.mode, ...guide }));
    })
    .all(onlyMethods(["GET"]));

  app
    .route(QUICK_LINK_PATH)
    .get(async (req, res) => {
      const { page, status } = await linkPage(merchant, req.query as Query);
      sendPage(res, page, status);
    })
    .all(onlyMethods(["GET"]));
}

const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

async function beanViews({ information }: Merchant): Promise<BeanView[]> {
  const beans = await information.beans();
  return beans.map(({ product, sold_out }) => ({
    productId: product.product_id,
    name: product.name_to_use_with_humans,
    priceMinor: product.price_minor,
    roastLevel: product.roast_level,
    summary: product.summary,
    chooseIf: product.choose_if,
    decaf: product.decaf,
    availability: product.availability,
    soldOut: sold_out,
  }));
}

/** The link builder's answer: the form's fields become the parameters of the link (contract §10). */
async function linkPage(merchant: Merchant, query: Query) {
  const values = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
  const { items, problems } = chosenBags(merchant, values);
  const rest = QUICK_LINK_FIELDS.flatMap((name): [string, string][] => {
    const value = values[name]?.trim();
    return value ? [[name, value]] : [];
  });
  try {
    const cart = await merchant.quickCheckout.checkCart({ items, ...Object.fromEntries(rest) });
    if (problems.length === 0) return { page: linkFor(merchant, cart), status: 200 };
    return again(problems, 422);
  } catch (error) {
    if (!(error instanceof MerchantError) || error.status >= 500) throw error;
    return again([...problems, ...fieldProblems(error, problems.length > 0)], error.status);
  }

  async function again(wrong: FieldProblem[], status: number) {
    const { mode } = merchant;
    const beans = await beanViews(merchant);
    return {
      page: quickLinkPage({ mode, kind: "form", beans, values, problems: wrong }),
      status,
    };
  }
}

/** The bags, and what is wrong with a number, at its own field. */
function chosenBags({ catalog }: Merchant, values: Record<string, string>) {
  const problems: FieldProblem[] = [];
  const items = catalog.products.flatMap(({ product_id, name_to_use_with_humans: name }) => {
    const field = quantityField(product_id);
    const bags = values[field]?.trim() ?? "";
    if (bags === "" || bags === "0") return [];
    if (quantityProblem(bags) === null) return { product_id, quantity: Number(bags) };
    problems.push({ field, message: `${name}: ${BAGS}` });
    return [];
  });
  if (items.length === 0 && problems.length === 0) {
    const first = catalog.products.find((bean) => bean.availability !== "EXCLUSIVE");
    const field = first ? quantityField(first.product_id) : null;
    problems.push({ field, message: "Choose at least one bag." });
  }
  return { items, problems };
}

const BAGS = `a whole number of bags, at most ${LIMITS.quantity_per_line}.`;

/** `bagsSaid`: what is wrong with the bags is said already, field by field. */
function fieldProblems(error: MerchantError, bagsSaid: boolean): FieldProblem[] {
  if (error.problems.length === 0) return [{ field: null, message: error.message }];
  return error.problems
    .filter(({ pointer }) => !(bagsSaid && pointer === "/items"))
    .map(({ pointer, detail }) => ({
      field: QUICK_LINK_FIELDS.find((name) => pointer === `/${name}`) ?? null,
      message: detail,
    }));
}

function linkFor(merchant: Merchant, cart: Cart): string {
  const { url, items, pricing } = merchant.quickCheckout.link(cart);
  return quickLinkPage({
    mode: merchant.mode,
    kind: "link",
    url,
    lines: items.map((item) => lineView(merchant.catalog, item)),
    pricing: pricingView(pricing, pricing.discount_code),
    giftNote: cart.gift_note,
  });
}
