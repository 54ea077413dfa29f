import { bagCount } from "../../core/bags.ts";
import { ERASED } from "../../core/records.ts";
import { orderAgain } from "../../orders/order-again.ts";
import { problemSummary } from "../../web/form-parts.ts";
import { money } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import type { Page } from "../../web/layout.ts";
import { introduction, orderSlip, refundSums } from "../../web/order-parts.ts";
import { contact, notice, policyList, pricingSums, time } from "../../web/parts.ts";
import { cancelForm, noCancelForm } from "./cancel-request.ts";
import { canOrderAtFullPrice, opening } from "./review-states.ts";
import type { ReviewView } from "./review-view.ts";
import { timelineBlock } from "./timeline.ts";

/** The algorithm's name and the first 12 hexadecimal digits: enough to compare by eye. */
const HASH_SHOWN = "sha256:".length + 12;

/**
 * The page at `/review/{token}`: the exact order, its total, and one button. Rendering it is all
 * that a GET does, so a link preview or a mail scanner cannot buy coffee.
 */
export function reviewPage(view: ReviewView): Page {
  const { title, lead, payable } = opening(view);
  const standing = view.ordered?.standing;
  const unpaid = view.confirming ? "CONFIRMING" : (view.obstacle?.kind ?? view.standing.status);
  const cancel = cancelForm(view);
  return {
    title,
    state: standing?.reason ?? unpaid.toUpperCase(),
    top: [
      problemSummary(view.refusedForm?.problems ?? [], cancel),
      payable
        ? [lead, olderNotice(view), boughtNotice(view), newerNotice(view), introduction(view)]
        : [boughtNotice(view), lead, newerNotice(view)],
    ],
    wide: true,
    body: html`<div class="review">
      ${orderSlip(view)}
      <aside class="till-column stack" aria-labelledby="total">
        <div class="till stack">${payBlock(view, payable)}</div>
        ${payable && payForm(view)}
      </aside>
    </div>
    ${view.ordered && timelineBlock(view.ordered, view)}
    ${standing?.isUnderWay && whatHappensNext(view)}
    ${cancel}
    <section class="terms stack" aria-labelledby="terms">
      <h2 id="terms">${payable ? "Before you pay" : "Terms"}</h2>
      ${policyList(view.shop, `${view.url}/message`)}
      <p>Sold by ${view.shop.name}. ${contact(view)}</p>
    </section>`,
  };
}

/** Warns a buyer who already paid, or started to pay, for another quote. */
function boughtNotice(view: ReviewView): Markup | null {
  const { ordered, confirming } = view;
  const { bought, payable, status } = view.standing;
  if (!bought || ordered || confirming || !(payable || status === "INVALIDATED")) return null;
  const canPay = payable || canOrderAtFullPrice(view);
  const { same, order } = bought;
  const ago = longAgo(bought.minutesAgo);
  const which = order ? `order ${order.called}` : "a payment that is settling";
  const title = same
    ? `You paid for the same items ${ago} ago.`
    : `You paid for almost the same ${ago} ago.`;
  const only = canPay && `Pay here only if you want ${same ? "them a second time" : "both"}.`;
  return notice("warn", title, html`<p>That’s ${which}: ${bought.bags}. ${only}</p>`);
}

const olderNotice = (view: ReviewView): Markup | null =>
  view.isFromOlder
    ? notice(
        "info",
        "This is the newest version of your order.",
        html`<p>The page that you came from was older. Nothing was charged there.</p>`,
      )
    : null;

/** Both quotes can be paid, so the buyer should know about the newer one. */
const newerNotice = (view: ReviewView): Markup | null =>
  view.hasNewerQuote && !view.confirming
    ? notice(
        "info",
        "Your agent prepared a newer quote.",
        html`<p>If it replaces this one, open its link instead. Paying both gives you two orders.</p>`,
      )
    : null;

function longAgo(minutes: number): string {
  if (minutes < 1) return "less than a minute";
  const [count, unit] =
    minutes < 60
      ? [minutes, "minute"]
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), "hour"]
        : [Math.floor(minutes / (24 * 60)), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function payBlock(view: ReviewView, payable: boolean): Markup {
  const { terms, quote, ordered } = view;
  const count = bagCount(terms.shipments.flatMap(({ items }) => items));
  return html`<h2 id="total">${ordered ? "What you paid" : "Your total"}</h2>
    ${pricingSums({ ...terms.pricing, discount_code: terms.discount_code }, count)}
    ${ordered && refundSums(ordered)}
    ${payable && beforePaying(view)}
    <dl class="small-print">
      ${ordered && quote.buyer_email !== ERASED && html`<div><dt>Your email</dt><dd>${quote.buyer_email}</dd></div>`}
      ${
        payable &&
        html`<div><dt>Pay by</dt>
          <dd>${time(Math.min(quote.expires_at, view.standing.offerEnds ?? Infinity))}</dd></div>`
      }
    </dl>
    <details class="small-print unprinted">
      <summary>Details</summary>
      <p>Quote hash <span class="code">${quote.quote_hash.slice(0, HASH_SHOWN)}</span></p>
    </details>
    ${ordered && html`<p class="hint unprinted">Print this page for a receipt.</p>`}
    ${againForm(view)}`;
}

/** Makes a checkout of the same bags, note and address, and says what it leaves out. */
function againForm(view: ReviewView): Markup | null {
  const again = orderAgain(view, view.catalog);
  if (!again) return null;
  const { leftOut } = again;
  return html`<form class="stack tight unprinted" method="post" action="${view.url}/again">
      <button class="quiet">Order again</button>
      ${leftOut.length > 0 && html`<p class="hint">It leaves out ${LIST.format(leftOut)}.</p>`}
    </form>`;
}

const LIST = new Intl.ListFormat("en");

function beforePaying(view: ReviewView): Markup {
  const where =
    view.mode === "sandbox"
      ? "The next page is a demo payment page. It takes no card number."
      : "You pay on our payment provider’s page. We never see your card number.";
  return html`<p class="hint">You’re ordering exactly what’s shown, roasted for you.
    <a href="#terms">Before you pay</a>. ${where}</p>`;
}

/**
 * On a phone the button stays at the lower edge. It posts the earlier payment that the notice above names,
 * so that a press on an outdated page shows the current page first.
 */
function payForm({ url, terms, standing }: ReviewView): Markup {
  const beside = standing.bought?.quoteId;
  return html`<form class="pay stack tight" method="post" action="${url}">
    <input type="hidden" name="beside" value="${beside ?? "none"}">
    <button type="submit">Pay ${money(terms.pricing.total_minor)}${beside && " for a second order"}</button>
  </form>`;
}

const whatHappensNext = (
  view: ReviewView,
): Markup => html`<section class="terms stack unprinted" aria-labelledby="next">
    <h2 id="next">What happens next</h2>
    <p>Every shipment gets a tracking number, which you’ll find here. Bookmark this page: it always
    shows where your order is. ${view.ordered && noCancelForm(view.ordered, view)}</p>
  </section>`;
