import { nameForPeople } from "../../catalog/catalog.ts";
import { bags, type Short } from "../../core/bags.ts";
import { pauseWords } from "../../core/shop.ts";
import {
  CAME_TOO_LATE,
  NOT_YET,
  PENDING,
  QUOTE_TITLES,
  UNPAID,
  WHY,
} from "../../quotes/quote-words.ts";
import type { PaymentObstacle, PaymentProblem, Standing } from "../../quotes/standing.ts";
import { moment, money } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { orderLead, orderTitle, owedNotice } from "../../web/order-parts.ts";
import { contact, hasAgent, type NoticeTone, notice } from "../../web/parts.ts";
import { waitlistForShort } from "../waitlist.ts";
import { withdrawForm } from "./cancel-request.ts";
import type { ReviewView } from "./review-view.ts";

/** The page's title and first notices, and whether there is a button to pay. */
export function opening(view: ReviewView) {
  const { ordered, standing } = view;
  if (ordered) {
    return {
      title: orderTitle(ordered),
      lead: orderLead(ordered, view, withdrawForm(view)),
      payable: false,
    };
  }
  const stop = stopOf(view);
  if (stop) {
    const { title, tone = "warn", noticeTitle = "Nothing was charged.", body, payable } = stop;
    // An amount that was charged and is not returned yet is named above.
    const charged =
      tone === "warn" && standing.owedMinor > 0 ? "Nothing was ordered." : noticeTitle;
    const lead = html`${owedNotice(standing.owedMinor, view)} ${notice(tone, charged, body)}`;
    return { title, lead, payable: payable ?? false };
  }
  const { problem } = standing;
  return {
    title: problem ? "The payment did not go through" : QUOTE_TITLES.OPEN,
    lead: html`${owedNotice(standing.owedMinor, view)} ${problem && problemNotice(problem, standing)}`,
    payable: true,
  };
}

/** Title and notice of a page without payment. By default the notice says that nothing was charged. */
interface Stop {
  title: string;
  tone?: NoticeTone;
  noticeTitle?: string;
  body: Markup;
  /** There is a button to pay all the same. */
  payable?: boolean;
}

/** Null if the buyer can pay. */
function stopOf(view: ReviewView): Stop | null {
  const { confirming, standing, url } = view;
  switch (confirming ? "PAID" : standing.status) {
    case "PAID":
      return {
        title: QUOTE_TITLES.PAID,
        tone: "info",
        noticeTitle: "Waiting for the payment to be confirmed.",
        // `from`: without it a buyer who has paid would see the pay button.
        body: html`<p>This usually takes a few seconds. Please do not pay again.</p>
      <p><a class="button" href="${url}?from=check">Check again</a></p>`,
      };
    case "PROCESSING":
      return {
        title: QUOTE_TITLES.PROCESSING,
        tone: "info",
        noticeTitle: "There is nothing more for you to do.",
        body: html`<p>A bank debit takes a few business days to settle. Then we place your order. Please do not pay again. ${
          view.mailing
            ? "We’ll email you then, or if your bank declines it."
            : "Check this page for news."
        }</p>
      <p><a class="button" href="${url}?from=check">Check again</a></p>`,
      };
    case "EXPIRED":
      return {
        title: QUOTE_TITLES.EXPIRED,
        ...(standing.problem === "TOO_LATE" && {
          noticeTitle: CAME_TOO_LATE,
        }),
        body: html`<p>You could pay it until ${moment(view.quote.expires_at)}. ${freshQuote(view)}</p>`,
      };
    case "INVALIDATED": {
      const { title, money, why, instead } = WHY[standing.reason!] ?? UNPAID;
      const isElsewhere = standing.reason === "ORDERED_ALREADY" || standing.reason === "REPLACED";
      return {
        title,
        ...(money && { noticeTitle: money }),
        body: html`<p>${why} ${standing.released && PENDING}</p>${view.short.length > 0 && shortList(view.short, view, true)}${canOrderAtFullPrice(view) && fullPriceForm(view, "Order")}
      <p>${instead ? `${instead} ` : ""}${!isElsewhere && freshQuote(view)} ${contact(view)}</p>`,
      };
    }
    case "WAITLIST_OFFERED":
      return {
        title: QUOTE_TITLES.WAITLIST_OFFERED,
        tone: "info",
        noticeTitle: NOT_YET,
        body: html`${shortList(standing.short, view)}
      <p>${
        hasAgent(view) &&
        "Your agent can put you on the waitlist (first come, first served) or pick another. "
      }Or <a href="/">choose your coffee here</a>. We don’t know when we’ll have more. The prices
      below are for your information.</p>`,
      };
  }
  if (view.pause) {
    return {
      title: "We’re on a break",
      noticeTitle: pauseWords(view.pause),
      body: html`<p>Nothing was charged. ${view.afterBreak}</p>`,
    };
  }
  switch (view.obstacle?.kind) {
    case "taken": {
      const isDiscount = view.obstacle.what === "COURTESY";
      return {
        ...TAKEN[view.obstacle.what],
        body: html`<p>${TAKEN[view.obstacle.what].advice} Your order stays as it is.</p>
      ${isDiscount && fullPriceForm(view, "Or order")}`,
        payable: true,
      };
    }
    case "unavailable":
      return {
        title: "We can’t reach the payment page",
        body: html`<p>Our payment provider isn’t answering. Please try again in a moment.</p>`,
        payable: true,
      };
    default:
      return null;
  }
}

const IN_A_MINUTE = "Please try again in a minute.";

/** Bags and discounts are taken with an authorized payment, which may still fail. */
const TAKEN: Record<
  Extract<PaymentObstacle, { kind: "taken" }>["what"],
  { title: string; advice: string }
> = {
  BAGS: {
    title: "The last bags are held for other buyers",
    advice: "What they don’t pay for is free again: try later, or change your bags.",
  },
  COURTESY: { title: "Your discount is in use in another payment", advice: IN_A_MINUTE },
  PAGE: { title: "Another payment for this order is on its way", advice: IN_A_MINUTE },
};

/** Next step for a buyer whose quote cannot be paid any more. */
function freshQuote(view: ReviewView): Markup {
  if (view.revoked) return html`You can still <a href="/">choose your coffee here</a>.`;
  return hasAgent(view)
    ? html`Ask your agent for a new quote. Or <a href="/">choose your coffee here</a>.`
    : html`Open your link again. Or <a href="/">choose your coffee here</a>.`;
}

/** Once its courtesy is used, a quote can be paid at its full price, while its key may order. */
export const canOrderAtFullPrice = ({ standing, revoked }: ReviewView): boolean =>
  standing.reason === "COURTESY_USED" && !revoked;

/** `counted`: the bags left were counted now, not when the quote was made. */
function shortList(short: readonly Short[], view: ReviewView, counted = false): Markup {
  return html`<p>We are short of:</p>
    <ul>
      ${short.map(
        (bean) =>
          html`<li>${shortName(bean, view)}, ${bags(bean.requested)} wanted${counted && `, ${bean.available || "none"} left`}${(counted || !hasAgent(view)) && joinLink(bean, view)}</li>`,
      )}
    </ul>`;
}

/** An agent joins for its buyer, if it quoted too many bags. */
function joinLink(short: Short, { catalog }: ReviewView): Markup | undefined {
  const waitlist = waitlistForShort(catalog, short);
  return waitlist === undefined ? undefined : html`: <a href="${waitlist}">join its waitlist</a>`;
}

/** Falls back on the name in this quote if the bean has left the catalog. */
function shortName({ product_id }: Short, { terms, catalog }: ReviewView): string {
  const lines = terms.shipments.flatMap(({ items }) => items);
  return nameForPeople(catalog, lines.find((line) => line.product_id === product_id)!);
}

/** Names the higher total before the new quote shows it, so that nobody pays it by mistake. */
const fullPriceForm = (
  { url, terms: { pricing } }: ReviewView,
  begin: "Order" | "Or order",
): Markup => html`<form method="post"
    action="${url}/full-price">
    <p>${begin} the same now without the discount, for <b>${money(pricing.subtotal_minor + pricing.shipping_minor)}</b>. You see the whole order
    once more before you pay.</p>
    <button type="submit" class="quiet">Order without the discount</button>
  </form>`;

const PROBLEMS: Record<Exclude<PaymentProblem, "NOT_CHARGED">, string> = {
  DECLINED: "Your bank declined the card.",
  BANK_REFUSED: "Your bank declined the debit.",
  TOO_LATE: "Your bags or your discount had gone to someone else.",
};

function problemNotice(problem: PaymentProblem, { owedMinor, released }: Standing): Markup {
  const returned = owedMinor > 0 ? "Nothing was ordered." : "Your payment is being returned.";
  const again =
    released === "OUT_OF_STOCK"
      ? "Your order is unchanged. Try later, or change your bags."
      : "Your order is unchanged. Try again, or pay another way.";
  if (problem === "NOT_CHARGED") {
    const why = html`<p>${WHY[released!].why} ${PENDING}</p>`;
    return notice("bad", "Your card wasn’t charged.", html`${why}<p>${again}</p>`);
  }
  return notice(
    "bad",
    problem === "TOO_LATE" ? returned : "Nothing was charged.",
    html`<p>${PROBLEMS[problem]}</p><p>${again}</p>`,
  );
}
