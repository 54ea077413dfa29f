import { daySpan, moment, money } from "./format.ts";
import { html, type Markup } from "./html.ts";
import { layout } from "./layout.ts";
import { orderSlip } from "./order-slip.ts";
import { bagCount, notice, policyList, pricingSums } from "./parts.ts";
import { opening } from "./review-states.ts";
import type { OrderView, ReviewView } from "./review-view.ts";

/** The algorithm's name and the first 12 hexadecimal digits, which is what people compare. */
const HASH_SHOWN = "sha256:".length + 12;

/**
 * The page at `/review/{token}`: the exact order, its total, and one button. Rendering it is all
 * that a GET does, so a link preview or a mail scanner cannot buy coffee.
 */
export function reviewPage(view: ReviewView): string {
  const { title, lead, payable } = opening(view);
  const order = view.state.kind === "paid" ? view.state.order : null;
  return layout({
    title,
    mode: view.mode,
    secret: true,
    wide: true,
    body: html`<header class="head">
      <h1>${title}</h1>
      ${payable ? introduction(view) : null}
      ${lead}
      ${payable ? recentlyPaid(view) : null}
      ${payable ? jumpToTotal(view) : null}
    </header>
    <div class="review">
      ${orderSlip(view.destinations, view.policy)}
      <aside class="till" aria-labelledby="total">
        ${till(view, { payable, order })}
      </aside>
    </div>
    ${order ? whatHappensNext(view, order) : null}
    <section class="terms" aria-labelledby="terms">
      <h2 id="terms">${payable ? "Before you pay" : "The terms"}</h2>
      ${policyList(view.policy)}
    </section>`,
  });
}

function introduction(view: ReviewView): Markup {
  const who = view.origin === "AGENT" ? "Your agent prepared this order" : "This order is";
  return html`<p class="lede">${who} for <b>${view.buyerEmail}</b>. Look it over: nothing is ordered
    until you pay.</p>`;
}

/** For phones, where the total stands below every shipment. */
function jumpToTotal(view: ReviewView): Markup {
  const total = money(view.pricing.totalMinor);
  return html`<p class="jump"><a href="#total">Total ${total}, go to payment</a></p>`;
}

function recentlyPaid(view: ReviewView): Markup | null {
  if (!view.paidRecently) return null;
  const { minutesAgo, orderId } = view.paidRecently;
  const when =
    minutesAgo < 1 ? "less than a minute" : minutesAgo === 1 ? "1 minute" : `${minutesAgo} minutes`;
  return notice(
    "warn",
    `You paid for the same items ${when} ago.`,
    html`<p>${orderId ? html`That was order <span class="code">${orderId}</span>. ` : null}
    Pay only if you want them a second time.</p>`,
  );
}

function till(view: ReviewView, about: { payable: boolean; order: OrderView | null }): Markup {
  const count = view.destinations
    .flatMap((destination) => destination.shipments)
    .reduce((sum, shipment) => sum + bagCount(shipment.lines), 0);
  return html`<h2 id="total">${about.order ? "What you paid" : "Your total"}</h2>
    ${pricingSums(view.pricing, count)}
    ${about.payable ? payForm(view) : null}
    <dl class="small-print">
      ${about.order ? html`<div><dt>Email</dt><dd>${view.buyerEmail}</dd></div>` : null}
      ${
        about.payable
          ? html`<div><dt>Pay by</dt>
          <dd><time datetime="${view.expiresAt}">${moment(view.expiresAt)}</time></dd></div>`
          : null
      }
      <div><dt>Quote hash</dt><dd class="code">${view.quoteHash.slice(0, HASH_SHOWN)}</dd></div>
    </dl>`;
}

function payForm(view: ReviewView): Markup {
  const where =
    view.mode === "sandbox"
      ? "The next page is a demonstration of a payment page. It takes no card number."
      : "You pay on our payment provider's page. We never see your card number.";
  return html`<form class="pay" method="post" action="${view.url}">
    <button type="submit">Pay ${money(view.pricing.totalMinor)}</button>
    <p class="hint">Paying orders exactly this. Roasted to order, so
      <a href="#terms">no refunds</a>.
      ${where}</p>
  </form>`;
}

function whatHappensNext(view: ReviewView, order: OrderView): Markup | null {
  if (order.status === "CANCELED" || order.status === "COMPLETED") return null;
  const { earliest, latest } = order.estimatedDelivery;
  const unroasted = order.status === "CONFIRMED" || order.status === "ROASTING";
  return html`<section class="next" aria-labelledby="next">
    <h2 id="next">What happens next</h2>
    <ol class="steps">
      ${unroasted ? html`<li>We roast your beans for this order.</li>` : null}
      ${
        order.status === "SHIPPED"
          ? null
          : html`<li>Each shipment leaves with a tracking number, which you find on this page.</li>`
      }
      <li>Expect your coffee between ${daySpan(earliest, latest)}.</li>
    </ol>
    <p>Keep the address of this page: it always shows where your order is. If you want to cancel,
    ${howToCancel(view)}; the seller decides.</p>
  </section>`;
}

function howToCancel(view: ReviewView): string {
  if (view.origin === "AGENT") return "ask your agent to request it";
  return view.supportEmail ? `write to ${view.supportEmail}` : "write to the seller";
}
