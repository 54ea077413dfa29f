import type { CatalogBean } from "../catalog/admin-catalog.ts";
import { bags, isOrAre } from "../core/bags.ts";
import type { Admin } from "../merchant/merchant.ts";
import type { StatusWord } from "../orders/status-words.ts";
import { beanCell, beanDetails } from "../web/bean-view.ts";
import { whole } from "../web/body.ts";
import { money } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { notice } from "../web/parts.ts";
import { BEAN_TELLS, pictureToBe, shown, TO_CATALOG } from "./bean.ts";
import { factInWords } from "./bean-fields.ts";
import { actForm } from "./forms.ts";
import { block } from "./frame.ts";
import { records } from "./list-page.ts";
import { wantedOf } from "./low-stock.ts";
import { chips } from "./order-parts.ts";
import type { DeskRoute } from "./route.ts";

type CatalogPreview = Awaited<ReturnType<Admin["catalog"]["preview"]>>;

/** The beans in the shop's order. */
export const catalog: DeskRoute = {
  place: "catalog",
  async show({ admin, command }) {
    const beans = await admin.catalog.list();
    const drafts = beans.filter(({ draft }) => draft !== null).length;
    return {
      lede: "In the shop’s order. Open quotes keep their price.",
      body: html`${
        drafts > 0 &&
        notice(
          "info",
          drafts === 1
            ? "1 draft is not published yet."
            : `${drafts} drafts are not published yet.`,
          html`<p><a class="button" href="/desk/catalog/preview">Preview</a></p>`,
        )
      }
    ${records("Beans", beans, [
      {
        name: "Bean",
        cell: (bean) => {
          const { product_id } = bean;
          const name = html`<a href="/desk/catalog/${product_id}">${nameOf(bean)}</a>`;
          return beanCell({ product_id, name }, pictureToBe(product_id));
        },
      },
      { name: "Price", number: true, cell: priceCell },
      { name: "Sold", cell: (bean) => SOLD[shown(bean).availability] },
      { name: "Now", cell: standing },
      { name: "Place", cell: (bean) => moves(bean, beans) },
    ])}
    <p><a class="button quiet" href="/desk/catalog/new">Add a bean</a></p>
    <p class="hint">The whole catalog as a file: <span class="code">${command} catalog export</span> and
    <span class="code">import</span> on the command line.</p>`,
    };
  },
  acts: {
    move: {
      do: (admin, fields) =>
        admin.catalog.move({ product_id: fields("product_id"), place: whole(fields("place")) }),
      done: "The bean is moved.",
    },
  },
  tells: BEAN_TELLS,
};

/** Preview of the shop with its drafts, and publishing. */
export const catalogPreview: DeskRoute = {
  place: "catalog",
  path: "/desk/catalog/preview",
  async show({ admin }) {
    const preview = await admin.catalog.preview();
    const { changes, problems, products, version } = preview;
    const wanted = await admin.waitlist.wanted();
    const about =
      changes.length > 0
        ? {
            title: "Before publishing",
            lede: "This is the shop after publishing. Nothing has changed yet.",
          }
        : { title: "The shop as it is", lede: "There are no drafts." };
    return {
      ...about,
      body: html`${problems.length > 0 && wrong(preview)}
    <ul class="beans tiles">${products.map((product) => {
      const heading = html`<h2>${product.name_to_use_with_humans}</h2>`;
      return html`<li class="bean">${beanDetails(product, pictureToBe(product.product_id), heading)}</li>`;
    })}</ul>
    ${
      changes.length > 0 &&
      block(
        "changes",
        "What changes",
        changes.map((bean) => changeList(bean, wantedOf(wanted, bean.product_id))),
      )
    }
    ${
      changes.length > 0 &&
      problems.length === 0 &&
      actForm("publish", { seen: String(version) }, html`<button type="submit">Publish</button>`)
    }
    ${TO_CATALOG}`,
    };
  },
  acts: {
    publish: {
      do: (admin, fields) => admin.catalog.publish({ seen: fields.seen ?? 0 }),
      done: "Published. Open quotes keep their price.",
    },
  },
};

const SOLD: Record<string, string> = {
  STOCKED: "From stock",
  WAITLIST: "Small lot",
  EXCLUSIVE: "Exclusive",
};

const nameOf = (bean: CatalogBean): string => shown(bean).name_to_use_with_humans;

function priceCell({ published, draft }: CatalogBean): Renderable {
  const now = published?.price_minor;
  const then = draft?.product.price_minor;
  if (now === undefined) return money(then!);
  if (then === undefined || then === now) return money(now);
  return html`<s>${money(now)}</s> ${money(then)}`;
}

function moves(bean: CatalogBean, beans: readonly CatalogBean[]): Markup {
  const place = beans.indexOf(bean) + 1;
  const move = (to: number, sign: string, word: string) =>
    to < 1 || to > beans.length
      ? null
      : actForm(
          "move",
          { product_id: bean.product_id, place: String(to) },
          html`<button class="small quiet" type="submit" aria-label="${`Move ${nameOf(bean)} ${word}`}">${sign}</button>`,
          "inline-form cluster",
        );
  return html`<div class="cluster">${move(place - 1, "↑", "up")}${move(place + 1, "↓", "down")}</div>`;
}

const NEW: StatusWord = { text: "New", tone: "waiting" };
const DRAFT: StatusWord = { text: "Draft", tone: "waiting" };
const ON_SALE: StatusWord = { text: "On sale", tone: "good" };
const OFF_SALE: StatusWord = { text: "Off sale", tone: "over" };

function standing({ published, on_sale, draft }: CatalogBean): Markup {
  const now = published === null ? NEW : on_sale ? ON_SALE : OFF_SALE;
  return html`<div class="cluster">${chips([now, ...(draft ? [DRAFT] : [])])}</div>`;
}

const wrong = (preview: CatalogPreview): Markup =>
  notice(
    "bad",
    "This can’t be published yet.",
    html`<ul>${preview.problems.map((problem) => html`<li>${ruleInWords(problem, preview)}</li>`)}</ul>`,
  );

/** Rewrites a rule's problem, which speaks of a file, in the words of the form. */
const ruleInWords = (problem: string, { products }: CatalogPreview): string =>
  problem
    .replace("products: ", "Of all beans, ")
    .replace(/^products\[(\d+)\]\.(\w+):/, (_, index: string, field: string) => {
      const { name_to_use_with_humans: bean } = products[Number(index)]!;
      return `${bean}: “${factInWords(field).label}”`;
    })
    .replace(/WAITLIST|EXCLUSIVE/, (value) => `“${factInWords("availability").said(value)}”`);

/** `wanted`: bags that the waitlist asks for. */
const changeList = ({ name, changes }: CatalogPreview["changes"][number], wanted: number): Markup =>
  html`<h3>${name}</h3>
    ${
      wanted > 0 &&
      changes.some(({ field, to }) => field === "on_sale" && to === "false") &&
      html`<p>${bags(wanted)} of it ${isOrAre(wanted)} waited for. Nothing is offered while it is off sale.</p>`
    }
    ${changes.length === 0 && html`<p>The draft changes nothing.</p>`}
    <dl class="changes stack tight">${changes.map(({ field, from, to }) => {
      const { label, said } = factInWords(field);
      return html`<div><dt>${label}</dt>
      <dd>${from === null ? null : html`<s>${said(from)}</s> `}${to === null ? null : said(to)}</dd></div>`;
    })}</dl>`;
