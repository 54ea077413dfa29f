import { plainDollars } from "../../domain/shared/money.ts";
import { FIRST_ORDER, SPEND } from "../../domain/shared/policy.ts";
import { type BeanView, beanCard } from "./bean-view.ts";
import { connectSection } from "./connect.ts";
import { html, type Markup } from "./html.ts";
import { layout, type PaymentMode } from "./layout.ts";
import { policyList } from "./parts.ts";
import { quickLinkForm } from "./quick-link.ts";
import type { PolicyView } from "./views.ts";

/** The front page: for people, and for agents who were only given the address. */
export interface LandingView {
  mode: PaymentMode;
  /** As in every link handed out, without a slash at its end. */
  baseUrl: string;
  beans: BeanView[];
  policy: PolicyView;
  /** The merchant can end the first-order courtesy at any time. */
  firstOrderOffer: boolean;
}

export function landingPage(view: LandingView): string {
  return layout({
    title: "Coffee your agent can buy",
    mode: view.mode,
    secret: false,
    wide: true,
    body: html`${hero(view.baseUrl)}
    <section class="block" aria-labelledby="beans">
      <h2 id="beans">The beans</h2>
      <p class="hint">Whole beans in 8 oz bags, price per bag.</p>
      <ul class="beans">${view.beans.map(beanCard)}</ul>
    </section>
    <div class="columns">
      ${howBuyingWorks(view)}
      <section class="block" aria-labelledby="quick-checkout">
        <h2 id="quick-checkout">Buy without an agent</h2>
        <p>Choose your bags and get a link that opens the checkout.</p>
        ${quickLinkForm({ beans: view.beans, values: {}, problems: [] })}
      </section>
    </div>
    ${connectSection(view.baseUrl)}
    ${agentLinks()}`,
  });
}

function hero(baseUrl: string): Markup {
  return html`<header class="head hero">
    <div class="hero-text">
    <h1>Your agent shops. You pay. We roast.</h1>
    <p class="lede">Small-lot coffee, roasted to order, that software agents can buy for people. The
    agent picks the beans and prepares the exact order; nothing is ordered until a person has seen
    the total and paid it.</p>
    <p>Tell your agent: <span class="say">“Buy me coffee at ${baseUrl}”</span></p>
    <p class="button-line"><a class="button" href="#connect">Connect your agent</a>
      <a class="button quiet" href="#quick-checkout">Buy without one</a></p>
    </div>
    <img src="/assets/coffee.jpg" alt="A bag of our coffee" width="272" height="272">
  </header>`;
}

function howBuyingWorks(view: LandingView): Markup {
  return html`<section class="block" aria-labelledby="how">
    <h2 id="how">How buying works</h2>
    <ol class="steps">
      <li>Your agent asks what you like, reads the catalog and requests a quote: beans, addresses,
      gift notes, and the exact total.</li>
      <li>It hands you a review link. You see every line of the order before you pay.</li>
      <li>You pay on the payment provider’s page. That is your approval; your agent never pays.</li>
      <li>We roast and ship. Your agent follows the order, and so can you.</li>
    </ol>
    <h3>The terms</h3>
    ${policyList(view.policy)}
    <h3>Courtesies</h3>
    <ul class="policy">
      ${view.firstOrderOffer ? firstOrder() : null}
      <li>Large orders: ${spendCourtesy()} of coffee, by itself.</li>
      <li>One courtesy per order; they do not add up.</li>
    </ul>
  </section>`;
}

const spendCourtesy = (): string =>
  `${plainDollars(SPEND.off_minor)} off for every full ${plainDollars(SPEND.per_minor)}`;

function firstOrder(): Markup {
  const most = plainDollars(FIRST_ORDER.cap_minor);
  return html`<li>First order: ${FIRST_ORDER.percent}% off the coffee, at most ${most}, with the code
    ${FIRST_ORDER.code}. Once per customer, by email address; the offer may end without notice.</li>`;
}

function agentLinks(): Markup {
  return html`<section class="block" aria-labelledby="machines">
    <h2 id="machines">For machines</h2>
    <dl class="links">
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
