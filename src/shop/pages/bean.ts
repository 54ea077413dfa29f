import { type Bean, beanActs, beanDetails, beanPicture, CART_FORM } from "../../web/bean-view.ts";
import { html } from "../../web/html.ts";
import type { Page } from "../../web/layout.ts";
import { CART_PATH } from "./cart.ts";

export interface BeanPageView {
  bean: Bean;
  /** The cart's form as it was when the buyer came here, so that nothing in it is lost. */
  cart: Record<string, string>;
}

/** The page of one bean, at `/beans/{product_id}`. */
export function beanPage({ bean, cart }: BeanPageView): Page {
  const { product } = bean;
  const { facts, name_to_use_with_humans: name, product_id: id } = product;
  return {
    title: name,
    head: null,
    listed: Object.values(cart).every((value) => value === ""),
    body: html`<form id="${CART_FORM}" method="get" action="${CART_PATH}">
      ${Object.entries(cart).map(([field, value]) => value !== "" && html`<input type="hidden" name="${field}" value="${value}">`)}
    </form>
    <article class="bean bean-page">${beanDetails(product, beanPicture(id), html`<h1>${name}</h1>`, beanActs(bean, 0))}</article>
    <dl class="facts">
      <div><dt>Origin</dt><dd>${facts.region}, ${facts.country}</dd></div>
      <div><dt>Process</dt><dd>${facts.process}</dd></div>
      <div><dt>${facts.varieties.length === 1 ? "Variety" : "Varieties"}</dt><dd>${facts.varieties.join(", ")}</dd></div>
      <div><dt>Roast</dt><dd>${facts.roast}</dd></div>
    </dl>
    ${
      facts.brewing.length > 0 &&
      html`<section class="stack" aria-labelledby="brewing">
      <h2 id="brewing">How to brew it</h2>
      <dl class="facts">
        ${facts.brewing.map(({ method, advice }) => html`<div><dt>${method}</dt><dd>${advice}</dd></div>`)}
      </dl>
    </section>`
    }
    <p><a href="/#beans">All coffees</a></p>`,
  };
}
