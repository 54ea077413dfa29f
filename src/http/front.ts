import type { Express } from "express";
import { MerchantError } from "../domain/errors.ts";
import { invalid } from "../domain/invalid.ts";
import type { Cart, Query } from "../domain/quick-checkout.ts";
import type { Merchant } from "../merchant/merchant.ts";
import {
  type BeanView,
  type FieldProblem,
  landingPage,
  QUICK_LINK_FIELDS,
  QUICK_LINK_PATH,
  quantityField,
  quickLinkPage,
} from "../pages/index.ts";
import { type Api, acceptsJson } from "./api.ts";
import { onlyMethods } from "./exchange.ts";
import { sendPage } from "./pages.ts";
import { POLICY_VIEW } from "./review-model.ts";

/** The front page, its link builder, /agent-info and /llms.txt: for whoever was given the address. */
export function mountFront(app: Express, { service, edge }: Api): void {
  const { merchant } = service;
  const { information } = merchant;

  app
    .route("/")
    .get(async (_req, res) => {
      res.setHeader("Cache-Control", "public, max-age=60");
      const beans = await beanViews(merchant);
      const { mode } = merchant.context.provider;
      const firstOrderOffer = await information.firstOrderRuns();
      const view = { mode, baseUrl: edge.baseUrl, beans, policy: POLICY_VIEW, firstOrderOffer };
      res.type("html").send(landingPage(view));
    })
    .all(onlyMethods(["GET"]));

  app
    .route("/agent-info")
    .get(async (req, res) => {
      acceptsJson(req);
      res.setHeader("Cache-Control", "public, max-age=60");
      res.setHeader("Access-Control-Allow-Origin", "*");
      res.json(await information.agentInfo());
    })
    .all(onlyMethods(["GET"]));

  app
    .route("/llms.txt")
    .get(async (_req, res) => {
      res.setHeader("Cache-Control", "public, max-age=60");
      res.type("text/plain").send(await information.llmsText());
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

async function beanViews(merchant: Merchant): Promise<BeanView[]> {
  const stock = await merchant.context.store.queries.stock();
  return merchant.catalog.products.map((product) => {
    const row = stock.find((s) => s.product_id === product.product_id);
    return {
      productId: product.product_id,
      name: product.name_to_use_with_humans,
      priceMinor: product.price_minor,
      roastLevel: product.roast_level,
      summary: product.summary,
      chooseIf: product.choose_if,
      decaf: product.decaf,
      availability: product.availability,
      soldOut: (row?.on_hand ?? 0) - (row?.held ?? 0) <= 0,
    };
  });
}

/** The link builder's answer: the form's fields become the parameters of the link (CONTRACT §10). */
async function linkPage(merchant: Merchant, query: Query) {
  const { mode } = merchant.context.provider;
  const values = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
  const items = merchant.catalog.products.flatMap(({ product_id }) => {
    const bags = values[quantityField(product_id)]?.trim() ?? "";
    return bags === "" || bags === "0" ? [] : [`${product_id}:${bags}`];
  });
  const rest = QUICK_LINK_FIELDS.flatMap((name): [string, string][] => {
    const value = values[name]?.trim();
    return value ? [[name, value]] : [];
  });
  try {
    if (items.length === 0) {
      throw invalid([{ pointer: "/items", code: "MISSING", detail: "Choose at least one bag." }]);
    }
    const cart = await merchant.quickCheckout.check({
      items: items.join(","),
      ...Object.fromEntries(rest),
    });
    return { page: linkFor(merchant, cart), status: 200 };
  } catch (error) {
    if (!(error instanceof MerchantError) || error.status >= 500) throw error;
    const beans = await beanViews(merchant);
    const problems = fieldProblems(error);
    const page = quickLinkPage({ mode, kind: "form", beans, values, problems });
    return { page, status: error.status };
  }
}

function fieldProblems(error: MerchantError): FieldProblem[] {
  if (error.problems.length === 0) return [{ field: null, message: error.message }];
  return error.problems.map(({ pointer, detail }) => ({
    field: QUICK_LINK_FIELDS.find((name) => pointer === `/${name}`) ?? null,
    message: detail,
  }));
}

function linkFor(merchant: Merchant, cart: Cart): string {
  const { url, items, pricing } = merchant.quickCheckout.link(cart);
  return quickLinkPage({
    mode: merchant.context.provider.mode,
    kind: "link",
    url,
    lines: items.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      unitMinor: item.unit_price_minor,
      lineMinor: item.unit_price_minor * item.quantity,
    })),
    pricing: {
      subtotalMinor: pricing.subtotal_minor,
      courtesy: pricing.courtesy && {
        kind: pricing.courtesy.kind,
        code: pricing.courtesy.code,
        amountMinor: pricing.courtesy.amount_minor,
      },
      shippingMinor: pricing.shipping_minor,
      totalMinor: pricing.total_minor,
    },
    giftNote: cart.gift_note,
  });
}
