import type { Express } from "express";
import type { Api } from "../api/api.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { bagCount } from "../core/bags.ts";
import type { CartPricing } from "../quotes/quick-checkout.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import type { Item } from "../quotes/quote-answer.ts";
import { type Bean, inQuickCheckout, lineForPeople } from "../web/bean-view.ts";
import { onceEach } from "../web/body.ts";
import { EMAIL, type FieldProblem, formField, problemSummary } from "../web/form-parts.ts";
import { html } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { sendPage } from "../web/page-answers.ts";
import { giftNoteCard, lineList, pricingSums } from "../web/parts.ts";
import { mountGet } from "../web/routes.ts";
import {
  type BagsRow,
  bagsRow,
  extraFields,
  QUICK_LINK_PATH,
  quantityField,
  readShopCart,
} from "./cart.ts";

/** Builds a link to a cart for somebody else. The form's fields become its parameters (contract §10). */
export const mountQuickLink = (app: Express, { service: { merchant } }: Api): void =>
  mountGet(app, QUICK_LINK_PATH, async (req, res) => {
    const values = onceEach(req.query as Query);
    const beans = await merchant.information.beans();
    const { cart, rows, problems } = await readShopCart(merchant, beans, values);
    if (cart.items.length === 0 && !problems.some(({ field }) => field?.startsWith("qty_"))) {
      const first = beans.find(inQuickCheckout)?.product;
      const field = first ? quantityField(first.product_id) : null;
      problems.unshift({ field, message: "Choose at least one bag." });
    }
    if (problems.length > 0) {
      sendPage(res, quickLinkFormPage({ beans, rows, values, problems }), 422);
      return;
    }
    const link = await merchant.quickCheckout.link(cart);
    sendPage(res, quickLinkPage(link, cart.gift_note, merchant.catalog));
  });

interface QuickLinkFormView {
  beans: readonly Bean[];
  /** Beans with bags. */
  rows: readonly BagsRow[];
  /** Typed values by field name. */
  values: Readonly<Record<string, string>>;
  problems: FieldProblem[];
}

function quickLinkFormPage({ beans, rows: chosen, values, problems }: QuickLinkFormView): Page {
  const rows = beans.filter(inQuickCheckout).map((bean) => {
    const field = quantityField(bean.product.product_id);
    const problem = problems.find((one) => one.field === field)?.message;
    const row = chosen.find((one) => one.bean === bean);
    return bagsRow({ bean, quantity: "0", ...row, problem });
  });
  const form = html`<form class="slip form" method="get" action="${QUICK_LINK_PATH}">
    <fieldset>
      <legend>How many bags?</legend>
      <ul class="stack">${rows}</ul>
    </fieldset>
    ${extraFields(values, problems)}
    ${formField(
      {
        ...EMAIL,
        name: "buyer_email",
        value: values.buyer_email,
        label: "Buyer’s email",
        optional: true,
        autocomplete: "off",
      },
      problems,
    )}
    <button type="submit">Make the link</button>
  </form>`;
  return {
    title: problems.length > 0 ? "Please check your cart" : "Make a quick-checkout link",
    heading: "Make a quick-checkout link",
    top: problemSummary(problems, form),
    body: form,
  };
}

export function quickLinkPage(
  { url, items, pricing }: { url: string; items: Item[]; pricing: CartPricing },
  giftNote: string | undefined,
  catalog: Catalog,
): Page {
  return {
    title: "Your quick-checkout link",
    lede: "Open it, or send it whole to the buyer. Nothing is ordered until you pay.",
    body: html`<p class="link-out">${url}</p>
    <p><a class="button" href="${url}">Open the checkout</a></p>
    <section class="slip stack" aria-labelledby="in-it">
      <h2 id="in-it">In this cart</h2>
      ${lineList(items.map((item) => lineForPeople(catalog, item)))}
      ${giftNote && giftNoteCard(giftNote)}
      ${pricingSums(pricing, bagCount(items))}
    </section>
    <p><a class="quiet-link" href="/#beans">Make another link</a></p>`,
  };
}
