import type { Express, Request, Response } from "express";
import type { Api } from "../api/api.ts";
import { type Catalog, nameForPeople } from "../catalog/catalog.ts";
import { bags, isOrAre, type Short, waitlistBags } from "../core/bags.ts";
import { meantEmail } from "../core/email.ts";
import { MerchantError, unknownTo } from "../core/errors.ts";
import { newNonce } from "../core/ids.ts";
import { iso, LIMITS, span, TIMES } from "../core/policy.ts";
import { parseInput } from "../core/read-input.ts";
import type { WaitlistRow } from "../core/records.ts";
import { holdingRule } from "../core/shop.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import { cartOfEntry } from "../waitlist/own-offers.ts";
import { type EntryView, type WaitlistPlace, WaitlistRequest } from "../waitlist/waitlist.ts";
import { pictureOf } from "../web/bean-view.ts";
import { onceEach, whole } from "../web/body.ts";
import {
  disclosure,
  EMAIL,
  type FieldProblem,
  formField,
  problemSummary,
} from "../web/form-parts.ts";
import { moment, money } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { PageRefusal, sendFormAgain, sendPage } from "../web/page-answers.ts";
import { notice, type Prices } from "../web/parts.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { refusalWords } from "../web/problem-page.ts";
import { mountForm, mountGet, tokenOf } from "../web/routes.ts";
import { type MeantEmail, meantNotice, sureOfField } from "./meant-email.ts";

/** The waitlist's pages (contract §7): a form to join without an agent, and a page for each place. */
export function mountWaitlist(app: Express, { service, edge }: Api): void {
  const { merchant } = service;

  const shop = { catalog: merchant.catalog, mailing: merchant.mail.sending };

  /** The bean of a form: one that has a waitlist. */
  function beanOf(productId: string | undefined): string {
    const bean = merchant.catalog.find(productId ?? "");
    if (bean?.availability === "WAITLIST") return bean.product_id;
    throw new MerchantError("NOT_FOUND", "This bean has no waitlist.");
  }

  async function formPage(
    sent: Record<string, string>,
    problems: FieldProblem[],
    more: Pick<WaitlistFormView, "meant" | "canOrder"> = {},
  ): Promise<Page> {
    const bean = beanOf(sent.bean);
    const values = { ...sent, bean, form: sent.form ?? newNonce() };
    const beans = await merchant.information.beans();
    const free = beans.find(({ product }) => product.product_id === bean)?.free ?? 0;
    return waitlistFormPage({ ...shop, values, free, problems, ...more });
  }

  async function join(req: Request, res: Response): Promise<void> {
    const { corrected_email, ...sent } = onceEach((req.body ?? {}) as Query);
    const values = corrected_email
      ? { ...sent, email: corrected_email, sure_of: corrected_email }
      : sent;
    beanOf(values.bean);
    const read = parseInput(WaitlistRequest, {
      product_id: values.bean,
      quantity: whole(values.bags ?? ""),
      buyer: { email: values.email ?? "" },
    });
    if (!read.success) {
      const problems = read.issues.map(({ path, message }) => fieldProblem(path.at(-1), message));
      sendFormAgain(res, await formPage(values, problems), 422);
      return;
    }
    const { email } = read.data.buyer;
    const meant = meantEmail(email);
    if (meant !== null && values.sure_of !== email) {
      const page = await formPage(values, [], { meant: { email, meant } });
      sendFormAgain(res, page, 422);
      return;
    }
    try {
      const form = values.form ?? newNonce();
      res.redirect(303, await merchant.waitlist.joinAsBuyer(read.data, form));
    } catch (error) {
      const refused = refusalOf(error);
      const canOrder = refused.code === "IN_STOCK";
      const page = await formPage(values, [problemForBuyer(refused)], { canOrder });
      sendFormAgain(res, page, refused);
    }
  }

  /** Throws NOT_FOUND for a wrong token and for a missing place alike. */
  async function placeOf(req: Request): Promise<WaitlistPlace> {
    const place = await merchant.waitlist.place(tokenOf(req));
    if (place === "CONFIRMED") throw new PageRefusal(CONFIRMED.lede, CONFIRMED);
    if (place) return place;
    throw unknownTo("place on a waitlist");
  }

  const toPlace = (req: Request, res: Response) =>
    res.redirect(303, `${WAITLIST_PATH}/${tokenOf(req)}`);

  mountForm(app, edge, WAITLIST_PATH, {
    get: async (req, res) => {
      // A value from the address could be known to others, who would then get this buyer's page.
      const { form: _, ...sent } = onceEach(req.query as Query);
      // Beans with a waitlist link to this form.
      if (sent.bean === undefined) res.redirect(303, "/#beans");
      else sendPage(res, await formPage(sent, []));
    },
    post: join,
  });

  /** The link in the first email only shows a button, because mail scanners open links too. */
  mountForm(app, edge, `${WAITLIST_PATH}/confirm/:token`, {
    get: async (req, res) => {
      const places = await merchant.waitlist.confirmable(tokenOf(req));
      if (!places) throw unknownTo("place on a waitlist");
      sendPage(res, confirmPage({ ...shop, url: req.path, places }));
    },
    post: async (req, res) => {
      const { entry } = onceEach((req.body ?? {}) as Query);
      const place = await merchant.waitlist.confirm(tokenOf(req), entry);
      if (place === undefined) throw unknownTo("place on a waitlist");
      res.redirect(303, place);
    },
  });

  mountGet(app, `${WAITLIST_PATH}/:token`, async (req, res) => {
    const place = await placeOf(req);
    const isOffered = place.entry.status === "OFFERED" && place.sold;
    const pricing = isOffered ? await merchant.quickCheckout.price(heldCart(place)) : null;
    sendPage(res, waitlistPlacePage({ ...shop, url: req.path, ...place, pricing }));
  });

  mountForm(app, edge, `${WAITLIST_PATH}/:token/leave`, {
    post: async (req, res) => {
      await placeOf(req);
      await merchant.waitlist.leavePlace(tokenOf(req));
      toPlace(req, res);
    },
  });

  mountGet(app, `${WAITLIST_PATH}/:token/order`, async (req, res) => {
    const place = await placeOf(req);
    const { entry, hasAgent, settling, sold } = place;
    const canOrder = entry.status === "OFFERED" && !hasAgent && !settling && sold;
    if (!canOrder) return toPlace(req, res);
    const cart = { ...heldCart(place), buyer_email: entry.buyer.email };
    const { id } = await merchant.checkouts.openPlace(cart, cartOfEntry(entry.id));
    return res.redirect(303, `/checkout/${id}`);
  });
}

function heldCart({ entry: { product_id, quantity } }: WaitlistPlace) {
  const held = { product_id, quantity };
  return { items: [held], held };
}

/** For the link that whoever typed the address has. */
const CONFIRMED = {
  title: "Look into your mailbox",
  lede: "This place on the waitlist was confirmed by email. From then on only the links in our emails open it.",
  body: null,
};

function fieldProblem(name: PropertyKey | undefined, message: string): FieldProblem {
  if (name !== "quantity") return { field: name === "email" ? name : null, message };
  return {
    field: "bags",
    message: `Enter a whole number of bags from 1 to ${LIMITS.waitlist_bags}.`,
  };
}

/** Messages for buyers; the rules write theirs for agents. */
function problemForBuyer(refused: MerchantError): FieldProblem {
  switch (refused.code) {
    case "IN_STOCK":
      return { field: "bags", message: `${refused.message} You can order it now.` };
    case "LIMIT_EXCEEDED":
      return { field: "bags", message: refused.message };
    default:
      return { field: null, message: refused.problems[0]?.detail ?? refusalWords(refused) };
  }
}

interface Shop {
  catalog: Catalog;
  /** This shop sends emails. */
  mailing: boolean;
}

/** The form at `/waitlist?bean=…` for more bags of a bean than are in stock. */
interface WaitlistFormView extends Shop {
  /** Bags in stock. */
  free: number;
  /** As typed. `form` names this form, so that sending it twice joins once. */
  values: { bean: string; form: string; email?: string; bags?: string; sure_of?: string };
  problems: FieldProblem[];
  meant?: MeantEmail;
  /** The wanted bags are in stock. */
  canOrder?: boolean;
}

const WAITLIST_PATH = "/waitlist";
const FORM = "waitlist-form";

/** Address of the form, filled in. */
const waitlistFor = (productId: string, bags: number): string =>
  `${WAITLIST_PATH}?bean=${productId}&bags=${bags}`;

/** The same for a bean that is short; undefined if its waitlist would not take the buyer. */
export function waitlistForShort(catalog: Catalog, short: Short): string | undefined {
  const { product_id } = short;
  const most = waitlistBags(short);
  const isOpen = most > 0 && catalog.find(product_id)?.availability === "WAITLIST";
  return isOpen ? waitlistFor(product_id, most) : undefined;
}

/** Address that puts bags into the cart. */
const cartFor = (productId: string, bags: number | string): string =>
  `/?items=${productId}:${bags}#cart`;

function beanHead(catalog: Catalog, productId: string, title: string, more: Markup): Markup {
  const picture = pictureOf(catalog, productId);
  return html`<header class="head stack">
    <div class="bean-head row">
      ${picture && html`<img src="${picture}" alt="" width="120" height="150">`}
      <div>
        <p class="eyebrow">${nameForPeople(catalog, { product_id: productId })}</p>
        <h1>${title}</h1>
      </div>
    </div>
    ${more}
  </header>`;
}

function waitlistFormPage(view: WaitlistFormView): Page {
  const { catalog, values, free, problems, mailing, meant, canOrder } = view;
  // Every number that the waitlist takes is in stock.
  const needless = free >= LIMITS.waitlist_bags;
  const form = html`<form class="slip form" id="${FORM}" method="post" action="${WAITLIST_PATH}" novalidate>
      <input type="hidden" name="bean" value="${values.bean}">
      <input type="hidden" name="form" value="${values.form}">
      ${formField({ ...EMAIL, value: values.email, hint: "We’ll only use it for this." }, problems)}
      ${formField(
        {
          name: "bags",
          label: "How many bags?",
          type: "number",
          inputmode: "numeric",
          value: values.bags ?? String(free + 1),
        },
        problems,
      )}
      ${sureOfField(meant?.email ?? values.sure_of)}
      <button type="submit">Join the waitlist</button>
    </form>`;
  return {
    title:
      problems.length > 0 || meant
        ? "Please check your details"
        : `Waitlist for ${nameForPeople(catalog, { product_id: values.bean })}`,
    head: beanHead(
      catalog,
      values.bean,
      free === 0
        ? "Be next when it’s back"
        : needless
          ? "It’s in stock"
          : `More than ${bags(free)}?`,
      html`${free > 0 && inStock(values.bean, free, needless)}
      ${
        !needless &&
        html`<p class="lede">First come, first served. ${holdingRule(mailing)} It’s free, and you
      don’t have to buy.</p>`
      }`,
    ),
    body: html`${problemSummary(problems, form)} ${meant && meantNotice(meant, FORM)}
    ${canOrder && html`<p><a class="button" href="${cartFor(values.bean, values.bags!)}">Order ${bags(Number(values.bags))} now</a></p>`}
    ${(!needless || problems.length > 0) && form}
    <p><a class="quiet-link" href="/#beans">Choose another coffee instead</a></p>`,
  };
}

const inStock = (bean: string, free: number, needless: boolean): Markup =>
  html`<p class="lede">${bags(free)} ${isOrAre(free)} in stock. <a href="/beans/${bean}">Order now</a>${
    needless ? ": there’s no need to wait." : ", or wait for more."
  }</p>`;

interface ConfirmView extends Shop {
  url: string;
  places: readonly WaitlistRow[];
}

/** The page behind the link in the first email. One place is usual: others may have typed this address. */
function confirmPage({ catalog, url, places, mailing }: ConfirmView): Page {
  const waiting = places.filter(({ confirmed_at }) => confirmed_at === null);
  const form = ({ id, quantity, created_at, agent_id, ...bean }: WaitlistRow) =>
    html`<form class="form" method="post" action="${url}">
      <input type="hidden" name="entry" value="${id}">
      <p>${bags(quantity)} of <b>${nameForPeople(catalog, bean)}</b>, asked for
      ${agent_id === null ? "on our page" : "by an agent"} on ${moment(iso(created_at))}.</p>
      <div><button type="submit">Confirm my address</button></div>
    </form>`;
  const isDone = waiting.length === 0;
  return {
    title: isDone ? "There’s nothing to confirm" : "Is this your address?",
    head: html`<header class="head stack">
      <h1>${isDone ? "There’s nothing to confirm" : "Is this your address?"}</h1>
      ${
        isDone
          ? html`<p class="lede">Your address is confirmed already, or your place has ended.</p>`
          : html`<p class="lede">Confirm it, and we’ll email you when it’s your turn. ${holdingRule(mailing)}</p>`
      }
      ${waiting.length > 1 && html`<p>Somebody joined with your address more than once. Confirm what you want; it takes the earliest place, and the others end.</p>`}
    </header>`,
    body: html`${waiting.map(form)}`,
  };
}

/** The page of a buyer's place, at `/waitlist/{token}`. */
export interface WaitlistPlaceView extends Shop, WaitlistPlace {
  /** Price of the held bags; null if none can be ordered. */
  pricing: Pick<Prices, "shipping_minor" | "total_minor"> | null;
  /** This page's own path. */
  url: string;
}

export function waitlistPlacePage(view: WaitlistPlaceView): Page {
  const { entry, settling, paidAt, sold } = view;
  const { status, product_id } = entry;
  const live = status === "WAITING" || status === "OFFERED";
  const isNotSold = live && !settling && !sold;
  const { title, body } = isNotSold ? notSold(view) : STANDINGS[status](view);
  return {
    title,
    state: isNotSold ? "NOT_SOLD" : settling ? "SETTLING" : status,
    head: beanHead(view.catalog, product_id, title, body),
    // A place that is being paid for cannot be left.
    body: live
      ? !settling && leaveForm(view)
      : html`<p>${
          status === "CONVERTED" && paidAt !== null
            ? html`<a class="button" href="${paidAt}">See your order</a>`
            : html`<a class="button" href="/#beans">See our coffees</a>`
        }</p>`,
  };
}

type Standing = (view: WaitlistPlaceView) => { title: string; body: Markup };

const STANDINGS: Record<EntryView["status"], Standing> = {
  WAITING: ({ entry, mailing, inStock }) => ({
    title: entry.position === 1 ? "You’re next in line" : `You’re number ${entry.position} in line`,
    body: html`<p class="lede">For ${bags(entry.quantity)}, as <b>${entry.buyer.email}</b>.</p>
      ${
        inStock &&
        html`<p><a class="button" href="${cartFor(entry.product_id, entry.quantity)}">It’s in
        stock: order now</a></p>`
      }
      <p>${
        mailing && !entry.confirmed
          ? "Please confirm your email: open the link we sent you, and press the button there."
          : mailing
            ? "We’ll write when it’s your turn."
            : !inStock && "Bookmark this page: it says when your coffee is in stock."
      } ${!entry.confirmed && entry.holding}</p>
      <p class="hint">${!inStock && "We don’t know yet when that will be."} Check back now and then: your place ends after
      ${span(TIMES.waitlist_place_ms)} without a visit.</p>`,
  }),
  OFFERED: ({ entry, hasAgent, settling, paidAt, sold, url, pricing }) => {
    const are = entry.quantity === 1 ? "Your bag is" : `Your ${entry.quantity} bags are`;
    if (settling) {
      return {
        title: `${are} being paid for`,
        body: notice(
          "info",
          "There’s nothing more for you to do.",
          html`<p>We’re holding your coffee until the payment settles. Please do not pay again.
          <a href="${paidAt}">See your order</a></p>`,
        ),
      };
    }
    const canOrder = sold && !hasAgent;
    const ask = html`Ask your agent for a quote for <b>${entry.buyer.email}</b>, and pay it in time. `;
    return {
      title: `${are} here`,
      body: html`${notice(
        "good",
        `Held for you until ${moment(entry.offer_expires_at!)}.`,
        html`<p>${hasAgent && ask}The offer ends then.</p>`,
      )}
      ${pricing && html`<p><b>${money(pricing.total_minor)}</b> for ${bags(entry.quantity)}, ${pricing.shipping_minor === 0 ? "with free shipping" : "shipping included"}.</p>`}
      ${canOrder && html`<p><a class="button" href="${`${url}/order`}">Order ${bags(entry.quantity)}</a></p>`}`,
    };
  },
  CONVERTED: () => ({
    title: "Your coffee is ordered",
    body: html`<p class="lede">Thanks for waiting. Your order page shows where it is.</p>`,
  }),
  EXPIRED: (view) => ({
    title: "Your place has ended",
    body: html`<p class="lede">We’re no longer holding coffee for you. ${
      !view.sold && "We don’t sell this coffee right now. "
    }Nothing was charged.</p>
      ${joinAgain(view)}`,
  }),
  LEFT: (view) => ({
    title: "You’re no longer on this waitlist",
    body: html`<p class="lede">We won’t email you about it again.</p>
      ${joinAgain(view)}`,
  }),
};

/** The bean was taken off sale. The place is kept, but nothing can be ordered until it is back. */
const notSold: Standing = ({ entry: { status, quantity, buyer } }) => ({
  title: "We don’t sell this coffee right now",
  body: html`<p class="lede">For ${bags(quantity)}, as <b>${buyer.email}</b>.</p>
      <p>${
        status === "OFFERED"
          ? "You can’t order the coffee we held for you right now. You keep your place in line. Nothing was charged."
          : "You keep your place in line. If it comes back, this page says when it’s your turn."
      }</p>
      <p><a class="button" href="/#beans">See our other coffees</a></p>`,
});

const joinAgain = ({ entry, sold }: WaitlistPlaceView): Markup | null =>
  sold
    ? html`<p><a href="${waitlistFor(entry.product_id, entry.quantity)}">Join again</a></p>`
    : null;

const leaveForm = (view: WaitlistPlaceView): Markup =>
  disclosure(
    "Leave the waitlist…",
    html`<form class="form" method="post" action="${`${view.url}/leave`}">
    <p>Changed your mind? Your place goes to the next person.</p>
    <div><button class="quiet" type="submit">Leave the waitlist</button></div>
  </form>`,
  );
