import type { CatalogBean } from "../catalog/admin-catalog.ts";
import { bags, isOrAre } from "../core/bags.ts";
import { beanPicture } from "../web/bean-view.ts";
import { disclosure, type FieldProblem, formField, tickBox } from "../web/form-parts.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { pageHead } from "../web/layout.ts";
import {
  BEAN_FORM,
  type BeanField,
  type BeanFieldInfo,
  type BeanValues,
  beanProblems,
  beanValues,
  NEEDED,
  savedMeanwhile,
  typedValues,
} from "./bean-fields.ts";
import { actForm } from "./forms.ts";
import type { DeskPage } from "./frame.ts";
import { wantedOf } from "./low-stock.ts";
import type { DeskRoute } from "./route.ts";

const SAVED = "The bean is saved.";

export const newBean: DeskRoute = {
  place: "catalog",
  path: "/desk/catalog/new",
  async show({ refused }) {
    const values = refused ? typedValues(refused.fields) : { on_sale: "on" };
    return beanFormPage({ bean: null, values, problems: beanProblems(refused?.error), wanted: 0 });
  },
  acts: {
    "catalog.add": {
      // Without its box it would be for sale.
      also: (fields) => ({ on_sale: fields("on_sale") === "on" }),
      done: SAVED,
      to: () => "/desk/catalog",
    },
  },
};

export const bean: DeskRoute = {
  place: "catalog",
  path: "/desk/catalog/:id",
  async show({ id, admin, refused }) {
    const bean = await admin.catalog.show({ product_id: id });
    const kept = beanValues(bean.product, bean.on_sale);
    const values = refused ? { ...kept, ...typedValues(refused.fields) } : kept;
    const stale = refused?.error.code === "ILLEGAL_STEP" ? savedMeanwhile(kept, values) : [];
    const problems = [...beanProblems(refused?.error), ...stale];
    const wanted = wantedOf(await admin.waitlist.wanted(), id);
    return beanFormPage({ bean, values, problems, wanted });
  },
  acts: { "catalog.save": { done: SAVED } },
};

interface BeanFormView {
  /** Null for a new bean. */
  bean: CatalogBean | null;
  values: BeanValues;
  problems: FieldProblem[];
  /** Bags that the waitlist asks for. */
  wanted: number;
}

function beanFormPage({ bean, values, problems, wanted }: BeanFormView): DeskPage {
  const title = bean === null ? "A new bean" : (values.name_to_use_with_humans ?? "Bean");
  const id = bean?.product_id;
  // A bean keeps these forever.
  const fixed = ["product_id", "opening_stock"];
  const show = ([name, field]: NamedField) =>
    fixed.includes(name) ? null : beanField([name, field], values, problems);
  return {
    title,
    head: html`<div class="bean-head row">
      ${id && html`<img src="${beanPicture(id)}" alt="" width="120" height="150">`}
      ${pageHead({ title, lede: `${bean === null ? "It is sold as soon as you save it." : "Changes are in the shop at once."} Unpaid orders keep their price.` })}
    </div>`,
    problems,
    body: html`${actForm(
      bean === null ? "catalog.add" : "catalog.save",
      {
        ...(id && {
          of: { product_id: id },
          with: { opening_stock: values.opening_stock ?? "0" },
        }),
        seen: bean?.changed_at ?? null,
      },
      html`${bean === null ? newFields(values, problems) : GROUPS.map(([legend, fields]) => group(legend, fields.map(show)))}
      ${
        wanted > 0 &&
        html`<p class="hint">${bags(wanted)} of it ${isOrAre(wanted)} waited for. Nothing is offered while it is not for sale.</p>`
      }
      <button type="submit">Save</button>`,
      "form bean-form",
    )}
    ${TO_CATALOG}`,
  };
}

type NamedField = [name: BeanField, field: BeanFieldInfo];

const GROUPS = Object.entries(BEAN_FORM).map(
  ([legend, fields]) => [legend, Object.entries<BeanFieldInfo>(fields) as NamedField[]] as const,
);

const group = (legend: string, fields: readonly Renderable[]): Markup =>
  html`<div class="slip"><fieldset><legend>${legend}</legend>${fields}</fieldset></div>`;

function beanField(
  [name, { box, wanted: _, ...field }]: NamedField,
  values: BeanValues,
  problems: readonly FieldProblem[],
): Markup {
  const value = values[name];
  if (box) {
    const wrong = problems.find((problem) => problem.field === name)?.message;
    return tickBox({ name, value: "on", label: field.label, ticked: value === "on", wrong });
  }
  return formField({ name, ...field, value }, problems);
}

/** Five fields that only the owner knows. The rest is derived, so it stays folded unless it was typed. */
function newFields(values: BeanValues, problems: readonly FieldProblem[]): Markup {
  const all = GROUPS.flatMap(([, fields]) => fields);
  const needed = NEEDED.map((name) => all.find(([one]) => one === name)!);
  const rest = all.filter(([name]) => !NEEDED.includes(name));
  const isOpen =
    problems.some(({ field }) => rest.some(([name]) => name === field)) ||
    rest.some(([name]) => name !== "on_sale" && Boolean(values[name]));
  return html`${group(
    "The bean",
    needed.map((one) => beanField(one, values, problems)),
  )}
    ${disclosure(
      "More about it: what you leave empty is filled in from the name and roast, or left out…",
      html`<div class="stack">${rest.map(([name, field]) =>
        beanField([name, { ...field, optional: true }], values, problems),
      )}</div>`,
      isOpen,
    )}`;
}

const TO_CATALOG = html`<p><a class="quiet-link" href="/desk/catalog">Back to the catalog</a></p>`;
