import type { Catalog } from "../../catalog/catalog.ts";
import { bagCount, bags } from "../../core/bags.ts";
import { LIMITS } from "../../core/policy.ts";
import type { Shop } from "../../core/shop.ts";
import { statusText } from "../../orders/status-words.ts";
import type { Cart, CartPricing, CodeStanding } from "../../quotes/quick-checkout.ts";
import { cartQuery } from "../../quotes/quick-checkout-query.ts";
import { lineForPeople } from "../../web/bean-view.ts";
import {
  ADDRESS_FIELDS,
  addressFields,
  EMAIL,
  type Field,
  type FieldProblem,
  formField,
  problemSummary,
} from "../../web/form-parts.ts";
import { money } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import type { Page } from "../../web/layout.ts";
import {
  giftNoteCard,
  type Line,
  lineList,
  notice,
  policyList,
  pricingSums,
  time,
} from "../../web/parts.ts";

/** The fields of the form, by the names they are posted with. */
export const QUICK_CHECKOUT_FIELDS = ["email", ...ADDRESS_FIELDS] as const;
export type QuickCheckoutField = (typeof QUICK_CHECKOUT_FIELDS)[number];

/** The page at `/checkout/{token}`: a cart from a link, waiting for an email and an address. */
export interface QuickCheckoutView {
  /** This page's own path, which the form posts to. */
  url: string;
  expiresAt: number;
  /** From the link, whose maker wrote the gift note and the email. */
  cart: Cart;
  catalog: Catalog;
  shop: Shop;
  pricing: CartPricing;
  /** Typed values. At first only the link's email, if it has one. */
  values: Partial<Record<QuickCheckoutField, string>>;

  problems?: FieldProblem[];
  /** The total of `pricing` is higher than the page showed. */
  raised?: { fromMinor: number; standing: CodeStanding } | undefined;
  /** Total that the buyer accepted, posted as `accept_total`. A higher one needs a confirmation. */
  acceptedMinor: number | null;
}

export function quickCheckoutPage(view: QuickCheckoutView): Page {
  const { cart, pricing, problems = [] } = view;
  const form = addressForm(view);
  return {
    title: titleOf(view),
    heading: "Where should we send it?",
    lede: "You’ll see the full order once more before you pay.",
    top: [problemSummary(problems, form), raisedNotice(view), skipToBagsLink(view)],
    wide: true,
    body: html`<div class="review">
      ${form}
      <aside class="till stack" aria-labelledby="total">
        <h2 id="total">Your bags</h2>
        ${lineList(cartLines(cart, view.catalog))}
        ${changeLink(cart)}
        ${cart.gift_note && giftNoteCard(cart.gift_note, "Gift note in this cart")}
        ${pricingSums(pricing, bagCount(cart.items))}
        <dl class="small-print"><div><dt>Order by</dt>
        <dd>${time(view.expiresAt)}</dd></div></dl>
      </aside>
    </div>
    <section class="terms stack" aria-labelledby="terms">
      <h2 id="terms">Before you order</h2>
      ${policyList(view.shop)}
    </section>`,
  };
}

/** Screen readers read the title first, so it says why the form came back. */
function titleOf({ problems = [], raised }: QuickCheckoutView): string {
  if (problems.length > 0) return "Please check your details";
  return raised ? "Please confirm the new total" : "Where should we send it?";
}

const cartLines = ({ items }: Cart, catalog: Catalog): Line[] =>
  items.map(({ product_id, quantity }) => {
    const { name, price_minor } = catalog.known(product_id)!;
    return lineForPeople(catalog, { product_id, name, quantity, unit_price_minor: price_minor });
  });

/** Back to the shop's cart, unless that can't hold these lines or the waitlist holds them for this page. */
const changeLink = ({ buyer_email: _, waitlist_id, ...cart }: Cart): Markup | null =>
  waitlist_id === undefined &&
  cart.items.every(({ quantity }) => quantity <= LIMITS.quantity_per_line)
    ? html`<p><a class="quiet-link" href="${`/?${cartQuery(cart)}#cart`}">Change the bags</a></p>`
    : null;

/** For phones, where the bags stand below the form. */
function skipToBagsLink({ pricing, cart }: QuickCheckoutView): Markup {
  const total = money(pricing.total_minor);
  return html`<p><a href="#total">${bags(bagCount(cart.items))}, ${total} in total</a></p>`;
}

/** Why the total is higher, by the state of the cart's code for this email. */
const HIGHER: Record<CodeStanding, string> = {
  NOT_ELIGIBLE: "This discount isn’t available for this email.",
  ENDED: "The first-order offer has ended.",
  USABLE: "The price has changed since this page was opened.",
};

function raisedNotice({ raised, pricing }: QuickCheckoutView): Markup | null {
  if (!raised) return null;
  return notice(
    "warn",
    HIGHER[raised.standing],
    html`<p>The total is now <b>${money(pricing.total_minor)}</b>. It was
    <s>${money(raised.fromMinor)}</s>. Nothing was charged. Confirm the new total below, or just
    leave this page.</p>`,
  );
}

function addressForm(view: QuickCheckoutView): Markup {
  const { values, problems, raised, pricing, cart } = view;
  const isFromLink = cart.buyer_email !== undefined && values.email === cart.buyer_email;
  const acceptTotal = raised ? pricing.total_minor : view.acceptedMinor;
  const show = (field: Field & { name: QuickCheckoutField }) =>
    formField({ ...field, value: values[field.name] }, problems);
  const button = raised
    ? `Accept ${money(pricing.total_minor)} and continue`
    : "Continue to review";
  // novalidate: the page names all problems at once, browsers would stop at the first.
  return html`<form class="slip form" method="post" action="${view.url}" novalidate>
    <fieldset>
      <legend>Contact</legend>
      ${show({
        ...EMAIL,
        hint: isFromLink ? "From the link you opened. Make sure it’s yours." : undefined,
      })}
    </fieldset>
    <fieldset>
      <legend>Ship to, United States only</legend>
      ${addressFields((field) => show({ ...field, autocomplete: `shipping ${field.autofill}` }))}
    </fieldset>
    ${
      acceptTotal === null
        ? null
        : html`<input type="hidden" name="accept_total" value="${acceptTotal}">`
    }
    <button type="submit">${button}</button>
    <p class="hint">You won’t be charged yet. Next: review your order and pay.</p>
  </form>`;
}

/** A link that expired or was cut off. */
export function quickCheckoutGonePage(reason: "EXPIRED" | "BROKEN"): Page {
  const expired = reason === "EXPIRED";
  const title = expired ? "This checkout link has expired" : "This checkout link is incomplete";
  const why = expired
    ? "Prices and stock may have changed since it was made."
    : "Part of it may have been lost in copying.";
  return {
    title,
    top: html`${notice("warn", "Nothing was charged.", html`<p>${why}</p>`)}
      <p>Open the original link again, ask your agent for a new one, or
      <a href="/#beans">fill a cart yourself</a>.</p>`,
    body: null,
  };
}

/** The order of a session's page; null while a payment settles. */
export type OrderedView = { number: string; status: string } | null;

/** Shows nothing that the buyer typed, because whoever made the cart can open this page. */
export const orderedPage = (order: OrderedView): Page =>
  order
    ? {
        title: `Order ${order.number}`,
        lede: `Paid. Status: ${statusText(order.status)}.`,
        body: html`<p>The page where you paid shows the full order.</p>`,
      }
    : {
        title: "Your payment is settling",
        lede: "Your bank needs a few days. We place your order once the payment arrives.",
        body: null,
      };
