import type { CatalogBean } from "../catalog/admin-catalog.ts";
import type { StatusWord } from "../orders/status-words.ts";
import { beanCell } from "../web/bean-view.ts";
import { money } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { actForm } from "./forms.ts";
import { records } from "./list-page.ts";
import { chips } from "./order-parts.ts";
import type { DeskRoute } from "./route.ts";

/** The beans in the shop's order. */
export const catalog: DeskRoute = {
  place: "catalog",
  async show({ admin, command }) {
    const beans = await admin.catalog.list();
    return {
      lede: "In the shop’s order. Unpaid orders keep their price.",
      body: html`${records("Beans", beans, [
        {
          name: "Bean",
          cell: (bean) => {
            const { product_id } = bean;
            const name = html`<a href="/desk/catalog/${product_id}">${nameOf(bean)}</a>`;
            return beanCell({ product_id, name });
          },
        },
        { name: "Price", number: true, cell: ({ product }) => money(product.price_minor) },
        { name: "Sold", cell: ({ product }) => SOLD[product.availability] },
        { name: "Now", cell: ({ on_sale }) => chips([on_sale ? ON_SALE : OFF_SALE]) },
        { name: "Place", cell: (bean) => moves(bean, beans) },
      ])}
    <p><a class="button quiet" href="/desk/catalog/new">Add a bean</a></p>
    <p class="hint">The whole catalog as a file: <span class="code">${command} catalog export</span> and
    <span class="code">import</span> on the command line.</p>`,
    };
  },
  acts: { "catalog.move": { done: "The bean is moved." } },
};

const SOLD: Record<string, string> = {
  STOCKED: "From stock",
  WAITLIST: "Small lot",
  EXCLUSIVE: "Exclusive",
};

const nameOf = (bean: CatalogBean): string => bean.product.name_to_use_with_humans;

function moves(bean: CatalogBean, beans: readonly CatalogBean[]): Markup {
  const place = beans.indexOf(bean) + 1;
  const move = (to: number, sign: string, word: string) =>
    to < 1 || to > beans.length
      ? null
      : actForm(
          "catalog.move",
          { of: { product_id: bean.product_id }, seen: place, with: { place: String(to) } },
          html`<button class="small quiet" type="submit" aria-label="${`Move ${nameOf(bean)} ${word}`}">${sign}</button>`,
          "inline-form cluster",
        );
  return html`<div class="cluster">${move(place - 1, "↑", "up")}${move(place + 1, "↓", "down")}</div>`;
}

const ON_SALE: StatusWord = { text: "For sale", tone: "good" };
const OFF_SALE: StatusWord = { text: "Not for sale", tone: "over" };
