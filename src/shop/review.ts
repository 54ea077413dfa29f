import type { Express, Request, RequestHandler, Response } from "express";
import type { Api } from "../api/api.ts";
import type { Service } from "../api/perform.ts";
import { bagCount } from "../core/bags.ts";
import type { MerchantError } from "../core/errors.ts";
import { namedAnswer } from "../core/next-step.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { orderAgain } from "../orders/order-again.ts";
import type { Review } from "../orders/review-verbs.ts";
import type { ReviewedQuote } from "../payments/checkout-request.ts";
import { paymentRefusal } from "../quotes/quote-view.ts";
import type { PaymentObstacle } from "../quotes/standing.ts";
import { fieldIn } from "../web/body.ts";
import { browserOf, forgetCart, keepCart, keptCart } from "../web/cart-cookie.ts";
import { prefersPage, sendFormAgain, sendPage } from "../web/page-answers.ts";
import { sendProblem } from "../web/problem-answers.ts";
import { callerAddress } from "../web/request-context.ts";
import { mountForm, mountGet, tokenOf } from "../web/routes.ts";
import { reviewPage } from "./pages/review.ts";
import type { ReviewView } from "./pages/review-view.ts";

/** `/review/{token}`: the buyer sees the exact order and pays (contract §5). */
export function mountReview(app: Express, api: Api): void {
  const { edge, service } = api;
  const { merchant } = service;
  mountForm(app, edge, "/review/:token", {
    get: async (req, res) => {
      res.vary("Accept");
      if (!prefersPage(req)) {
        res.setHeader("X-Robots-Tag", "noindex, nofollow");
        res.json(namedAnswer(await merchant.reviews.read(tokenOf(req)), "endpoints"));
        return;
      }
      const again = req.query.from === "check";
      const returned = again || req.query.from === "checkout";
      if (again) await merchant.payments.checkAgain(await merchant.reviews.find(tokenOf(req)));
      const review = await merchant.reviews.open(tokenOf(req), { returned });
      const newer = await merchant.quotes.successor(review);
      if (newer !== null) return res.redirect(303, `${newer}?from=older`);
      if (isOrdering(review) && keptCart(req)?.id === review.checkoutId) forgetCart(res);
      sendReview(res, merchant, { ...review, isFromOlder: req.query.from === "older" });
    },
    post: payQuote(api),
  });

  // Review pages of 0.3.0 lead here.
  mountGet(app, "/review/:token/change", async (req, res) => {
    const review = await merchant.reviews.open(tokenOf(req));
    res.redirect(303, changeOf(review) ?? reviewPath(req));
  });

  mountForm(app, edge, "/review/:token/full-price", { post: quoteFullPrice(api) });
  mountForm(app, edge, "/review/:token/again", { post: buyAgain(api) });
}

/** Path of the page, whichever of its forms was sent. */
export const reviewPath = (req: Request): string => `/review/${encodeURIComponent(tokenOf(req))}`;

/** Sends the page. `refusal`: the error of the buyer's last press. */
export function sendReview(
  res: Response,
  merchant: Merchant,
  review: Review & Pick<ReviewView, "obstacle" | "refusedForm" | "isFromOlder">,
  refusal?: MerchantError,
): void {
  const { catalog, mode, mail, shop: owner, pause, supportEmail } = merchant;
  const afterBreak = merchant.afterBreak(review.quote.expires_at);
  const shop = {
    catalog,
    shop: owner,
    mode,
    mailing: mail.sending,
    pause,
    afterBreak,
    supportEmail,
  };
  const url = reviewPath(res.req);
  const page = reviewPage({ ...review, ...shop, url, change: changeOf(review) });
  // A payment is captured within seconds.
  if (review.confirming && !refusal) res.setHeader("Refresh", "4");
  if (refusal) sendFormAgain(res, page, refusal);
  else sendPage(res, page);
}

const isOrdering = ({ standing, ordered, confirming }: Review): boolean =>
  ordered !== undefined || confirming || standing.status === "PROCESSING";

/** Page of the bags and details, before payment of a quote that a buyer made. */
const changeOf = ({ checkoutId, standing }: Review): string | undefined =>
  standing.payable && checkoutId !== null ? `/checkout/${checkoutId}?change` : undefined;

/** The page's quote, after counting a press of one of its buttons. */
export async function countPress(
  { merchant, limits }: Service,
  req: Request,
): Promise<ReviewedQuote> {
  const found = await merchant.reviews.find(tokenOf(req));
  limits.charge({ presses: 1 }, { own: found.quote.id, address: callerAddress(req) });
  return found;
}

/** Redirects to the provider's page, or shows ours with the reason. */
const payQuote =
  (api: Api): RequestHandler =>
  async (req, res) => {
    const { merchant } = api.service;
    const found = await countPress(api.service, req);
    // A program's form may lack this field (contract §16).
    const shownPurchase = fieldIn(req.body, "beside") || null;
    const paying = await merchant.payments.pay(found, { shownPurchase });
    if (paying.kind === "redirect") res.redirect(303, paying.url);
    else if (paying.kind === "look") res.redirect(303, reviewPath(req));
    else await sendObstacle(api, paying, res);
  };

/** The quote is unchanged, and the page says when to try again. */
async function sendObstacle(
  { service, edge }: Api,
  obstacle: PaymentObstacle,
  res: Response,
): Promise<void> {
  const { req } = res;
  const refusal = paymentRefusal(obstacle);
  if (obstacle.kind !== "unavailable" && !prefersPage(req)) {
    sendProblem(res, refusal, edge);
    return;
  }
  const { merchant } = service;
  const review = await merchant.reviews.open(tokenOf(req));
  sendReview(res, merchant, { ...review, obstacle }, refusal);
}

/** Makes a new quote for the same order without its discount, and shows its higher total. */
const quoteFullPrice =
  ({ service }: Api): RequestHandler =>
  async (req, res) => {
    const found = await countPress(service, req);
    res.redirect(303, await service.merchant.quotes.withoutCourtesy(found));
  };

/** Makes a checkout of the same bags. Whoever presses it sees the order's email and address above. */
const buyAgain =
  ({ service }: Api): RequestHandler =>
  async (req, res) => {
    const { checkouts, reviews, catalog } = service.merchant;
    await countPress(service, req);
    const review = await reviews.open(tokenOf(req));
    const again = orderAgain(review, catalog);
    if (!again) return res.redirect(303, reviewPath(req));
    const values = { email: review.quote.buyer_email, ...again.address };
    const { id } = await checkouts.openShop(again.cart, { browser: browserOf(res), values });
    keepCart(res, { id, bags: bagCount(again.cart.items) });
    res.redirect(303, `/checkout/${id}`);
  };
