import type { Express, Request, Response } from "express";
import { z } from "zod";
import type { Api } from "../api/api.ts";
import { Address } from "../core/address.ts";
import { Email } from "../core/email.ts";
import type { MerchantError } from "../core/errors.ts";
import { decimal } from "../core/fields.ts";
import type { LimitName } from "../core/rate-limits.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { isSessionId } from "../quotes/cart-session.ts";
import type { Cart } from "../quotes/quick-checkout.ts";
import type { Query } from "../quotes/quick-checkout-query.ts";
import { fieldIn } from "../web/body.ts";
import { type FieldProblem, typedAddress } from "../web/form-parts.ts";
import { PageRefusal, sendFormAgain, sendPage } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { refusalWords } from "../web/problem-page.ts";
import { callerAddress, metered } from "../web/request-context.ts";
import { mountForm, mountGet, tokenOf } from "../web/routes.ts";
import {
  type OrderedView,
  orderedPage,
  QUICK_CHECKOUT_FIELDS,
  type QuickCheckoutField,
  type QuickCheckoutView,
  quickCheckoutGonePage,
  quickCheckoutPage,
} from "./pages/quick-checkout.ts";

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
 * The path for clients that can only GET (contract §10): the link opens a cart's page; the
 * page takes email and address, makes an ordinary quote, and goes down the same review-and-pay path.
 */
export function mountQuickCheckout(app: Express, api: Api): void {
  const { merchant, limits } = api.service;
  mountGet(
    app,
    "/v1/quick-checkout",
    metered(["quick_checkout"], api.service.limits),
    async (req, res) => {
      const query = unescaped(req.query as Query);
      const opened = await merchant.quickCheckout.open(await merchant.quickCheckout.check(query));
      res.setHeader("X-Robots-Tag", "noindex, nofollow");
      if (query.format === "json") res.json(opened);
      else res.redirect(303, opened.checkout_url);
    },
  );

  mountForm(app, api.edge, "/checkout/:token", {
    get: async (req, res) => {
      const open = await findCart(merchant, req);
      if ("ordered" in open) return sendPage(res, orderedPage(open.ordered));
      const { buyer_email: email } = open.cart;
      // Priced without the email: anybody with the link would learn whether it has bought here.
      const pricing = await merchant.quickCheckout.price(open.cart);
      const values = email ? { email } : {};
      const acceptedMinor = pricing.total_minor;
      // Stock may have sold since the link was opened. Say so before the buyer types an address.
      const tooMany = await merchant.quickCheckout.tooMany(open.cart);
      const fewer = "Choose fewer bags on our front page.";
      const problems = tooMany.map(({ text }) => ({ field: null, message: `${text} ${fewer}` }));
      sendPage(res, quickCheckoutPage({ ...open, values, acceptedMinor, pricing, problems }));
    },
    post: async (req, res) => {
      const found = await findCart(merchant, req);
      if ("ordered" in found) return sendPage(res, orderedPage(found.ordered));
      const open = { ...found, ...readCheckoutForm(req.body) };
      // Without a key, quotes are limited by network address.
      const address = callerAddress(req);
      const meter: Meter = (names, buyer, points) => limits.take(names, { address, buyer }, points);
      await submit(merchant, open, meter, res);
    },
  });
}

/** A cart's page as it is opened. */
interface OpenCart
  extends Pick<QuickCheckoutView, "cart" | "catalog" | "shop" | "url" | "expiresAt"> {
  /** The token that quotes of this page are filed under. */
  page: string;
}

/** The cart of a stored session, or of a sealed token. */
async function findCart(
  { quickCheckout, cartSessions, catalog, shop }: Merchant,
  req: Request,
): Promise<OpenCart | { ordered: OrderedView }> {
  const page = tokenOf(req);
  const found = isSessionId(page) ? await cartSessions.page(page) : await quickCheckout.find(page);
  if (typeof found !== "string") {
    return "ordered" in found ? found : { catalog, shop, url: req.path, page, ...found };
  }
  const gone = quickCheckoutGonePage(found);
  throw found === "EXPIRED"
    ? new PageRefusal("This link has ended. Make it anew.", gone, 410)
    : new PageRefusal("There is no such link.", gone);
}

type Meter = (names: readonly LimitName[], buyer: string, points?: number) => Promise<unknown>;

async function submit(
  { quickCheckout, quotes }: Merchant,
  open: OpenCart & FormInput,
  meter: Meter,
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
  if (cart.discount_code !== undefined) await meter(["courtesy_buyers"], email);
  const agreed = await quickCheckout.agree(cart, { email, acceptedMinor: open.acceptedMinor });
  const { pricing, standing } = agreed;
  if (agreed.kind === "raised") {
    const paid = await quickCheckout.paidQuote(page, cart, { ...read, standing });
    if (paid) return res.redirect(303, quotes.reviewUrl(paid));
    const raised = { fromMinor: agreed.shownMinor, standing };
    return sendFormAgain(res, quickCheckoutPage({ ...open, raised, pricing }), 409);
  }
  try {
    await meter(["quotes"], email);
    await meter(["quote_bytes"], email, Buffer.byteLength(JSON.stringify([cart, read])));
    const quote = await quickCheckout.quote(page, cart, { ...read, standing });
    res.redirect(303, quotes.reviewUrl(quote.id));
  } catch (error) {
    const refused = refusalOf(error);
    const problems = [{ field: null, message: await inWords(quickCheckout, cart, refused) }];
    sendFormAgain(res, quickCheckoutPage({ ...open, problems, pricing }), refused);
  }
}

/** Why there is no quote. The buyer can't change the cart on this page. */
async function inWords(
  { tooMany }: Merchant["quickCheckout"],
  cart: Cart,
  error: MerchantError,
): Promise<string> {
  if (error.code === "DISCOUNT_NOT_ELIGIBLE" || error.code === "DISCOUNT_CODE_INVALID") {
    return "The discount was just used or has ended. Continue again to see the new total.";
  }
  if (error.code !== "OUT_OF_STOCK") return refusalWords(error);
  const texts = (await tooMany(cart)).map(({ text }) => text).join(" ");
  const instead = "Choose fewer bags or another bean on our front page.";
  return `We don’t have enough bags any more. ${texts} Nothing was charged. ${instead}`;
}

type FormInput = Pick<QuickCheckoutView, "values" | "acceptedMinor">;
type FormValues = FormInput["values"];

/** More than any field allows, so that a longer value is still reported as too long. */
const KEPT_CHARACTERS = 500;

/** Ignores other fields. A field sent twice counts as missing. */
function readCheckoutForm(body: unknown): FormInput {
  const values: FormValues = Object.fromEntries(
    QUICK_CHECKOUT_FIELDS.map((name) => [name, fieldIn(body, name).slice(0, KEPT_CHARACTERS)]),
  );
  return { values, acceptedMinor: decimal(fieldIn(body, "accept_total")) };
}

/** Messages for buyers; the rules write theirs for agents. */
const MISSING: Partial<Record<string, string>> = {
  email: "Your email address is missing.",
  postal_code: "The ZIP code is missing.",
};

export const CHECKOUT_FORM = z.strictObject({ email: Email, address: Address });

/** The email and address, or one problem per field. */
function readForm(
  values: FormValues,
): z.output<typeof CHECKOUT_FORM> | { problems: FieldProblem[] } {
  const { email = "" } = values;
  const address = typedAddress((name) => values[name] ?? "");
  const read = CHECKOUT_FORM.safeParse({ email, address });
  if (read.success) return read.data;
  const found = new Map<string, string>();
  for (const { path, message } of read.error.issues) {
    const field = String(path.at(-1));
    if (!found.has(field)) found.set(field, message);
  }
  const problems = [...found].map(([field, message]) => ({
    field,
    message: mistakeInWords(field, message, values),
  }));
  return { problems };
}

function mistakeInWords(field: string, message: string, values: FormValues): string {
  if (field === "region") return "Choose a state or territory.";
  const empty = !values[field as QuickCheckoutField]?.trim();
  return (empty && MISSING[field]) || message;
}
