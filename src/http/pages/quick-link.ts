import { FIRST_ORDER, LIMITS } from "../../domain/shared/policy.ts";
import { type Bean, inQuickCheckout } from "./bean-view.ts";
import { type FieldProblem, formField, problemSummary } from "./form-parts.ts";
import { money } from "./format.ts";
import { html, type Markup } from "./html.ts";
import { layout, type PaymentMode } from "./layout.ts";
import { bagCount, giftNoteCard, type Line, lineList, type Prices, pricingSums } from "./parts.ts";

/** Where the form on the front page goes, with GET. */
export const QUICK_LINK_PATH = "/quick-checkout-link";

/** Field of the form that holds how many bags of one bean: `qty_<product_id>`. */
export function quantityField(productId: string): string {
  return `qty_${productId}`;
}

/** The other fields of the form, named like the parameters of GET /v1/quick-checkout. */
export const QUICK_LINK_FIELDS = ["discount_code", "gift_note", "buyer_email"] as const;

export interface QuickLinkFormView {
  beans: readonly Bean[];
  /** What was typed, by field name. */
  values: Readonly<Record<string, string>>;
  problems: FieldProblem[];
}

/** The answer of the link builder: a link, or the form again with all that is wrong. */
export type QuickLinkView = { mode: PaymentMode } & (
  | {
      kind: "link";
      /** Complete and encoded: scheme, host, path and query. */
      url: string;
      lines: Line[];
      pricing: Prices;
      giftNote?: string | undefined;
    }
  | ({ kind: "form" } & QuickLinkFormView)
);

function quickLinkForm(view: QuickLinkFormView): Markup {
  const { values, problems } = view;
  const text = (name: (typeof QUICK_LINK_FIELDS)[number]) => ({ name, value: values[name] });
  return html`<form class="slip form" method="get" action="${QUICK_LINK_PATH}">
    <fieldset>
      <legend>How many bags?</legend>
      ${view.beans.filter(inQuickCheckout).map((bean) => quantityRow(bean, values, problems))}
    </fieldset>
    ${formField(
      {
        ...text("discount_code"),
        label: "Discount code",
        optional: true,
        hint: `${FIRST_ORDER.code} on a first order`,
        maxlength: 64,
      },
      problems,
    )}
    ${formField(
      {
        area: true,
        ...text("gift_note"),
        label: "Gift note",
        optional: true,
        hint: `Handwritten, up to ${LIMITS.gift_note_characters} characters`,
        maxlength: 200,
      },
      problems,
    )}
    ${formField(
      {
        ...text("buyer_email"),
        label: "Buyer’s email",
        type: "email",
        optional: true,
        autocomplete: "off",
        maxlength: 254,
      },
      problems,
    )}
    <button type="submit">Make the link</button>
  </form>`;
}

function quantityRow(
  { product }: Bean,
  values: QuickLinkFormView["values"],
  problems: readonly FieldProblem[],
): Markup {
  const name = quantityField(product.product_id);
  const message = problems.find((problem) => problem.field === name)?.message;
  return html`<div class="quantity">
    <label for="${name}">${product.name_to_use_with_humans}</label>
    <span class="amount hint">${money(product.price_minor)}</span>
    <input type="number" inputmode="numeric" min="0" max="100" step="1" id="${name}" name="${name}"
      value="${values[name] ?? "0"}"${
        message ? html` aria-invalid="true" aria-describedby="${name}-error"` : null
      }>
    ${message ? html`<p class="field-error" id="${name}-error">${message}</p>` : null}
  </div>`;
}

export function quickLinkPage(view: QuickLinkView): string {
  if (view.kind === "form") {
    return layout({
      title: "Make a quick-checkout link",
      mode: view.mode,
      secret: true,
      body: html`<header class="head stack">
        <h1>Make a quick-checkout link</h1>
        ${problemSummary(view.problems)}
      </header>
      ${quickLinkForm(view)}`,
    });
  }
  return layout({
    title: "Your quick-checkout link",
    mode: view.mode,
    secret: true,
    body: html`<header class="head stack">
      <h1>Your quick-checkout link</h1>
      <p class="lede">Open it, or send it whole to the buyer. Nothing is ordered until it is
      paid.</p>
    </header>
    <p class="link-out">${view.url}</p>
    <p><a class="button" href="${view.url}">Open the checkout</a></p>
    <section class="slip stack" aria-labelledby="in-it">
      <h2 id="in-it">What is in it</h2>
      ${lineList(view.lines)}
      ${view.giftNote ? giftNoteCard(view.giftNote) : null}
      ${pricingSums(view.pricing, bagCount(view.lines))}
    </section>
    <p><a class="quiet-link" href="/#quick-checkout">Make another link</a></p>`,
  });
}
