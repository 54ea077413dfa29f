import type { Express } from "express";
import type { Api } from "./api.ts";
import { mountForm, sendPage } from "./page-answers.ts";
import { reviewPage } from "./pages/review.ts";
import { cancelPayment, payQuote, quoteFullPrice } from "./review-actions.ts";
import { reviewModel } from "./review-model.ts";

/** `/review/{token}`: the buyer sees exactly what is approved, and pays (contract §5). */
export function mountReview(app: Express, api: Api): void {
  const { edge, service } = api;
  const { merchant } = service;
  mountForm(app, edge, "/review/:token", {
    get: async (req, res) => {
      const returned = req.query.from === "checkout";
      const review = await merchant.reviews.open(String(req.params.token), { returned });
      sendPage(res, reviewPage(reviewModel(merchant, review, { url: req.path })));
    },
    post: payQuote(api),
  });

  // The provider sends a buyer here who turns back on its page, and it can only do so with a GET.
  mountForm(app, edge, "/review/:token/cancel", {
    get: cancelPayment(api),
    post: cancelPayment(api),
  });

  mountForm(app, edge, "/review/:token/full-price", {
    post: quoteFullPrice(api),
  });
}
