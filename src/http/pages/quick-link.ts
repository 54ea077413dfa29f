import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { QuickCheckoutLink } from "../../domain/quick-checkout/quick-checkout-answer.ts";
import { bagCount } from "../../domain/shared/bags.ts";
import { LIMITS } from "../../domain/shared/policy.ts";
import { type Bean, inQuickCheckout, lineForPeople } from "./bean-view.ts";
import { bagsRow, extraFields, quantityField } from "./cart-fields.ts";
import { type FieldProblem, formField, problemSummary } from "./form-parts.ts";
import { html } from "./html.ts";
import type { Page } from "./layout.ts";
import { giftNoteCard, lineList, pricingSums } from "./parts.ts";

/** Where the form on the front page goes, with GET. */
export const QUICK_LINK_PATH = "/quick-checkout-link";

/** The other fields of the form, named like the parameters of GET /v1/quick-checkout. */
export const QUICK_LINK_FIELDS = ["discount_code", "gift_note", "buyer_email"] as const;

/** The form of the link builder: what was typed, by field name, and all that is wrong with it. */
export interface QuickLinkFormView {
  beans: readonly Bean[];
  values: Readonly<Record<string, string>>;
  problems: FieldProblem[];
}

export function quickLinkFormPage({ beans, values, problems }: QuickLinkFormView): Page {
  const rows = beans.filter(inQuickCheckout).map((bean) => {
    const field = quantityField(bean.product.product_id);
    const problem = problems.find((one) => one.field === field)?.message;
    return bagsRow({ bean, quantity: values[field] ?? "0", problem });
  });
  return {
    title: "Make a quick-checkout link",
    top: problemSummary(problems),
    body: html`<form class="slip form" method="get" action="${QUICK_LINK_PATH}">
    <fieldset>
      <legend>How many bags?</legend>
      <ul class="stack">${rows}</ul>
    </fieldset>
    ${extraFields(values, problems)}
    ${formField(
      {
        name: "buyer_email",
        value: values.buyer_email,
        label: "Buyer’s email",
        type: "email",
        optional: true,
        autocomplete: "off",
        maxlength: LIMITS.email_characters,
      },
      problems,
    )}
    <button type="submit">Make the link</button>
  </form>`,
  };
}

/** What it makes. The address is complete and encoded. */
export function quickLinkPage(
  { url, items, pricing }: Pick<QuickCheckoutLink, "url" | "items" | "pricing">,
  giftNote: string | undefined,
  catalog: Catalog,
): Page {
  return {
    title: "Your quick-checkout link",
    lede: "Open it, or send it whole to the buyer. Nothing is ordered until it is paid.",
    body: html`<p class="link-out">${url}</p>
    <p><a class="button" href="${url}">Open the checkout</a></p>
    <section class="slip stack" aria-labelledby="in-it">
      <h2 id="in-it">What is in it</h2>
      ${lineList(items.map((item) => lineForPeople(catalog, item)))}
      ${giftNote && giftNoteCard(giftNote)}
      ${pricingSums(pricing, bagCount(items))}
    </section>
    <p><a class="quiet-link" href="/#beans">Make another link</a></p>`,
  };
}
