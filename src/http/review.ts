import type { Express, Request, RequestHandler, Response } from "express";
import { type PaymentObstacle, paymentRefusal } from "../domain/payment/refusal.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { Api } from "./api.ts";
import { fieldIn } from "./body.ts";
import { prefersPage, sendPage } from "./page-answers.ts";
import { reviewPage } from "./pages/review.ts";
import { sendProblem } from "./problem-answers.ts";
import { callerAddress } from "./request-context.ts";
import { mountForm } from "./routes.ts";

/** `/review/{token}`: the buyer sees exactly what is approved, and pays (contract §5). */
export function mountReview(app: Express, api: Api): void {
  const { edge, service } = api;
  const { merchant } = service;
  mountForm(app, edge, "/review/:token", {
    get: async (req, res) => {
      const returned = req.query.from === "checkout";
      const review = await merchant.reviews.open(tokenOf(req), { returned });
      sendPage(res, reviewPage({ ...review, ...about(merchant), url: req.path }));
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

/** The shop that the order is of. */
export const about = ({ catalog, mode, mail, supportEmail }: Merchant) => ({
  catalog,
  mode,
  mailing: mail.sending,
  supportEmail,
});

/** Of pay, of what makes another quote of the same order, and of asking to cancel it. */
export const PRESSES = ["pay", "pay_day"] as const;

export const tokenOf = (req: Request): string => String(req.params.token);

/** Pressed pay: on to the provider's page, or back to ours with the reason. */
const payQuote =
  (api: Api): RequestHandler =>
  async (req, res) => {
    const { merchant, limits } = api.service;
    const found = await merchant.reviews.find(tokenOf(req));
    const address = callerAddress(req);
    await limits.take(PRESSES, { link: found.quote.id, address });
    const paying = await merchant.payments.pay(found, limits.on ? address : null);
    if (paying.kind === "redirect") res.redirect(303, paying.url);
    else if (paying.kind === "look") res.redirect(303, req.path);
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
  const page = reviewPage({ ...review, ...about(merchant), url: req.path, notNow });
  sendPage(res, page, refusal);
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
    res.redirect(303, req.path.replace(/\/cancel$/, ""));
  };

/** The same order without its courtesy, as a quote of its own: its higher total is asked, not taken. */
const quoteFullPrice =
  ({ service }: Api): RequestHandler =>
  async (req, res) => {
    const { merchant, limits } = service;
    const found = await merchant.reviews.find(tokenOf(req));
    await limits.take(PRESSES, { link: found.quote.id, address: callerAddress(req) });
    const url = await merchant.quotes.withoutCourtesy(found);
    res.redirect(303, url);
  };
