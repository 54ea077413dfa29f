import { bags } from "../../core/bags.ts";
import { decimal } from "../../core/fields.ts";
import { plainDollars } from "../../core/money.ts";
import { FIRST_ORDER, SPEND } from "../../core/policy.ts";
import { deliveryDays, type Pause, shippingRule } from "../../core/shop.ts";
import {
  type Bean,
  beanActs,
  beanCard,
  beanDetails,
  beanPicture,
  originOf,
} from "../../web/bean-view.ts";
import { html, type Markup } from "../../web/html.ts";
import type { Page } from "../../web/layout.ts";
import { policyList } from "../../web/parts.ts";
import { type CartView, cartBar, cartSection, isBegun } from "../cart.ts";
import { type ConnectView, connectSection } from "./connect.ts";
import { productData, type Seller } from "./product-data.ts";

/** The front page: a shop for people, and the way in for agents. */
export interface LandingView extends ConnectView {
  beans: Bean[];
  cart: CartView;
  pause?: Pause | null;
  /** The merchant can end the first-order discount at any time. */
  firstOrderOffer: boolean;
}

const DESCRIPTION =
  "Small-lot whole-bean coffee, roasted to order and shipped within the US. Buy it here, or let your " +
  "agent prepare the order: you see the total and pay.";

export function landingPage(view: LandingView): Page {
  const { cart, beans, baseUrl } = view;
  const begun = isBegun(cart);
  const some = cart.rows.length > 0;
  const cartTitle =
    cart.problems.length > 0 ? "Please check your cart" : `Your cart: ${bags(cart.bagTotal)}`;
  return {
    title: begun ? cartTitle : "Coffee, roasted when you order it",
    ...(begun ? { heading: some ? "Your cart" : "Choose your coffee" } : { head: hero(view) }),
    listed: !begun && cart.problems.length === 0,
    wide: true,
    preview: { baseUrl, description: DESCRIPTION },
    body: html`<div class="room"><div class="shop stack${begun ? " shop-cart" : ""}">
      ${cartSection(cart, view.shop, view.pause ?? null)}
      <section class="stack" aria-labelledby="beans">
        <h2 id="beans">${some ? "More coffee" : "The coffee"}</h2>
        <p class="hint">Whole beans in 8 oz bags.</p>
        <ul class="beans tiles">${beans.map((bean) => beanCard(bean, inCart(cart, bean), view.pause ?? null))}</ul>
        ${view.pause ? null : cartBar(cart)}
      </section>
    </div></div>
    ${terms(view)}
    ${begun ? null : [connectSection(view), agentLinks()]}`,
  };
}

function inCart(cart: CartView, { product }: Bean): number {
  const row = cart.rows.find(({ bean }) => bean.product.product_id === product.product_id);
  return decimal(row?.quantity ?? "") ?? 0;
}

const hero = ({ beans, shop, pause }: LandingView): Markup => html`<header class="head hero stack">
    <div class="hero-text stack">
      <h1>Coffee, roasted when you order&nbsp;it</h1>
      <p class="lede">Small lots of whole beans, never from a shelf. Choose here, or let your agent
      prepare the order for you.</p>
      <p class="cluster"><a class="button" href="#beans">Choose your coffee</a>
        <a class="button quiet" href="#connect">Let your agent do it</a></p>
      <ul class="promises row">
        ${!pause && html`<li>Arrives in ${deliveryDays(shop)} days</li>`}
        <li>Free shipping from ${plainDollars(shop.free_shipping_from_minor)} an address</li>
        <li>Handwritten gift notes</li>
      </ul>
    </div>
    <div class="hero-bags" aria-hidden="true">
      ${beans
        .slice(0, 3)
        .map(
          ({ product }) =>
            html`<img src="${beanPicture(product.product_id)}" alt="" width="240" height="300">`,
        )}
    </div>
  </header>`;

function terms(view: LandingView): Markup {
  const spend = `${plainDollars(SPEND.off_minor)} off for every full ${plainDollars(SPEND.per_minor)}`;
  return html`<div class="columns tiles">
    <section class="stack" aria-labelledby="terms">
      <h2 id="terms">Good to know</h2>
      ${policyList(view.shop)}
    </section>
    <section class="stack" aria-labelledby="discounts">
      <h2 id="discounts">Discounts</h2>
      <ul class="policy stack tight">
        ${
          view.firstOrderOffer &&
          html`<li>First order: ${FIRST_ORDER.percent}% off the coffee, at most ${plainDollars(FIRST_ORDER.cap_minor)}, with the code
    ${FIRST_ORDER.code}. Once per customer, by email address; the offer may end without notice.</li>`
        }
        <li>Large orders: ${spend} of coffee, automatically.</li>
        <li>Discounts can’t be combined.</li>
      </ul>
    </section>
  </div>`;
}

function agentLinks(): Markup {
  return html`<section class="stack" aria-labelledby="developers">
    <h2 id="developers">For developers</h2>
    <dl class="links stack">
      <div><dt><a href="/agent-info">/agent-info</a></dt>
        <dd>Merchant, policy and limits as JSON. Start here.</dd></div>
      <div><dt><a href="/llms.txt">/llms.txt</a></dt><dd>The same in a page of text.</dd></div>
      <div><dt><a href="/openapi.json">/openapi.json</a></dt>
        <dd>Every endpoint, OpenAPI 3.1.</dd></div>
      <div><dt><a href="/v1/catalog">/v1/catalog</a></dt><dd>The beans with prices.</dd></div>
      <div><dt><a href="/errors">/errors</a></dt><dd>Every error code, and what to do.</dd></div>
    </dl>
  </section>`;
}

/** `/beans/{product_id}`. `inCart`: bags of it in the buyer's cart. */
export function beanPage(
  bean: Bean,
  inCart: number,
  seller: Seller & { pause?: Pause | null },
): Page {
  const { product } = bean;
  const { facts, name_to_use_with_humans: name, product_id: id } = product;
  return {
    title: name,
    head: null,
    listed: true,
    wide: true,
    data: productData(bean, seller),
    body: html`<article class="bean bean-page">${beanDetails(product, beanPicture(id), html`<h1>${name}</h1>`, beanActs(bean, inCart, seller.pause ?? null, "bean"))}</article>
    <p>An 8 oz bag of whole beans, roasted when you order it. ${!seller.pause && `Arrives in ${deliveryDays(seller.shop)} days. `}${shippingRule(seller.shop)}.</p>
    <dl class="facts">
      <div><dt>Origin</dt><dd>${originOf(product)}</dd></div>
      ${facts.process && html`<div><dt>Process</dt><dd>${facts.process}</dd></div>`}
      ${
        facts.varieties.length > 0 &&
        html`<div><dt>${facts.varieties.length === 1 ? "Variety" : "Varieties"}</dt><dd>${facts.varieties.join(", ")}</dd></div>`
      }
      <div><dt>Roast</dt><dd>${facts.roast}</dd></div>
    </dl>
    ${
      facts.brewing.length > 0 &&
      html`<section class="stack" aria-labelledby="brewing">
      <h2 id="brewing">How to brew it</h2>
      <dl class="facts">
        ${facts.brewing.map(({ method, advice }) => html`<div><dt>${method}</dt><dd>${withFahrenheit(advice)}</dd></div>`)}
      </dl>
    </section>`
    }
    <p><a class="quiet-link" href="/#beans">All coffees</a></p>`,
  };
}

/** `94 °C` → `94 °C (201 °F)`; `90 to 96 °C` → `90 to 96 °C (194 to 205 °F)`. */
const withFahrenheit = (text: string): string =>
  text.includes("°F")
    ? text
    : text.replace(/(\d+)(?:(\s*[–-]\s*|\s+to\s+)(\d+))?\s?°C/g, (celsius, low, between, high) => {
        const degrees = [low, high].flatMap((one) => (one ? Math.round(one * 1.8 + 32) : []));
        return `${celsius} (${degrees.join(between)} °F)`;
      });
