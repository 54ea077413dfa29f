import type { CatalogBean } from "../../../merchant/admin-catalog.ts";
import { type Field, type FieldProblem, formField } from "../../pages/form-parts.ts";
import { flag, html, type Markup } from "../../pages/html.ts";
import type { BeanField, BeanValues } from "../catalog-form.ts";
import { actForm } from "./act-form.ts";
import { type DeskPage, head } from "./frame.ts";

export interface BeanFormView {
  /** Null where the bean is new. */
  bean: CatalogBean | null;
  values: BeanValues;
  problems: FieldProblem[];
}

const HINTS: Partial<Record<BeanField, string>> = {
  product_id: "For agents and links: small letters and hyphens. It never changes again.",
  name_to_use_with_humans: "With the country: Colombia Huila",
  name: "In the catalog for agents: Huila Washed",
  price: "Dollars for a bag of 8 oz",
  opening_stock: "Bags on the shelf when it is first sold; later they are counted under Stock.",
  varieties: "Between commas",
  tasting_notes: "Between commas; the first decides the colour of the bag",
  roast_level: "Light, Medium, Medium-dark …",
  roast: "In a sentence: how it tastes by its roast",
  brewing: "One way on each line: “Pour over: 15 g to 250 g of water …”",
  choose_if: "Whom it suits: “You want an easy, sweet everyday cup.”",
  summary: "Origin, process, varieties, roast and notes, for agents",
};

const SOLD = [
  { value: "STOCKED", label: "From stock" },
  { value: "WAITLIST", label: "Small lot, with a waitlist" },
  { value: "EXCLUSIVE", label: "Exclusive, with a finder key" },
];

export function beanFormPage({ bean, values, problems }: BeanFormView): DeskPage {
  const title = bean === null ? "A new bean" : (values.name_to_use_with_humans ?? "Bean");
  const of = (name: BeanField, label: string): Field => ({
    name,
    label,
    value: values[name],
    hint: HINTS[name],
  });
  const text = (name: BeanField, label: string) => formField(of(name, label), problems);
  const area = (name: BeanField, label: string) =>
    formField({ ...of(name, label), area: true, maxlength: 6000 }, problems);
  const id = bean?.product_id;
  return {
    title,
    place: "catalog",
    head: html`<div class="bean-head row">
      ${id ? html`<img src="${`/desk/catalog/${id}/bag.svg`}" alt="" width="120" height="150">` : null}
      ${head(title, "What you keep here is a draft. It is sold once you have looked at it and published it.")}
    </div>`,
    problems,
    body: html`${actForm(
      "save",
      {
        ...(id && { product_id: id, opening_stock: values.opening_stock ?? "0" }),
        seen: bean === null ? "" : String(bean.changed_at),
      },
      html`<div class="slip"><fieldset><legend>How it is sold</legend>
        ${id ? null : text("product_id", "Id")}
        ${text("name_to_use_with_humans", "Name")}
        ${text("name", "Full name")}
        ${formField({ ...of("price", "Price"), inputmode: "decimal" }, problems)}
        ${formField({ ...of("availability", "Sold"), choices: SOLD }, problems)}
        ${id ? null : formField({ ...of("opening_stock", "Opening stock"), inputmode: "numeric" }, problems)}
        ${box("on_sale", "On sale", values)}
        ${box("decaf", "Decaf", values)}
      </fieldset></div>
      <div class="slip"><fieldset><legend>What it is</legend>
        ${text("country", "Country")}
        ${text("region", "Region")}
        ${text("process", "Process")}
        ${text("varieties", "Varieties")}
        ${text("roast_level", "Roast")}
        ${text("roast", "The roast in words")}
        ${text("tasting_notes", "Flavors")}
        ${area("brewing", "Brewing")}
      </fieldset></div>
      <div class="slip"><fieldset><legend>What it says</legend>
        ${area("choose_if", "Whom it suits")}
        ${area("summary", "Summary")}
      </fieldset></div>
      <button type="submit">Keep as draft</button>`,
      "form bean-form",
    )}
    ${bean?.draft ? draftActs(bean.product_id) : null}`,
  };
}

const box = (name: BeanField, label: string, values: BeanValues): Markup =>
  html`<label class="tick-box"><input type="checkbox" name="${name}" value="on"${flag("checked", values[name] === "on")}>
    ${label}</label>`;

const draftActs = (id: string): Markup => html`<div class="cluster">
    <a class="button" href="/desk/catalog/preview">Look before publishing</a>
    ${actForm("discard", { product_id: id }, html`<button class="quiet" type="submit">Throw the draft away</button>`)}
  </div>`;
