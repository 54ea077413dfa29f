import type { Express, Request, RequestHandler, Response } from "express";
import type { Api } from "../api/api.ts";
import type { Service } from "../api/perform.ts";
import type { MerchantError } from "../core/errors.ts";
import { widerNetwork } from "../core/network.ts";
import { namedAnswer } from "../core/next-step.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Review } from "../orders/review.ts";
import type { ReviewedQuote } from "../payments/checkout-request.ts";
import { paymentRefusal } from "../quotes/quote-view.ts";
import type { PaymentObstacle } from "../quotes/standing.ts";
import { fieldIn } from "../web/body.ts";
import { prefersPage, sendFormAgain, sendPage } from "../web/page-answers.ts";
import { sendProblem } from "../web/problem-answers.ts";
import { callerAddress } from "../web/request-context.ts";
import { mountForm, tokenOf } from "../web/routes.ts";
import { reviewPage } from "./pages/review.ts";
import type { ReviewView } from "./pages/review-view.ts";

/** `/review/{token}`: the buyer sees exactly what is approved, and pays (contract §5). */
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
      const returned = req.query.from === "checkout";
      const review = await merchant.reviews.open(tokenOf(req), { returned });
      sendReview(res, merchant, review);
    },
    post: payQuote(api),
  });

  // The provider sends a buyer here who turns back on its page, and it can only do so with a GET.
  mountForm(app, edge, "/review/:token/cancel", {
    get: cancelPayment(api),
    post: cancelPayment(api),
  });

  mountForm(app, edge, "/review/:token/full-price", { post: quoteFullPrice(api) });
}

/** The order's own page, whichever of its forms was sent. */
export const reviewPath = (req: Request): string => `/review/${encodeURIComponent(tokenOf(req))}`;

/** The order's page in its shop; `refusal`: of what its buyer has just pressed. */
export function sendReview(
  res: Response,
  { catalog, mode, mail, shop: owner, supportEmail }: Merchant,
  review: Review & Pick<ReviewView, "notNow" | "refusedWish">,
  refusal?: MerchantError,
): void {
  const shop = { catalog, shop: owner, mode, mailing: mail.sending, supportEmail };
  const page = reviewPage({ ...review, ...shop, url: reviewPath(res.req) });
  if (refusal) sendFormAgain(res, page, refusal);
  else sendPage(res, page);
}

/** The quote of a page; counts a press of pay, of what quotes the same anew, or of asking to cancel. */
export async function pressed({ merchant, limits }: Service, req: Request): Promise<ReviewedQuote> {
  const found = await merchant.reviews.find(tokenOf(req));
  await limits.take(["pay", "pay_day", "pay_address"], {
    link: found.quote.id,
    address: callerAddress(req),
  });
  return found;
}

/** Pressed pay: on to the provider's page, or back to ours with the reason. */
const payQuote =
  (api: Api): RequestHandler =>
  async (req, res) => {
    const { merchant, limits } = api.service;
    const found = await pressed(api.service, req);
    const network = limits.on ? widerNetwork(callerAddress(req)) : null;
    // A form without it, as a program sends one, is taken at its word (contract §16).
    const told = fieldIn(req.body, "beside") || null;
    const paying = await merchant.payments.pay(found, network, told);
    if (paying.kind === "redirect") res.redirect(303, paying.url);
    else if (paying.kind === "look") res.redirect(303, reviewPath(req));
    else await sendObstacle(api, paying, res);
  };

/** Nothing is lost: the quote is as it was, and the page says when to press again. */
async function sendObstacle(
  { service, edge }: Api,
  notNow: PaymentObstacle,
  res: Response,
): Promise<void> {
  const { req } = res;
  const refusal = paymentRefusal(notNow, edge.clock());
  if (notNow.kind !== "unavailable" && !prefersPage(req)) {
    sendProblem(res, refusal, edge);
    return;
  }
  const { merchant } = service;
  const review = await merchant.reviews.open(tokenOf(req));
  sendReview(res, merchant, { ...review, notNow }, refusal);
}

/** Lets go at once of what the named payment holds, then shows the order as it can be paid again. */
const cancelPayment =
  ({ service }: Api): RequestHandler =>
  async (req, res) => {
    const { reviews, payments } = service.merchant;
    const found = await reviews.find(tokenOf(req));
    const payment = fieldIn(req.method === "POST" ? req.body : req.query, "payment");
    // Looking ahead is no wish to cancel.
    const ahead = req.method === "HEAD" || /prefetch/.test(req.header("sec-purpose") ?? "");
    if (/^\w{1,64}$/.test(payment) && !ahead) await payments.cancel(found, payment);
    res.redirect(303, reviewPath(req));
  };

/** The same order without its courtesy, as a quote of its own: its higher total is asked, not taken. */
const quoteFullPrice =
  ({ service }: Api): RequestHandler =>
  async (req, res) => {
    const found = await pressed(service, req);
    res.redirect(303, await service.merchant.quotes.withoutCourtesy(found));
  };
