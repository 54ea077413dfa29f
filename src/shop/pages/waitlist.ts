import { type Catalog, nameForPeople } from "../../catalog/catalog.ts";
import { bags } from "../../core/bags.ts";
import { span, TIMES } from "../../core/policy.ts";
import type { EntryView, WaitlistPlace } from "../../waitlist/waitlist.ts";
import { pictureOf } from "../../web/bean-view.ts";
import { EMAIL, type FieldProblem, formField, problemSummary } from "../../web/form-parts.ts";
import { moment } from "../../web/format.ts";
import { html, type Markup } from "../../web/html.ts";
import type { Page } from "../../web/layout.ts";
import { notice } from "../../web/parts.ts";

/** The shop as the waitlist's pages know it. `mailing`: letters are sent here. */
interface Shop {
  catalog: Catalog;
  mailing: boolean;
}

/** The form at `/waitlist?bean=…`: somebody wants bags that are not there yet. */
export interface WaitlistFormView extends Shop {
  /** As they are sent. `form` names this one, so that sent twice it joins once. */
  values: { bean: string; form: string; email?: string; bags?: string };
  problems: FieldProblem[];
}

export const WAITLIST_PATH = "/waitlist";

/** Where somebody joins the line for so many bags. */
export const waitlistFor = (productId: string, bags: number | string): string =>
  `${WAITLIST_PATH}?bean=${productId}&bags=${bags}`;

function beanHead(catalog: Catalog, productId: string, title: string, more: Markup): Markup {
  const picture = pictureOf(catalog, productId);
  return html`<header class="bean-head row">
    ${picture && html`<img src="${picture}" alt="" width="120" height="150">`}
    <div class="head stack">
      <p class="eyebrow">${nameForPeople(catalog, { product_id: productId })}</p>
      <h1>${title}</h1>
      ${more}
    </div>
  </header>`;
}

export function waitlistFormPage(view: WaitlistFormView): Page {
  const { catalog, values, problems, mailing } = view;
  const told = mailing
    ? "When more comes in and it is your turn, we write to you"
    : "When more comes in and it is your turn, your page here says so";
  const form = html`<form class="slip form" method="post" action="${WAITLIST_PATH}" novalidate>
      <input type="hidden" name="bean" value="${values.bean}">
      <input type="hidden" name="form" value="${values.form}">
      ${formField({ ...EMAIL, value: values.email, hint: "Used for this only." }, problems)}
      ${formField(
        {
          name: "bags",
          label: "How many bags?",
          type: "number",
          inputmode: "numeric",
          value: values.bags ?? "1",
        },
        problems,
      )}
      <button type="submit">Join the waitlist</button>
    </form>`;
  return {
    title:
      problems.length > 0
        ? "Please check your details"
        : `Waitlist for ${nameForPeople(catalog, { product_id: values.bean })}`,
    head: beanHead(
      catalog,
      values.bean,
      "Be next when it is back",
      html`<p class="lede">First come, first served. ${told}, and your coffee is held for
      ${span(TIMES.waitlist_offer_ms)}. It costs nothing and binds you to nothing.</p>`,
    ),
    body: html`${problemSummary(problems, form)}
    ${form}
    <p><a class="quiet-link" href="/#beans">Choose another coffee instead</a></p>`,
  };
}

/** The page of the link in the first letter. */
export const confirmPage = (url: string): Page => ({
  title: "Is this your address?",
  head: html`<header class="head stack">
    <h1>Is this your address?</h1>
    <p class="lede">Confirm it, and we write to you when your coffee is held for you.</p>
  </header>`,
  body: html`<form class="form" method="post" action="${url}">
    <div><button type="submit">Confirm my address</button></div>
  </form>`,
});

/** The page of a buyer's place, at `/waitlist/{token}`. */
export interface WaitlistPlaceView extends Shop, WaitlistPlace {
  /** This page's own path. */
  url: string;
}

export function waitlistPlacePage(view: WaitlistPlaceView): Page {
  const { entry, paying, paidAt, sold } = view;
  const { status, product_id } = entry;
  const live = status === "WAITING" || status === "OFFERED";
  const { title, body } =
    live && paying === null && !sold ? notSold(view) : STANDINGS[status](view);
  return {
    title,
    head: beanHead(view.catalog, product_id, title, body),
    // What is being paid for cannot be left.
    body: live
      ? paying === null && leaveForm(view)
      : html`<p>${
          status === "CONVERTED" && paidAt !== null
            ? html`<a class="button" href="${paidAt}">See your order</a>`
            : html`<a class="button" href="/#beans">See the coffee</a>`
        }</p>`,
  };
}

type Standing = (view: WaitlistPlaceView) => { title: string; body: Markup };

const STANDINGS: Record<EntryView["status"], Standing> = {
  WAITING: ({ entry, mailing }) => ({
    title:
      entry.position === 1 ? "You are next in line" : `You are number ${entry.position} in line`,
    body: html`<p class="lede">For ${bags(entry.quantity)}, as <b>${entry.buyer.email}</b>.</p>
      <p>${
        mailing
          ? "We write to you when it is your turn."
          : "Keep the address of this page: it says when it is your turn."
      } Your coffee is then held for ${span(TIMES.waitlist_offer_ms)}, or ${span(TIMES.unconfirmed_offer_ms)}
      if you have not confirmed your email address. When that will be is not known. Look in here now and
      then: your place ends if nobody does for ${span(TIMES.waitlist_place_ms)}.</p>`,
  }),
  OFFERED: ({ entry, hasAgent, paying, paidAt, sold, url }) => {
    const are = entry.quantity === 1 ? "Your bag is" : `Your ${entry.quantity} bags are`;
    if (paying === "SETTLING") {
      return {
        title: `${are} being paid for`,
        body: notice(
          "info",
          "There is nothing more for you to do.",
          html`<p>Your coffee is kept for you until the payment has settled. Please do not pay again.
          <a href="${paidAt}">See your order</a></p>`,
        ),
      };
    }
    const canOrder = sold && !hasAgent;
    const ask = html`Ask your agent for a quote for <b>${entry.buyer.email}</b>, and pay it before then. `;
    return {
      title: `${are} here`,
      body: html`${notice(
        "good",
        `Held for you until ${moment(entry.offer_expires_at!)}.`,
        paying
          ? html`<p>You have begun to pay. <a href="${paidAt}">Go on with it</a>${canOrder && ", or start again here"}.</p>`
          : html`<p>${hasAgent && ask}After that the offer is over.</p>`,
      )}
      ${canOrder && html`<p><a class="button" href="${`${url}/order`}">Order ${bags(entry.quantity)}</a></p>`}`,
    };
  },
  CONVERTED: () => ({
    title: "Your coffee is ordered",
    body: html`<p class="lede">Thank you for waiting. The page of your order says where it is.</p>`,
  }),
  EXPIRED: (view) => ({
    title: "Your place has ended",
    body: html`<p class="lede">No coffee is kept for you any more. ${
      !view.sold && "This coffee is not sold at the moment. "
    }Nothing was charged.</p>
      ${joinAgain(view)}`,
  }),
  LEFT: (view) => ({
    title: "You have left the line",
    body: html`<p class="lede">Nothing more will come of it.</p>
      ${joinAgain(view)}`,
  }),
};

/** Its bean was taken off sale: nothing is offered, and what was cannot be ordered, until it is back. */
const notSold: Standing = ({ entry: { status, quantity, buyer } }) => ({
  title: "This coffee is not sold at the moment",
  body: html`<p class="lede">For ${bags(quantity)}, as <b>${buyer.email}</b>.</p>
      <p>${
        status === "OFFERED"
          ? "What was held for you cannot be ordered now. You keep your place in line. Nothing was charged."
          : "You keep your place in line. Should it come back, this page says when it is your turn."
      }</p>
      <p><a class="button" href="/#beans">See the other coffees</a></p>`,
});

const joinAgain = ({ entry, sold }: WaitlistPlaceView): Markup | null =>
  sold
    ? html`<p><a href="${waitlistFor(entry.product_id, entry.quantity)}">Join again</a></p>`
    : null;

const leaveForm = (view: WaitlistPlaceView): Markup =>
  html`<form class="form" method="post" action="${`${view.url}/leave`}">
    <p class="hint">Changed your mind? Give up your place, and it goes to the next person.</p>
    <div><button class="quiet" type="submit">Leave the waitlist</button></div>
  </form>`;
