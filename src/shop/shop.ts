import type { Express, Request } from "express";
import type { Api } from "../api/api.ts";
import { linkHeader } from "../api/discovery.ts";
import type { Operation } from "../api/operation.ts";
import { RETENTION_DAYS } from "../core/policy.ts";
import type { Shop } from "../core/shop.ts";
import { guideText } from "../merchant/guide.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { cartQuery, type Query } from "../quotes/quick-checkout-query.ts";
import { type Bean, inQuickCheckout } from "../web/bean-view.ts";
import { onceEach } from "../web/body.ts";
import { bytesOf, HTML, JSON_TYPE, MARKDOWN } from "../web/documents.ts";
import { html, type Markup } from "../web/html.ts";
import { layout, mailLink, type Page } from "../web/layout.ts";
import { PageRefusal, preferred, sendPage } from "../web/page-answers.ts";
import { policyList } from "../web/parts.ts";
import { mountGet } from "../web/routes.ts";
import { afterButton, CART_PATH, fromCartQuery, isBegun, readShopCart } from "./cart.ts";
import type { SamplePurchase } from "./pages/connect.ts";
import { beanPage, landingPage } from "./pages/landing.ts";

/**
 * The shop for people. `/` shows the beans and the cart, which is in the page's address like in a
 * quick-checkout link. The cart's form goes to `/cart`, which leads back or on to checkout.
 */
export function mountShop(
  app: Express,
  { service, edge, operations }: Api & { operations: readonly Operation[] },
): void {
  const { merchant } = service;
  const send = { page: bytesOf(HTML), guide: bytesOf(MARKDOWN), agentInfo: bytesOf(JSON_TYPE) };
  const tools = operations.map(({ name, title }) => ({ name, title }));

  async function shop(values: Record<string, string>) {
    const beans = await merchant.information.beans();
    const cart = await readShopCart(merchant, beans, values);
    const firstOrderOffer = await merchant.information.firstOrderRuns();
    const sample = await samplePurchase(merchant, beans);
    const page = landingPage({
      baseUrl: edge.baseUrl,
      shop: merchant.shop,
      beans,
      cart,
      cartQuery: cartQuery(cart.asked),
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
    const values = onceEach(req.query as Query);
    const cart = await shop(fromCartQuery(values));
    const { page } = cart;
    // A cart is private; the shop itself is the same for everybody.
    if (isBegun(cart) || cart.problems.length > 0) sendPage(res, page);
    else await send.page(req, res, layout(page, merchant));
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
    const cart = fromCartQuery(onceEach(req.query as Query));
    const page = beanPage(bean, cart, merchant);
    if (page.listed) await send.page(req, res, layout(page, merchant));
    else sendPage(res, page);
  });

  for (const [path, page] of [
    ["/shipping", shippingPage],
    ["/privacy", privacyPage],
  ] as const) {
    mountGet(app, path, (req, res) => send.page(req, res, layout(page(merchant), merchant)));
  }

  mountGet(app, CART_PATH, async (req, res) => {
    const sent = onceEach(req.query as Query);
    const values = afterButton(sent);
    const { page, problems, wellTyped, asked } = await shop(values);
    const checkout = asked.items.length > 0 && sent.go === "checkout";
    const cart = cartQuery(asked);
    if (!wellTyped || (checkout && problems.length > 0)) sendPage(res, page, 422);
    else res.redirect(303, checkout ? `/v1/quick-checkout?${cart}` : backTo(req, cart));
  });
}

/** After Add the page shows the bean, after a change of the cart the cart. */
function backTo(req: Request, cart: string): string {
  const { add } = req.query;
  if (cart === "") return "/#beans";
  const bean = typeof add === "string" && /^[a-z0-9-]{1,60}$/.test(add);
  return `/?${cart}#${bean ? `bean-${add}` : "cart"}`;
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
}

const writeToUs = ({ supportEmail }: InformationView): Markup =>
  supportEmail
    ? html`Write to ${mailLink(supportEmail)}`
    : html`Tell us through the agent that ordered for you`;

export const shippingPage = (view: InformationView): Page => ({
  title: "Shipping & returns",
  listed: true,
  body: html`${policyList(view.shop)}
    <p>Every shipment has its own tracking number, which you find on your order’s page and in the email we
    send when it leaves.</p>
    <p>Damaged, lost or wrong? ${writeToUs(view)} and we’ll sort it out with you. To cancel, use the form on
    your order’s page.</p>`,
});

export const privacyPage = (view: InformationView): Page => ({
  title: "Privacy",
  listed: true,
  body: html`<ul class="policy stack tight">
      <li><b>What we keep.</b> The email, addresses and gift notes of your order, to make and ship it,
      to answer your questions, and for our books.</li>
      <li><b>What we don’t see.</b> Your card: you pay on our payment provider’s page.</li>
      <li><b>What we delete.</b> Orders you don’t pay for are deleted after ${RETENTION_DAYS.unpaid_quotes} days.</li>
      <li><b>What we don’t do.</b> No ads, no tracking and no cookies on these pages.</li>
    </ul>
    <p>Want your data erased? ${writeToUs(view)}.</p>`,
});
