import type { CatalogBean } from "../../../merchant/admin-catalog.ts";
import { type FieldProblem, formField } from "../../pages/form-parts.ts";
import { flag, html, type Markup } from "../../pages/html.ts";
import { pageHead } from "../../pages/layout.ts";
import { BEAN_FORM, type BeanField, type BeanFieldInfo, type BeanValues } from "../catalog-form.ts";
import { actForm } from "./act-form.ts";
import type { DeskPage } from "./frame.ts";

export interface BeanFormView {
  /** Null where the bean is new. */
  bean: CatalogBean | null;
  values: BeanValues;
  problems: FieldProblem[];
}

export function beanFormPage({ bean, values, problems }: BeanFormView): DeskPage {
  const title = bean === null ? "A new bean" : (values.name_to_use_with_humans ?? "Bean");
  const id = bean?.product_id;
  // These a bean has from its beginning.
  const fixed = id === undefined ? [] : ["product_id", "opening_stock"];
  return {
    title,
    place: "catalog",
    head: html`<div class="bean-head row">
      ${id ? html`<img src="${`/desk/catalog/${id}/bag.svg`}" alt="" width="120" height="150">` : null}
      ${pageHead({ title, lede: "What you keep here is a draft. It is sold once you have looked at it and published it." })}
    </div>`,
    problems,
    body: html`${actForm(
      "save",
      {
        ...(id && { product_id: id, opening_stock: values.opening_stock ?? "0" }),
        seen: bean === null ? "" : String(bean.changed_at),
      },
      html`${Object.entries(BEAN_FORM).map(
        ([legend, fields]) => html`<div class="slip"><fieldset><legend>${legend}</legend>
        ${Object.entries<BeanFieldInfo>(fields).map(([name, { box, wanted: _, ...field }]) => {
          if (fixed.includes(name)) return null;
          const value = values[name as BeanField];
          if (box) return tickBox(name, field.label, value === "on");
          return formField({ name, ...field, value }, problems);
        })}
      </fieldset></div>`,
      )}
      <button type="submit">Keep as draft</button>`,
      "form bean-form",
    )}
    ${bean?.draft ? draftActs(bean.product_id) : null}`,
  };
}

const tickBox = (name: string, label: string, ticked: boolean): Markup =>
  html`<label class="tick-box"><input type="checkbox" name="${name}" value="on"${flag("checked", ticked)}>
    ${label}</label>`;

const draftActs = (id: string): Markup => html`<div class="cluster">
    <a class="button" href="/desk/catalog/preview">Look before publishing</a>
    ${actForm("discard", { product_id: id }, html`<button class="quiet" type="submit">Throw the draft away</button>`)}
  </div>`;
