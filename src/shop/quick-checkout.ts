import type { Express, Request, Response } from "express";
import { z } from "zod";
import type { Api } from "../api/api.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { Address, regionsOfZip } from "../core/address.ts";
import { bagCount, bags } from "../core/bags.ts";
import { customerOf, Email, meantEmail } from "../core/email.ts";
import type { MerchantError } from "../core/errors.ts";
import { decimal } from "../core/fields.ts";
import { leadToKey, namedAnswer } from "../core/next-step.ts";
import { parseInput } from "../core/read-input.ts";
import type { Shop } from "../core/shop.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { buyerStatus } from "../orders/buyer-words.ts";
import type { PageOrder } from "../orders/page-order.ts";
import { isSessionId } from "../quotes/cart-session.ts";
import type { Cart, CartPricing, CodeStanding } from "../quotes/quick-checkout.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import { lineForPeople } from "../web/bean-view.ts";
import { fieldIn } from "../web/body.ts";
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
import { PageRefusal, sendFormAgain, sendPage } from "../web/page-answers.ts";
import {
  giftNoteCard,
  type Line,
  lineList,
  notice,
  policyList,
  pricingSums,
  time,
} from "../web/parts.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { refusalWords } from "../web/problem-page.ts";
import { callerAddress, metered } from "../web/request-context.ts";
import { mountForm, mountGet, tokenOf } from "../web/routes.ts";
import { cartInShop } from "./cart.ts";
import { type MeantEmail, meantNotice, sureOfField } from "./meant-email.ts";

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
 * The path for clients that can only GET (contract §10). The link opens a cart's page, which takes an email
 * and an address, makes an ordinary quote and leads to its review page.
 */
export function mountQuickCheckout(app: Express, api: Api): void {
  const { merchant, limits } = api.service;
  mountGet(app, "/v1/quick-checkout", metered(4, limits), async (req, res) => {
    const query = unescaped(req.query as Query);
    const cart = await merchant.quickCheckout.check(query).catch((error: unknown) => {
      throw leadToKey(error);
    });
    const opened = await merchant.quickCheckout.open(cart);
    res.setHeader("X-Robots-Tag", "noindex, nofollow");
    if (query.format === "json") res.json(namedAnswer(opened, "endpoints"));
    else res.redirect(303, opened.checkout_url);
  });

  mountForm(app, api.edge, "/checkout/:token", {
    get: async (req, res) => {
      const order = await orderOn(merchant, tokenOf(req));
      if (order) return sendPage(res, orderedPage(order, req.path));
      const open = await findCart(merchant, req);
      if ("ordered" in open) return sendPage(res, settlingPage());
      const { buyer_email: email, changed } = open.cart;
      // Priced without the email: anybody with the link would learn whether it has bought here.
      const pricing = await merchant.quickCheckout.price(open.cart);
      const values = { ...changed?.address, ...(email && { email }) };
      const acceptedMinor = pricing.total_minor;
      // Stock may have sold since the link was opened. Say so before the buyer types an address.
      const gone = await goneProblems(merchant.quickCheckout, open.cart);
      const few = await merchant.quickCheckout.short(open.cart);
      const fewer = "Choose fewer bags on our front page.";
      const short = few.map(({ text }) => ({ field: null, message: `${text} ${fewer}` }));
      const problems = gone.length > 0 ? gone : short;
      sendPage(res, quickCheckoutPage({ ...open, values, acceptedMinor, pricing, problems }));
    },
    post: async (req, res) => {
      const order = await orderOn(merchant, tokenOf(req));
      if (order) return openOrder(api.service, order, res);
      const found = await findCart(merchant, req);
      if ("ordered" in found) return sendPage(res, settlingPage());
      const open = { ...found, ...readCheckoutForm(req.body) };
      const address = callerAddress(req);
      const countBuyer: CountBuyer = (email) =>
        limits.charge({ buyers: 1 }, { address }, { about: customerOf(email) });
      await submit(merchant, open, countBuyer, res);
    },
  });
}

/** A cart's page as it is opened. */
interface OpenCart
  extends Pick<QuickCheckoutView, "cart" | "catalog" | "shop" | "url" | "expiresAt"> {
  /** The token that quotes of this page are filed under. */
  page: string;
}

/** The order that was paid on a page, or on the page that this one changes. */
async function orderOn({ orders, quickCheckout }: Merchant, token: string) {
  const order = await orders.ofPage(token);
  if (order || isSessionId(token)) return order;
  const found = await quickCheckout.find(token);
  const changed = typeof found === "string" ? undefined : found.cart.changed;
  return changed && orders.ofPage(token, changed.page);
}

/** The cart of a stored session, or of a sealed token. */
async function findCart(
  { quickCheckout, cartSessions, catalog, shop }: Merchant,
  req: Request,
): Promise<OpenCart | { ordered: unknown }> {
  const page = tokenOf(req);
  const found = isSessionId(page) ? await cartSessions.page(page) : await quickCheckout.find(page);
  if (typeof found !== "string") {
    return "ordered" in found ? found : { catalog, shop, url: req.path, page, ...found };
  }
  const gone = quickCheckoutGonePage(found);
  throw found === "EXPIRED"
    ? new PageRefusal("This link has expired. Make a new one.", gone, 410)
    : new PageRefusal("There is no such link.", gone);
}

type CountBuyer = (email: string) => void;

async function submit(
  { quickCheckout, quotes }: Merchant,
  open: OpenCart & FormInput,
  countBuyer: CountBuyer,
  res: Response,
): Promise<void> {
  const { cart, page } = open;
  const read = readForm(open.values);
  if ("problems" in read) {
    // Without an email there is no new total to agree to.
    const pricing = await quickCheckout.price(cart);
    return sendFormAgain(res, quickCheckoutPage({ ...open, ...read, pricing }), 422);
  }
  const { email } = read;
  const meant = meantEmail(email);
  if (meant !== null && open.sureOf !== email) {
    const pricing = await quickCheckout.price(cart);
    return sendFormAgain(
      res,
      quickCheckoutPage({ ...open, meant: { email, meant }, pricing }),
      422,
    );
  }
  const gone = await goneProblems(quickCheckout, cart);
  if (gone.length > 0) {
    const pricing = await quickCheckout.price(cart);
    return sendFormAgain(res, quickCheckoutPage({ ...open, problems: gone, pricing }), 409);
  }
  if (cart.discount_code !== undefined) countBuyer(email);
  const agreed = await quickCheckout.agree(cart, { email, acceptedMinor: open.acceptedMinor });
  const { pricing, standing } = agreed;
  if (agreed.kind === "raised") {
    const paid = await quickCheckout.paidQuote(page, cart, { ...read, standing });
    if (paid) return res.redirect(303, quotes.reviewUrl(paid));
    const raised = { fromMinor: agreed.shownMinor, standing };
    return sendFormAgain(res, quickCheckoutPage({ ...open, raised, pricing }), 409);
  }
  try {
    const quote = await quickCheckout.quote(page, cart, { ...read, standing });
    res.redirect(303, quotes.reviewUrl(quote.id));
  } catch (error) {
    const refused = refusalOf(error);
    const problems = [
      { field: null, message: await messageForBuyer(quickCheckout, cart, refused) },
    ];
    sendFormAgain(res, quickCheckoutPage({ ...open, problems, pricing }), refused);
  }
}

async function goneProblems(
  { notForSale }: Merchant["quickCheckout"],
  cart: Cart,
): Promise<FieldProblem[]> {
  const names = await notForSale(cart);
  return names.map((name) => ({
    field: null,
    message: `We don’t sell ${name} right now. Nothing was charged. Choose another coffee on our front page.`,
  }));
}

/** Why there is no quote. The buyer can't change the cart on this page. */
async function messageForBuyer(
  { short }: Merchant["quickCheckout"],
  cart: Cart,
  error: MerchantError,
): Promise<string> {
  if (error.code === "DISCOUNT_NOT_ELIGIBLE" || error.code === "DISCOUNT_CODE_INVALID") {
    return "The discount was just used or has ended. Continue again to see the new total.";
  }
  if (error.code !== "OUT_OF_STOCK") return refusalWords(error);
  const texts = (await short(cart)).map(({ text }) => text).join(" ");
  const instead = "Choose fewer bags or another bean on our front page.";
  return `We don’t have enough bags any more. ${texts} Nothing was charged. ${instead}`;
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

/** Messages for buyers; the rules write theirs for agents. */
const MISSING: Partial<Record<string, string>> = {
  email: "Your email address is missing.",
  postal_code: "The ZIP code is missing.",
  region: "Choose a state or territory.",
};

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
    const isEmpty = field === "region" || !values[field as QuickCheckoutField]?.trim();
    const elsewhere = field === "postal_code" ? regionsOfZip(values.postal_code ?? "") : [];
    if (elsewhere.length > 0) {
      const where = elsewhere.join(" or ");
      return { field, message: `That ZIP is in ${where}. Check the state or ZIP.` };
    }
    return { field, message: (isEmpty && MISSING[field]) || message };
  });
  return { problems };
}

/** The fields of the form, by the names they are posted with. */
const QUICK_CHECKOUT_FIELDS = ["email", ...ADDRESS_FIELDS] as const;
type QuickCheckoutField = (typeof QUICK_CHECKOUT_FIELDS)[number];

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
  values: Partial<Record<QuickCheckoutField, string | undefined>>;
  problems?: FieldProblem[];
  /** The total of `pricing` is higher than the page showed. */
  raised?: { fromMinor: number; standing: CodeStanding } | undefined;
  /** Total that the buyer accepted, posted as `accept_total`. A higher one needs a confirmation. */
  acceptedMinor: number | null;
  meant?: MeantEmail;
  /** The email that the buyer was asked about before. */
  sureOf?: string;
}

export function quickCheckoutPage(view: QuickCheckoutView): Page {
  const { cart, pricing, problems = [] } = view;
  const form = addressForm(view);
  return {
    title: titleOf(view),
    ...(view.raised && { state: view.raised.standing }),
    heading: "Where should we send it?",
    lede: "You’ll see the full order once more before you pay.",
    // The link is for phones, where the bags are below the form.
    top: html`${problemSummary(problems, form)} ${raisedNotice(view)} ${view.meant && meantNotice(view.meant, FORM)}
      <p><a href="#total">${bags(bagCount(cart.items))}, ${money(pricing.total_minor)} in total</a></p>`,
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
function titleOf({ problems = [], raised, meant }: QuickCheckoutView): string {
  if (problems.length > 0) return "Please check your details";
  if (meant) return "Please check your email";
  return raised ? "Please confirm the new total" : "Where should we send it?";
}

const cartLines = ({ items }: Cart, catalog: Catalog): Line[] =>
  items.map(({ product_id, quantity }) => {
    const { name, price_minor } = catalog.known(product_id)!;
    return lineForPeople(catalog, { product_id, name, quantity, unit_price_minor: price_minor });
  });

function changeLink(cart: Cart): Markup | null {
  const shop = cartInShop(cart);
  return shop === null
    ? null
    : html`<p><a class="quiet-link" href="${shop}">Change the bags</a></p>`;
}

/** Why the total is higher, by the state of the cart's code for this email. */
const HIGHER: Record<CodeStanding, string> = {
  NOT_ELIGIBLE: "This discount is for a first order, and this email has ordered before.",
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

const FORM = "checkout-form";

function addressForm(view: QuickCheckoutView): Markup {
  const { values, problems, raised, pricing, cart } = view;
  const isFromLink = !cart.changed && cart.buyer_email && values.email === cart.buyer_email;
  const acceptTotal = raised ? pricing.total_minor : view.acceptedMinor;
  const show = (field: Field & { name: QuickCheckoutField }) =>
    formField({ ...field, value: values[field.name] }, problems);
  const button = raised
    ? `Accept ${money(pricing.total_minor)} and continue`
    : "Continue to review";
  // novalidate: the page names all problems at once, browsers would stop at the first.
  const sureOf = view.meant?.email ?? view.sureOf;
  return html`<form class="slip form" id="${FORM}" method="post" action="${view.url}" novalidate>
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
    <button type="submit">${button}</button>
    <p class="hint">You won’t be charged yet. Next: review your order and pay. Already started to pay? Enter the same
    email and address to get back to it.</p>
  </form>`;
}

/** A link that expired or was cut off. */
export function quickCheckoutGonePage(reason: "EXPIRED" | "BROKEN"): Page {
  const expired = reason === "EXPIRED";
  const title = expired ? "This link has expired" : "This link is incomplete";
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

/** A bank debit settles in days. */
const settlingPage = (): Page => ({
  title: "Your payment is settling",
  lede: "Your bank needs a few days. We place your order once the payment arrives.",
  body: html`<p>To see it, open the page where you paid.</p>`,
});

/**
 * Shows nothing that the buyer typed, because whoever made the cart can open this page. The order's email opens
 * the order. `problem`: why the last email did not.
 */
function orderedPage(
  { number, status }: Pick<PageOrder, "number" | "status">,
  url: string,
  { email = "", problem }: { email?: string; problem?: string } = {},
): Page {
  const problems = problem === undefined ? [] : [{ field: "email", message: problem }];
  const form = html`<form class="slip form" method="post" action="${url}" novalidate>
    ${formField({ ...EMAIL, label: "Email of the order", value: email }, problems)}
    <button type="submit">Show my order</button>
  </form>`;
  return {
    title: problem ? "Please check your email" : `Order ${number}`,
    heading: `Order ${number}`,
    lede: `Paid. Status: ${buyerStatus(status)}.`,
    top: problemSummary(problems, form),
    body: html`<p>Enter the email you ordered with to see your order, ask to cancel it, or write to us.</p>
      ${form}
      <p><a class="quiet-link" href="/#beans">Order more coffee</a></p>`,
  };
}

/** A wrong email looks like any other. */
const NO_SUCH_EMAIL = "This page has no order with this email. Check it, or look in your emails.";

/** Leads a buyer who knows the order's email to its page. */
async function openOrder(
  { limits }: Api["service"],
  order: PageOrder,
  res: Response,
): Promise<void> {
  const { req } = res;
  const address = callerAddress(req);
  limits.charge({ presses: 1 }, { own: order.quoteId, address });
  const email = fieldIn(req.body, "email");
  const page = Email.safeParse(email).success ? order.pageFor(email) : null;
  if (page !== null) return res.redirect(303, page);
  sendFormAgain(res, orderedPage(order, req.path, { email, problem: NO_SUCH_EMAIL }), 422);
}
