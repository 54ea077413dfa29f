import type { OpenPage, PayableProblem } from "../../orders/review.ts";
import { money } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { notice, time } from "../../web/parts.ts";
import type { ReviewView } from "./review.ts";

/** What a buyer reads of payments under way, their own and other people's (contract §5). */
export const HELD = {
  COURTESY: {
    title: "The courtesy is in another payment",
    why: "A payment with this customer's courtesy is under way. If it is yours, go back to its page and cancel there: then you can pay here at once.",
  },
  BAGS: {
    title: "These bags are in another payment",
    why: "Somebody is paying for the last of these bags right now, and may still leave them.",
  },
};

/** The higher total is said before and shown once more after, so that it is not paid by mistake. */
export const fullPriceForm = (
  { url, terms: { pricing } }: ReviewView,
  begin: "Order" | "Or order",
): Markup => html`<form method="post"
    action="${url}/full-price">
    <p>${begin} the same now without the courtesy, for <b>${money(pricing.subtotal_minor + pricing.shipping_minor)}</b>. You see the whole order
    once more before you pay.</p>
    <button type="submit" class="quiet">Order without the courtesy</button>
  </form>`;

const PROBLEMS: Record<PayableProblem, { money: string; why: string }> = {
  DECLINED: { money: "Nothing was charged.", why: "Your bank did not let the card through." },
  BANK_REFUSED: {
    money: "Nothing was charged.",
    why: "Your bank did not let the debit through.",
  },
  TOO_LATE: {
    money: "Your payment is being returned.",
    why: "It came after the time your bags were kept for you, and others had them by then.",
  },
};

export const problemNotice = (problem: PayableProblem, { owedMinor }: ReviewView): Markup =>
  notice(
    "bad",
    problem === "TOO_LATE" && owedMinor > 0 ? "Nothing was ordered." : PROBLEMS[problem].money,
    html`<p>${PROBLEMS[problem].why}</p>
    <p>Your order is unchanged. You can try again, in the same way or another.</p>`,
  );

export const openPayment = ({ payment, until }: OpenPage, url: string): Markup =>
  notice(
    "info",
    "Your payment page is open.",
    html`<p>The bags are kept for you until ${time(until)}.</p>
    <form method="post" action="${url}/cancel">
      <input type="hidden" name="payment" value="${payment}">
      <button type="submit" class="quiet">Cancel that payment</button>
    </form>`,
  );
