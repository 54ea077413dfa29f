import { nameForPeople } from "../../catalog/catalog.ts";
import { inOneOrder, overWhatIsLeft } from "../../catalog/hold-share.ts";
import type { Short } from "../../core/bags.ts";
import { bags } from "../../core/bags.ts";
import type { InvalidReason, ReviewState } from "../../orders/review.ts";
import type { PaymentObstacle } from "../../payments/refusal.ts";
import { moment } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import { contact, hasAgent, type NoticeTone, notice, time } from "../../web/parts.ts";
import { orderLead, orderTitle, owedNotice } from "./order-states.ts";
import type { ReviewView } from "./review.ts";
import { fullPriceForm, HELD, openPayment, problemNotice } from "./review-holds.ts";
import { waitlistFor } from "./waitlist.ts";

/** A headline, and a notice below it: unless it says otherwise, a warning that nothing was charged. */
interface Opening {
  title: string;
  tone?: NoticeTone;
  noticeTitle?: string;
  body: Markup;
}

type Unpaid = Exclude<ReviewState, { kind: "paid" }> | PaymentObstacle;
type Payable = Extract<ReviewState, { kind: "payable" }>;
type NoticeState = Exclude<Unpaid, Payable>;

/** Whom to turn to, and how, when this quote cannot be paid any more. */
function freshQuote(view: ReviewView): Markup {
  if (view.revoked) return html`You can still <a href="/">choose your coffee here</a>.`;
  return hasAgent(view)
    ? html`Ask your agent for a new quote. Or <a href="/">choose your coffee here</a>.`
    : html`Open your link again. Or <a href="/">choose your coffee here</a>.`;
}

interface InvalidQuote {
  title: string;
  /** What became of the buyer's money, said first, where it is not that nothing was charged. */
  money?: string;
  why: string;
  instead?: string;
}

const INVALID: Record<InvalidReason, InvalidQuote> = {
  OUT_OF_STOCK: {
    title: "Not enough bags are left for this order",
    why: "There were enough when this quote was made.",
    instead: "Fewer bags or another bean may still be possible.",
  },
  COURTESY_USED: {
    title: "The courtesy in this quote is gone",
    why: "The courtesy was used elsewhere in the meantime, so this total no longer holds.",
  },
  KEY_REVOKED: {
    title: "This quote was withdrawn",
    why: "The agent that made it may no longer order here.",
  },
  PAID_TOO_LATE: {
    title: "The payment came too late",
    money: "Your payment is being returned.",
    why: "Its time was over, and the bags or the courtesy had gone to somebody else.",
    instead: "The same order can be quoted again at its full price.",
  },
  WRONG_AMOUNT: {
    title: "The payment did not match this order",
    money: "Your payment is being returned.",
    why: "It was not the total shown here, so nothing was ordered.",
  },
  ERASED: {
    title: "This quote was erased",
    why: "The buyer's data has been erased, and this quote with it.",
  },
  OTHER: {
    title: "This quote can no longer be paid",
    money: "Please do not pay again.",
    why: "Something it relied on has changed.",
  },
};

const OPENINGS: {
  [K in NoticeState["kind"]]: (
    state: Extract<NoticeState, { kind: K }>,
    view: ReviewView,
  ) => Opening;
} = {
  taken: ({ what, until }, view) => ({
    title: HELD[what].title,
    body: html`<p>${HELD[what].why}</p>
      <p>Try again after ${time(until)}. Your order
      stays as it is until then.</p>
      ${what === "COURTESY" && fullPriceForm(view, "Or order")}`,
  }),
  too_many: (state, view) => ({
    title: "Too many bags of one bean",
    body: html`<p>We keep at most ${bags(state.most)} of ${nameForPeople(view.catalog, state)} for somebody who has not paid yet,
      so that there are some for others.</p>
      <p>Take ${bags(state.most)} or fewer, pay for them, then order more. ${freshQuote(view)}</p>`,
  }),
  unavailable: () => ({
    title: "We cannot reach the payment page",
    body: html`<p>Our payment provider does not answer right now. Please try again in a moment.</p>`,
  }),
  confirming: (_state, view) => ({
    title: "One moment, please",
    tone: "info",
    noticeTitle: "Waiting for the payment to be confirmed.",
    // The same address as this page's: without it a buyer who has paid would see the pay button.
    body: html`<p>This takes a few seconds as a rule. Please do not pay again.</p>
      <p><a class="button" href="${view.url}?from=checkout">Check again</a></p>`,
  }),
  processing: (_state, view) => ({
    title: "Your payment is on its way",
    tone: "info",
    noticeTitle: "There is nothing more for you to do.",
    body: html`<p>A bank debit takes a few business days to settle, and your order is placed as soon as
      it has. Please do not pay again. ${
        view.mailing
          ? "We write to you then, and also if your bank refuses it."
          : "This page shows what becomes of it."
      }</p>
      <p><a class="button" href="${view.url}">Check again</a></p>`,
  }),
  expired: ({ late }, view) => ({
    title: "This quote has expired",
    ...(late && { noticeTitle: "Your payment came too late and is being returned." }),
    body: html`<p>It could be paid until ${moment(view.quote.expires_at)}. ${freshQuote(view)}</p>`,
  }),
  invalidated: (state, view) => {
    const { title, money, why, instead } = INVALID[state.reason];
    const body = html`<p>${why}</p>${view.short.length > 0 && shortList(view.short, view, true)}${paidAnew(state, view) && fullPriceForm(view, "Order")}
      <p>${instead ? `${instead} ` : ""}${freshQuote(view)} ${contact(view)}</p>`;
    return { title, ...(money && { noticeTitle: money }), body };
  },
  waitlist: (state, view) => ({
    title: "Not enough bags right now",
    tone: "info",
    noticeTitle: "This order cannot be paid yet.",
    body: html`${shortList(state.short, view)}
      <p>${
        hasAgent(view) &&
        "Your agent can put you on the waitlist (first come, first served) or pick another. "
      }Or <a href="/">choose your coffee here</a>. We cannot say when there will be more. The prices
      below are for your information.</p>`,
  }),
};

/** Once its courtesy is used, a quote can be paid at its full price, while its key may order. */
export const paidAnew = (state: ReviewState, { revoked }: ReviewView): boolean =>
  state.kind === "invalidated" && state.reason === "COURTESY_USED" && !revoked;

/** Without `counted` what is left was counted when the quote was made, and is not told. */
function shortList(short: readonly Short[], view: ReviewView, counted = false): Markup {
  const over = overWhatIsLeft(short);
  return html`<p>We are short of:</p>
    <ul>
      ${short.map(
        (bean) =>
          html`<li>${shortName(bean, view)}, ${bags(bean.requested)} wanted${counted && `, ${bean.available || "none"} left${inOneOrder(bean.product_id, over)}`}${joinLink(bean, view)}</li>`,
      )}
    </ul>`;
}

/** For who has no agent to do it. */
const joinLink = ({ product_id, requested }: Short, view: ReviewView) =>
  !hasAgent(view) &&
  view.catalog.find(product_id)?.availability === "WAITLIST" &&
  html`: <a href="${waitlistFor(product_id, requested)}">join its waitlist</a>`;

/** As it is in this quote, where it has left the catalog since. */
function shortName({ product_id }: Short, { terms, catalog }: ReviewView): string {
  const lines = terms.shipments.flatMap(({ items }) => items);
  return nameForPeople(catalog, lines.find((line) => line.product_id === product_id)!);
}

const payable = ({ problem, open }: Payable, view: ReviewView) => ({
  title: problem ? "The payment did not go through" : "Your coffee, ready to order",
  lead: html`${owedNotice(view)} ${problem && problemNotice(problem, view)}
    ${open && openPayment(open, view.url)}`,
  payable: true,
});

/** Where there is a button to pay all the same. */
const PAYABLE: readonly string[] = ["taken", "unavailable"];

/** What the buyer reads first, and whether there is a button to pay. */
export function opening(view: ReviewView) {
  const { ordered, status, notNow, overShare = [] } = view;
  if (ordered) {
    return { title: orderTitle(ordered), lead: orderLead(ordered, view), payable: false };
  }
  const [over] = overShare;
  const inTheWay = notNow ?? (over && { kind: "too_many", ...over });
  const state = (status.kind === "payable" && inTheWay) || (status as Unpaid);
  if (state.kind === "payable") return payable(state, view);
  const open = OPENINGS[state.kind] as (state: NoticeState, view: ReviewView) => Opening;
  const { title, tone = "warn", noticeTitle = "Nothing was charged.", body } = open(state, view);
  // What was charged and is not returned yet is told above it.
  const money = tone === "warn" && view.owedMinor > 0 ? "Nothing was ordered." : noticeTitle;
  const lead = html`${owedNotice(view)} ${notice(tone, money, body)}`;
  return { title, lead, payable: PAYABLE.includes(state.kind) };
}
