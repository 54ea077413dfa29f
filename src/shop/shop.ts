import type { Express, Request, Response } from "express";
import type { Api } from "../api/api.ts";
import { linkHeader } from "../api/discovery.ts";
import type { Operation } from "../api/operation.ts";
import { type Cart, sellable } from "../checkouts/cart.ts";
import { cartOf, SHOP_CART_DAYS } from "../checkouts/checkout.ts";
import { bagCount } from "../core/bags.ts";
import { RETENTION_DAYS } from "../core/policy.ts";
import type { CheckoutRow } from "../core/records.ts";
import { GRANTED, type Shop } from "../core/shop.ts";
import { years } from "../core/time.ts";
import { guideText } from "../merchant/guide.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import { type Bean, CART_PATH, inQuickCheckout } from "../web/bean-view.ts";
import { onceEach } from "../web/body.ts";
import { BROWSER_DAYS, bagsAfter, forgetCart, keepCart, keptCart } from "../web/cart-cookie.ts";
import { bytesOf, HTML, JSON_TYPE, MARKDOWN } from "../web/documents.ts";
import type { FieldProblem } from "../web/form-parts.ts";
import { html, type Markup } from "../web/html.ts";
import { layout, mailLink, type Page } from "../web/layout.ts";
import {
  PageRefusal,
  preferred,
  sendDocument,
  sendFormAgain,
  sendPage,
} from "../web/page-answers.ts";
import { policyList } from "../web/parts.ts";
import { isPreview } from "../web/request-context.ts";
import { mountForm, mountGet } from "../web/routes.ts";
import {
  afterButton,
  cartValues,
  goneProblems,
  isBegun,
  linkedCart,
  readShopCart,
} from "./cart.ts";
import type { SamplePurchase } from "./pages/connect.ts";
import { beanPage, landingPage } from "./pages/landing.ts";

const NO_BAGS: Cart = { items: [] };

/**
 * The shop for people. `/` shows the beans and the cart, a checkout whose id is in a cookie. Its forms go to
 * `/cart`, which leads back or on to checkout. `/?items=…` puts other bags into the cart.
 */
export function mountShop(
  app: Express,
  { service, edge, operations }: Api & { operations: readonly Operation[] },
): void {
  const { merchant } = service;
  const send = { page: bytesOf(HTML), guide: bytesOf(MARKDOWN), agentInfo: bytesOf(JSON_TYPE) };
  const tools = operations.map(({ name, title }) => ({ name, title }));

  /** The checkout that is the cart of this browser, while it can be changed. */
  async function liveCart(req: Request): Promise<CheckoutRow | undefined> {
    const kept = keptCart(req);
    return kept === null ? undefined : merchant.checkouts.live(kept.id);
  }

  /** Stores the cart, without an email: other people may use this browser. */
  async function keep(
    res: Response,
    row: CheckoutRow | undefined,
    { buyer_email: _, ...cart }: Cart,
  ): Promise<string> {
    if (row) await merchant.checkouts.change({ id: row.id, cart });
    const { id } = row ?? (await merchant.checkouts.openShop(cart));
    keepCart(res, { id, bags: bagCount(cart.items) });
    return id;
  }

  async function shop(values: Record<string, string>, told: FieldProblem[] = []) {
    const beans = await merchant.information.beans();
    const read = await readShopCart(merchant, beans, values);
    const cart = { ...read, problems: [...told, ...read.problems] };
    const firstOrderOffer = await merchant.information.firstOrderRuns();
    const sample = await samplePurchase(merchant, beans);
    const page = landingPage({
      baseUrl: edge.baseUrl,
      shop: merchant.shop,
      pause: merchant.pause,
      beans,
      cart,
      firstOrderOffer,
      tools,
      sample,
    });
    return { ...cart, page };
  }

  mountGet(app, "/", async (req, res) => {
    linkHeader(res);
    const type = preferred(req, res, [HTML, MARKDOWN, JSON_TYPE]);
    if (type === MARKDOWN) {
      return send.guide(req, res, guideText(await merchant.information.guide()));
    }
    if (type === JSON_TYPE) {
      const about = await merchant.information.agentInfo("endpoints");
      return send.agentInfo(req, res, JSON.stringify(about));
    }
    res.vary("Cookie");
    const linked = linkedCart(merchant.catalog, req.query as Query);
    let told: FieldProblem[] = [];
    if (Object.values(linked.values).some(Boolean) || linked.problems.length > 0) {
      const cart = await shop(linked.values, linked.problems);
      if (isBegun(cart)) {
        const isKept = !isPreview(req);
        if (isKept) await keep(res, await liveCart(req), cart.cart);
        if (cart.problems.length > 0 || !isKept) return sendPage(res, cart.page);
        return res.redirect(303, "/");
      }
      // Nothing of the link can be bought, so the cart stays.
      told = cart.problems;
    }
    const row = await liveCart(req);
    // It was ordered or has ended.
    if (!row && keptCart(req)) forgetCart(res);
    const { cart: stored, gone } = sellable(merchant.catalog, row ? cartOf(row) : NO_BAGS);
    const cart = await shop(cartValues(stored), [...told, ...goneProblems(gone)]);
    // A cart is private; the shop itself is the same for everybody.
    if (isBegun(cart) || cart.problems.length > 0) sendPage(res, cart.page);
    else await send.page(req, res, layout(cart.page, merchant), "/");
  });

  mountGet(app, "/beans/:product_id", async (req, res) => {
    const beans = await merchant.information.beans();
    const bean = beans.find(({ product }) => product.product_id === req.params.product_id);
    if (!bean) {
      const page = {
        title: "We don’t sell this coffee",
        body: html`<p><a class="button" href="/#beans">See our coffees</a></p>`,
      };
      throw new PageRefusal("No bean has this id.", page);
    }
    const row = await liveCart(req);
    const id = bean.product.product_id;
    const inCart = row && cartOf(row).items.find(({ product_id }) => product_id === id);
    await sendPublic(req, res, beanPage(bean, inCart?.quantity ?? 0, merchant), id);
  });

  /** The same bytes for everybody without a cart, whose number of bags is in the header. */
  async function sendPublic(req: Request, res: Response, page: Page, name: string): Promise<void> {
    res.vary("Cookie");
    if (bagsAfter(res) > 0) sendDocument(res, page);
    else await send.page(req, res, layout(page, merchant), name);
  }

  for (const [path, page] of [
    ["/shipping", shippingPage],
    ["/privacy", privacyPage],
  ] as const) {
    mountGet(app, path, (req, res) => sendPublic(req, res, page(merchant), path));
  }

  mountForm(app, edge, CART_PATH, {
    get: (_req, res) => res.redirect(303, "/#cart"),
    async post(req, res) {
      const sent = onceEach((req.body ?? {}) as Query);
      const row = await liveCart(req);
      // Bags that were added in another window stay, and beans that left the shop go.
      const kept = row ? cartValues(sellable(merchant.catalog, cartOf(row)).cart) : {};
      const { page, problems, wellTyped, cart } = await shop(afterButton({ ...kept, ...sent }));
      const isEmpty = Object.values(cartValues(cart)).every((value) => value === "");
      if (!wellTyped) return sendFormAgain(res, page, 422);
      const id = row || !isEmpty ? await keep(res, row, cart) : null;
      const checkout = cart.items.length > 0 && sent.go === "checkout";
      if (checkout && problems.length > 0) sendFormAgain(res, page, 422);
      else res.redirect(303, checkout ? `/checkout/${id}` : backTo(sent, isEmpty));
    },
  });
}

/** After Add the page shows the bean, after a change of the cart the cart. */
function backTo({ add, from }: Record<string, string>, isEmpty: boolean): string {
  if (isEmpty) return "/#beans";
  if (add === undefined || !/^[a-z0-9-]{1,60}$/.test(add)) return "/#cart";
  return from === "bean" ? `/beans/${add}` : `/#bean-${add}`;
}

/** A sample purchase of the first bean that needs no key. */
async function samplePurchase(
  merchant: Merchant,
  beans: readonly Bean[],
): Promise<SamplePurchase | null> {
  const product = beans.find(inQuickCheckout)?.product;
  if (!product) return null;
  const bags = 2;
  const items = [{ product_id: product.product_id, quantity: bags }];
  return { product, bags, pricing: await merchant.quickCheckout.price({ items }) };
}

interface InformationView {
  shop: Shop;
  supportEmail: string | undefined;
  customerDataYears?: number | undefined;
}

const writeToUs = ({ supportEmail }: InformationView): Markup =>
  supportEmail
    ? html`Write to ${mailLink(supportEmail)}`
    : html`<a href="/contact">Write to us</a>`;

const shippingPage = (view: InformationView): Page => ({
  title: "Shipping & returns",
  listed: true,
  body: html`${policyList(view.shop)}
    <section class="stack" aria-labelledby="order">
      <h2 id="order">Your order</h2>
      <ul class="policy stack tight">
        <li><b>Tracking.</b> Every shipment has its own tracking number, on <a href="/find-order">your
        order’s page</a>.</li>
        <li><b>Canceling.</b> Ask with the form on <a href="/find-order">your order’s page</a>, until it
        ships. We decide about it and its refund; ${GRANTED.late}.</li>
        <li><b>Wrong address?</b> ${GRANTED.wrong_address}. ${writeToUs(view)}.</li>
        <li><b>Charged twice?</b> ${GRANTED.mistaken_charges}</li>
      </ul>
    </section>`,
});

const privacyPage = (view: InformationView): Page => ({
  title: "Privacy",
  listed: true,
  body: html`<ul class="policy stack tight">
      <li><b>What we keep.</b> The email, addresses and gift notes of your order, to make and ship it,
      to answer your questions, and for our books.</li>
      <li><b>What we don’t see.</b> Your card: you pay on our payment provider’s page.</li>
      <li><b>What we delete.</b> Orders you don’t pay for are deleted after ${RETENTION_DAYS.unpaid_quotes} days.${
        view.customerDataYears &&
        html` Names, addresses, emails and notes are erased ${years(view.customerDataYears)} after your last order.`
      }</li>
      <li><b>What we don’t do.</b> No ads and no tracking. One cookie holds your cart for ${SHOP_CART_DAYS} days, and one knows this browser on your order’s page for ${BROWSER_DAYS}.</li>
    </ul>
    <p>Want your data erased? ${writeToUs(view)}. Once your orders have ended, we erase names, addresses, emails,
    notes and messages. For our books we keep bags, amounts, dates and the state of an address, and the log of what happened, with tracking numbers.</p>`,
});
