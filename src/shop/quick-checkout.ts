import type { Express, Request, Response } from "express";
import { z } from "zod";
import type { Api } from "../api/api.ts";
import { type Cart, sellable } from "../checkouts/cart.ts";
import { cartOf, typedBy, typedEmail } from "../checkouts/checkout.ts";
import { Address, regionsOfZip } from "../core/address.ts";
import { bagCount, bags } from "../core/bags.ts";
import { customerOf, Email, meantEmail } from "../core/email.ts";
import { MerchantError } from "../core/errors.ts";
import { decimal } from "../core/fields.ts";
import { leadToKey, namedAnswer } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";
import { parseInput } from "../core/read-input.ts";
import type { CheckoutRow } from "../core/records.ts";
import { backOn, type Pause, type Shop } from "../core/shop.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { CheckoutPage, NewestQuote } from "../orders/checkout-page.ts";
import type { CodeStanding } from "../quotes/quick-checkout.ts";
import { type Query, readCart } from "../quotes/quick-checkout-query.ts";
import { isSameCart } from "../quotes/quick-checkout-verbs.ts";
import { OWED_THEN, owedTitle, QUOTE_TITLES } from "../quotes/quote-words.ts";
import type { PaymentProblem } from "../quotes/standing.ts";
import { fieldIn, onceEach } from "../web/body.ts";
import { browserOf, keepCart, keptCart, knownBrowser } from "../web/cart-cookie.ts";
import {
  ADDRESS_FIELDS,
  addressFields,
  EMAIL,
  type Field,
  type FieldProblem,
  formField,
  problemSummary,
  typedAddress,
} from "../web/form-parts.ts";
import { money } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { PageRefusal, prefersPage, sendFormAgain, sendPage } from "../web/page-answers.ts";
import { notice, policyList, pricingSums } from "../web/parts.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { refusalWords, TOO_FEW_BAGS } from "../web/problem-page.ts";
import { callerAddress, isPreview, metered } from "../web/request-context.ts";
import { mountForm, mountGet, tokenOf } from "../web/routes.ts";
import {
  afterButton,
  bagRows,
  type CartView,
  cartValues,
  extras,
  freeShipping,
  goneProblems,
  type ReadCart,
  readShopCart,
  takeLeftButton,
  takingLeft,
} from "./cart.ts";
import { findOrder, sendPaidOrder } from "./find-order.ts";
import { type MeantEmail, meantNotice, sureOfField } from "./meant-email.ts";
import { quickLinkPage } from "./quick-link.ts";
import { waitlistForShort } from "./waitlist.ts";

/** Reads a link that was opened with its HTML escapes: `&amp;` counts as `&`. */
function unescaped(query: Query): Query {
  const named = Map.groupBy(Object.entries(query), ([name]) => name.replace(/^(?:amp;)+/, ""));
  const values = [...named].map(([name, all]): [string, Query[string]] => [
    name,
    all.length === 1 ? all[0]![1] : all.flatMap(([, value]) => value ?? []),
  ]);
  return Object.fromEntries(values);
}

/**
 * The path for clients that can only GET (contract §10). The link makes a checkout, whose page shows the bags,
 * takes an email and an address, makes an ordinary quote and leads to its review page.
 */
export function mountQuickCheckout(app: Express, api: Api): void {
  const { merchant, limits } = api.service;
  mountGet(app, "/v1/quick-checkout", metered(4, limits), async (req, res) => {
    const query = unescaped(req.query as Query);
    const cart = await merchant.quickCheckout.check(query).catch(async (error: unknown) => {
      const isShort = error instanceof MerchantError && error.code === "OUT_OF_STOCK";
      throw isShort && prefersPage(req) ? await shortRefusal(merchant, query) : leadToKey(error);
    });
    res.setHeader("X-Robots-Tag", "noindex, nofollow");
    if (isPreview(req)) {
      const link = await merchant.quickCheckout.link(cart);
      return sendPage(res, quickLinkPage(link, cart.gift_note, merchant.catalog));
    }
    const opened = await merchant.quickCheckout.open(cart);
    if (query.format === "json") res.json(namedAnswer(opened, "endpoints"));
    else res.redirect(303, opened.checkout_url);
  });

  mountForm(app, api.edge, "/checkout/:token", {
    get: async (req, res) => {
      const page = await merchant.orders.ofPage(tokenOf(req));
      const open = asOpen(page, api, res);
      if (!open) return;
      const { row, newest } = open;
      const browser = knownBrowser(req);
      const isOwn = browser !== null && newest?.browser === browser;
      if (isOwn && newest.isPaying && req.query.change === undefined) {
        return res.redirect(303, merchant.quotes.reviewUrl(newest.id));
      }
      if (row.id !== tokenOf(req)) return res.redirect(303, `/checkout/${row.id}`);
      const typed = typedBy(row);
      const values = browser !== null && typed?.browser === browser ? typed.values : {};
      const { cart, gone } = sellable(merchant.catalog, cartOf(row));
      const bags = await readBags(merchant, cart, cartValues(cart), typedEmail(row));
      sendPage(
        res,
        quickCheckoutPage({
          ...viewOf(merchant, row, bags),
          values: { email: cart.buyer_email, ...values },
          acceptedMinor: bags.pricing?.total_minor ?? null,
          problems: goneProblems(gone),
          // A buyer who changes the bags after a decline has seen it.
          failed: isOwn && newest.problem !== "TOO_LATE" ? null : newest,
        }),
      );
    },
    post: async (req, res) => {
      const page = await merchant.orders.ofPage(tokenOf(req));
      if (page.kind === "ordered" && !isPayer(page, req)) return findOrder(api, page.order, res);
      const open = asOpen(page, api, res);
      if (!open) return;
      const address = callerAddress(req);
      const countBuyer: CountBuyer = (email) =>
        limits.charge({ buyers: 1 }, { address }, { about: customerOf(email) });
      const changed = await changeBags(merchant, open.row, countBuyer, res);
      if (changed)
        await submit(merchant, { ...changed, ...readCheckoutForm(req.body) }, countBuyer, res);
    },
  });
}

/** For a person who opens a link for more bags than there are. */
async function shortRefusal(merchant: Merchant, query: Query): Promise<PageRefusal> {
  const read = readCart(query, merchant.catalog);
  const few = "cart" in read ? await merchant.quickCheckout.short(read.cart) : [];
  const told = few.map(({ product: { product_id }, text: what, ...short }) => {
    const waitlist = waitlistForShort(merchant.catalog, { product_id, ...short });
    return html`<li>${what}${waitlist && html` <a href="${waitlist}">Join its waitlist</a>.`}</li>`;
  });
  const { title, text } = TOO_FEW_BAGS;
  const page = {
    title,
    lede: text,
    body: html`<ul>${told}</ul>
    <p><a class="button" href="/#beans">See our coffees</a></p>`,
  };
  return new PageRefusal(title, page, 409);
}

type Shown = Extract<CheckoutPage, { kind: "open" }>;

/** The browser that made the quote which is paid. */
const isPayer = ({ browser }: { browser: string | null }, req: Request): boolean =>
  browser !== null && knownBrowser(req) === browser;

/** The page while it can be changed. Otherwise answers with what has become of it. */
function asOpen(page: CheckoutPage, api: Api, res: Response): Shown | undefined {
  const { req } = res;
  switch (page.kind) {
    case "open":
      return page;
    case "ordered":
      if (isPayer(page, req)) res.redirect(303, page.order.page);
      else sendPaidOrder(api, page.order, res);
      return undefined;
    case "settling":
      if (isPayer(page, req))
        res.redirect(303, api.service.merchant.quotes.reviewUrl(page.quoteId));
      else sendPage(res, settlingPage());
      return undefined;
    case "ended": {
      // Addresses of 0.3.0 had the whole cart, sealed.
      const isSealed = tokenOf(req).length > LIMITS.id_characters;
      const isBroken = page.reason === "UNKNOWN" && !isSealed;
      if (isBroken)
        throw new PageRefusal("There is no such link.", quickCheckoutGonePage("BROKEN"));
      const why = page.reason === "CANCELED" ? "was canceled" : "has ended";
      throw new PageRefusal(
        `This link ${why}. Make a new one.`,
        quickCheckoutGonePage("EXPIRED"),
        410,
      );
    }
  }
}

async function readBags(
  merchant: Merchant,
  { held }: Pick<Cart, "held">,
  values: Record<string, string>,
  email?: string,
): Promise<ReadCart> {
  const as = { held, email, isOffered: true };
  return readShopCart(merchant, await merchant.information.beans(), values, as);
}

const viewOf = ({ shop, pause }: Merchant, row: CheckoutRow, bags: ReadCart) => ({
  url: `/checkout/${row.id}`,
  version: row.version,
  linkEmail: cartOf(row).buyer_email,
  shop,
  pause,
  bags,
});

/** A checkout's page as its form was sent. */
interface SentCheckout extends ReturnType<typeof viewOf> {
  row: CheckoutRow;
  cart: Cart;
  browser: string;
  /** The bags, note or code changed since the page was shown, so it showed another total. */
  isChanged: boolean;
}

/** Buttons of the form that change the bags and lead back to it. */
const PRESSES = ["more", "less", "remove", "take", "update"];

/**
 * Stores what the form changed of bags, note and code. Returns undefined once it has answered: after a press
 * of a stepper, or if somebody else has changed the bags meanwhile.
 */
async function changeBags(
  merchant: Merchant,
  row: CheckoutRow,
  countBuyer: CountBuyer,
  res: Response,
): Promise<SentCheckout | undefined> {
  const { body } = res.req;
  const sent = onceEach((body ?? {}) as Query);
  const form = readCheckoutForm(body);
  const { cart: stored, gone } = sellable(merchant.catalog, cartOf(row));
  const pressed = afterButton({ ...cartValues(stored), ...sent });
  const bags = await readBags(
    merchant,
    stored,
    sent.take === undefined
      ? pressed
      : takingLeft(pressed, (await readBags(merchant, stored, pressed)).rows),
  );
  const show = (of: CheckoutRow, read: ReadCart, problems: FieldProblem[], status: number) =>
    sendFormAgain(
      res,
      quickCheckoutPage({ ...viewOf(merchant, of, read), ...form, problems }),
      status,
    );
  const stale = async () => {
    const now = (await merchant.checkouts.live(row.id)) ?? row;
    const { cart } = sellable(merchant.catalog, cartOf(now));
    const read = await readBags(merchant, cart, cartValues(cart));
    show(now, read, [{ field: null, message: CHANGED_ELSEWHERE }], 409);
    return undefined;
  };
  const version = decimal(sent.version ?? "");
  if (version !== null && version !== row.version) return stale();
  if (!bags.wellTyped) {
    show(row, bags, [], 422);
    return undefined;
  }
  const cart = { ...bags.cart, buyer_email: stored.buyer_email };
  const isChanged = !isSameCart(cart, cartOf(row));
  const isPress = PRESSES.some((name) => sent[name] !== undefined);
  const browser = browserOf(res);
  if (isPress || isChanged) {
    const buyer = { browser, values: kept(form.values) };
    const email = parseInput(Email, form.values.email);
    // With a code, now or later, the page's price tells whether this email has ordered.
    if (email.success) countBuyer(email.data);
    const { id } = row;
    const isDone = await merchant.checkouts.change({ id, cart, buyer, version: row.version });
    if (!isDone) return stale();
    if (keptCart(res.req)?.id === id) keepCart(res, { id, bags: bagCount(cart.items) });
  }
  const now = (await merchant.checkouts.live(row.id)) ?? row;
  if (isPress) {
    res.redirect(303, `/checkout/${row.id}?change#total`);
    return undefined;
  }
  if (gone.length > 0) {
    show(now, bags, goneProblems(gone), 409);
    return undefined;
  }
  return { ...viewOf(merchant, now, bags), row: now, cart, browser, isChanged };
}

const CHANGED_ELSEWHERE = "The bags were changed in another window. Please check them.";

/** More than any field allows, so that a longer value is still reported as too long. */
const KEPT_CHARACTERS = 500;

const kept = (values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value?.slice(0, KEPT_CHARACTERS)]),
  );

type CountBuyer = (email: string) => void;

async function submit(
  { checkouts, quickCheckout, quotes }: Merchant,
  open: SentCheckout & FormInput,
  countBuyer: CountBuyer,
  res: Response,
): Promise<void> {
  const { cart, row, browser, bags } = open;
  const read = readForm(open.values);
  if ("problems" in read) {
    return sendFormAgain(res, quickCheckoutPage({ ...open, ...read }), 422);
  }
  if (bags.problems.length > 0 || cart.items.length === 0) {
    return sendFormAgain(
      res,
      quickCheckoutPage(open),
      bags.rows.some(({ left }) => left !== undefined) ? 409 : 422,
    );
  }
  const { email } = read;
  const meant = meantEmail(email);
  if (meant !== null && open.sureOf !== email) {
    return sendFormAgain(res, quickCheckoutPage({ ...open, meant: { email, meant } }), 422);
  }
  countBuyer(email);
  const acceptedMinor = open.isChanged ? null : open.acceptedMinor;
  const agreed = await quickCheckout.agree(cart, { email, acceptedMinor });
  const { pricing, standing } = agreed;
  const typed = { browser, values: kept(open.values) };
  if (agreed.kind === "raised") {
    // Whoever follows the checkout reads the total that its page asks now.
    await checkouts.change({ id: row.id, cart, buyer: typed, version: row.version });
    const raised = { fromMinor: agreed.shownMinor, standing };
    const priced = { ...open, bags: { ...bags, pricing } };
    return sendFormAgain(res, quickCheckoutPage({ ...priced, raised }), 409);
  }
  try {
    const quoteId = await quickCheckout.quote(row, { ...read, standing }, typed);
    res.redirect(303, quotes.reviewUrl(quoteId));
  } catch (error) {
    const refused = refusalOf(error);
    const problems = [{ field: null, message: messageForBuyer(refused) }];
    sendFormAgain(res, quickCheckoutPage({ ...open, problems }), refused);
  }
}

/** Why there is no quote. */
function messageForBuyer(error: MerchantError): string {
  if (error.code === "DISCOUNT_NOT_ELIGIBLE" || error.code === "DISCOUNT_CODE_INVALID") {
    return "The discount was just used or has ended. Continue again to see the new total.";
  }
  if (error.code !== "OUT_OF_STOCK") return refusalWords(error);
  return "Someone else just took the last bags. Nothing was charged. Choose fewer bags, or another coffee.";
}

type FormInput = Pick<QuickCheckoutView, "values" | "acceptedMinor" | "sureOf">;
type FormValues = FormInput["values"];

/** Ignores other fields. A field sent twice counts as missing. */
function readCheckoutForm(body: unknown): FormInput {
  const values: FormValues = Object.fromEntries(
    QUICK_CHECKOUT_FIELDS.map((name) => [name, fieldIn(body, name)]),
  );
  const corrected = fieldIn(body, "corrected_email");
  if (corrected) values.email = corrected;
  return {
    values,
    acceptedMinor: decimal(fieldIn(body, "accept_total")),
    sureOf: corrected || fieldIn(body, "sure_of"),
  };
}

export const CHECKOUT_FORM = z.strictObject({ email: Email, address: Address });

/** The email and address, or one problem per field. */
function readForm(
  values: FormValues,
): z.output<typeof CHECKOUT_FORM> | { problems: FieldProblem[] } {
  const { email = "" } = values;
  const address = typedAddress((name) => values[name] ?? "");
  const read = parseInput(CHECKOUT_FORM, { email, address });
  if (read.success) return read.data;
  const found = new Map<string, string>();
  for (const { path, message } of read.issues) {
    const field = String(path.at(-1));
    if (!found.has(field)) found.set(field, message);
  }
  const problems = [...found].map(([field, message]) => {
    const elsewhere = field === "postal_code" ? regionsOfZip(values.postal_code ?? "") : [];
    if (elsewhere.length > 0) {
      const where = elsewhere.join(" or ");
      return { field, message: `That ZIP is in ${where}. Check the state or ZIP.` };
    }
    return { field, message: field === "region" ? "Choose a state or territory." : message };
  });
  return { problems };
}

/** The fields of the form, by the names they are posted with. */
const QUICK_CHECKOUT_FIELDS = ["email", ...ADDRESS_FIELDS] as const;
type QuickCheckoutField = (typeof QUICK_CHECKOUT_FIELDS)[number];

/** The page at `/checkout/{id}`: the bags, and a form for email and address. */
export interface QuickCheckoutView {
  /** This page's own path, which the form posts to. */
  url: string;
  version: number;
  bags: CartView;
  /** Email that the maker of the link named. */
  linkEmail: string | undefined;
  shop: Shop;
  /** Nothing is asked during a break, because nothing can be ordered. */
  pause?: Pause | null;
  /** Typed values, for the browser that typed them. At first only the link's email. */
  values: Partial<Record<string, string | undefined>>;
  problems?: FieldProblem[];
  /** A payment of this checkout that led to no order. */
  failed?: Pick<NewestQuote, "problem" | "owedMinor"> | null;
  /** The total of the bags is higher than the page showed. */
  raised?: { fromMinor: number; standing: CodeStanding } | undefined;
  /** Total that the buyer accepted, posted as `accept_total`. A higher one needs a confirmation. */
  acceptedMinor: number | null;
  meant?: MeantEmail;
  /** The email that the buyer was asked about before. */
  sureOf?: string;
}

export function quickCheckoutPage(view: QuickCheckoutView): Page {
  const { bags: cart, problems = [] } = view;
  const { pricing, bagTotal } = cart;
  const form = checkoutForm(view);
  return {
    title: titleOf(view),
    ...(view.raised && { state: view.raised.standing }),
    heading: view.pause ? `${backOn(view.pause)}.` : "Where should we send it?",
    lede: view.pause
      ? "We take no orders until then."
      : "You’ll see the full order once more before you pay.",
    // The link is for phones, where the bags are below the form.
    top: html`${problemSummary([...problems, ...cart.problems], form)} ${failedNotice(view)} ${raisedNotice(view)} ${view.meant && meantNotice(view.meant, FORM)}
      ${pricing && html`<p><a href="#total">${bags(bagTotal)}, ${money(pricing.total_minor)} in total</a></p>`}`,
    wide: true,
    body: html`${form}
    <section class="terms stack" aria-labelledby="terms">
      <h2 id="terms">Before you order</h2>
      ${policyList(view.shop)}
    </section>`,
  };
}

/** Screen readers read the title first, so it says why the form came back. */
function titleOf({ problems = [], bags: cart, raised, meant }: QuickCheckoutView): string {
  if (problems.length + cart.problems.length > 0) return "Please check your details";
  if (meant) return "Please check your email";
  return raised ? "Please confirm the new total" : "Where should we send it?";
}

/** Why the total is higher, by the state of the cart's code for this email. */
const HIGHER: Record<CodeStanding, string> = {
  NOT_ELIGIBLE: "This discount is for a first order, and this email has ordered before.",
  ENDED: "The first-order offer has ended.",
  USABLE: "The price has changed since this page was opened.",
};

const UNCHARGED = "Nothing was charged, and nothing is ordered.";

const FAILED: Record<PaymentProblem, { title: string; charge: string }> = {
  DECLINED: { title: "was declined", charge: UNCHARGED },
  BANK_REFUSED: { title: "was declined", charge: UNCHARGED },
  NOT_CHARGED: { title: "did not go through", charge: UNCHARGED },
  TOO_LATE: { title: "came too late", charge: "It is being returned, and nothing is ordered." },
};

function failedNotice({ failed }: QuickCheckoutView): Markup | null {
  if (!failed?.problem) return null;
  const { title, charge } = FAILED[failed.problem];
  const owed = failed.owedMinor > 0 && `${owedTitle(failed.owedMinor)}. ${OWED_THEN}`;
  return notice("warn", `A payment for these bags ${title}.`, html`<p>${owed || charge}</p>`);
}

function raisedNotice({ raised, bags: { pricing } }: QuickCheckoutView): Markup | null {
  if (!raised || !pricing) return null;
  return notice(
    "warn",
    HIGHER[raised.standing],
    html`<p>The total is now <b>${money(pricing.total_minor)}</b>. It was
    <s>${money(raised.fromMinor)}</s>. Nothing was charged. Confirm the new total below, or just
    leave this page.</p>`,
  );
}

const FORM = "checkout-form";

/** The address comes first, so that Enter in a field continues. */
function checkoutForm(view: QuickCheckoutView): Markup {
  const { bags: cart, shop, linkEmail, values, problems = [], raised } = view;
  const { pricing } = cart;
  const isFromLink = linkEmail !== undefined && values.email === linkEmail;
  const acceptTotal = raised && pricing ? pricing.total_minor : view.acceptedMinor;
  const show = (field: Field & { name: QuickCheckoutField }) =>
    formField({ ...field, value: values[field.name] }, problems);
  const button =
    raised && pricing ? `Accept ${money(pricing.total_minor)} and continue` : "Continue to review";
  // novalidate: the page names all problems at once, browsers would stop at the first.
  const sureOf = view.meant?.email ?? view.sureOf;
  const address = html`<div class="slip form">
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
      ${sureOfField(sureOf)}
      ${
        cart.rows.length > 0
          ? html`<button type="submit">${button}</button>
      <p class="hint">You won’t be charged yet. Next: review your order and pay.</p>`
          : html`<p><a class="button" href="/#beans">Choose your coffee</a></p>`
      }
    </div>`;
  return html`<form class="review" id="${FORM}" method="post" action="${view.url}" novalidate>
    <input type="hidden" name="version" value="${view.version}">
    ${!view.pause && address}
    <aside class="till stack" aria-labelledby="total">
      <h2 id="total">Your bags</h2>
      ${cart.rows.length > 0 ? bagRows(cart) : html`<p>There are no bags here any more.</p>`}
      ${takeLeftButton(cart)}
      <button class="quiet retotal" name="update" value="total">Update the total</button>
      ${extras(cart)}
      ${pricing && pricingSums(pricing, cart.bagTotal)}
      ${freeShipping(cart, shop)}
    </aside>
  </form>`;
}

/** A link that expired or was cut off. */
export function quickCheckoutGonePage(reason: "EXPIRED" | "BROKEN"): Page {
  const expired = reason === "EXPIRED";
  const title = expired ? "This link has expired" : "This link is incomplete or mistyped";
  const why = expired
    ? "Prices and stock may have changed since it was made."
    : "Part of it may have been lost in copying.";
  return {
    title,
    state: reason,
    top: html`${notice("warn", "Nothing was charged by opening it.", html`<p>${why}</p>`)}
      ${
        expired
          ? html`<p>Ask for a new one, or <a href="/#beans">start a cart</a>.</p>`
          : html`<p>Copy the whole link and open it again. If you have paid, <a href="/find-order">find your order</a>.</p>`
      }`,
    body: null,
  };
}

/** For somebody who is not known to be the payer. */
const settlingPage = (): Page => ({
  title: QUOTE_TITLES.PROCESSING,
  lede: "We place your order once it arrives: in a moment, or in a few business days for a bank debit.",
  body: html`<p>To see it, open the page where you paid.</p>`,
});
