import { LIMITS } from "../../domain/shared/policy.ts";
import { type Bean, inQuickCheckout } from "./bean-view.ts";
import { bagsRow, extraFields, quantityField } from "./cart-fields.ts";
import { type FieldProblem, formField, problemSummary } from "./form-parts.ts";
import { html, type Markup } from "./html.ts";
import type { Page } from "./layout.ts";
import { bagCount, giftNoteCard, type Line, lineList, type Prices, pricingSums } from "./parts.ts";

/** Where the form on the front page goes, with GET. */
export const QUICK_LINK_PATH = "/quick-checkout-link";

/** The other fields of the form, named like the parameters of GET /v1/quick-checkout. */
export const QUICK_LINK_FIELDS = ["discount_code", "gift_note", "buyer_email"] as const;

export interface QuickLinkFormView {
  beans: readonly Bean[];
  /** What was typed, by field name. */
  values: Readonly<Record<string, string>>;
  problems: FieldProblem[];
}

/** The answer of the link builder: a link, or the form again with all that is wrong. */
export type QuickLinkView =
  | {
      kind: "link";
      /** Complete and encoded: scheme, host, path and query. */
      url: string;
      lines: Line[];
      pricing: Prices;
      giftNote?: string | undefined;
    }
  | ({ kind: "form" } & QuickLinkFormView);

function quickLinkForm(view: QuickLinkFormView): Markup {
  const { values, problems } = view;
  const rows = view.beans.filter(inQuickCheckout).map((bean) => {
    const field = quantityField(bean.product.product_id);
    const problem = problems.find((one) => one.field === field)?.message;
    return bagsRow({ bean, quantity: values[field] ?? "0", problem });
  });
  return html`<form class="slip form" method="get" action="${QUICK_LINK_PATH}">
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
  </form>`;
}

export function quickLinkPage(view: QuickLinkView): Page {
  if (view.kind === "form") {
    return {
      title: "Make a quick-checkout link",
      top: problemSummary(view.problems),
      body: quickLinkForm(view),
    };
  }
  return {
    title: "Your quick-checkout link",
    lede: "Open it, or send it whole to the buyer. Nothing is ordered until it is paid.",
    body: html`<p class="link-out">${view.url}</p>
    <p><a class="button" href="${view.url}">Open the checkout</a></p>
    <section class="slip stack" aria-labelledby="in-it">
      <h2 id="in-it">What is in it</h2>
      ${lineList(view.lines)}
      ${view.giftNote ? giftNoteCard(view.giftNote) : null}
      ${pricingSums(view.pricing, bagCount(view.lines))}
    </section>
    <p><a class="quiet-link" href="/#beans">Make another link</a></p>`,
  };
}
